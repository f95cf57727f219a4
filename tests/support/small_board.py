"""A small board for tests: the complete example of the documentation."""

import copy
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from referee import atlas
from referee.engine.board import Board
from support.paths import ROOT

DOCS = ROOT / "docs" / "custom-maps.md"
ISLAND = re.findall(r"```toml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)[0]
_LANDS = """
[countries]
Inland = {home = true}
Coast = {prestige = [7, 4, 2]}

[permits]
market = ["Coast"]

[[cities]]
id = "westport\""""
IN_LANDS = ISLAND.replace('\n[[cities]]\nid = "westport"', _LANDS).replace(
    "\n[[routes]]\n", '\n[[routes]]\ncountry = "Inland"\n'
)


def board_of(text: str, folder: Path) -> Board:
    """Write a map file with this text, and load it."""
    path = folder / "board.toml"
    path.write_text(text, "utf-8")
    return atlas.load_board(path)


@cache
def _island() -> Board:
    return atlas.board_from_words(tomllib.loads(ISLAND))


def island() -> dict[str, Any]:
    """Return a copy of the island's words, with every default filled in."""
    return copy.deepcopy(dict(_island().words))

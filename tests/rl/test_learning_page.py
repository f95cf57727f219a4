"""docs/learning.md: its examples run, and its figures are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages import ROOT, blocks_of
from referee.options import GameOptions, load_game
from referee.rl import Kind
from support.combinations import PLAYERS

PAGE = ROOT / "docs" / "learning.md"
BLOCKS = blocks_of(PAGE)
EXAMPLES = (
    "single agent",
    "made by its name",
    "random play",
    "numbers",
    "layout",
    "batch",
    "data set",
    "bot",
)


def test_every_example_is_run_here() -> None:
    named = [block.notes["example"] for block in BLOCKS if "example" in block.notes]
    assert tuple(named) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_and_prints_what_the_page_says(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (block,) = [one for one in BLOCKS if one.notes.get("example") == name]
    monkeypatch.chdir(tmp_path)
    exec(compile(block.text, block.place, "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert printed
    for output in BLOCKS:
        if output.notes.get("output") == name:
            assert printed == output.text


def test_the_sizes_are_those_of_every_board() -> None:
    rows = re.findall(
        r"^\| ([\w-]+) \| (\d) \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    kinds = [(board, players) for board in PLAYERS for players in PLAYERS[board]]
    sizes = {}
    for board, players in kinds:
        kind = Kind(*load_game(GameOptions(board=board), players))
        sizes[board, players] = (kind.numbering.size, kind.row_size)
    shown = {
        (board, int(players)): (int(actions), int(row)) for board, players, actions, row in rows
    }
    assert shown == sizes

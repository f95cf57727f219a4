"""docs/transcript.md: the game is played again, and every message is as the page shows it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from pages import ROOT
from support import forks
from support.groups import together
from support.paths import REFEREE

BOT = Path(__file__).parent / "scripted_bot.py"
FOUGHT_OVER, TAKEN = "goettingen--quedlinburg", "goslar--magdeburg"
SCRIPTS: dict[str, list[dict[str, object]]] = {
    "ours": [
        {"do": "place", "route": TAKEN, "tradesman": "trader"},
        {"do": "place", "route": FOUGHT_OVER, "tradesman": "trader"},
        {"do": "relocate", "from": "displaced", "route": "goslar--quedlinburg"},
        {"do": "relocate", "from": "stock", "route": "halle--quedlinburg"},
        {"do": "place", "route": TAKEN, "tradesman": "trader"},
        {"do": "create", "route": TAKEN, "reward": {"post": "goslar"}},
    ],
    "east": [
        {
            "do": "displace",
            "route": FOUGHT_OVER,
            "tradesman": "trader",
            "pay": {"traders": 1, "merchants": 0},
        },
        {"do": "end-turn"},
    ],
    "west": [{"do": "income", "traders": 3}, {"do": "end-turn"}],
}


def shown() -> list[str]:
    """Return the messages of the page, each on one line."""
    page = (ROOT / "docs" / "transcript.md").read_text("utf-8")
    blocks = re.findall(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return re.sub(r"\n +", "", "".join(blocks)).splitlines()


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Play the game, and return its messages."""
    folder = tmp_path_factory.mktemp("transcript")
    bots = [
        f"{name}={shlex.join(['python', str(BOT), name, name, *map(json.dumps, script)])}"
        for name, script in SCRIPTS.items()
    ]
    options = ["--board", "hanse-2-3", "--max-turns", "4", "--seed", "7"]
    done = forks.run([*REFEREE, "play", *bots, *options, "--quiet"], cwd=folder)
    assert done.returncode == 0, done.stderr
    return (folder / "ours").read_text("utf-8").splitlines()


def test_every_message_of_the_game_is_on_the_page(messages: list[str]) -> None:
    assert len(shown()) == len(messages) == 18


@together("number", range(18))
def test_a_message_is_as_the_page_shows_it(number: int, messages: list[str]) -> None:
    expected = ".*".join(re.escape(part) for part in shown()[number].split("…"))
    assert re.fullmatch(expected, messages[number]), messages[number]

"""navigator-1 with 15 rounds a turn repeats its choices in recorded games of every board.

These tests ask it for one turn a board. `referee reask` asks for every decision of a record:

    referee reask tests/fixtures/navigator-1/east-17.jsonl.gz \
        "python sample_bots/navigator-1/bot.py --nodes 15" --seat 3 --no-clock
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from house_bots.conftest import Seated
from referee import Game
from support.paths import TESTS

RECORDS = TESTS / "fixtures" / "navigator-1"
ROUNDS = 15
ONE_OF_EACH_BOARD = (
    "hanse-4-5-2",
    "hanse-2-3-7",
    "britannia-4-5-10",
    "britannia-2-3-15",
    "east-19",
)


def first_decisions(path: Path) -> Iterator[Any]:
    """The lines of the decisions with which navigator-1, in the last seat, began its turns."""
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    seat = len(lines[0]["players"]) - 1
    decisions = [line for line in lines if line.get("decision") == "turn"]
    for before, line in pairwise(decisions):
        if line["seat"] == seat != before["seat"] and line["by"] == "bot":
            yield line


@pytest.mark.parametrize("name", ONE_OF_EACH_BOARD)
def test_navigator_1_repeats_its_recorded_turns(name: str, seated: Seated) -> None:
    path = RECORDS / f"{name}.jsonl.gz"
    turns = list(first_decisions(path))
    line = turns[len(turns) // 2]
    state = Game.load(path, at=line["id"]).engine_state
    answer = seated("navigator-1", state, line["seat"], nodes=ROUNDS)
    assert answer(state) == line["choice"]

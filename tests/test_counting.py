"""Seats, and the games of a block, count from 0 in everything that is shown, as in every file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.paths import ROOT

SHOWN = ("cli", "narration", "terminal", "web")
FROM_ONE = re.compile(r"\b(seat|SEAT\]|colour|number)\s*\+\s*1\b")
SOURCES = [
    path
    for folder in SHOWN
    for pattern in ("*.py", "*.js")
    for path in sorted((ROOT / "referee" / folder).rglob(pattern))
]


@pytest.mark.parametrize("code", ["seat + 1", "game.number + 1", "row[SEAT] + 1", "colour+1"])
def test_counting_from_1_is_recognised(code: str) -> None:
    assert FROM_ONE.search(f"{{{code}}}")


def test_nothing_that_is_shown_counts_seats_or_games_from_1() -> None:
    assert SOURCES
    assert [line for path in SOURCES for line in found(path)] == []


def found(path: Path) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if FROM_ONE.search(line)
    ]

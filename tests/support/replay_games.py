"""Records and timelines for tests of replays, written once for all tests."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from referee.replay.timeline import Timeline, open_timeline
from support.board_records import write_abandoned, write_record
from support.random_games import Game, played

FULL = "hanse-4-5:4:bigbox+missions+favours+promos"
BRIEF = f"{FULL}+max_turns=8"
SHORT = "hanse-2-3:3:original+missions"
EVERY = (
    FULL,
    SHORT,
    "hanse-2-3:2:bigbox+missions+promos+neutral=2009",
    "east:3:bigbox",
    "britannia-4-5:5:bigbox+permits+promos",
    "britannia-2-3:3:bigbox+permits",
)
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x1b[31m\u202eevil\x9b5m[bold]"
HOSTILE_SHOWN = "\\u001b]0;owned\\u0007\\u001b[2J\\u001b[31m\\u202eevil\\u009b5m[bold]"

_folder = tempfile.TemporaryDirectory(prefix="replay-")


@cache
def record(name: str) -> Path:
    return write_record(_path(), game_of(name), says={1: "first!", 7: HOSTILE})


@cache
def hostile_record() -> Path:
    names = [HOSTILE, "x" * 5000, "[link=https://example.org]link[/]", "\t\r\n"]
    return write_record(_path(), game_of(BRIEF), names=names, says={1: HOSTILE, 2: HOSTILE})


@cache
def abandoned_record() -> Path:
    return write_abandoned(_path(), game_of("east:3:bigbox"), HOSTILE)


def game_of(name: str) -> Game:
    return played(name)


@cache
def timeline(name: str) -> Timeline:
    """Return the timeline of a recorded game; do not change it."""
    return open_timeline(record(name))


def _path() -> Path:
    return Path(tempfile.mkdtemp(dir=_folder.name)) / "game.jsonl"

"""A wall clock that jumps: no time limit depends on it."""

from __future__ import annotations

import ast
import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.match_setup import PLAIN, BotMatch
from support.source_files import modules, name_of, tree_of

# The store notes when a block was finished, for people to read.
MAY_READ_IT = {"referee/tournament/store/store.py"}
WALL = {("time", "time"), ("time", "time_ns"), ("time", "localtime"), ("datetime", "now"),
        ("datetime", "today"), ("date", "today"), ("datetime", "utcnow")}  # fmt: skip


def reads_wall_clock(path: Path) -> bool:
    """Return whether a module reads the wall clock."""
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in WALL
        for node in ast.walk(tree_of(path))
    )


def test_modules_that_run_games_do_not_read_the_wall_clock() -> None:
    folders = ("referee/match", "referee/tournament", "referee/records", "referee/engine")
    assert {name_of(path) for path in modules(*folders) if reads_wall_clock(path)} <= MAY_READ_IT


def jumps() -> Iterator[float]:
    """Yield times that jump an hour forward and a day back."""
    return itertools.cycle([time.monotonic() + 3600, time.monotonic() - 86_400])


def test_a_clock_that_jumps_causes_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = jumps()
    monkeypatch.setattr(time, "time", lambda: next(clock))
    monkeypatch.setattr(time, "time_ns", lambda: int(next(clock) * 1e9))
    with BotMatch([PLAIN, PLAIN]) as match:
        played = match.play()
    assert played.outcome.faults == []
    assert all(0 <= line["ms"] < 60_000 for line in played.of("decision"))

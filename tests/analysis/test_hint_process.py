"""The process that makes a hint: it gets what the seat sees, answers in sentences, and can be stopped."""

from __future__ import annotations

import select
import sys
from pathlib import Path

import pytest

from referee.analysis.hint import hint_for, hint_lines
from referee.analysis.hint_process import HintProcess, request_of
from referee.analysis.lines import Settings
from referee.engine.restore import redraw
from referee.engine.state import GameState
from referee.records.resume import Record
from support.recorded_games import record

GAME = "hanse-4-5:4:bigbox+missions+favours+promos+max_turns=12"
NAMES = ["ann", "bob", "cat", "dan"]
QUICK = Settings(time_ms=None, rounds=1)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> GameState:
    path = record(tmp_path_factory.mktemp("hints") / "game.jsonl", GAME)
    return Record(path).position(12)[0]


def test_the_process_gets_nothing_that_the_seat_does_not_see(state: GameState) -> None:
    other_truth = state.copy()
    redraw(other_truth, state.agenda[-1].seat, 99)
    assert state.digest() != other_truth.digest()
    assert request_of(state, NAMES, QUICK) == request_of(other_truth, NAMES, QUICK)


def test_its_hint_is_that_of_the_position(state: GameState) -> None:
    process = HintProcess(state, NAMES, QUICK)
    try:
        assert select.select([process.fileno()], [], [], 30)[0]
        assert process.text().splitlines() == hint_lines(hint_for(state, NAMES, QUICK))
    finally:
        process.stop()


def test_it_can_be_stopped_at_once(state: GameState) -> None:
    process = HintProcess(state, NAMES, Settings(time_ms=1e6))
    process.stop()
    assert process._process.returncode is not None


def test_a_process_that_fails_has_no_text(
    state: GameState, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    process = HintProcess(state, NAMES, QUICK)
    try:
        assert process.text() == ""
    finally:
        process.stop()

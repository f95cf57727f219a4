"""`referee bench replay`: it measures long games; no test checks how fast they are."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee.bench import replay as bench
from referee.cli import main


def test_opening_and_jumping_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "OPENINGS", 1)
    monkeypatch.setattr(bench, "JUMPS", 5)
    result = CliRunner().invoke(main, ["bench", "replay", "--board", "hanse-2-3", "--json"])
    assert result.exit_code == 0, result.stderr
    (speed,) = json.loads(result.stdout)["boards"]
    assert speed["decisions"] >= 2000
    assert len(speed["jump_ms"]) == len(speed["slowest_jump_ms"]) == len(bench.SIZES)


def test_figures_are_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "OPENINGS", 1)
    monkeypatch.setattr(bench, "JUMPS", 1)
    monkeypatch.setattr(bench, "DECISIONS", 20)
    monkeypatch.setattr(bench, "TURNS", (10,))
    result = CliRunner().invoke(main, ["bench", "replay", "--board", "east"])
    assert result.exit_code == 0
    assert "CPU time" in result.stdout


def test_a_game_that_is_too_short_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "TURNS", (1,))
    result = CliRunner().invoke(main, ["bench", "replay", "--board", "east"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no game on east has 2000 decisions" in result.stderr

"""`referee bench replay`: it measures long games; no test checks how fast they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from referee.bench import replay as bench
from referee.cli import main


def test_a_game_that_is_too_short_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "TURNS", (1,))
    result = CliRunner().invoke(main, ["bench", "replay", "--board", "east"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no game on east has 2000 decisions" in result.stderr


@pytest.fixture(scope="module")
def figures() -> Iterator[Callable[..., str]]:
    """Prints the figures of a board, which is measured once."""
    measured: list[bench.ReplaySpeed] = []
    measure = bench.measure_board

    def measure_once(*board: Any) -> bench.ReplaySpeed:
        if not measured:
            measured.append(measure(*board))
        return measured[0]

    def show(*words: str) -> str:
        result = CliRunner().invoke(main, ["bench", "replay", "--board", "hanse-2-3", *words])
        assert result.exit_code == 0, result.stderr
        return result.stdout

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "OPENINGS", 1)
        patch.setattr(bench, "JUMPS", 5)
        patch.setattr(bench, "measure_board", measure_once)
        yield show


def test_opening_and_jumping_are_measured(figures: Callable[..., str]) -> None:
    (speed,) = json.loads(figures("--json"))["boards"]
    assert speed["decisions"] >= 2000
    assert len(speed["jump_ms"]) == len(speed["slowest_jump_ms"]) == len(bench.SIZES)


def test_figures_are_a_table(figures: Callable[..., str]) -> None:
    assert "CPU time" in figures()

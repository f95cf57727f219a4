"""The tables of the benchmarks fit into 80 columns, even with large numbers."""

from __future__ import annotations

from math import nan

import pytest

from referee.bench.match import Cost, Memory
from referee.bench.schedule import plan_figures
from referee.bench.tournament import Throughput
from referee.terminal.bench import MATCH, TOURNAMENT, match_notes, show, tournament_notes

BUILD = {"build": "interpreted", "python": "3.11.7"}
MEMORY = Memory(200, 60.0, 61.0)
LARGE = Cost("words/full, Python", 4321.0, 321.0, 321.0, 321.0, 321.0, 321.0, 1234.5, 9999.0, 100)


def test_the_costs_of_a_decision_fit_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    show(BUILD, MATCH, [LARGE], match_notes(MEMORY), as_json=False)
    table, _ = capsys.readouterr().out.split("'times echo'")
    assert "…" not in table
    assert "bot's" in table
    assert "1234.5" in table
    assert max(map(len, table.splitlines())) <= 80


def test_what_cannot_be_measured_is_a_dash(capsys: pytest.CaptureFixture[str]) -> None:
    unmeasured = Cost("codes/none, Python", 43.0, nan, 3.0, 3.0, 3.0, 3.0, 12.5, 99.0, 100)
    show(BUILD, MATCH, [unmeasured], match_notes(MEMORY), as_json=False)
    shown = capsys.readouterr().out
    assert "nan" not in shown
    assert shown.count("–") == 2


def test_the_speed_of_tournaments_fits_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    one = Throughput("random", 128, 10_000, 1234.5, 123_456.0, 0.99, 0.123, 0.123, 146.5, 1146.5)
    notes = tournament_notes([one], plan_figures(16, 100), 2.0)
    show(BUILD, TOURNAMENT, [one], notes, as_json=False)
    table, _ = capsys.readouterr().out.split("'referee' is")
    assert "…" not in table
    assert "146.5→1146.5" in table
    assert max(map(len, table.splitlines())) <= 80

"""`referee bench tournament`: its figures, for people and for programs."""

import functools
import json

import pytest
from click.testing import CliRunner

from referee.bench import tournament
from referee.bench.schedule import plan_figures
from referee.cli import main
from referee.version import build_name

MEASURE_ONCE = functools.cache(tournament.measure)  # the figures are printed twice


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "MAX_TURNS", 8)
    monkeypatch.setattr(tournament, "measure", MEASURE_ONCE)
    monkeypatch.setattr("referee.cli.bench.tournament.plan_figures", lambda: plan_figures(16, 100))


def bench(*arguments: str) -> str:
    words = ["bench", "tournament", "--games", "4", "--bots", "random", "--workers", "1"]
    result = CliRunner().invoke(main, [*words, *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_is_one_object_with_what_was_played_and_planned() -> None:
    words = json.loads(bench("--json"))
    (one,) = words["tournaments"]
    assert (words["bench"], words["build"]) == ("tournament", build_name())
    assert (one["bots"], one["workers"], one["games"]) == ("random", 1, 4)
    assert 0 < one["referee_share"] < 1
    assert one["memory_late_mib"] > 1
    assert (words["scaling"], words["machine_scaling"]) == ({}, None)
    assert words["plan"]["bots"] == 16


def test_the_table_has_a_row_for_each_tournament() -> None:
    (row,) = [line for line in bench().splitlines() if line.strip().startswith("random")]
    assert row.split()[1:3] == ["1", "4"]

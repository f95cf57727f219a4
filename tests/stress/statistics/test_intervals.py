"""95 % intervals contain the true value in about 95 % of cases; `tox -e statistics` runs more."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from referee.tournament.ratings.arrays import Floats
from referee.tournament.results import BlockResult
from referee.version import build_name
from stress.statistics import intervals as interval_test
from stress.statistics.__main__ import main
from stress.statistics.intervals import SEATS, Scenario, measure_coverage
from stress.statistics.synthetic import Favour, Field, draw_results

SMALL = [
    Scenario(4, 4, 15),
    Scenario(4, 4, 20, "seats"),
    Scenario(5, 3, 30, "bots", ties=0.5),
    Scenario(8, 4, 60, "bots", rare=True),
]


@pytest.mark.parametrize("scenario", SMALL, ids=str)
def test_intervals_contain_the_truth_as_often_as_promised(scenario: Scenario) -> None:
    coverage = measure_coverage(scenario, 30)
    assert 0.92 <= coverage.ratings <= 0.98
    assert 0.92 <= coverage.differences <= 0.98
    assert 0.92 <= coverage.seats <= 0.98
    assert abs(coverage.bias) < coverage.half_width / 5


def test_with_very_few_blocks_intervals_are_too_wide_rather_than_narrow() -> None:
    coverage = measure_coverage(Scenario(4, 4, 3, "bots"), 30)
    assert coverage.ratings > 0.97


def test_a_bootstrap_of_few_blocks_gives_too_narrow_intervals() -> None:
    coverage = measure_coverage(Scenario(4, 4, 8, "bots"), 6, resamples=25)
    assert coverage.bootstrap is not None
    assert coverage.bootstrap < 0.92


# --- The simulated games follow the model --------------------------------------------------


def scores_of_first(results: list[BlockResult]) -> Floats:
    """Return an array (block, game) of the first bot's score against the second."""
    scores = []
    for result in results:
        for one in result.games:
            ranks = dict(zip(one.bots, one.ranks, strict=True))
            gap = ranks["bot-01"] - ranks["bot-00"]
            scores.append((np.sign(gap) + 1) / 2)
    return np.array(scores).reshape(len(results), -1)


@pytest.mark.parametrize("favour", ["nobody", "bots", "seats"])
@pytest.mark.parametrize("ties", [0.0, 0.8])
def test_each_game_follows_the_model_whomever_the_seed_favours(favour: Favour, ties: float) -> None:
    field = Field((100.0, -100.0, 0.0), (0.0, 0.0, 0.0), favour, ties=ties)
    scores = scores_of_first(draw_results(field, 3000, np.random.default_rng(2)))
    assert scores.mean() == pytest.approx(1 / (1 + 10 ** (-200 / 400)), abs=0.015)
    assert (scores == 0.5).any() == (ties > 0)


def test_games_of_a_block_are_correlated_if_the_seed_favours_a_bot() -> None:
    def likeness(favour: Favour) -> float:
        field = Field((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), favour)
        scores = scores_of_first(draw_results(field, 2000, np.random.default_rng(4)))
        return float(np.corrcoef(scores[:, 0], scores[:, 1])[0, 1])

    assert likeness("bots") > 0.3
    assert abs(likeness("nobody")) < 0.06
    assert likeness("seats") < -0.05


def test_rare_bots_play_less() -> None:
    field = Field((0.0,) * 8, SEATS[4], rare=True)
    bots = [
        bot for one in draw_results(field, 200, np.random.default_rng(0)) for bot in one.block.bots
    ]
    assert bots.count("bot-00") > 2 * bots.count("bot-07") > 0


# --- The program ---------------------------------------------------------------------------


def test_the_program_prints_json() -> None:
    words = ["intervals", "--repetitions", "2", "--most-blocks", "8", "--bootstrap", "3", "--json"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["stress"], found["build"]) == ("statistics intervals", build_name())
    assert {one["scenario"]["blocks"] for one in found["scenarios"]} == {4, 8}
    assert all(0 <= one["bootstrap"] <= 1 for one in found["scenarios"])


def test_the_program_prints_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interval_test, "SCENARIOS", (Scenario(4, 4, 4),))
    monkeypatch.setattr(interval_test, "SIZES", ((5, 10),))
    result = CliRunner().invoke(main, ["intervals", "--repetitions", "2"])
    assert result.exit_code == 0, result.output
    assert "40 games of 5 bots" in result.stdout

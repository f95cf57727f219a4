"""The programs that judge the analysis, in small."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from referee.analysis.evaluate import deals_of
from referee.analysis.lines import Settings
from referee.replay.timeline import open_timeline
from referee.thinking.search.draws import Search
from stress.analysis import blunders, calibration, honesty, playouts
from stress.analysis.__main__ import main
from stress.analysis.calibration import Prediction
from stress.analysis.games import GameFile, is_planted
from stress.analysis.playouts import Gain, measured_gain
from support.board_records import write_record
from support.random_games import played, sampled

NAME = "hanse-2-3:3:original"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> GameFile:
    """A recorded game of random bots."""
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    return GameFile(write_record(path, played(NAME)), "hanse-2-3", 7)


def prediction(chances: list[float], winner: int, name: str = "a game") -> Prediction:
    won = np.zeros(len(chances))
    won[winner] = 1
    return Prediction(name, "east", "first", np.array(chances), np.array([9.0, 5.0]), won)


def test_certain_predictions_that_come_true_have_no_loss() -> None:
    found = [prediction([1.0, 0.0], 0), prediction([0.0, 1.0], 1, "another")]
    whole, first, *_ = calibration.losses(found)
    assert (whole.part, whole.games, whole.positions) == (calibration.WHOLE, 2, 2)
    assert whole.learnt == pytest.approx(0)
    assert whole.uniform == pytest.approx(np.log(2))
    assert whole.by_score == pytest.approx(np.log(2), abs=0.01)  # the leader wins once in two games
    assert first.learnt == whole.learnt


def test_a_bin_has_what_was_predicted_and_what_came() -> None:
    found = [prediction([0.72, 0.28], int(number % 4 == 0), str(number)) for number in range(40)]
    low, high = calibration.bins(found)[:2]
    assert (low.chances, high.chances) == (40, 40)
    assert low.predicted == pytest.approx(0.28)
    assert high.predicted == pytest.approx(0.72)
    assert (low.came_true, high.came_true) == (0.25, 0.75)
    assert low.low < 0.25 < low.high


@pytest.fixture(scope="module")
def predicted(game: GameFile) -> list[Prediction]:
    return calibration.predictions(game)


def test_every_turn_of_a_game_has_a_prediction(predicted: list[Prediction]) -> None:
    assert len(predicted) > 20
    assert all(one.chances.sum() == pytest.approx(1, abs=1e-4) for one in predicted)
    assert {tuple(one.won) for one in predicted} == {tuple(predicted[0].won)}


def test_a_turn_gains_nothing_on_itself(game: GameFile) -> None:
    timeline = open_timeline(game.path)
    last = timeline.turns[-1]
    steps = timeline.steps[last.step + 1 :]
    trail = tuple((step.seat, step.picked) for step in steps)
    deal = deals_of(timeline.state(last.step), last.seat, omniscient=True)
    assert measured_gain(deal, last.seat, trail, trail, 3) == (0, 0, 3)


def test_games_end_when_the_side_of_a_limit_is_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    state = sampled(NAME)[0]
    gains = {"low": [0.0], "high": [1.0, 0.0], "near": [1.0, -0.9]}
    for name, values in gains.items():
        found = cycle(values)
        monkeypatch.setattr(playouts, "_gain", lambda *_, found=found: [next(found)])
        gain = measured_gain(lambda _: state, 0, (), (), 200, limit=0.05)
        assert gain.pairs == (200 if name == "near" else playouts.FEWEST_PAIRS)


def test_shares_are_summed_up() -> None:
    turns = [
        blunders.Judged("a game", turn, turn < 4, turn % 2 == 0, 0.1, cost=0.06 - 0.02 * turn)
        for turn in range(10)
    ]
    assert blunders.summed_up(turns) == blunders.Found(4, 1, 1.0, 6, 0.5)
    gains = [0.1, 0.0, -0.1, 0.3]
    found = [honesty.Preference("a game", "east", 1, 0.1, gain, 0.01) for gain in gains]
    figure = honesty.summed_up(found)
    assert figure.better == 0.625
    assert figure.low < 0.625 < figure.high
    assert figure.gain == pytest.approx(0.075)


def test_all_turns_of_a_game_are_judged(game: GameFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "best_trail", lambda _: ())
    compared: list[Any] = []
    monkeypatch.setattr(blunders, "compare", lambda *given: compared.append(given))
    monkeypatch.setattr(blunders, "measured_gain", lambda *_: Gain(0.2, 0.01, 2))
    turns = blunders.judged_turns(game, 2)
    assert len(turns) == len(compared) > 20
    planted = [one for one in turns if one.is_planted]
    assert [one.cost for one in planted] == [0.2] * len(planted)
    assert [one.turn for one in planted] == [one.turn for one in turns if is_planted(one.turn, 7)]
    compared.clear()
    assert (blunders.judged_turns(game, 2), compared) == (turns, [])  # they are kept


def test_the_first_clear_preference_is_checked(
    game: GameFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(honesty, "SETTINGS", Settings(time_ms=None, rounds=8))
    monkeypatch.setattr(honesty, "measured_gain", lambda *_: Gain(0.2, 0.01, 2))
    found = honesty.first_preference(game, 2)
    assert found is not None
    assert (found.board, found.gain) == ("hanse-2-3", 0.2)
    assert found.promised >= 0.05


def test_a_calibration_in_json(
    game: GameFile,
    predicted: list[Prediction],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("stress.analysis.__main__.recorded", lambda *_: [game])
    monkeypatch.setattr("stress.analysis.__main__.predictions", lambda _: predicted)
    done = CliRunner().invoke(main, ["calibration", str(tmp_path), "--workers", "1", "--json"])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert (figures["stress"], figures["games"]) == ("calibration", 1)
    assert sum(one["positions"] for one in figures["losses"] if one["part"] == "hanse-2-3") > 20

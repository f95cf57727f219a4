"""The program that learns the networks: games, fitting, calibration, and going on after a stop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import learning.__main__ as program
from learning.calibration import calibrate
from learning.fitting import Data, Learner, Targets
from learning.self_play import Sample, play
from referee.thinking.features import FEATURES
from referee.thinking.learnt_value import OUTPUTS, LearntValue

TOTAL = FEATURES.index("total")
PROGRESS = FEATURES.index("progress")


def samples(count: int, seed: int) -> list[Sample]:
    """Games that the seat with the most points at the moment wins, mostly."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        rows = np.zeros((5, 5, len(FEATURES)), np.float16)
        rows[:, :4, TOTAL] = rng.normal(0, 1, (5, 4))
        rows[:, :, PROGRESS] = 0.5
        strength = rows[:, :4, TOTAL].mean(axis=0) + rng.normal(0, 0.1, 4)
        ranks = np.zeros(5, np.float32)
        ranks[:4] = 1 + (-strength).argsort().argsort()
        parts = np.zeros((5, len(OUTPUTS) - 1), np.float32)
        parts[:4, 0] = 20 + 5 * strength
        made.append(Sample(rows, ranks, parts))
    return made


def learnt_from(data: Data, **options: Any) -> Learner:
    learner = Learner.new(data)
    learner.learn(data, **{"epochs": 4, "rate": 2e-3, "from_ends": True, **options})
    return learner


def same(one: Learner, other: Learner) -> bool:
    pairs = zip(one.network.weights, other.network.weights, strict=True)
    return all((a == b).all() for a, b in pairs)


def test_a_network_learns_who_is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learning.fitting._BATCH", 32)
    data = Data.of(samples(500, seed=1))
    figures = calibrate(learnt_from(data).value(), data)
    middle = figures.phases[1]
    assert (figures.games, middle.positions) == (20, 100)
    assert middle.learnt < middle.uniform - 0.1


def test_the_same_data_give_the_same_network() -> None:
    data = Data.of(samples(30, seed=2))
    assert same(learnt_from(data), learnt_from(data))


def test_a_saved_learner_goes_on_as_if_it_had_not_been_stopped(tmp_path: Path) -> None:
    data = Data.of(samples(30, seed=2))
    learner = learnt_from(data)
    learner.save(tmp_path / "learner.npz")
    loaded = Learner.load(tmp_path / "learner.npz")
    for one in (learner, loaded):
        one.learn(data, epochs=2, rate=1e-3)
    assert same(learner, loaded)


def test_a_position_counts_what_is_expected_later_and_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("learning.fitting.LAMBDA", 0.5)
    rows = np.zeros((3, 2, 1), np.float16)
    ranks, parts = np.array([1, 2], np.float32), np.zeros((2, len(OUTPUTS) - 1), np.float32)
    data = Data.of([Sample(rows, ranks, parts), Sample(rows[:1], ranks[::-1], parts)])
    outputs = np.zeros((4, 2, len(OUTPUTS)), np.float32)  # both seats seem equally strong
    ahead = Targets.returns(data, outputs).ahead[:, 0, 1]
    assert ahead.tolist() == [0.625, 0.75, 1.0, 0.0]


def test_nobody_learns_from_games_that_are_held_out() -> None:
    data = Data.of(samples(50, seed=3))
    reversed_ranks = np.where(data.held_out[:, None] & data.present, 5 - data.ranks, data.ranks)
    other = replace(data, ranks=reversed_ranks)
    assert data.held_out.sum() == 10
    assert same(learnt_from(data), learnt_from(other))


def test_a_game_is_the_same_again_and_complete() -> None:
    one, other = play("hanse-2-3", 4, None), play("hanse-2-3", 4, None)
    assert (one.rows == other.rows).all()
    assert (one.ranks > 0).sum() in (2, 3)
    assert min(one.ranks[one.ranks > 0]) == 1
    assert len(one.rows) > 10


def test_a_stopped_run_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "CHUNK", 2)
    monkeypatch.setattr("learning.self_play._MOST_TURNS", 4)
    arguments = [
        str(tmp_path),
        "--boards",
        "east",
        "--games",
        "4",
        "--rounds",
        "2",
        "--workers",
        "1",
    ]
    monkeypatch.setattr("sys.argv", ["learning", *arguments])
    program.main()
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.npz")}
    program.main()
    assert before == {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.npz")}
    assert LearntValue.load(tmp_path / "values" / "any.npz").layers

"""The program that learns the networks: games, fitting, calibration, and going on after a stop."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import learning.__main__ as program
from learning.calibration import calibrate
from learning.fitting import Data, fit
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


def test_a_network_learns_who_is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learning.fitting._BATCH", 32)
    data = Data.of(samples(480, seed=1))
    figures = calibrate(fit(data), data)
    middle = figures.phases[1]
    assert (figures.games, middle.positions) == (60, 300)
    assert middle.learnt < middle.uniform - 0.1


def test_the_same_data_give_the_same_network() -> None:
    data = Data.of(samples(30, seed=2))
    one, other = fit(data), fit(data)
    assert all(
        (a.weights == b.weights).all() for a, b in zip(one.layers, other.layers, strict=True)
    )


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
        "6",
        "--rounds",
        "1",
        "--workers",
        "1",
    ]
    monkeypatch.setattr("sys.argv", ["learning", *arguments])
    program.main()
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.npz")}
    program.main()
    assert before == {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.npz")}
    assert LearntValue.load(tmp_path / "values" / "any.npz").layers

"""The program that tunes the weights: steps towards what wins, and going on after a stop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import learning.weights as program
from learning import tuning
from learning.tuning import MINUS, PLUS, Floats, point_of, weights_at
from referee.thinking.tuned_weights import ANY_BOARD, read_weights
from referee.thinking.weights import DEFAULT_WEIGHTS, Weights

POST = tuning._NAMES.index("post")


def prefers_posts(board: str, seed: int, sets: dict[str, Weights]) -> float:
    """The set that likes posts better wins."""
    return 1.0 if sets[PLUS].post > sets[MINUS].post else -1.0


def test_a_point_has_the_weights_it_was_made_from() -> None:
    other = replace(DEFAULT_WEIGHTS, post=3.0, uses=(*DEFAULT_WEIGHTS.uses[:9], 0.5))
    again = weights_at(point_of(other))
    assert point_of(again) == pytest.approx(point_of(other))
    assert (again.enough, again.short_of) == (other.enough, other.short_of)


def test_weights_move_towards_the_set_that_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "_lead", prefers_posts)
    start = point = point_of(DEFAULT_WEIGHTS)
    for number in range(100):
        point = point + tuning.step(point, "east", number, 0.0)
    moved = point - start
    assert moved[POST] == max(moved)
    assert moved[POST] > 1


def test_moves_that_chance_explains_disappear() -> None:
    left = tuning.without_chance(np.array([0.1, -0.3, 3.0]), variance=0.04)
    assert left == pytest.approx([0, -0.3 * 5 / 9, 3.0], rel=0.01)


def test_two_sets_that_are_equal_have_no_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games with exchanged seats cancel out."""
    monkeypatch.setattr(tuning, "MOST_TURNS", 6)
    sets = dict.fromkeys((PLUS, MINUS, tuning.MIDDLE), DEFAULT_WEIGHTS)
    assert tuning._lead("hanse-2-3", 3, sets) == pytest.approx(0)


def test_a_stopped_tuning_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "_lead", prefers_posts)
    monkeypatch.setattr(program, "SAVED", 4)
    whole = program.tune(tmp_path, 10, None, "east")
    (tmp_path / "tuning-east.json").unlink()

    def stopped(point: Floats, board: str, number: int, done: float) -> Floats:
        if number == 6:
            raise KeyboardInterrupt
        return tuning.step(point, board, number, done)

    monkeypatch.setattr(program, "step", stopped)
    with pytest.raises(KeyboardInterrupt):
        program.tune(tmp_path, 10, None, "east")
    monkeypatch.setattr(program, "step", tuning.step)
    assert np.array_equal(program.tune(tmp_path, 10, None, "east"), whole)


def test_the_program_writes_weights_for_every_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "MOST_TURNS", 2)
    options = [str(tmp_path), "--boards", "east", "--iterations", "1"]
    monkeypatch.setattr("sys.argv", ["learning.weights", *options])
    program.main()
    assert set(read_weights(tmp_path / "weights.json")) == {ANY_BOARD, "east"}

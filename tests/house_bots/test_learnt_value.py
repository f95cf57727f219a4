"""The learnt value: chances that add up, games that are over, and the files of the networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee import Game, atlas
from referee.atlas import board_from_words, load_board
from referee.engine import game
from referee.engine.state import GameState
from referee.thinking import learnt_value as module
from referee.thinking.candidates import ONE_LINE
from referee.thinking.evaluation import Evaluator
from referee.thinking.features import FEATURES
from referee.thinking.learnt_value import LearntValue, learnt_value, value_file
from referee.thinking.places import place_names
from referee.thinking.plan import best_lines
from support.table import table


def played(seed: int, decisions: int = 60) -> GameState:
    state = Game(players=4, seed=seed).engine_state
    for _ in range(decisions):
        game.apply(state, (seed * 7) % len(game.choices(state)))
    return state


def test_chances_and_ranks_add_up() -> None:
    outcomes = learnt_value(load_board("hanse-4-5")).outcomes([played(1), played(2), played(3)])
    assert outcomes.first().sum(axis=1) == pytest.approx([1, 1, 1])
    assert outcomes.ranks().sum(axis=1) == pytest.approx([10, 10, 10], abs=1e-4)
    assert outcomes.totals().shape == (3, 4)
    assert ((outcomes.beaten(2) > 0) & (outcomes.beaten(2) < 1)).all()


def test_the_result_of_a_game_that_is_over_is_known() -> None:
    state = table(prestige={1: 20})
    for _, index in best_lines(state, Evaluator(state, 0), ONE_LINE)[0].trail:
        game.apply(state, index)
    assert state.over
    outcomes = learnt_value(load_board("hanse-4-5")).outcomes([state])
    standings = game.standings(state)
    assert outcomes.first()[0].argmax() == next(one.seat for one in standings if one.rank == 1)
    assert outcomes.first().max() == pytest.approx(1)
    assert list(outcomes.totals()[0]) == [one.total for one in standings]


def test_a_large_lead_is_worth_more() -> None:
    even, ahead = table(), table(prestige={0: 15})
    chances = learnt_value(load_board("hanse-4-5")).outcomes([even, ahead]).first()[:, 0]
    assert chances[1] > chances[0] + 0.1


@pytest.mark.parametrize("board", atlas.board_names())
def test_every_board_has_a_network(board: str) -> None:
    assert learnt_value(load_board(board)).places == place_names(load_board(board))


def test_a_board_with_other_places_has_the_network_for_any() -> None:
    words = load_board("east").words
    renamed = board_from_words({**words, "id": "a-board-of-ones-own"})
    assert learnt_value(renamed).places == ()
    changed = board_from_words({**words, "routes": words["routes"][::-1]})
    assert learnt_value(changed).places == ()
    assert value_file(board_from_words({**words, "title": "East"})) == value_file(
        load_board("east")
    )


def test_a_network_is_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    value = learnt_value(load_board("east"))
    value.save(tmp_path / "value.npz")
    again = LearntValue.load(tmp_path / "value.npz")
    rows = np.ones((2, 3, len(FEATURES) + len(value.places)), np.float32)
    assert (again.run(rows) == value.run(rows)).all()
    assert again.places == value.places


def test_a_network_for_other_features_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt_value(load_board("east")).save(tmp_path / "value.npz")
    monkeypatch.setattr(module, "FEATURES", ("another",))
    with pytest.raises(ValueError, match="other features"):
        LearntValue.load(tmp_path / "value.npz")

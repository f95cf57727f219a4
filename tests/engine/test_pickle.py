"""Positions and boards are pickled and copied by the standard library, on both builds."""

from __future__ import annotations

import copy
import pickle

import pytest

from referee import atlas
from referee.engine import board as board_module
from referee.engine import game
from support.combinations import WITH_LEVY, WITH_VALUES
from support.groups import together
from support.random_games import message, sampled, with_empty_log

NAMES = (WITH_LEVY, *WITH_VALUES)


@together("name", NAMES)
def test_a_position_is_the_same_after_a_pickle(name: str) -> None:
    for state in sampled(name):
        again = pickle.loads(pickle.dumps(state))
        assert again.digest() == state.digest()
        assert message(again) == message(state)
        assert again.board is state.board
        assert again.plates_seen == state.plates_seen


@together("made", [lambda one: pickle.loads(pickle.dumps(one)), copy.copy])
@together("name", NAMES[:2])
def test_a_copy_plays_on_alone(name: str, made: object) -> None:
    assert callable(made)
    state = with_empty_log(sampled(name)[3])
    before = state.digest()
    again = made(state)
    assert again.events == []
    for _ in range(5):
        game.apply(again, 0)
    assert again.events
    assert state.events == []
    assert state.digest() == before


def test_a_deep_copy_shares_the_board() -> None:
    state = sampled(NAMES[0])[0]
    copied = copy.deepcopy(state)
    assert copied.digest() == state.digest()
    assert copied.board is state.board


def test_a_process_that_does_not_know_a_board_reads_it_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = atlas.load_board("east")
    pickled = pickle.dumps(board)
    monkeypatch.setattr(board_module, "_READ", {})
    one, other = pickle.loads(pickled), pickle.loads(pickled)
    assert one is other
    assert one is not board
    assert (one.words, one.digest) == (board.words, board.digest)


def test_of_very_many_boards_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    pickled = [pickle.dumps(atlas.load_board(name)) for name in ("east", "hanse-2-3")]
    monkeypatch.setattr(board_module, "_READ", {})
    monkeypatch.setattr(board_module, "_MOST_READ", 1)
    first = pickle.loads(pickled[0])
    assert pickle.loads(pickled[0]) is first
    pickle.loads(pickled[1])
    assert pickle.loads(pickled[0]) is not first

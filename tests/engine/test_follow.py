"""Following a recorded game: what was played is applied again, and anything else is refused."""

from __future__ import annotations

import pytest

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS
from support.combinations import named
from support.random_games import played

NAME = "hanse-2-3:3:bigbox"


def test_a_whole_game_is_followed_to_the_same_end() -> None:
    one = played(NAME)
    state = game.new_game(one.board, one.rules, one.seed)
    for index in one.indices:
        asked, options = state.agenda[-1], game.choices(state)
        chosen, turn = options[index], state.turn
        kind, number, single = DECISIONS[asked.kind], state.decision_id, len(options) == 1
        assert game.follow(state, turn, number, asked.seat, kind, index, single) is chosen
    assert state.is_over
    assert state.digest() == game.replay(one.board, one.rules, one.seed, one.indices).digest()
    assert game.follow(state, state.turn, state.decision_id, 0, "turn", 0, False) is None


@pytest.fixture
def state() -> GameState:
    return game.new_game(*named(NAME), 1)


@pytest.mark.parametrize(
    ("turn", "number", "seat", "kind", "index", "single"),
    [
        (2, 1, 0, "turn", 0, False),
        (1, 2, 0, "turn", 0, False),
        (1, 1, 1, "turn", 0, False),
        (1, 1, 0, "lift", 0, False),
        (1, 1, 0, "turn", -1, False),
        (1, 1, 0, "turn", 10**20, False),
        (1, 1, 0, "turn", 0, True),
    ],
)
def test_a_choice_that_is_not_offered_is_not_followed(
    state: GameState, turn: int, number: int, seat: int, kind: str, index: int, single: bool
) -> None:
    before = state.digest()
    assert game.follow(state, turn, number, seat, kind, index, single) is None
    assert state.digest() == before

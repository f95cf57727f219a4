"""The rules of thumb of `trader`, in their order."""

from __future__ import annotations

from typing import Any

from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import DO_CREATE, DO_INCOME, DO_PLACE, NONE
from support.table import table

LONG = "hamburg--luebeck"
SHORT = "goettingen--warburg"


def choice_in(state: GameState, seated: Any) -> Choice:
    """What `trader` does in a position."""
    index: int = seated("trader", state, 0)(state)
    return game.choices(state)[index]


def route_of(state: GameState, choice: Choice) -> str:
    return state.board.route_ids[state.board.point_route[choice.point]]


def test_a_held_route_is_created_with_a_reward(seated: Any) -> None:
    state = table(points={SHORT: ["0t", "0t", "0t"]})
    choice = choice_in(state, seated)
    assert choice.do == DO_CREATE
    assert choice.reward != NONE


def test_the_begun_route_that_needs_least_is_filled(seated: Any) -> None:
    state = table(points={LONG: ["0t", None, None], SHORT: ["0t", "0t", None]})
    choice = choice_in(state, seated)
    assert choice.do == DO_PLACE
    assert route_of(state, choice) == SHORT


def test_without_a_begun_route_a_shortest_empty_one_is_begun(seated: Any) -> None:
    state = table()
    choice = choice_in(state, seated)
    assert choice.do == DO_PLACE
    route = state.board.routes[state.board.point_route[choice.point]]
    assert len(route) == min(map(len, state.board.routes))


def test_with_an_empty_supply_income_is_taken(seated: Any) -> None:
    assert choice_in(table(supply={0: (0, 0)}), seated).do == DO_INCOME

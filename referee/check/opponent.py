"""The referee's own play in a check: it builds, so that a game soon visits every corner of the rules."""

from __future__ import annotations

from random import Random
from typing import Final

from referee.check.aims import Aim
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import (
    DO_CREATE,
    DO_DECLINE,
    DO_DISPLACE,
    DO_END_TURN,
    DO_FAVOUR,
    DO_INCOME,
    DO_LIFT,
    DO_MOVE,
    DO_PERMIT,
    DO_PLACE,
    DO_STOP,
    DO_USE,
    NO_REWARD,
    NONE,
)
from referee.random_play import kind_first

# What a builder thinks of each kind of choice; of others _USUAL.
_WORTH: Final = {
    DO_CREATE: 60,
    DO_FAVOUR: 40,
    DO_USE: 30,
    DO_PLACE: 10,
    DO_PERMIT: 8,
    DO_DISPLACE: 8,
    DO_MOVE: 3,
    DO_INCOME: 0,
    DO_STOP: -1,
    DO_DECLINE: -5,
    DO_END_TURN: -10,
}
_USUAL: Final = 5
_WHIM: Final = 0.2  # how often any kind of choice is taken
_AIMED_WHIM: Final = 0.05
_POOR: Final = 3  # with fewer traders in the supply, income is wanted
_MARKER: Final = 6


def build(state: GameState, offered: list[Choice], rng: Random, aim: Aim | None = None) -> int:
    """The index of a choice that helps to create routes, and the aim; now and then of any."""
    if rng.random() < (_WHIM if aim is None else _AIMED_WHIM):
        return kind_first(offered, rng)
    worth = [_worth(state, choice) + 4 * rng.random() for choice in offered]
    if aim is not None:
        routes = aim.routes(state)
        for at, choice in enumerate(offered):
            worth[at] += aim.worth(state, choice, routes)
    return worth.index(max(worth))


def _worth(state: GameState, choice: Choice) -> float:
    decision = state.agenda[-1]
    worth = _WORTH.get(choice.do, _USUAL)
    if choice.point != NONE:
        colour = decision.seat if decision.owner == NONE else decision.owner
        promise = _promise(state, colour, state.board.point_route[choice.point])
        worth += -promise if choice.do == DO_LIFT else promise
    if choice.do == DO_CREATE and choice.reward != NO_REWARD:
        worth += 8
    if choice.do == DO_INCOME:
        worth += choice.traders + (15 if state.supply[2 * decision.seat] < _POOR else 0)
    return worth


def _promise(state: GameState, colour: int, route: int) -> int:
    """How near a colour is to creating a route, and whether a marker lies there."""
    men = [state.points[point] for point in state.board.routes[route]]
    own = sum(man >> 1 == colour + 1 for man in men)
    others = sum(man > 0 for man in men) - own
    return 3 * own - 6 * others + (_MARKER if state.route_markers[route] != NONE else 0)

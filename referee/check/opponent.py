"""The referee's own play in a check: it creates many routes, and can lead to rare decisions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from referee.engine.choice import Choice
from referee.engine.decision import Decision
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    BLOCK,
    BOOK,
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
    LEVY,
    LEVY_TILE,
    MERCHANT,
    MOVE_2_ANY,
    NO_REWARD,
    NONE,
    PAY_BLOCK,
    PERMANENT,
    REWARD,
    TAKE_TRIBUTE,
    TRADER,
    TRIBUTE,
    stock_index,
)
from referee.random_play import kind_first

# The value of each kind of choice; kinds that are not listed have _DEFAULT_VALUE.
_VALUES: Final = {
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
_DEFAULT_VALUE: Final = 5
_RANDOM_SHARE: Final = 0.2  # of the choices that are made at random
_RANDOM_SHARE_WITH_GOAL: Final = 0.05
_FEW_TRADERS: Final = 3  # with fewer in the supply, income is worth more
_MARKER_VALUE: Final = 6
_LARGE_BONUS: Final = 200.0
_SMALL_BONUS: Final = 40.0
_FAVOUR_PRICE: Final = 2  # markers
_TO_PAY_WITH: Final = 2  # traders: one is placed below a block, and one is left to pay with
_LAID_FOR: Final = {TAKE_TRIBUTE: TRIBUTE, PAY_BLOCK: BLOCK}  # the marker that a decision needs


class PlayGoal(NamedTuple):
    """A kind of decision that a seat should get; all seats play towards it."""

    seat: int
    kind: int

    def is_met(self, decision: Decision) -> bool:
        return decision.seat == self.seat and decision.kind == self.kind

    def routes(self, state: GameState) -> frozenset[int]:
        """Return the routes that the seat has to create next."""
        if self.kind == LEVY and len(state.markers[self.seat]) < _FAVOUR_PRICE:
            return _routes_where(state, lambda route: state.route_markers[route] != NONE)
        if self.kind == PERMANENT:
            return _routes_to_permanent_markers(state, self.seat)
        if self.kind == REWARD:
            return _routes_where(state, lambda route: state.board.permanent[route] != NONE)
        if self.kind in _LAID_FOR:
            return self._routes_for_laid(state)
        return frozenset()

    def may_be_reached(self, state: GameState) -> bool:
        """Return whether a new game is likely to lead there: the marker that is needed is drawn first."""
        return self.kind not in _LAID_FOR or state.supply_order[0] == _LAID_FOR[self.kind]

    def _routes_for_laid(self, state: GameState) -> frozenset[int]:
        """Return routes with markers until the right one is laid; then those where it has an effect."""
        laid = self._laid(state)
        if not laid:
            return _routes_where(state, lambda route: state.route_markers[route] != NONE)
        if self.kind == PAY_BLOCK:
            return frozenset(laid)
        cities = {city for route in laid for city in state.board.ends[route]}
        return _routes_where(state, lambda route: not cities.isdisjoint(state.board.ends[route]))

    def _laid(self, state: GameState) -> list[int]:
        """Return the routes below markers that lead to the decision."""
        return [
            route
            for marker, route, owner in state.laid
            if marker == _LAID_FOR[self.kind] and owner == self.seat
        ]

    def bonus(self, state: GameState, choice: Choice, routes: frozenset[int]) -> float:
        """Return how much a choice helps or hinders; `routes` are those of `routes(state)`."""
        own = state.agenda[-1].seat == self.seat
        route = state.board.point_route[choice.point] if choice.point != NONE else choice.route
        if self.kind in _LAID_FOR:
            return self._bonus_for_laid(state, choice, own=own, on_route=route in routes)
        if choice.do == DO_FAVOUR:
            return _LARGE_BONUS if own and choice.tile == LEVY_TILE else -_LARGE_BONUS
        if choice.do == DO_USE and self.kind == LEVY and own:
            return -_LARGE_BONUS
        if choice.do == DO_INCOME and self.kind == LEVY:
            return 0.0 if own else _SMALL_BONUS * (state.favours[self.seat] >> LEVY_TILE & 1)
        if route in routes:
            return _bonus_on_route(choice) if own else -_SMALL_BONUS
        if choice.do == DO_CREATE and own and self.kind == PERMANENT:
            return -_LARGE_BONUS if state.route_markers[choice.route] != NONE else 0.0
        return 0.0

    def _bonus_for_laid(
        self, state: GameState, choice: Choice, *, own: bool, on_route: bool
    ) -> float:
        """Return how much a choice helps to lay the marker and then to choose because of it.

        The other seats end their turns at once. A choice needs both kinds of tradesmen: for a
        tribute in the stock, where a merchant gets with a created route, for a block in the supply.
        """
        if not own:
            return _LARGE_BONUS if choice.do == DO_END_TURN else 0.0
        if choice.do == DO_USE and choice.marker == _LAID_FOR[self.kind]:
            return _LARGE_BONUS + _space_value(state, choice.route)
        if choice.do in (DO_USE, DO_FAVOUR):
            return -_LARGE_BONUS
        if choice.do == DO_CREATE:
            return self._bonus_for_creating(state, choice, on_route=on_route)
        bonus = _SMALL_BONUS if on_route else 0.0
        if self.kind == TAKE_TRIBUTE:
            is_spent = choice.do == DO_PLACE and choice.kind == MERCHANT
            return bonus + _SMALL_BONUS * is_spent - _LARGE_BONUS * choice.merchants
        if choice.do == DO_INCOME:
            return _SMALL_BONUS * choice.merchants
        is_last = on_route and state.supply[stock_index(self.seat, TRADER)] < _TO_PAY_WITH
        return bonus - _LARGE_BONUS * (is_last or choice.kind == MERCHANT)

    def _bonus_for_creating(self, state: GameState, choice: Choice, *, on_route: bool) -> float:
        """Return a bonus for taking a marker, and for a post where the tribute is."""
        if not self._laid(state):
            return _LARGE_BONUS if on_route and choice.reward == NO_REWARD else 0.0
        return _LARGE_BONUS if on_route and choice.city != NONE else 0.0


def _space_value(state: GameState, route: int) -> float:
    """Return how many spaces of a route's cities take the post of a trader without any privilege."""
    board = state.board
    first = [board.spaces[city][0] for city in board.ends[route] if board.spaces[city]]
    fit = [
        space
        for space in first
        if not (state.posts[space] or board.space_colour[space] or board.space_kind[space])
    ]
    return float(4 * len(fit))


def _bonus_on_route(choice: Choice) -> float:
    if choice.do != DO_CREATE:
        return _SMALL_BONUS
    return _LARGE_BONUS + (_SMALL_BONUS if choice.ability == BOOK else 0.0)


def _routes_to_permanent_markers(state: GameState, seat: int) -> frozenset[int]:
    """Return routes whose permanent marker asks for a decision and whose ships the seat can fill.

    If there are none, return the routes where it develops its book, for more merchants.
    """
    board = state.board
    found = _routes_where(state, lambda route: board.permanent[route] not in (NONE, MOVE_2_ANY))
    merchants = 1 + state.desk[len(ABILITIES) * seat + BOOK]
    possible = {route for route in found if _ships(state, route) <= merchants}
    if possible:
        return frozenset(possible)
    book_cities = {city for city, abilities in enumerate(board.abilities) if BOOK in abilities}
    return _routes_where(
        state,
        lambda route: (
            bool(book_cities & set(board.ends[route])) and state.route_markers[route] == NONE
        ),
    )


def _ships(state: GameState, route: int) -> int:
    return sum(bool(state.board.ship[point]) for point in state.board.routes[route])


def _routes_where(state: GameState, holds: Callable[[int], bool]) -> frozenset[int]:
    return frozenset(route for route in range(len(state.board.routes)) if holds(route))


def choose(
    state: GameState, offered: list[Choice], rng: Random, goal: PlayGoal | None = None
) -> int:
    """Return the index of a choice that helps to create routes, and to reach the goal if given.

    A share of the choices is random, so that all kinds of choices are made.
    """
    if rng.random() < (_RANDOM_SHARE if goal is None else _RANDOM_SHARE_WITH_GOAL):
        return kind_first(offered, rng)
    values = [_value(state, choice) + 4 * rng.random() for choice in offered]
    if goal is not None:
        routes = goal.routes(state)
        for at, choice in enumerate(offered):
            values[at] += goal.bonus(state, choice, routes)
    return values.index(max(values))


def _value(state: GameState, choice: Choice) -> float:
    decision = state.agenda[-1]
    value = _VALUES.get(choice.do, _DEFAULT_VALUE)
    if choice.point != NONE:
        colour = decision.seat if decision.owner == NONE else decision.owner
        progress = _route_value(state, colour, state.board.point_route[choice.point])
        value += -progress if choice.do == DO_LIFT else progress
    if choice.do == DO_CREATE and choice.reward != NO_REWARD:
        value += 8
    if choice.do == DO_INCOME:
        value += choice.traders + (15 if state.supply[2 * decision.seat] < _FEW_TRADERS else 0)
    return value


def _route_value(state: GameState, colour: int, route: int) -> int:
    """Return how close a colour is to creating a route, more if there is a marker on it."""
    value = _MARKER_VALUE if state.route_markers[route] != NONE else 0
    for point in state.board.routes[route]:
        tradesman = state.points[point]
        if tradesman:
            value += 3 if tradesman >> 1 == colour + 1 else -6
    return value

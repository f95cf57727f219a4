"""Aims: how the referee plays so that the bot's seat soon has a rare kind of decision to make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from referee.engine.choice import Choice
from referee.engine.decision import Decision
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    BOOK,
    DO_CREATE,
    DO_FAVOUR,
    DO_INCOME,
    DO_USE,
    LEVY,
    LEVY_TILE,
    MOVE_2_ANY,
    NONE,
    PERMANENT,
)

_FAR: Final = 200.0
_NEAR: Final = 40.0
_FAVOUR_PRICE: Final = 2  # markers


class Aim(NamedTuple):
    """A seat, and the kind of decision that it is to have."""

    seat: int
    kind: int

    def is_met(self, decision: Decision) -> bool:
        """Whether this is what it wants."""
        return decision.seat == self.seat and decision.kind == self.kind

    def routes(self, state: GameState) -> frozenset[int]:
        """The routes that the seat has to create for it, as things are."""
        if self.kind == LEVY and len(state.markers[self.seat]) < _FAVOUR_PRICE:
            return _where(state, lambda route: state.route_markers[route] != NONE)
        if self.kind == PERMANENT:
            return _maritime(state, self.seat)
        return frozenset()

    def worth(self, state: GameState, choice: Choice, routes: frozenset[int]) -> float:
        """What a choice is worth for it, to the seat itself or to the others."""
        own = state.agenda[-1].seat == self.seat
        route = state.board.point_route[choice.point] if choice.point != NONE else choice.route
        if choice.do == DO_FAVOUR:
            return _FAR if own and choice.tile == LEVY_TILE else -_FAR
        if choice.do == DO_USE and self.kind == LEVY and own:
            return -_FAR
        if choice.do == DO_INCOME and self.kind == LEVY:
            return 0.0 if own else _NEAR * (state.favours[self.seat] >> LEVY_TILE & 1)
        if route in routes:
            return self._on_the_way(choice) if own else -_NEAR
        if choice.do == DO_CREATE and own and self.kind == PERMANENT:
            return -_FAR if state.route_markers[choice.route] != NONE else 0.0
        return 0.0

    def _on_the_way(self, choice: Choice) -> float:
        if choice.do != DO_CREATE:
            return _NEAR
        return _FAR + (_NEAR if choice.ability == BOOK else 0.0)


def _maritime(state: GameState, seat: int) -> frozenset[int]:
    """Routes with a permanent marker that asks; before that, where merchants for its ships are won."""
    board = state.board
    found = _where(state, lambda route: board.permanent[route] not in (NONE, MOVE_2_ANY))
    merchants = 1 + state.desk[len(ABILITIES) * seat + BOOK]
    manned = {route for route in found if _ships(state, route) <= merchants}
    if manned:
        return frozenset(manned)
    schools = {city for city, abilities in enumerate(board.abilities) if BOOK in abilities}
    return _where(
        state,
        lambda route: bool(schools & set(board.ends[route])) and state.route_markers[route] == NONE,
    )


def _ships(state: GameState, route: int) -> int:
    return sum(bool(state.board.ship[point]) for point in state.board.routes[route])


def _where(state: GameState, holds: Callable[[int], bool]) -> frozenset[int]:
    return frozenset(route for route in range(len(state.board.routes)) if holds(route))

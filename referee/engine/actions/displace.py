"""Displace: take an opponent's point, and pay for it (DIS-1)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.actions import relocate
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import (
    DO_DISPLACE,
    EMPTY,
    FOR_DISPLACING,
    MERCHANT,
    TRADER,
    Seat,
    kind_of,
    tradesman,
)
from referee.engine.variants import countries


def add_choices(state: GameState, seat: Seat, choices: list[Choice]) -> None:
    """Opponents' tradesmen on open routes, with each kind to use and each way to pay.

    Of points on a route with the same type and the same tradesman, the lowest is offered.
    """
    traders, merchants = state.tradesmen(state.supply, seat)
    if traders + merchants < 2:
        return
    board = state.board
    by_kind = board.tables.displace[4 * min(traders, 3) + min(merchants, 3)]
    points, free, ship, all_free = state.points, state.free, board.ship, board.all_free
    stays = (EMPTY, tradesman(seat, TRADER), tradesman(seat, MERCHANT))
    for route in countries.open_routes(state, seat):
        if free[route] == all_free[route]:
            continue
        met = 0
        for point in board.routes[route]:
            man = points[point]
            if man not in stays:
                alike = 1 << 2 * man + ship[point]
                if not met & alike:
                    met |= alike
                    choices += by_kind[kind_of(man)][point]


def resolve(state: GameState, seat: Seat, choice: Choice) -> None:
    """Pay, take the point, and ask for the relocation of the displaced tradesman."""
    route = state.board.point_route[choice.point]
    countries.spend_action(state, seat, DO_DISPLACE, route)
    updates.pay(state, seat, choice.traders, choice.merchants, FOR_DISPLACING)
    displaced = updates.displace(state, seat, choice.kind, choice.point)
    relocate.begin(state, seat, choice.point, displaced)

"""Extra tradesmen: from the stock, else from the supply, else from own points (DIS-3, BRI-7)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.engine.state import GameState
from referee.engine.terms import (
    FROM_POINT,
    FROM_STOCK,
    FROM_SUPPLY,
    MERCHANT,
    NONE,
    TRADER,
    PointId,
    RouteId,
    Seat,
    Tradesman,
    colour_of,
    stock_index,
    tradesman,
)


def extra_source(state: GameState, colour: Seat, placed: Sequence[PointId]) -> int:
    """Where extras come from now; NONE if nowhere. The neutral stock never runs out."""
    if colour >= state.rules.players or any(state.tradesmen(state.stock, colour)):
        return FROM_STOCK
    if any(state.tradesmen(state.supply, colour)):
        return FROM_SUPPLY
    return FROM_POINT if state.on_points[colour] > len(placed) else NONE


def possible_extras(
    state: GameState, colour: Seat, source: int, placed: Sequence[PointId]
) -> list[tuple[Tradesman, PointId]]:
    """The tradesmen that may be the extra, each with the point that it leaves, or NONE."""
    if source == FROM_POINT:
        return [(state.points[point], point) for point in own_points(state, colour, placed)]
    if colour >= state.rules.players:
        return [(tradesman(colour, TRADER), NONE)]
    held = state.stock if source == FROM_STOCK else state.supply
    return [
        (tradesman(colour, kind), NONE)
        for kind in (TRADER, MERCHANT)
        if source != NONE and held[stock_index(colour, kind)]
    ]


def own_points(state: GameState, colour: Seat, but: Sequence[PointId]) -> list[PointId]:
    """Points with the colour's tradesmen, except `but`; of alike ones on a route only the lowest."""
    found: list[PointId] = []
    for route in range(len(state.free)):
        if state.free[route] != state.board.all_free[route]:
            found += _own_on_route(state, colour, route, but)
    return found


def _own_on_route(
    state: GameState, colour: Seat, route: RouteId, but: Sequence[PointId]
) -> list[PointId]:
    found: list[PointId] = []
    met = 0
    for point in state.board.routes[route]:
        man = state.points[point]
        alike = 1 << 2 * man + state.board.ship[point]
        if colour_of(man) == colour and point not in but and not met & alike:
            met |= alike
            found.append(point)
    return found

"""Place: one tradesman of the supply on a free point (PLA-1; BON-9 for blocks, BRI-2 for permits)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import (
    BLOCK,
    DO_PLACE,
    FOR_BLOCK,
    FROM_SUPPLY,
    TRADER,
    RouteId,
    Seat,
    stock_index,
    tradesman,
)
from referee.engine.variants import countries


def add_choices(state: GameState, seat: Seat, choices: list[Choice]) -> None:
    """On every open route the lowest free point of each type, for each kind that fits."""
    traders, merchants = state.tradesmen(state.supply, seat)
    if not (traders or merchants):
        return
    tables = state.board.tables.place[(1 if traders else 0) + (2 if merchants else 0)]
    free = state.free
    routes = countries.open_routes(state, seat)
    if state.laid:
        spare = traders + merchants - 1
        routes = tuple([route for route in routes if blocks(state, route) <= spare])
    for route in routes:
        mask = free[route]
        if mask:
            choices += tables[route][mask]


def blocks(state: GameState, route: RouteId) -> int:
    """The number of block markers above the route."""
    return sum([marker == BLOCK and above == route for marker, above, _ in state.laid])


def resolve(state: GameState, seat: Seat, choice: Choice) -> None:
    """Put the tradesman there, spend a permit if needed, and pay for blocks."""
    route = state.board.point_route[choice.point]
    permit = countries.permit_for(state, seat, route)
    updates.spend_action(state, DO_PLACE)
    countries.spend(state, seat, permit)
    updates.place(state, tradesman(seat, choice.kind), FROM_SUPPLY, choice.point)
    if state.laid:
        for _ in range(blocks(state, route)):
            _pay_block(state, seat)


def _pay_block(state: GameState, seat: Seat) -> None:
    traders = 1 if state.supply[stock_index(seat, TRADER)] else 0
    updates.pay(state, seat, traders, 1 - traders, FOR_BLOCK)

"""Place: one tradesman of the supply on a free point (PLA-1; BON-9 for blocks)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.choice import Choice
from referee.engine.decision import Decision, ask
from referee.engine.state import GameState
from referee.engine.terms import (
    BLOCK,
    DO_PLACE,
    FOR_BLOCK,
    FROM_SUPPLY,
    PAY_BLOCK,
    RouteId,
    Seat,
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
    countries.spend_action(state, seat, DO_PLACE, route)
    updates.place(state, tradesman(seat, choice.kind), FROM_SUPPLY, choice.point)
    if state.laid:
        _pay_blocks(state, seat, blocks(state, route))


def _pay_blocks(state: GameState, seat: Seat, left: int) -> None:
    """Pay for so many blocks, until the seat must choose what to pay."""
    while left:
        decision = Decision(PAY_BLOCK, seat, left=left)
        options = payments(state, decision)
        if len(options) > 1:
            ask(state, decision, options)
            return
        updates.pay(state, seat, options[0].traders, options[0].merchants, FOR_BLOCK)
        left -= 1


def payments(state: GameState, decision: Decision) -> list[Choice]:
    """A trader or a merchant of the supply."""
    traders, merchants = state.tradesmen(state.supply, decision.seat)
    trader, merchant = state.board.tables.pay
    return ([trader] if traders else []) + ([merchant] if merchants else [])


def resolve_payment(state: GameState, decision: Decision, choice: Choice) -> None:
    """Pay for one block, then for the others."""
    state.agenda.pop()
    updates.pay(state, decision.seat, choice.traders, choice.merchants, FOR_BLOCK)
    _pay_blocks(state, decision.seat, decision.left - 1)

"""Promo markers: what a tribute brings when a post is established near it (BON-9)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.actions import permanent_markers
from referee.engine.choice import TRIBUTE_SIZE, Choice
from referee.engine.decision import Decision, ask
from referee.engine.hooks import Variant
from referee.engine.state import GameState
from referee.engine.terms import NONE, TAKE_TRIBUTE, TRIBUTE, CityId, PointId, Seat


def pay_tributes(state: GameState, city: CityId, created: PointId) -> bool:
    """Pay all tributes for a post in this city; whether an owner must choose what to take."""
    return _pay(state, city, created, len(_owners(state, city)))


def _owners(state: GameState, city: CityId) -> list[Seat]:
    """The owner of each tribute above a route of the city, in the order in which they were laid."""
    ends = state.board.ends
    return [
        owner for marker, route, owner in state.laid if marker == TRIBUTE and city in ends[route]
    ]


def _pay(state: GameState, city: CityId, created: PointId, left: int) -> bool:
    """Pay the last `left` tributes, until an owner must choose."""
    owners = _owners(state, city)
    for paid in range(len(owners) - left, len(owners)):
        left = len(owners) - paid
        decision = Decision(TAKE_TRIBUTE, owners[paid], left=left, city=city, point=created)
        options = choices(state, decision)
        if len(options) > 1:
            ask(state, decision, options)
            return True
        _take(state, owners[paid], options[0])
    return False


def choices(state: GameState, decision: Decision) -> list[Choice]:
    """Every mix of two tradesmen of the stock, or of all if there are fewer; most traders first."""
    traders, merchants = state.tradesmen(state.stock, decision.seat)
    return [
        choice
        for choice in state.board.tables.tribute[min(TRIBUTE_SIZE, traders + merchants)]
        if choice.traders <= traders and choice.merchants <= merchants
    ]


def _take(state: GameState, owner: Seat, choice: Choice) -> None:
    if choice.traders or choice.merchants:
        updates.take_tribute(state, owner, choice.traders, choice.merchants)


def resolve(state: GameState, decision: Decision, choice: Choice) -> None:
    """Take the tradesmen, pay the other tributes, then go on with the created route."""
    state.agenda.pop()
    _take(state, decision.seat, choice)
    asked = _pay(state, decision.city, decision.point, decision.left - 1)
    if not asked and decision.point != NONE:
        route = state.board.point_route[decision.point]
        permanent_markers.begin(state, state.active, route, (), decision.city)


PROMOS = Variant("promos", post_established=pay_tributes)

"""Promo markers: what a tribute brings when a post is established near it (BON-9)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.hooks import Variant
from referee.engine.state import GameState
from referee.engine.terms import TRIBUTE, CityId


def pay_tributes(state: GameState, city: CityId) -> None:
    """The owner of each tribute above a route of the city takes two, traders first."""
    for marker, route, owner in state.laid:
        if marker == TRIBUTE and city in state.board.ends[route]:
            in_stock, merchants_in_stock = state.tradesmen(state.stock, owner)
            traders = min(2, in_stock)
            merchants = min(2 - traders, merchants_in_stock)
            if traders + merchants:
                updates.take_tribute(state, owner, traders, merchants)


PROMOS = Variant("promos", post_established=pay_tributes)

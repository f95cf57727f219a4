"""What positions are worth to one seat: its own value minus a share of the values of the others."""

from __future__ import annotations

from itertools import compress
from operator import ne

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import BANK, MERCHANT, colour_of, stock_index
from referee.thinking.cache import EvaluationCache
from referee.thinking.seat_value import Content, SeatValue


class Evaluator:
    """Evaluates positions near the one it was made for.

    Tradesmen on routes and in supplies change with almost every choice, so their value is
    computed for what has changed only. When anything else changes, the seat's own value is
    computed again; those of the other seats stay as they were.
    """

    def __init__(
        self,
        state: GameState,
        seat: int,
        cache: EvaluationCache | None = None,
        others: list[SeatValue] | None = None,
    ) -> None:
        self.cache = EvaluationCache(state) if cache is None else cache
        self.weights = self.cache.weights
        self.seat, self.state = seat, state.copy()
        seats = range(state.rules.players)
        against = -self.weights.others / (len(seats) - 1)
        self.share = [1.0 if one == seat else against for one in seats]
        self.seats = [
            self.cache.seat_value(state, one) if others is None or one == seat else others[one]
            for one in seats
        ]
        cities = self.cache.cities(state)
        self.holdings = sum(
            [self.share[one] * self.seats[one].holdings(state, cities) for one in seats], 0.0
        )
        self.has_merchant = [state.supply[stock_index(one, MERCHANT)] > 0 for one in seats]
        self._supply_values: list[dict[tuple[int, int, int], float]] = [{} for _ in seats]
        self._route_values = [self._route_value(state, route) for route in range(len(state.free))]
        self._all_routes = sum(self._route_values, 0.0)
        self._next: Evaluator | None = None

    def is_valid_for(self, state: GameState) -> bool:
        """Whether nothing but tradesmen on routes and in supplies has changed.

        The engine shares a list between copies of a state until it changes.
        """
        mine = self.state
        return (
            state.posts is mine.posts
            and state.desk is mine.desk
            and state.prestige is mine.prestige
            and state.markers is mine.markers
            and state.used is mine.used
            and state.additional is mine.additional
            and state.green is mine.green
            and state.special is mine.special
            and state.favours is mine.favours
            and state.laid is mine.laid
        )

    def valid_for(self, state: GameState) -> Evaluator:
        """This evaluator, or a new one if this one is not valid for the position."""
        if self.is_valid_for(state):
            return self
        if self._next is None or not self._next.is_valid_for(state):
            self._next = Evaluator(state, self.seat, self.cache, self.seats)
        return self._next

    def evaluate(self, state: GameState) -> float:
        """What a position is worth to the seat."""
        if state.over:
            return self._final_value(state)
        here = self.valid_for(state)
        value = here.holdings + here.routes_value(state) + here.supplies_value(state)
        if state.active == self.seat:
            value += self.weights.action_now * state.actions_left
        return value

    def _final_value(self, state: GameState) -> float:
        """The margin in points, and a large bonus for every seat that has a worse rank."""
        standings = game.standings(state)
        mine = standings[self.seat]
        value = 0.0
        for one in standings:
            value += self.share[one.seat] * one.total
            value += self.weights.victory * ((mine.rank < one.rank) - (mine.rank > one.rank))
        return value

    # -- routes

    def routes_value(self, state: GameState) -> float:
        """What all seats can expect from all routes; only routes that changed are computed again."""
        moved = map(ne, state.points, self.state.points)
        changed = set(compress(state.board.point_route, moved))
        if state.route_markers is not self.state.route_markers:
            old = self.state.route_markers
            changed |= {r for r, marker in enumerate(state.route_markers) if marker != old[r]}
        return self._all_routes + sum(
            [self._route_value(state, r) - self._route_values[r] for r in changed], 0.0
        )

    def _route_value(self, state: GameState, route: int) -> float:
        if state.free[route] == state.board.all_free[route]:
            return 0.0
        content = content_of(state, route)
        value = 0.0
        for seat in {colour_of(tradesman) for tradesman in content[1:] if tradesman}:
            if seat < len(self.seats):
                value += self.share[seat] * self.expected(seat, route, content)
        return value

    def expected(self, seat: int, route: int, content: Content) -> float:
        """What a seat can expect from a route with this marker and these tradesmen."""
        return self.seats[seat].expected(route, content, self.has_merchant[seat])

    # -- tradesmen

    def supplies_value(self, state: GameState) -> float:
        """What the tradesmen in the supplies of all seats are worth."""
        return sum([self._supply_value(state, seat) for seat in range(len(self.seats))], 0.0)

    def _supply_value(self, state: GameState, seat: int) -> float:
        traders, merchants = state.tradesmen(state.supply, seat)
        stock = sum(state.tradesmen(state.stock, seat))
        key = (traders, merchants, stock + state.on_points[seat])
        known = self._supply_values[seat].get(key)
        if known is None:
            known = self._supply_values[seat][key] = self.share[seat] * self._tradesmen_value(
                seat, *key
            )
        return known

    def _tradesmen_value(self, seat: int, traders: int, merchants: int, elsewhere: int) -> float:
        weights, supply = self.weights, traders + merchants
        steps = self.seats[seat].desk.steps[BANK]
        income = self.state.rules.values[BANK][steps] or weights.enough
        useful = min(supply, weights.enough) + weights.plenty * max(0, supply - weights.enough)
        missing = max(0, weights.short_of - supply - elsewhere)
        return self.seats[seat].discount * (
            weights.supply * useful / income
            + weights.merchant_ready * merchants
            - weights.shortage * missing * missing
        )


def content_of(state: GameState, route: int) -> Content:
    """The marker of a route and the tradesmen on it."""
    points = state.board.routes[route]
    return (state.route_markers[route], *state.points[points[0] : points[0] + len(points)])

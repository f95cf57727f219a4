"""What positions are worth to one seat: its own prospects against those of the others."""

from __future__ import annotations

from itertools import compress
from operator import ne

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import BANK, MERCHANT, colour_of, stock_index
from thinking.cache import Ledger
from thinking.seat_value import Content, Prospects


class Outlook:
    """Worths of positions near the one it was made for.

    What changes with almost every choice, tradesmen on routes and in supplies, is looked up or
    judged route by route. When anything else changes, the seat's own prospects are judged again;
    those of the others are taken as they were.
    """

    def __init__(
        self,
        state: GameState,
        seat: int,
        ledger: Ledger | None = None,
        others: list[Prospects] | None = None,
    ) -> None:
        self.ledger = Ledger(state) if ledger is None else ledger
        self.weights = self.ledger.weights
        self.seat, self.state = seat, state.copy()
        seats = range(state.rules.players)
        against = -self.weights.others / (len(seats) - 1)
        self.share = [1.0 if one == seat else against for one in seats]
        self.seats = [
            self.ledger.prospects(state, one) if others is None or one == seat else others[one]
            for one in seats
        ]
        cities = self.ledger.cities(state)
        self.standing = sum(
            [self.share[one] * self.seats[one].standing(state, cities) for one in seats]
        )
        self.ready = [state.supply[stock_index(one, MERCHANT)] > 0 for one in seats]
        self._men: list[dict[tuple[int, int, int], float]] = [{} for _ in seats]
        self._here = [self._route(state, route) for route in range(len(state.free))]
        self._whole = sum(self._here)
        self._later: Outlook | None = None

    def fits(self, state: GameState) -> bool:
        """Whether all that is not looked up is still the same: the engine shares what is."""
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

    def at(self, state: GameState) -> Outlook:
        """The outlook from this position on."""
        if self.fits(state):
            return self
        if self._later is None or not self._later.fits(state):
            self._later = Outlook(state, self.seat, self.ledger, self.seats)
        return self._later

    def of(self, state: GameState) -> float:
        """The worth of a position to the seat."""
        if state.over:
            return self._final(state)
        here = self.at(state)
        worth = here.standing + here.on_routes(state) + here.in_supplies(state)
        if state.active == self.seat:
            worth += self.weights.action_now * state.actions_left
        return worth

    def _final(self, state: GameState) -> float:
        """The margin, and a good deal for every seat that is left behind."""
        standings = game.standings(state)
        mine = standings[self.seat]
        worth = 0.0
        for one in standings:
            worth += self.share[one.seat] * one.total
            worth += self.weights.victory * ((mine.rank < one.rank) - (mine.rank > one.rank))
        return worth

    # -- routes

    def on_routes(self, state: GameState) -> float:
        """What seats may expect of all routes; only those that changed are looked at."""
        moved = map(ne, state.points, self.state.points)
        changed = set(compress(state.board.point_route, moved))
        if state.route_markers is not self.state.route_markers:
            old = self.state.route_markers
            changed |= {r for r, marker in enumerate(state.route_markers) if marker != old[r]}
        return self._whole + sum([self._route(state, r) - self._here[r] for r in changed])

    def _route(self, state: GameState, route: int) -> float:
        if state.free[route] == state.board.all_free[route]:
            return 0.0
        content = content_of(state, route)
        worth = 0.0
        for seat in {colour_of(man) for man in content[1:] if man}:
            if seat < len(self.seats):
                worth += self.share[seat] * self.hope(seat, route, content)
        return worth

    def hope(self, seat: int, route: int, content: Content) -> float:
        """What a seat may expect of a route with this marker and these tradesmen."""
        return self.seats[seat].hope(route, content, self.ready[seat])

    # -- tradesmen

    def in_supplies(self, state: GameState) -> float:
        """What the tradesmen of all seats are worth that stand nowhere yet."""
        return sum([self._supply(state, seat) for seat in range(len(self.seats))])

    def _supply(self, state: GameState, seat: int) -> float:
        traders, merchants = state.tradesmen(state.supply, seat)
        stock = sum(state.tradesmen(state.stock, seat))
        key = (traders, merchants, stock + state.on_points[seat])
        known = self._men[seat].get(key)
        if known is None:
            known = self._men[seat][key] = self.share[seat] * self._worth_of_men(seat, *key)
        return known

    def _worth_of_men(self, seat: int, traders: int, merchants: int, elsewhere: int) -> float:
        weights, supply = self.weights, traders + merchants
        steps = self.seats[seat].desk.steps[BANK]
        income = self.state.rules.values[BANK][steps] or weights.enough
        useful = min(supply, weights.enough) + weights.plenty * max(0, supply - weights.enough)
        missing = max(0, weights.short_of - supply - elsewhere)
        return self.seats[seat].fading * (
            weights.supply * useful / income
            + weights.merchant_ready * merchants
            - weights.shortage * missing * missing
        )


def content_of(state: GameState, route: int) -> Content:
    """The marker of a route and the tradesmen on it."""
    points = state.board.routes[route]
    return (state.route_markers[route], *state.points[points[0] : points[0] + len(points)])

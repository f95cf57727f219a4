"""What one seat has in a position, and what each route would give it."""

from __future__ import annotations

from typing import TypeAlias

from referee.engine.state import GameState
from referee.engine.terms import (
    ADDITIONAL_POST,
    KEYS,
    MERCHANT,
    NONE,
    PATRON,
    PRIVILEGE,
    colour_of,
    kind_of,
    stock_index,
    tradesman,
)
from referee.thinking.cities import Cities
from referee.thinking.desk import Desk
from referee.thinking.network import Chain, Network
from referee.thinking.weights import Weights

Content: TypeAlias = tuple[int, ...]
"""A route: its marker or NONE, then the tradesmen on its points."""

UNAVAILABLE = -1.0


class SeatValue:
    """One seat's part of a position. It is valid until posts or desks change."""

    def __init__(
        self, state: GameState, seat: int, cities: Cities, turns: float, weights: Weights
    ) -> None:
        self.seat, self.cities, self.turns, self.weights = seat, cities, turns, weights
        self.board, self.components = state.board, state.rules.components
        self.discount = min(1.0, turns / weights.horizon)
        """From 1 down to 0: what cannot be used before the end loses its value."""
        self.desk = Desk(state, seat, turns, weights)
        self.network = Network(state, seat, cities)
        self.chain, self.chain_prestige = self._chain(state)
        self.has_additional_post = ADDITIONAL_POST in state.markers[seat]
        patron = state.favours[seat] >> PATRON & 1
        self.city_prestige = weights.control * (
            self.components.city_patron if patron else self.components.city
        )
        self.bonuses = _city_bonuses(state, seat, weights)
        self.lasting = self._lasting_value(state)
        self.step = [self.desk.next_step(ability) for ability in range(len(self.desk.steps))]
        self.step[KEYS] += self._network_value(self.desk.steps[KEYS] + 1) - self._network_value()
        self.special = self._special(state)
        # Computed when first needed: a search never needs most routes and cities.
        self._posts: dict[int, float] = {}
        self._gains: dict[int, tuple[float, float]] = {}
        self._expectations: dict[tuple[int, Content, bool], float] = {}

    # -- what it has

    def holdings(self, state: GameState, cities: Cities) -> float:
        """What it has: prestige, desk, network, cities, markers; without tradesmen and routes."""
        weights, seat = self.weights, self.seat
        held = [
            self._control_value(city, cities.empty[city])
            for city, holder in enumerate(cities.controllers)
            if holder == seat
        ]
        special = zip(self.board.special_points, state.special, strict=True)
        merchant = stock_index(seat, MERCHANT)
        merchants = state.stock[merchant] + state.supply[merchant]
        merchants += state.points.count(tradesman(seat, MERCHANT))
        return (
            self.lasting
            + sum(held, 0.0)
            + weights.prestige * state.prestige[seat]
            + weights.special * sum([points for points, owner in special if owner == seat])
            + weights.merchant * merchants
            + self._markers_value(state)
        )

    def _lasting_value(self, state: GameState) -> float:
        bonuses = [
            bonus for city, bonus in self.bonuses.items() if state.presence[city] >> self.seat & 1
        ]
        return (
            self.desk.total()
            + self._network_value()
            + self._chain_value(self.chain)
            + sum(bonuses, 0.0)
        )

    def _network_value(self, keys: int = NONE, largest: int = NONE, posts: int = NONE) -> float:
        """What the network and all posts are worth; NONE stands for the present number."""
        weights = self.weights
        largest = self.network.largest if largest == NONE else largest
        posts = self.network.posts if posts == NONE else posts
        size = largest + weights.loose_post * (posts - largest) + weights.growth_turn * self.turns
        return self.desk.keys(keys) * size + weights.post * posts

    def _control_value(self, city: int, empty: int) -> float:
        weights = self.weights
        flow = weights.control_turn * len(self.board.city_routes[city]) * self.turns
        return (self.city_prestige + flow) * float(weights.open_city**empty)

    def _markers_value(self, state: GameState) -> float:
        weights, held = self.weights, state.markers[self.seat]
        table = self.components.marker_prestige
        count = len(held) + len(state.used[self.seat])
        count += sum([owner == self.seat for _, _, owner in state.laid])
        return (
            weights.marker_prestige * table[min(count, len(table) - 1)]
            + (weights.marker + weights.marker_turn * self.turns) * count
            + self.discount * sum([weights.uses[marker] for marker in held], 0.0)
        )

    def marker(self, marker: int) -> float:
        """What one more marker is worth."""
        weights, table = self.weights, self.components.marker_prestige
        base = weights.marker_prestige * table[-1] / (len(table) - 1)
        base += weights.marker + weights.marker_turn * self.turns
        return base + self.discount * weights.uses[marker]

    # -- what it can expect from a route

    def expected(self, route: int, content: Content, has_merchant: bool) -> float:
        """What the seat can expect from a route with this marker and these tradesmen.

        `has_merchant` says whether a merchant is in the supply, for a reward that needs one.
        """
        key = (route, content, has_merchant)
        known = self._expectations.get(key)
        if known is None:
            known = self._expectations[key] = self._expect(route, content, has_merchant)
        return known

    def _expect(self, route: int, content: Content, has_merchant: bool) -> float:
        own = [man for man in content[1:] if colour_of(man) == self.seat]
        if not own:
            return 0.0
        size, weights = len(content) - 1, self.weights
        others = size - len(own) - content[1:].count(0)
        gain, best = self.gains(route)
        if any(kind_of(man) == MERCHANT for man in own):
            gain = best
        elif len(own) < size:
            gain += (weights.to_come if has_merchant else weights.far_off) * (best - gain)
        if content[0] != NONE:
            gain += self.marker(content[0])
        held = len(own) / (size + 1 + weights.blocked * others)
        return self.discount * max(0.0, gain) * float(held**weights.progress)

    # -- the chain

    def _chain(self, state: GameState) -> tuple[Chain | None, float]:
        done, prestige = state.east_west, self.board.chain_prestige
        if self.seat in done or len(done) == len(prestige):
            return None, 0.0
        chain = Chain(state, self.seat, self.desk.steps[PRIVILEGE], self.cities)
        return chain, self.weights.prestige * prestige[len(done)]

    def _chain_value(self, chain: Chain | None, missing: float | None = None) -> float:
        """What the chain is worth as far as it is built; all of its prestige if nothing is missing."""
        if chain is None:
            return 0.0
        missing = chain.missing if missing is None else missing
        if missing <= 0:
            return self.chain_prestige
        return (
            self.weights.chain
            * self.chain_prestige
            * float(max(0.0, 1 - missing / chain.length) ** 1.5)
        )

    # -- what it can gain

    def post(self, city: int) -> float:
        """The value of a post on the next space of a city; UNAVAILABLE if there is no such space."""
        if city not in self._posts:
            self._posts[city] = self._post(city)
        return self._posts[city]

    def _post(self, city: int) -> float:
        space = self.cities.next_space[city]
        if space == NONE or self.board.space_colour[space] > self.desk.steps[PRIVILEGE]:
            return UNAVAILABLE
        value = self.weights.prestige * self.board.space_coin[space]
        if self.board.space_kind[space] == MERCHANT:
            value -= self.weights.merchant
        return value + self._added_post(city, 1)

    def additional(self, city: int) -> float:
        """The value of an additional post, minus that of the marker used for it."""
        board = self.board
        if not board.green[city] and self.cities.next_space[city] == board.spaces[city][0]:
            return UNAVAILABLE
        return self._added_post(city, 0) - self.weights.uses[ADDITIONAL_POST]

    def _added_post(self, city: int, taken: int) -> float:
        """What one more post adds to network, chain and control; it takes `taken` spaces (0 or 1)."""
        gain = self._network_value(NONE, self.network.with_post(city), self.network.posts + 1)
        gain -= self._network_value()
        if self.chain is not None and self.chain.cost[city]:
            gain += self._chain_value(self.chain, self.chain.with_post(city)) - self._chain_value(
                self.chain
            )
        if not self.cities.counts[city][self.seat]:
            gain += self.bonuses.get(city, 0.0)
        empty, holder = self.cities.empty[city], self.cities.controllers[city]
        if holder == self.seat:
            return (
                gain + self._control_value(city, empty - taken) - self._control_value(city, empty)
            )
        if self._takes_control(city, taken):
            stolen = 0.0 if holder == NONE else self.weights.stolen
            gain += (1 + stolen) * self._control_value(city, empty - taken)
        return gain

    def _takes_control(self, city: int, taken: int) -> bool:
        """A new post on a space is to the right of all others, so a tie is enough for control."""
        counts = self.cities.counts[city]
        most = max([count for colour, count in enumerate(counts) if colour != self.seat], default=0)
        return counts[self.seat] + 1 + taken > most

    def gains(self, route: int) -> tuple[float, float]:
        """What creating a route gives without a merchant on it, and with one. Its marker is not counted."""
        if route not in self._gains:
            self._gains[route] = self._gain(route)
        return self._gains[route]

    def _gain(self, route: int) -> tuple[float, float]:
        points = plain = with_merchant = 0.0
        for city in self.board.ends[route]:
            points += self.controller_point(city)
            for ability in self.board.abilities[city]:
                plain = max(plain, self.step[ability])
            post, space = self.post(city), self.cities.next_space[city]
            if self.has_additional_post:
                plain = max(plain, self.additional(city))
            if post > 0 and self.board.space_kind[space] == MERCHANT:
                with_merchant = max(with_merchant, post)
            elif post > 0:
                plain = max(plain, post)
        if self.board.is_special[route]:
            with_merchant = max(with_merchant, self.special)
        return points + plain, points + max(plain, with_merchant)

    def controller_point(self, city: int) -> float:
        """The value of the point for the controller of a city; negative if another seat gets it."""
        holder = self.cities.controllers[city]
        if holder == NONE:
            return 0.0
        others = max(1, len(self.cities.counts[city]) - 1)
        return self.weights.prestige * (
            1.0 if holder == self.seat else -self.weights.others / others
        )

    def _special(self, state: GameState) -> float:
        spaces = zip(
            self.board.special_points, self.board.special_colours, state.special, strict=True
        )
        free = [
            points
            for points, colour, owner in spaces
            if owner == NONE and colour <= self.desk.steps[PRIVILEGE]
        ]
        return self.weights.special * max(free, default=0) - self.weights.merchant


def _city_bonuses(state: GameState, seat: int, weights: Weights) -> dict[int, float]:
    """By city, what a first post adds there: cities of the mission, and of countries with prestige."""
    board = state.board
    bonuses: dict[int, float] = {}
    for cities, prestige in zip(board.country_cities, board.country_prestige, strict=True):
        for city in cities if prestige else ():
            bonuses[city] = bonuses.get(city, 0.0) + weights.country
    for city in board.missions[state.missions[seat]] if state.missions else ():
        bonuses[city] = bonuses.get(city, 0.0) + weights.mission
    return bonuses

"""Quick play: a turn in a fraction of a millisecond, for playing positions out."""

from __future__ import annotations

from random import Random

from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import (
    ADDITIONAL,
    DEVELOP,
    DO_CREATE,
    DO_DECLINE,
    DO_DISPLACE,
    DO_INCOME,
    DO_MOVE,
    DO_PLACE,
    DO_PLACE_FREELY,
    DO_PUT,
    DO_RELOCATE,
    DO_STOP,
    DO_USE,
    MERCHANT,
    NONE,
    PLUS_3_ACTIONS,
    PLUS_4_ACTIONS,
    POST,
    SPECIAL,
    colour_of,
)
from referee.thinking.cache import EvaluationCache

NOISE = 0.3  # how much the value of a route may vary from one playout to the next
LEAST = 0.05  # an action must be worth more than this
CREATED = 1.2  # added for creating a route, so that it comes before placing on others
WORTH_CREATING = 0.3
CLEARED = 0.1  # creating a route only to free its tradesmen
MOVED = 0.07  # a move, if nothing else is possible
DISPLACING = 1.6  # actions, for each tradesman to displace
NEXT_TURN = 0.5  # more actions, for a route that cannot be created in this turn
POOR = 3  # with fewer tradesmen in the supply, income is worth taking
INCOME = 0.3


class QuickSeat:
    """Plays the turn of one seat: it prefers routes that give most per action."""

    def __init__(self, state: GameState, cache: EvaluationCache, rng: Random) -> None:
        self.seat, self.cache, self.rng = state.active, cache, rng
        self.seat_value = cache.seat_value(state, self.seat)
        self.posts, self.desk = state.posts, state.desk
        self.noise = [1 + NOISE * rng.random() for _ in state.free]

    def pick(self, state: GameState) -> int:
        """The index of the seat's next choice in its turn."""
        options = game.choices(state)
        if not state.actions_left:
            return _more_actions(options)
        if state.posts is not self.posts or state.desk is not self.desk:
            self.seat_value = self.cache.seat_value(state, self.seat)
            self.posts, self.desk = state.posts, state.desk
        best, most = len(options) - 1, LEAST
        routes: dict[int, float] = {}
        for index, choice in enumerate(options):
            value = self._value(state, choice, routes)
            if value > most:
                best, most = index, value
        return best

    def _value(self, state: GameState, choice: Choice, routes: dict[int, float]) -> float:
        """What a choice is worth; `routes` holds the values of routes computed so far."""
        if choice.do == DO_PLACE:
            return self._place(state, choice, routes)
        if choice.do == DO_DISPLACE:
            return self._displace(state, choice, routes)
        if choice.do == DO_CREATE:
            return self._create(state, choice)
        if choice.do == DO_INCOME:
            return self._income(state, choice)
        if choice.do == DO_USE and choice.ability != NONE:
            return self.seat_value.step[choice.ability]
        return MOVED if choice.do == DO_MOVE else 0.0

    def _place(self, state: GameState, choice: Choice, routes: dict[int, float]) -> float:
        route = state.board.point_route[choice.point]
        value = self._per_action(state, route, routes)
        if choice.kind == MERCHANT and not state.board.ship[choice.point]:
            plain, best = self.seat_value.gains(route)
            value += 0.2 if best > plain else -0.2
        return value

    def _displace(self, state: GameState, choice: Choice, routes: dict[int, float]) -> float:
        value = self._per_action(state, state.board.point_route[choice.point], routes)
        return value - 0.15 - 0.1 * choice.traders - 0.3 * choice.merchants - 0.3 * choice.kind

    def _per_action(self, state: GameState, route: int, routes: dict[int, float]) -> float:
        """What the route would give per action that it still needs."""
        known = routes.get(route)
        if known is not None:
            return known
        free = others = 0
        for point in state.board.routes[route]:
            tradesman = state.points[point]
            if not tradesman:
                free += 1
            elif colour_of(tradesman) != self.seat:
                others += 1
        needed = 1 + free + DISPLACING * others
        if needed > state.actions_left:
            needed += NEXT_TURN
        gain = self.seat_value.gains(route)[1] + self._marker(state, route)
        routes[route] = value = gain * self.noise[route] / needed
        return value

    def _marker(self, state: GameState, route: int) -> float:
        marker = state.route_markers[route]
        return 0.0 if marker == NONE else self.seat_value.marker(marker)

    def _create(self, state: GameState, choice: Choice) -> float:
        seat_value = self.seat_value
        value = self._marker(state, choice.route)
        ends = state.board.ends[choice.route]
        value += sum([seat_value.controller_point(city) for city in ends], 0.0)
        if choice.reward == POST:
            value += seat_value.post(choice.city)
        elif choice.reward == DEVELOP:
            value += seat_value.step[choice.ability]
        elif choice.reward == SPECIAL:
            value += state.board.special_points[choice.special]
        elif choice.reward == ADDITIONAL:
            value += seat_value.additional(choice.city)
        return CREATED + value if value > WORTH_CREATING else CLEARED

    def _income(self, state: GameState, choice: Choice) -> float:
        supply = sum(state.tradesmen(state.supply, self.seat))
        return INCOME * (POOR - supply) + 0.05 * choice.traders + 0.06 * choice.merchants


def _more_actions(options: list[Choice]) -> int:
    """The index of a marker for more actions; without one, of ending the turn."""
    for index, choice in enumerate(options):
        if choice.do == DO_USE and choice.marker in (PLUS_3_ACTIONS, PLUS_4_ACTIONS):
            return index
    return len(options) - 1


def quick_answer(state: GameState, rng: Random) -> int:
    """Answer a decision within a turn: move no more than necessary, place markers at random."""
    options = game.choices(state)
    if options[-1].do == DO_STOP:
        return len(options) - 1
    if options[0].do in (DO_RELOCATE, DO_PLACE_FREELY, DO_PUT):
        return _beside_own(state, options)
    if options[-1].do == DO_DECLINE:
        return 0
    return int(rng.random() * len(options))


def _beside_own(state: GameState, options: list[Choice]) -> int:
    """The point of the route with most own tradesmen, and fewest of others."""
    decision, board = state.agenda[-1], state.board
    own = decision.seat if decision.owner == NONE else decision.owner
    best, most = 0, -9
    for index, choice in enumerate(options):
        if choice.point != NONE:
            route = board.routes[board.point_route[choice.point]]
            colours = [colour_of(state.points[point]) for point in route]
            own_count = colours.count(own)
            value = 3 * own_count + colours.count(NONE) - len(colours) - (choice.kind == MERCHANT)
            if value > most:
                best, most = index, value
    return best

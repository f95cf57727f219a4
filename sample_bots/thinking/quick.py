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
from thinking.cache import Ledger

WHIM = 0.3  # how much the worth of a route may vary from one playout to the next
LEAST = 0.05  # what an action must promise to be taken at all
CREATED = 1.2  # a created route against one that is only built on
WORTH_CREATING = 0.3
CLEARED = 0.1  # a route created for nothing but its tradesmen, when there is nothing else to do
MOVED = 0.07  # tradesmen brought together, when there is not even that
DISPLACING = 1.6  # actions, for each tradesman in the way
NEXT_TURN = 0.5  # actions more for a route that cannot be created in this turn
POOR = 3  # with fewer tradesmen in the supply income is worth taking
INCOME = 0.3


class QuickSeat:
    """One seat that plays its turn by what each route would give for each action that it takes."""

    def __init__(self, state: GameState, ledger: Ledger, rng: Random) -> None:
        self.seat, self.ledger, self.rng = state.active, ledger, rng
        self.prospects = ledger.prospects(state, self.seat)
        self.posts, self.desk = state.posts, state.desk
        self.whims = [1 + WHIM * rng.random() for _ in state.free]

    def pick(self, state: GameState) -> int:
        """The index of the seat's next choice in its turn."""
        options = game.choices(state)
        if not state.actions_left:
            return _more_actions(options)
        if state.posts is not self.posts or state.desk is not self.desk:
            self.prospects = self.ledger.prospects(state, self.seat)
            self.posts, self.desk = state.posts, state.desk
        best, most = len(options) - 1, LEAST
        routes: dict[int, float] = {}
        for index, choice in enumerate(options):
            worth = self._worth(state, choice, routes)
            if worth > most:
                best, most = index, worth
        return best

    def _worth(self, state: GameState, choice: Choice, routes: dict[int, float]) -> float:
        """What a choice promises; `routes` are those that were looked at for another one."""
        if choice.do == DO_PLACE:
            return self._place(state, choice, routes)
        if choice.do == DO_DISPLACE:
            return self._displace(state, choice, routes)
        if choice.do == DO_CREATE:
            return self._create(state, choice)
        if choice.do == DO_INCOME:
            return self._income(state, choice)
        if choice.do == DO_USE and choice.ability != NONE:
            return self.prospects.step[choice.ability]
        return MOVED if choice.do == DO_MOVE else 0.0

    def _place(self, state: GameState, choice: Choice, routes: dict[int, float]) -> float:
        route = state.board.point_route[choice.point]
        worth = self._per_action(state, route, routes)
        if choice.kind == MERCHANT and not state.board.ship[choice.point]:
            plain, best = self.prospects.gains(route)
            worth += 0.2 if best > plain else -0.2
        return worth

    def _displace(self, state: GameState, choice: Choice, routes: dict[int, float]) -> float:
        worth = self._per_action(state, state.board.point_route[choice.point], routes)
        return worth - 0.15 - 0.1 * choice.traders - 0.3 * choice.merchants - 0.3 * choice.kind

    def _per_action(self, state: GameState, route: int, routes: dict[int, float]) -> float:
        """What the route would give for each action that it still takes."""
        known = routes.get(route)
        if known is not None:
            return known
        free = others = 0
        for point in state.board.routes[route]:
            man = state.points[point]
            if not man:
                free += 1
            elif colour_of(man) != self.seat:
                others += 1
        needed = 1 + free + DISPLACING * others
        if needed > state.actions_left:
            needed += NEXT_TURN
        gain = self.prospects.gains(route)[1] + self._marker(state, route)
        routes[route] = worth = gain * self.whims[route] / needed
        return worth

    def _marker(self, state: GameState, route: int) -> float:
        marker = state.route_markers[route]
        return 0.0 if marker == NONE else self.prospects.marker(marker)

    def _create(self, state: GameState, choice: Choice) -> float:
        prospects = self.prospects
        worth = self._marker(state, choice.route)
        worth += sum([prospects.toll(city) for city in state.board.ends[choice.route]])
        if choice.reward == POST:
            worth += prospects.post(choice.city)
        elif choice.reward == DEVELOP:
            worth += prospects.step[choice.ability]
        elif choice.reward == SPECIAL:
            worth += state.board.special_points[choice.special]
        elif choice.reward == ADDITIONAL:
            worth += prospects.additional(choice.city)
        return CREATED + worth if worth > WORTH_CREATING else CLEARED

    def _income(self, state: GameState, choice: Choice) -> float:
        supply = sum(state.tradesmen(state.supply, self.seat))
        return INCOME * (POOR - supply) + 0.05 * choice.traders + 0.06 * choice.merchants


def _more_actions(options: list[Choice]) -> int:
    """To use a marker for more actions, or to end the turn."""
    for index, choice in enumerate(options):
        if choice.do == DO_USE and choice.marker in (PLUS_3_ACTIONS, PLUS_4_ACTIONS):
            return index
    return len(options) - 1


def quick_answer(state: GameState, rng: Random) -> int:
    """Decisions within a turn: nothing more is moved than must be, and any marker goes anywhere."""
    options = game.choices(state)
    if options[-1].do == DO_STOP:
        return len(options) - 1
    if options[0].do in (DO_RELOCATE, DO_PLACE_FREELY, DO_PUT):
        return _among_friends(state, options)
    if options[-1].do == DO_DECLINE:
        return 0
    return int(rng.random() * len(options))


def _among_friends(state: GameState, options: list[Choice]) -> int:
    """The point of the route where most of one's own stand, and fewest others."""
    decision, board = state.agenda[-1], state.board
    own = decision.seat if decision.owner == NONE else decision.owner
    best, most = 0, -9
    for index, choice in enumerate(options):
        if choice.point != NONE:
            route = board.routes[board.point_route[choice.point]]
            colours = [colour_of(state.points[point]) for point in route]
            friends = colours.count(own)
            worth = 3 * friends + colours.count(NONE) - len(colours) - (choice.kind == MERCHANT)
            if worth > most:
                best, most = index, worth
    return best

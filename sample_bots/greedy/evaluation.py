"""What a position is worth to one seat, in prestige: what it has, and the routes it is building."""

from __future__ import annotations

from collections.abc import Iterable

from referee.engine.actions.establish import leftmost_empty
from referee.engine.control import controller
from referee.engine.state import GameState
from referee.engine.terms import (
    MERCHANT,
    NONE,
    PRIVILEGE,
    colour_of,
    desk_index,
    stock_index,
    tradesman,
)

# What each further step is worth, by ability: keys, actions, privilege, book, bank.
STEPS = (
    (4.0, 2.0, 4.0, 4.0),
    (8.0, 3.0, 7.0, 3.0, 6.0),
    (4.0, 4.0, 4.0),
    (2.0, 2.0, 5.0),
    (3.0, 2.0, 5.0),
)
POST = 3.0
CONTROL = 1.0
MARKER = 2.0
USED_MARKER = 1.0
IN_SUPPLY = 0.2  # per tradesman
IN_STOCK = 0.1  # per tradesman
ENOUGH = 10  # tradesmen apart from those on posts and on the desk; a seat with fewer loses ...
MISSING = 0.15  # ... this, times the square of how many are missing
CLEARED = 0.5  # creating any route frees its tradesmen
PROGRESS = 0.6  # the part of a route's gain that counts when the seat holds all its points


class Evaluator:
    """Evaluates positions near the one it was made for: what routes give is computed only once."""

    def __init__(self, state: GameState, seat: int) -> None:
        self.seat = seat
        self.gains = [_gain(state, seat, route) for route in range(len(state.board.routes))]

    def evaluate(self, state: GameState) -> float:
        """What a position is worth to the seat."""
        return self._earned(state) + self._tradesmen(state) + self._routes(state)

    def _earned(self, state: GameState) -> float:
        """What lasts: prestige, markers, special prestige, desk and posts."""
        seat = self.seat
        special = zip(state.board.special_points, state.special, strict=True)
        return (
            state.prestige[seat]
            + MARKER * len(state.markers[seat])
            + USED_MARKER * len(state.used[seat])
            + sum(points for points, owner in special if owner == seat)
            + sum(sum(STEPS[ability][:steps]) for ability, steps in _desk(state, seat))
            + sum(_city(state, seat, city) for city in range(len(state.presence)))
        )

    def _tradesmen(self, state: GameState) -> float:
        supply = sum(state.tradesmen(state.supply, self.seat))
        stock = sum(state.tradesmen(state.stock, self.seat))
        missing = max(0, ENOUGH - supply - stock - state.on_points[self.seat])
        return IN_SUPPLY * supply + IN_STOCK * stock - MISSING * missing**2

    def _routes(self, state: GameState) -> float:
        """A route counts more, the more of its points the seat holds."""
        value = 0.0
        for route, gain in enumerate(self.gains):
            colours = [colour_of(state.points[point]) for point in state.board.routes[route]]
            if self.seat in colours:
                value += PROGRESS * gain * (colours.count(self.seat) / len(colours)) ** 1.5
        return value


def _desk(state: GameState, seat: int) -> Iterable[tuple[int, int]]:
    return enumerate(state.desk[desk_index(seat, 0) : desk_index(seat + 1, 0)])


def _city(state: GameState, seat: int, city: int) -> float:
    if not state.presence[city] >> seat & 1:
        return 0.0
    return POST + (CONTROL if controller(state, city) == seat else 0.0)


def _gain(state: GameState, seat: int, route: int) -> float:
    """What creating a route would give: points, its marker, and the best reward."""
    board, ends = state.board, state.board.ends[route]
    points = sum(controller(state, city) == seat for city in ends)
    marker = MARKER if state.route_markers[route] != NONE else 0.0
    rewards = [_post(state, seat, city) for city in ends]
    rewards += [_step(state, seat, ability) for city in ends for ability in board.abilities[city]]
    return CLEARED + points + marker + max(rewards)


def _post(state: GameState, seat: int, city: int) -> float:
    """The value of a new post in a city; 0 for a second post there, or without the merchant it needs."""
    board, space = state.board, leftmost_empty(state, city)
    if space == NONE or board.space_colour[space] > state.desk[desk_index(seat, PRIVILEGE)]:
        return 0.0
    if board.space_kind[space] == MERCHANT and not _has_merchant(state, seat):
        return 0.0
    return board.space_coin[space] + (0.0 if state.presence[city] >> seat & 1 else POST)


def _has_merchant(state: GameState, seat: int) -> bool:
    """Whether the seat has a merchant in its supply or on a point."""
    in_supply = state.supply[stock_index(seat, MERCHANT)] > 0
    return in_supply or tradesman(seat, MERCHANT) in state.points


def _step(state: GameState, seat: int, ability: int) -> float:
    steps = state.desk[desk_index(seat, ability)]
    return STEPS[ability][steps] if steps < len(STEPS[ability]) else 0.0

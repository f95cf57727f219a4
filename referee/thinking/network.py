"""A seat's network, and how far it is from completing the east-west chain."""

from __future__ import annotations

from functools import cache

from referee.engine.board import Board
from referee.engine.state import GameState
from referee.engine.terms import NONE
from referee.thinking.cities import Cities

OUT_OF_REACH = 99.0
OPEN_CITY = 1.0  # routes to create for a post in a city of the chain, ...
CLOSED_COLOUR = 1.6  # ... more if privilege must be developed first, ...
FULL_CITY = 3.0  # ... and most in a full city, which needs an additional post


class Network:
    """The groups of linked cities with a seat's posts."""

    def __init__(self, state: GameState, seat: int, cities: Cities) -> None:
        self.neighbours = state.board.neighbours
        self.group = [NONE] * len(state.presence)
        self.sizes: list[int] = []
        for city, present in enumerate(state.presence):
            if present >> seat & 1 and self.group[city] == NONE:
                self.sizes.append(self._gather(state, seat, city, cities))
        self.largest = max(self.sizes, default=0)
        self.posts = sum(self.sizes)

    def _gather(self, state: GameState, seat: int, city: int, cities: Cities) -> int:
        """Mark the group of a city. Returns the number of its posts."""
        number, size, frontier = len(self.sizes), 0, [city]
        self.group[city] = number
        while frontier:
            here = frontier.pop()
            size += cities.counts[here][seat]
            for near in self.neighbours[here]:
                if self.group[near] == NONE and state.presence[near] >> seat & 1:
                    self.group[near] = number
                    frontier.append(near)
        return size

    def with_post(self, city: int) -> int:
        """The posts of the largest group, with one more post in this city."""
        if self.group[city] != NONE:
            return max(self.largest, self.sizes[self.group[city]] + 1)
        near = {self.group[other] for other in self.neighbours[city]} - {NONE}
        return max(self.largest, 1 + sum([self.sizes[group] for group in near]))


class Chain:
    """How many routes are missing for the chain between the two red-bannered cities."""

    def __init__(self, state: GameState, seat: int, privilege: int, cities: Cities) -> None:
        board = state.board
        self.neighbours = board.neighbours
        self.cost = [
            _cost(state, seat, privilege, city, cities) for city in range(len(state.presence))
        ]
        one, other = board.chain_ends
        self.from_one, self.from_other = self._distances(one), self._distances(other)
        self.missing = self.from_one[other]
        self.length = _shortest(board)

    def _distances(self, start: int) -> list[float]:
        """What it costs to reach each city from this end; both cities are counted."""
        total = [OUT_OF_REACH] * len(self.cost)
        total[start] = self.cost[start]
        frontier = [start]
        while frontier:
            here = frontier.pop(0)
            for near in self.neighbours[here]:
                if total[here] + self.cost[near] < total[near]:
                    total[near] = total[here] + self.cost[near]
                    frontier.append(near)
        return total

    def with_post(self, city: int) -> float:
        """How many routes would be missing with a post in this city."""
        through = self.from_one[city] + self.from_other[city] - 2 * self.cost[city]
        return min(self.missing, through)


def _cost(state: GameState, seat: int, privilege: int, city: int, cities: Cities) -> float:
    if state.presence[city] >> seat & 1:
        return 0.0
    space = cities.next_space[city]
    if space == NONE:
        return FULL_CITY
    return OPEN_CITY if state.board.space_colour[space] <= privilege else CLOSED_COLOUR


@cache
def _shortest(board: Board) -> int:
    """The number of cities in the shortest possible chain."""
    one, other = board.chain_ends
    met, frontier, count = {one}, [one], 1
    while frontier and other not in met:
        frontier = [near for here in frontier for near in board.neighbours[here] if near not in met]
        met.update(frontier)
        count += 1
    return count

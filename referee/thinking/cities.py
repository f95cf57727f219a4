"""The cities of a position: posts by colour, the next space, who controls."""

from __future__ import annotations

from referee.engine.control import controller
from referee.engine.state import GameState
from referee.engine.terms import NONE, colour_of


class Cities:
    """The cities of one position; they are the same for all seats."""

    def __init__(self, state: GameState) -> None:
        self.counts = [_count(state, city) for city in range(len(state.presence))]
        """By city and colour, the number of posts."""
        self.next_space = [_next_space(state, city) for city in range(len(state.presence))]
        """By city, the leftmost empty space; NONE in a full or green city."""
        self.empty = [_empty(state, city) for city in range(len(state.presence))]
        self.controllers = [controller(state, city) for city in range(len(state.presence))]


def _count(state: GameState, city: int) -> list[int]:
    counts = [0] * state.rules.colours
    if state.presence[city]:
        for space in state.board.spaces[city]:
            if state.posts[space]:
                counts[colour_of(state.posts[space])] += 1
        for tradesman in state.additional[city] + state.green[city]:
            counts[colour_of(tradesman)] += 1
    return counts


def _next_space(state: GameState, city: int) -> int:
    for space in state.board.spaces[city]:
        if not state.posts[space]:
            return space
    return NONE


def _empty(state: GameState, city: int) -> int:
    return sum([not state.posts[space] for space in state.board.spaces[city]])

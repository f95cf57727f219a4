"""A cache of what seats have and can expect, by everything that these values depend on."""

from __future__ import annotations

from typing import TypeAlias

from referee.engine.state import GameState
from referee.engine.terms import ADDITIONAL_POST, desk_index
from referee.thinking.cities import Cities
from referee.thinking.game_length import turns_to_come
from referee.thinking.seat_value import SeatValue
from referee.thinking.weights import DEFAULT_WEIGHTS, Weights

Key: TypeAlias = tuple[object, ...]


class EvaluationCache:
    """Cities and seat values in the positions of a search, for one estimate of the game's length."""

    def __init__(self, state: GameState, weights: Weights = DEFAULT_WEIGHTS) -> None:
        self.weights = weights
        self.turns = turns_to_come(state, weights)
        self._cities: dict[Key, Cities] = {}
        self._seat_values: dict[Key, SeatValue] = {}

    def cities(self, state: GameState) -> Cities:
        """The cities of a position; they are the same for all seats."""
        posts = _posts(state)
        found = self._cities.get(posts)
        if found is None:
            found = self._cities[posts] = Cities(state)
        return found

    def seat_value(self, state: GameState, seat: int) -> SeatValue:
        """What a seat has and can expect in a position."""
        key = (
            seat,
            _posts(state),
            tuple(state.desk[desk_index(seat, 0) : desk_index(seat + 1, 0)]),
            ADDITIONAL_POST in state.markers[seat],
            state.special,
            state.east_west,
            state.favours[seat],
            state.missions[seat] if state.missions else None,
        )
        found = self._seat_values.get(key)
        if found is None:
            found = SeatValue(state, seat, self.cities(state), self.turns, self.weights)
            self._seat_values[key] = found
        return found


def _posts(state: GameState) -> Key:
    return tuple(state.posts), tuple(state.additional), tuple(state.green)

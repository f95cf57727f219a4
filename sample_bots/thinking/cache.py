"""A cache of prospects, by everything that they depend on."""

from __future__ import annotations

from typing import TypeAlias

from referee.engine.state import GameState
from referee.engine.terms import ADDITIONAL_POST, desk_index
from thinking.cities import Cities
from thinking.seat_value import Prospects
from thinking.weights import DEFAULT_WEIGHTS, Weights

Key: TypeAlias = tuple[object, ...]


class Ledger:
    """The prospects of all seats in the positions of a search, for one guess at the game's length."""

    def __init__(self, state: GameState, weights: Weights = DEFAULT_WEIGHTS) -> None:
        self.weights = weights
        self.turns = turns_to_come(state, weights)
        self._cities: dict[Key, Cities] = {}
        self._prospects: dict[Key, Prospects] = {}

    def cities(self, state: GameState) -> Cities:
        """The cities as all seats see them."""
        posts = _posts(state)
        found = self._cities.get(posts)
        if found is None:
            found = self._cities[posts] = Cities(state)
        return found

    def prospects(self, state: GameState, seat: int) -> Prospects:
        """What a seat can look forward to here."""
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
        found = self._prospects.get(key)
        if found is None:
            found = Prospects(state, seat, self.cities(state), self.turns, self.weights)
            self._prospects[key] = found
        return found


def _posts(state: GameState) -> Key:
    return tuple(state.posts), tuple(state.additional), tuple(state.green)


def turns_to_come(state: GameState, weights: Weights = DEFAULT_WEIGHTS) -> float:
    """How many turns each seat is likely to have yet: the nearest of the three ends decides."""
    left = min(
        (len(state.supply_order) - state.drawn) / state.rules.supply_size,
        1 - max(state.prestige) / state.rules.components.track_end,
        1 - state.completed_cities / state.board.completed_cities_limit,
    )
    return weights.last_rounds + weights.rounds * max(0.0, left)

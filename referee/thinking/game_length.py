"""An estimate of how long the game will still last."""

from __future__ import annotations

from referee.engine.state import GameState
from referee.thinking.weights import DEFAULT_WEIGHTS, Weights


def turns_to_come(state: GameState, weights: Weights = DEFAULT_WEIGHTS) -> float:
    """How many turns each seat will probably still have: the nearest of the three ends decides."""
    left = min(
        (len(state.supply_order) - state.drawn) / state.rules.supply_size,
        1 - max(state.prestige) / state.rules.components.track_end,
        1 - state.completed_cities / state.board.completed_cities_limit,
    )
    return weights.last_rounds + weights.rounds * max(0.0, left)

"""The rewards of a finished game, one for each seat; they add up to zero."""

from __future__ import annotations

from referee.engine import game
from referee.engine.state import GameState


def rank_rewards(state: GameState) -> list[float]:
    """Return evenly spaced rewards from 1 for the first to -1 for the last.

    Seats that share a rank get the mean of their rewards.
    """
    return rewards_of_ranks([standing.rank for standing in game.standings(state)])


def rewards_of_ranks(ranks: list[int]) -> list[float]:
    """Return the same rewards for these ranks, by seat."""
    others = len(ranks) - 1
    return [(_below(rank, ranks) - _above(rank, ranks)) / others for rank in ranks]


def _below(rank: int, ranks: list[int]) -> int:
    return sum(other > rank for other in ranks)


def _above(rank: int, ranks: list[int]) -> int:
    return sum(other < rank for other in ranks)


def prestige_rewards(state: GameState) -> list[float]:
    """Return the total of each seat minus the mean total of the others, in points."""
    totals = [standing.total for standing in game.standings(state)]
    others = len(totals) - 1
    return [total - (sum(totals) - total) / others for total in totals]

"""The rewards of a finished game by seat; they add up to zero."""

from __future__ import annotations

from referee.engine import game
from referee.engine.state import GameState


def rank_rewards(state: GameState) -> list[float]:
    """From 1 for the first to -1 for the last, evenly; those who share a rank share the mean."""
    ranks = [standing.rank for standing in game.standings(state)]
    others = len(ranks) - 1
    return [(_below(rank, ranks) - _above(rank, ranks)) / others for rank in ranks]


def _below(rank: int, ranks: list[int]) -> int:
    return sum(other > rank for other in ranks)


def _above(rank: int, ranks: list[int]) -> int:
    return sum(other < rank for other in ranks)


def prestige_rewards(state: GameState) -> list[float]:
    """Each seat's total minus the mean total of the other seats."""
    totals = [standing.total for standing in game.standings(state)]
    others = len(totals) - 1
    return [total - (sum(totals) - total) / others for total in totals]

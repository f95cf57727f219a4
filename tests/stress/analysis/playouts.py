"""The truth about a turn, as far as it can be known: how often it wins when the game is played to its end.

Merchant plays all seats. It always plays the same way, so its weights vary a little from game to game.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from referee.analysis.alternatives import varied
from referee.analysis.evaluate import Deal
from referee.engine import game
from referee.engine.errors import ChoiceRefused
from referee.engine.state import GameState
from referee.thinking.cache import EvaluationCache
from referee.thinking.decisions import Trail
from referee.thinking.search import Candidate, play_round

FIRST_DEAL: Final = 5_000_000  # draws of hidden things that no analysis has seen
_MOST_ROUNDS: Final = 100


class Gain(NamedTuple):
    """By how much one turn wins more often than another."""

    mean: float
    error: float  # the standard error of the mean


def measured_gain(deal: Deal, seat: int, better: Trail, worse: Trail, count: int) -> Gain:
    """Play `count` games after each of two turns, with the same hidden things and the same players."""
    gains: list[float] = []
    for number in range(FIRST_DEAL, FIRST_DEAL + 2 * count):
        if len(gains) < count:
            gains += _gain(deal(number), seat, better, worse, number)
    if len(gains) < 2:
        return Gain(0.0, 1.0)
    return Gain(fmean(gains), stdev(gains) / sqrt(len(gains)))


def _gain(start: GameState, seat: int, better: Trail, worse: Trail, number: int) -> Iterator[float]:
    """Yield the gain in one pair of games; nothing if a turn is not possible with these hidden things."""
    try:
        one, other = [_won(start, seat, trail, number) for trail in (better, worse)]
    except ChoiceRefused:
        return
    yield one - other


def _won(start: GameState, seat: int, trail: Trail, number: int) -> float:
    """1 if the seat wins after this turn, 0 if not; those who tie share it."""
    turn = Candidate(trail)
    turn.begin(start, Random(number))
    cache = EvaluationCache(start, varied(Random(number)))
    for _ in range(_MOST_ROUNDS):
        if not turn.state.over:
            play_round(turn, cache)
    ranks = [standing.rank for standing in game.standings(turn.state)]
    return (ranks[seat] == 1) / ranks.count(1)

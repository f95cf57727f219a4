"""The truth about a turn, as far as it can be known: how often it wins when the game is played to its end.

Merchant plays all seats. It always plays the same way, so its weights vary a little from game to game.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from referee.analysis.alternatives import VARIED
from referee.analysis.evaluate import Deal
from referee.engine import game
from referee.engine.errors import ChoiceRefused
from referee.engine.state import GameState
from referee.thinking.cache import EvaluationCache
from referee.thinking.decisions import Trail
from referee.thinking.search.draws import Candidate, play_round
from referee.thinking.weights import DEFAULT_WEIGHTS, varied

FIRST_DEAL: Final = 5_000_000  # draws of hidden things that no analysis has seen
FEWEST_PAIRS: Final = 60  # before it can be clear which side of a limit a gain is on
_LEAST_SPREAD: Final = 0.1  # of the gains in pairs of games
_MOST_ROUNDS: Final = 100


class Gain(NamedTuple):
    """By how much one turn wins more often than another."""

    mean: float
    error: float  # the standard error of the mean
    pairs: int  # of games


def measured_gain(
    deal: Deal, seat: int, better: Trail, worse: Trail, most: int, limit: float | None = None
) -> Gain:
    """Play games in pairs, one after each of two turns, with the same hidden things and players.

    It plays `most` pairs. With a `limit` it stops as soon as it is clear on which side of it the
    gain is: by three standard errors.
    """
    gains: list[float] = []
    found = Gain(0.0, 1.0, 0)
    for number in range(FIRST_DEAL, FIRST_DEAL + 2 * most):
        gains += _gain(deal(number), seat, better, worse, number)
        if len(gains) >= 2:
            found = Gain(fmean(gains), stdev(gains) / sqrt(len(gains)), len(gains))
        if len(gains) == most or (limit is not None and _is_clear(found, limit)):
            break
    return found


def _is_clear(gain: Gain, limit: float) -> bool:
    """Whether the gain is far from the limit. A few games that all end alike prove nothing."""
    error = max(gain.error, _LEAST_SPREAD / sqrt(max(1, gain.pairs)))
    return gain.pairs >= FEWEST_PAIRS and abs(gain.mean - limit) > 3 * error


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
    cache = EvaluationCache(start, varied(DEFAULT_WEIGHTS, number, VARIED))
    for _ in range(_MOST_ROUNDS):
        if not turn.state.over:
            play_round(turn, cache)
    ranks = [standing.rank for standing in game.standings(turn.state)]
    return (ranks[seat] == 1) / ranks.count(1)

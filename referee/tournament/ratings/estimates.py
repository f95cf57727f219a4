"""Estimates of bots and seats on the Elo scale, with confidence intervals."""

from __future__ import annotations

from itertools import pairwise
from math import erf, exp, log, sqrt
from typing import Final, NamedTuple

import numpy as np

from referee.tournament.ratings.arrays import Flags, Floats, Games, Ints, blocks_by_table
from referee.tournament.ratings.fit import Fit

ELO: Final = 400 / log(10)  # Elo points in one unit of the natural logarithm of a strength
_Z: Final = 1.959963984540054  # the normal quantile that leaves 2.5 % on each side


def expected_score(rating: float, other: float) -> float:
    """Return how likely the first bot beats the other; a tie counts one half."""
    return 1 / (1 + 10 ** ((other - rating) / 400))


def elo_of_score(score: float) -> float:
    """Return the rating advantage at which this is the expected score."""
    return ELO * log(score / (1 - score))


def t_quantile(freedom: int) -> float:
    """Return how many standard errors a 95 % interval extends to each side, by Student's t.

    It uses Wallace's approximation. The error is below 0.2 % from six degrees of freedom on; with
    fewer, the interval is too wide.
    """
    z = _Z * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * (exp(z * z / freedom) - 1))


def chance_above_zero(ratio: Floats, freedom: Ints) -> Floats:
    """Return how likely the true value is above zero, by Student's t as in `t_quantile`.

    `ratio` is the estimate divided by its standard error.
    """
    root = np.sqrt(freedom * np.log1p(ratio * ratio / freedom))
    z = np.sign(ratio) * root * (8 * freedom + 1) / (8 * freedom + 3)
    chances: Floats = np.vectorize(lambda value: (1 + erf(value / sqrt(2))) / 2, otypes=[float])(z)
    return chances


class Estimates(NamedTuple):
    """Estimates of bots or of seats on the Elo scale."""

    elo: Floats
    covariance: Floats
    blocks: Ints  # in which each of them played
    freedom: Ints  # degrees of freedom of each interval
    known: Flags  # whether there are enough blocks for an interval

    def interval(self, index: int) -> tuple[float | None, float | None]:
        """Return both ends of the 95 % interval; None if there are too few blocks."""
        if not self.known[index]:
            return None, None
        width = t_quantile(int(self.freedom[index])) * float(np.sqrt(self.covariance[index, index]))
        return float(self.elo[index]) - width, float(self.elo[index]) + width


def estimate_bots(
    best: Fit, blocks: Ints, connected: Flags, anchor: int | None, anchor_at: float
) -> Estimates:
    """Return the bots relative to the mean of all that have played, or relative to the anchor.

    Relative to an anchor, an interval is that of a difference: the bot with fewer blocks sets its
    degrees of freedom.
    """
    count = len(blocks)
    reference = blocks > 0 if anchor is None else np.arange(count) == anchor
    against = np.eye(count) - reference / max(int(reference.sum()), 1)
    freedom = (blocks if anchor is None else np.minimum(blocks, blocks[anchor])) - 1
    return Estimates(
        elo=anchor_at + ELO * (against @ best.parameters[:count]),
        covariance=ELO**2 * (against @ best.covariance[:count, :count] @ against.T),
        blocks=blocks,
        freedom=freedom,
        known=(freedom > 0) & connected[:, reference].all(axis=1),
    )


def estimate_seats(games: Games, best: Fit) -> list[Estimates]:
    """Return for each table its seats, relative to the mean of that table."""
    blocks = blocks_by_table(games)
    bounds = len(games.bots) + np.cumsum([0, *games.seats])
    found = []
    for table, (begin, end) in enumerate(pairwise(bounds.tolist())):
        seats = end - begin
        against = np.eye(seats) - 1 / seats
        estimates = Estimates(
            elo=ELO * (against @ best.parameters[begin:end]),
            covariance=ELO**2 * (against @ best.covariance[begin:end, begin:end] @ against.T),
            blocks=np.repeat(blocks[table], seats),
            freedom=np.repeat(blocks[table] - 1, seats),
            known=np.repeat(blocks[table] > 1, seats),
        )
        found.append(estimates)
    return found


def superiority(estimates: Estimates, connected: Flags) -> Floats:
    """Return how likely the bot of the row is truly stronger than the bot of the column.

    It is one half if nothing is known: for a bot and itself, and for bots that never met.
    """
    variance = np.diag(estimates.covariance)
    gaps = variance[:, None] + variance[None, :] - 2 * estimates.covariance
    error = np.sqrt(np.maximum(gaps, 0))  # rounding may make a zero slightly negative
    freedom = np.minimum(estimates.blocks[:, None], estimates.blocks[None, :]) - 1
    known = connected & (freedom > 0) & ~np.eye(len(variance), dtype=bool)
    chances = np.full(known.shape, 0.5)
    gap = estimates.elo[:, None] - estimates.elo[None, :]
    chances[known] = chance_above_zero(gap[known] / error[known], freedom[known])
    return chances

"""Estimates of bots and seats on the Elo scale, with their intervals and how sure they are."""

from __future__ import annotations

from itertools import pairwise
from math import erf, exp, log, sqrt
from typing import Final, NamedTuple

import numpy as np

from referee.tournament.ratings.arrays import Flags, Floats, Games, Ints, blocks_by_table
from referee.tournament.ratings.fit import Fit

ELO: Final = 400 / log(10)  # how much one unit of the natural logarithm of a strength is
_Z: Final = 1.959963984540054  # the normal quantile that leaves 2.5 % on each side


def expected_score(rating: float, other: float) -> float:
    """The chance to come before the other, from the view of the first; a tie counts one half."""
    return 1 / (1 + 10 ** ((other - rating) / 400))


def elo_of_score(score: float) -> float:
    """The difference of ratings at which this is the expected score, from the scorer's view."""
    return ELO * log(score / (1 - score))


def reach(freedom: int) -> float:
    """How many standard errors a 95 % interval reaches to each side: a quantile of Student's t.

    Wallace's approximation: within 0.2 % from six degrees of freedom on, too wide below.
    """
    z = _Z * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * (exp(z * z / freedom) - 1))


def chance_above_zero(ratio: Floats, freedom: Ints) -> Floats:
    """How likely the truth is above zero, at so many standard errors: Student's t, as `reach`."""
    root = np.sqrt(freedom * np.log1p(ratio * ratio / freedom))
    z = np.sign(ratio) * root * (8 * freedom + 1) / (8 * freedom + 3)
    chances: Floats = np.vectorize(lambda one: (1 + erf(one / sqrt(2))) / 2, otypes=[float])(z)
    return chances


class Standing(NamedTuple):
    """Estimates on the Elo scale; `blocks` says in how many blocks each was seen."""

    elo: Floats
    covariance: Floats
    blocks: Ints
    freedom: Ints  # of each interval
    known: Flags  # whether there is enough to give an interval

    def interval(self, one: int) -> tuple[float | None, float | None]:
        """The 95 % interval, if there is one."""
        if not self.known[one]:
            return None, None
        width = reach(int(self.freedom[one])) * float(np.sqrt(self.covariance[one, one]))
        return float(self.elo[one]) - width, float(self.elo[one]) + width


def standing_of_bots(
    best: Fit, blocks: Ints, met: Flags, anchor: int | None, anchor_at: float
) -> Standing:
    """The bots against the mean of all that have played, or against one of them.

    Against one, an interval is that of a difference: the one that was seen less sets its freedom.
    """
    count = len(blocks)
    reference = blocks > 0 if anchor is None else np.arange(count) == anchor
    against = np.eye(count) - reference / max(int(reference.sum()), 1)
    freedom = (blocks if anchor is None else np.minimum(blocks, blocks[anchor])) - 1
    return Standing(
        elo=anchor_at + ELO * (against @ best.parameters[:count]),
        covariance=ELO**2 * (against @ best.covariance[:count, :count] @ against.T),
        blocks=blocks,
        freedom=freedom,
        known=(freedom > 0) & met[:, reference].all(axis=1),
    )


def standing_of_seats(games: Games, best: Fit) -> list[Standing]:
    """By table: the seats against the mean of the table."""
    blocks = blocks_by_table(games)
    bounds = len(games.bots) + np.cumsum([0, *games.seats])
    found = []
    for table, (begin, end) in enumerate(pairwise(bounds.tolist())):
        seats = end - begin
        against = np.eye(seats) - 1 / seats
        standing = Standing(
            elo=ELO * (against @ best.parameters[begin:end]),
            covariance=ELO**2 * (against @ best.covariance[begin:end, begin:end] @ against.T),
            blocks=np.repeat(blocks[table], seats),
            freedom=np.repeat(blocks[table] - 1, seats),
            known=np.repeat(blocks[table] > 1, seats),
        )
        found.append(standing)
    return found


def superiority(standing: Standing, met: Flags) -> Floats:
    """How likely the bot of the row is truly stronger than that of the column.

    One half where nothing is known: a bot against itself, and bots that never met.
    """
    variance = np.diag(standing.covariance)
    gaps = variance[:, None] + variance[None, :] - 2 * standing.covariance
    error = np.sqrt(np.maximum(gaps, 0))  # what is nought may be a little less by rounding
    freedom = np.minimum(standing.blocks[:, None], standing.blocks[None, :]) - 1
    known = met & (freedom > 0) & ~np.eye(len(variance), dtype=bool)
    chances = np.full(known.shape, 0.5)
    gap = standing.elo[:, None] - standing.elo[None, :]
    chances[known] = chance_above_zero(gap[known] / error[known], freedom[known])
    return chances

"""The Elo scale, and quantiles: what a difference of ratings means, and how far one may be off."""

from __future__ import annotations

from math import erf, exp, log, sqrt
from typing import Final

import numpy as np

from referee.tournament.ratings_games import Floats, Ints

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

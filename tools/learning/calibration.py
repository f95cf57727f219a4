"""How well the chances of a network agree with the games that it did not learn from."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from learning.fitting import Data, first_chances
from learning.self_play import Floats
from referee.thinking.features import FEATURES, PHASES
from referee.thinking.learnt_value import LearntValue

BINS: Final = 10
_TOTAL: Final = FEATURES.index("total")
_TOTAL_SCALE: Final = 25.0  # of the feature
_PROGRESS: Final = FEATURES.index("progress")


class Phase(NamedTuple):
    """The log loss of the chance to come first in one phase of the game."""

    positions: int
    learnt: float
    by_score: float  # if the score of the moment decides
    uniform: float


class Bin(NamedTuple):
    """Predictions that are nearly equal, and how often they came true."""

    positions: int
    predicted: float
    came_true: float


class Calibration(NamedTuple):
    """The figures of one network."""

    games: int
    phases: list[Phase]
    bins: list[Bin]


def calibrate(learnt: LearntValue, data: Data) -> Calibration:
    """Compare a network with the games that are held out."""
    held = data.only(data.held_out)
    present = held.present
    chances = first_chances(learnt.run(held.rows.astype(np.float32))[:, :, 0], present)
    points = held.rows[:, :, _TOTAL].astype(np.float32) * _TOTAL_SCALE
    uniform = present / present.sum(axis=1, keepdims=True)
    progress = held.rows[:, 0, _PROGRESS]
    phases = []
    for low, high in pairwise(PHASES):
        chosen = (progress >= low) & (progress < high)
        part = held.only(chosen)
        leads = points[chosen]
        by_score = first_chances(_best_scale(leads, part) * leads, part.present)
        losses = [log_loss(one, part) for one in (chances[chosen], by_score, uniform[chosen])]
        phases.append(Phase(int(chosen.sum()), *losses))
    return Calibration(len(np.unique(held.games)), phases, _bins(chances, held))


def log_loss(chances: Floats, data: Data) -> float:
    """The mean of the negative logarithm of the chance that the winner was given."""
    if not len(chances):
        return 0.0
    won = data.ranks == 1
    logs = -np.log(np.maximum(chances, 1e-9))
    return float(((logs * won).sum(axis=1) / won.sum(axis=1)).mean())


def _best_scale(points: Floats, data: Data) -> float:
    """The factor by which a lead in points predicts best, so that the comparison is fair."""
    scales = np.geomspace(0.001, 1.0, 31)
    losses = [log_loss(first_chances(scale * points, data.present), data) for scale in scales]
    return float(scales[int(np.argmin(losses))])


def _bins(chances: Floats, data: Data) -> list[Bin]:
    predicted = chances[data.present]
    won = (data.ranks == 1) / (data.ranks == 1).sum(axis=1, keepdims=True)
    true = won[data.present]
    number = np.minimum((predicted * BINS).astype(int), BINS - 1)
    found = []
    for one in range(BINS):
        chosen = number == one
        if chosen.any():
            found.append(
                Bin(int(chosen.sum()), float(predicted[chosen].mean()), float(true[chosen].mean()))
            )
    return found

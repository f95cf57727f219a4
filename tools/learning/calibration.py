"""How well the chances of a network agree with the games that it did not learn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

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


class Chances(NamedTuple):
    """The chances of seats to come first, one after the other, and what came."""

    predicted: Floats
    came_true: Floats  # 1 for the winner; winners who tie share it
    phases: npt.NDArray[np.int64]  # the number of the third of the game, from 0

    def bins(self, phase: int) -> list[Bin]:
        """How often the chances in one phase came true, by how high they are."""
        here = self.phases == phase
        predicted, came_true = self.predicted[here], self.came_true[here]
        number = np.minimum((predicted * BINS).astype(int), BINS - 1)
        return [
            Bin(int(chosen.sum()), float(predicted[chosen].mean()), float(came_true[chosen].mean()))
            for chosen in (number == one for one in range(BINS))
            if chosen.any()
        ]


class Calibration(NamedTuple):
    """The figures of one network."""

    games: int
    phases: list[Phase]


def calibrate(learnt: LearntValue, data: Data) -> Calibration:
    """Compare a network with the games that are held out."""
    held = data.only(data.held_out)
    present = held.present
    chances = _chances(learnt, held)
    points = held.rows[:, :, _TOTAL].astype(np.float32) * _TOTAL_SCALE
    uniform = present / present.sum(axis=1, keepdims=True)
    phase_of = _phases(held)
    phases = []
    for number in range(len(PHASES) - 1):
        chosen = phase_of == number
        part = held.only(chosen)
        leads = points[chosen]
        by_score = first_chances(_best_scale(leads, part) * leads, part.present)
        losses = [log_loss(one, part) for one in (chances[chosen], by_score, uniform[chosen])]
        phases.append(Phase(int(chosen.sum()), *losses))
    return Calibration(len(np.unique(held.games)), phases)


def held_out_chances(networks: Sequence[tuple[LearntValue, Data]]) -> Chances:
    """The chances that networks give in the games that are held out."""
    found = []
    for learnt, data in networks:
        held = data.only(data.held_out)
        won = (held.ranks == 1) / (held.ranks == 1).sum(axis=1, keepdims=True)
        phases = np.broadcast_to(_phases(held)[:, None], won.shape)
        parts = (_chances(learnt, held), won.astype(np.float32), phases)
        found.append([part[held.present] for part in parts])
    return Chances(*[np.concatenate(parts) for parts in zip(*found, strict=True)])


def _chances(learnt: LearntValue, held: Data) -> Floats:
    return first_chances(learnt.run(held.rows.astype(np.float32))[:, :, 0], held.present)


def _phases(held: Data) -> npt.NDArray[np.int64]:
    """By position: the number of the third of the game."""
    found: npt.NDArray[np.int64] = np.searchsorted(
        PHASES[1:-1], held.rows[:, 0, _PROGRESS], "right"
    )
    return found


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

"""Whether chances come true: predictions at the beginning of every turn, beside how the games ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from referee.analysis.evaluate import deals_of, phase_of, worth_of
from referee.analysis.lines import Phase
from referee.analysis.turns import finished_turns
from referee.engine import game
from referee.replay.timeline import open_timeline
from stress.analysis.games import BOARDS, GameFile

BINS: Final = 10
WHOLE: Final = "whole games"
SURE: Final = 1.96  # standard errors on each side of a 95 % interval
_LEAST: Final = 1e-6  # chance

Floats = npt.NDArray[np.float64]


class Prediction(NamedTuple):
    """What was predicted at the beginning of one turn, by seat, and what came."""

    game: str
    board: str
    phase: Phase
    chances: Floats
    totals: Floats  # the scores if the game ended now
    won: Floats  # 1 for the winner; winners who tie share it


@dataclass(frozen=True)
class Bin:
    """Chances that are nearly equal, and how often they came true."""

    part: str  # of the games
    chances: int
    predicted: float  # in the mean
    came_true: float
    low: float  # of the 95 % interval; the chances of one game depend on each other
    high: float


@dataclass(frozen=True)
class Losses:
    """The log loss of the chances in some positions, beside that of two simple predictions."""

    part: str  # of the games
    games: int
    positions: int
    learnt: float
    by_score: float  # if the present scores decide; the best factor is chosen afterwards
    uniform: float
    gain_low: float  # of the 95 % interval of `by_score` minus `learnt`
    gain_high: float


def predictions(played: GameFile) -> list[Prediction]:
    """The predictions at all turns of a recorded game."""
    timeline = open_timeline(played.path)
    ranks = np.array([one.rank for one in game.standings(timeline.newest_state)])
    won = (ranks == 1) / (ranks == 1).sum()
    found = []
    for turn in finished_turns(timeline):
        state = timeline.state(turn.first)
        chances = worth_of(deals_of(state, turn.seat, omniscient=False)).chances
        totals = np.array([float(one.total) for one in game.standings(state)])
        found.append(
            Prediction(
                played.path.name, played.board, phase_of(state), chances.astype(float), totals, won
            )
        )
    return found


def bins(found: Sequence[Prediction]) -> list[Bin]:
    """The chances of whole games and of each third, in ten bins."""
    made: list[Bin] = []
    for part in (WHOLE, *get_args(Phase)):
        chosen = [one for one in found if part in (WHOLE, one.phase)]
        if not chosen:
            continue
        chances, won, games = _by_seat(chosen)
        number = np.minimum((chances * BINS).astype(int), BINS - 1)
        for one in range(BINS):
            same = number == one
            if same.any():
                made.append(_bin(part, chances[same], won[same], games[same]))
    return made


def _by_seat(chosen: Sequence[Prediction]) -> tuple[Floats, Floats, npt.NDArray[np.str_]]:
    """All chances, what came of them, and the games that they belong to."""
    chances = np.concatenate([one.chances for one in chosen])
    won = np.concatenate([one.won for one in chosen])
    games = np.concatenate([np.repeat(one.game, len(one.won)) for one in chosen])
    return chances, won, games


def _bin(part: str, chances: Floats, won: Floats, games: npt.NDArray[np.str_]) -> Bin:
    true = float(won.mean())
    half = SURE * _error(won - true, games)
    low, high = max(0.0, true - half), min(1.0, true + half)
    return Bin(part, len(won), float(chances.mean()), true, low, high)


def _error(deviations: Floats, games: npt.NDArray[np.str_]) -> float:
    """The standard error of a mean; values of one game depend on each other."""
    _, number = np.unique(games, return_inverse=True)
    sums = np.bincount(number, deviations)
    return sqrt(float((sums**2).sum())) / len(deviations)


def losses(found: Sequence[Prediction]) -> list[Losses]:
    """The log losses of whole games, of each third, and of each board."""
    chosen: dict[str, list[Prediction]] = {part: [] for part in (WHOLE, *get_args(Phase), *BOARDS)}
    for one in found:
        for part in (WHOLE, one.phase, one.board):
            chosen[part].append(one)
    return [_losses(part, some) for part, some in chosen.items() if some]


def _losses(part: str, chosen: Sequence[Prediction]) -> Losses:
    learnt = np.array([_log_loss(one.chances, one.won) for one in chosen])
    by_score = min((_by_score(chosen, scale) for scale in np.geomspace(0.001, 1, 31)), key=np.mean)
    uniform = np.array([_log_loss(one.won * 0 + 1 / len(one.won), one.won) for one in chosen])
    gains = by_score - learnt
    gain = float(gains.mean())
    half = SURE * _error(gains - gain, np.array([one.game for one in chosen]))
    return Losses(
        part,
        len({one.game for one in chosen}),
        len(chosen),
        float(learnt.mean()),
        float(by_score.mean()),
        float(uniform.mean()),
        gain - half,
        gain + half,
    )


def _by_score(chosen: Sequence[Prediction], scale: float) -> Floats:
    """The log losses if a lead in points, times a factor, says who wins."""
    powers = [np.exp(scale * (one.totals - one.totals.max())) for one in chosen]
    pairs = zip(powers, chosen, strict=True)
    return np.array([_log_loss(power / power.sum(), one.won) for power, one in pairs])


def _log_loss(chances: Floats, won: Floats) -> float:
    return float(-(won * np.log(np.maximum(chances, _LEAST))).sum())

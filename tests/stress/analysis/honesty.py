"""Whether the turn that an analysis prefers is better: many games after it, and after the other one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from random import Random
from typing import Final

from referee.analysis.alternatives import compare
from referee.analysis.evaluate import deals_of
from referee.analysis.lines import Settings
from referee.analysis.turns import TurnSteps, finished_turns, has_decided, played_trail
from referee.replay.timeline import Timeline, open_timeline
from stress.analysis.calibration import SURE
from stress.analysis.games import GameFile, kept
from stress.analysis.playouts import measured_gain

SETTINGS: Final = Settings(time_ms=None, rounds=200)


@dataclass(frozen=True)
class Preference:
    """A turn that was preferred to the one that was played, and how both ended."""

    game: str
    board: str
    turn: int
    promised: float  # of the chance to come first
    gain: float  # by playouts
    error: float  # the standard error of `gain`


@dataclass(frozen=True)
class Honesty:
    """How often the preferred turn did better."""

    positions: int
    better: float  # share; equal counts as half
    low: float  # of the 95 % interval
    high: float
    promised: float  # in the mean
    gain: float
    gain_low: float  # of the 95 % interval
    gain_high: float


def first_preference(played: GameFile, playouts: int) -> Preference | None:
    """Check the first clear preference in a game, whose turns are tried in random order."""
    found = kept(played, f"preference-{playouts}", lambda: _first(played, playouts))
    return None if found is None else Preference(**found)


def _first(played: GameFile, playouts: int) -> dict[str, object] | None:
    timeline = open_timeline(played.path)
    turns = finished_turns(timeline)
    Random(played.path.name).shuffle(turns)
    found = next(_preferences(timeline, turns, played, playouts), None)
    return None if found is None else asdict(found)


def _preferences(
    timeline: Timeline, turns: list[TurnSteps], played: GameFile, playouts: int
) -> Iterator[Preference]:
    for turn in turns:
        steps = timeline.steps[turn.first + 1 : turn.last + 1]
        if not has_decided(steps, turn.seat):
            continue
        trail = played_trail(steps)
        deal = deals_of(timeline.state(turn.first), turn.seat, omniscient=False)
        found = compare(deal, turn.seat, trail, SETTINGS)
        if found is not None and found.is_mistake:
            gain = measured_gain(deal, turn.seat, found.trail, trail, playouts)
            name, board = played.path.name, played.board
            yield Preference(name, board, turn.turn, found.loss, gain.mean, gain.error)


def summed_up(found: list[Preference]) -> Honesty:
    """The share of preferences that did better, with its interval (Wilson)."""
    count = len(found)
    better = sum([(one.gain > 0) + 0.5 * (one.gain == 0) for one in found]) / count
    low, high = _wilson(better, count)
    mean = sum(one.gain for one in found) / count
    spread = sqrt(sum((one.gain - mean) ** 2 for one in found) / max(1, count - 1))
    half = SURE * spread / sqrt(count)
    promised = sum(one.promised for one in found) / count
    return Honesty(count, better, low, high, promised, mean, mean - half, mean + half)


def _wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    square = SURE**2 / count
    middle = (share + square / 2) / (1 + square)
    half = SURE * sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    return middle - half, middle + half

"""Whether planted blunders are found, and how many other turns are called mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final

from referee.analysis.alternatives import MISTAKE, compare
from referee.analysis.evaluate import deals_of
from referee.analysis.lines import Settings
from referee.analysis.turns import finished_turns, played_trail
from referee.replay.timeline import open_timeline
from referee.thinking.judges import LearntJudge
from referee.thinking.learnt_value import learnt_value
from referee.thinking.search.budget import RoundBudget
from referee.thinking.search.draws import Search
from stress.analysis.games import STRONG_NODES, GameFile, is_planted, kept
from stress.analysis.playouts import measured_gain

SETTINGS: Final = Settings(time_ms=None, rounds=200)


@dataclass(frozen=True)
class Judged:
    """One turn of a game with blunders."""

    game: str
    turn: int
    is_planted: bool
    is_marked: bool
    loss: float
    cost: float = 0.0  # of a planted one, by playouts
    error: float = 0.0  # the standard error of `cost`


@dataclass(frozen=True)
class Found:
    """How many blunders were marked, and how many other turns."""

    planted: int
    costly: int  # planted ones that cost as much as a mistake
    marked: float  # share of the costly ones
    others: int  # turns that were not planted
    falsely_marked: float  # share of them


def judged_turns(played: GameFile, playouts: int) -> list[Judged]:
    """Judge all turns of a game; a planted one costs what navigator would have done better."""
    found = kept(played, f"turns-{playouts}", lambda: list(map(asdict, _judged(played, playouts))))
    return [Judged(**one) for one in found]


def _judged(played: GameFile, playouts: int) -> Iterator[Judged]:
    timeline = open_timeline(played.path)
    for turn in finished_turns(timeline):
        trail = played_trail(timeline.steps[turn.first + 1 : turn.last + 1])
        deal = deals_of(timeline.state(turn.first), turn.seat, omniscient=False)
        compared = compare(deal, turn.seat, trail, SETTINGS)
        planted = is_planted(turn.turn, played.number)
        marked = compared is not None and compared.is_mistake
        loss = 0.0 if compared is None else compared.loss
        cost = error = 0.0
        if planted:
            judge = LearntJudge(learnt_value(timeline.board))
            strong = Search(deal, turn.seat, judge, RoundBudget(STRONG_NODES)).best_trail()
            cost, error, _ = measured_gain(deal, turn.seat, strong, trail, playouts, MISTAKE)
        yield Judged(played.path.name, turn.turn, planted, marked, loss, cost, error)


def summed_up(found: list[Judged]) -> Found:
    """The shares of marked turns."""
    planted = [one for one in found if one.is_planted]
    costly = [one for one in planted if one.cost >= MISTAKE]
    others = [one for one in found if not one.is_planted]
    return Found(len(planted), len(costly), _share(costly), len(others), _share(others))


def _share(turns: list[Judged]) -> float:
    """The share of turns that are marked."""
    return sum(one.is_marked for one in turns) / max(1, len(turns))

"""What it costs to plan a large tournament: the time for all blocks, and the memory."""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass
from typing import Final

from referee.bench.common import cpu_time
from referee.tournament.results import TableKind
from referee.tournament.schedule import RoundRobin, Spread, Stage
from referee.tournament.schedule.round_robin import BY_BOT

BOTS: Final = 100
BLOCKS: Final = 10_000  # a bot: a million games at four seats
TABLE: Final = TableKind("bench", 4)


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """Planning a balanced round-robin: seconds of CPU time, and peak bytes while iterating."""

    bots: int
    seats: int
    blocks: int
    games: int
    seconds: float
    spread: Spread
    short_blocks: int  # of the short plan; the long plan has ten times as many
    short_bytes: int
    long_bytes: int


def plan_figures(bots: int = BOTS, blocks: int = BLOCKS) -> PlanFigures:
    """Time the planning of all blocks, and measure the memory that shorter plans need."""
    plan = _plan(bots, blocks)
    stage = _stage(plan)
    short, long = (_stage(_plan(bots, max(1, blocks // part))) for part in (1000, 100))
    return PlanFigures(
        bots=bots,
        seats=TABLE.seats,
        blocks=len(stage),
        games=len(stage) * TABLE.seats,
        seconds=cpu_time(lambda: _iterate(stage)),
        spread=plan.spread(),
        short_blocks=len(short),
        short_bytes=peak_bytes(short),
        long_bytes=peak_bytes(long),
    )


def peak_bytes(stage: Stage) -> int:
    """Return the peak memory in bytes while all blocks are made."""
    tracemalloc.start()
    try:
        _iterate(stage)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _plan(bots: int, blocks: int) -> RoundRobin:
    names = [f"bot-{number}" for number in range(bots)]
    return RoundRobin(0, [TABLE], names, blocks, most_sets=BY_BOT)


def _stage(plan: RoundRobin) -> Stage:
    stage = plan.stage(0, (), frozenset())
    assert stage is not None
    return stage


def _iterate(stage: Stage) -> None:
    for _ in stage:
        pass

"""Analyses beside records, made up in an instant: the better turns are legal, the chances mean nothing.

write_analysis(record, mistakes=[3, 8])
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from random import Random

from referee.analysis.cache import AnalysisCache, record_digest
from referee.analysis.lines import FORMAT, Alternative, CacheHeader, Settings, TurnAnalysis
from referee.analysis.turns import TurnSteps, finished_turns
from referee.engine import game
from referee.narration.log import narrated
from referee.replay.timeline import Timeline, open_timeline

LOSS = 0.25


def why(seat: int) -> str:
    """The reason of the better turns of a seat; no other text contains it."""
    return f"reason-of-seat-{seat}"


def write_analysis(
    record: Path,
    mistakes: Collection[int] | None = None,
    *,
    omniscient: bool = False,
    upto: int | None = None,
) -> None:
    """Write an analysis of a record; `mistakes` are the turns that are mistakes, None means all."""
    timeline = open_timeline(record)
    turns = finished_turns(timeline)
    header = CacheHeader(
        format=FORMAT,
        record=record_digest(record),
        made_by="tests",
        board=timeline.board.id,
        names=timeline.names,
        turn_count=len(turns),
        winners=[0],
        settings=Settings(time_ms=None, rounds=1, omniscient=omniscient),
    )
    cache = AnalysisCache(record, header)
    cache.open()
    for at in turns[:upto]:
        cache.add(judged(timeline, at, is_mistake=mistakes is None or at.turn in mistakes))
    cache.close()


def judged(timeline: Timeline, at: TurnSteps, *, is_mistake: bool) -> TurnAnalysis:
    """A turn with made-up chances, and a random turn as the better one if it is a mistake."""
    seats = timeline.rules.players
    return TurnAnalysis(
        turn=at.turn,
        seat=at.seat,
        first_step=at.first,
        last_step=at.last,
        kind="create",
        phase="middle",
        played="does something",
        text=[],
        chances=chances(seats, at.first),
        ranks=[2.0] * seats,
        totals=[30.0] * seats,
        chances_after=chances(seats, at.last),
        ranks_after=[2.0] * seats,
        totals_after=[30.0] * seats,
        loss=LOSS if is_mistake else 0.0,
        loss_interval=(0.2, 0.3) if is_mistake else (0.0, 0.0),
        is_mistake=is_mistake,
        best=random_turn(timeline, at) if is_mistake else None,
        why=why(at.seat) if is_mistake else "",
    )


def chances(seats: int, step: int) -> list[float]:
    """Chances that differ from seat to seat and from step to step."""
    parts = [1 + (step * (seat + 3)) % 7 for seat in range(seats)]
    return [round(part / sum(parts), 4) for part in parts]


def random_turn(timeline: Timeline, at: TurnSteps) -> Alternative:
    start, rng = timeline.state(at.first), Random(at.turn)
    state, trail = start.copy(), []
    while not state.is_over and state.turn == at.turn:
        index = rng.randrange(len(game.choices(state)))
        trail.append((state.agenda[-1].seat, index))
        game.apply(state, index)
    seats = timeline.rules.players
    return Alternative(
        choices=trail,
        text=narrated(start, trail, timeline.names),
        chances=chances(seats, at.first + 1),
        ranks=[2.0] * seats,
        totals=[31.0] * seats,
        parts={"track": 1.0},
    )

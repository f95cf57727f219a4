"""Judges one turn of a recorded game."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from referee.analysis.alternatives import Comparison, compare
from referee.analysis.evaluate import Worth, deals_of, phase_of, worth_of
from referee.analysis.lines import Alternative, Settings, TurnAnalysis
from referee.analysis.reasons import parts_of, why
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import (
    DO_CREATE,
    DO_DISPLACE,
    DO_END_TURN,
    DO_FAVOUR,
    DO_INCOME,
    DO_MOVE,
    DO_PERMIT,
    DO_PLACE,
    DO_USE,
    DOINGS,
    PLACE_MARKER,
    PUT,
    TURN,
)
from referee.narration.log import narrated
from referee.replay.timeline import Step, Timeline
from referee.text import visible
from referee.thinking.decisions import Trail
from referee.thinking.learnt_value import Floats, value_file

VERSION: Final = 3  # rises when the same record and settings give another analysis
_DIGITS: Final = 4
# What counts as the kind of a turn: the first of these that the seat did.
_KINDS: Final = (
    DO_CREATE, DO_FAVOUR, DO_PERMIT, DO_USE, DO_DISPLACE, DO_MOVE, DO_PLACE, DO_INCOME, DO_END_TURN,
)  # fmt: skip


class TurnSteps(NamedTuple):
    """Where a turn is in a timeline."""

    turn: int
    seat: int
    first: int  # the step at which it begins, before its first decision
    last: int


@lru_cache(maxsize=8)
def made_by(board: Board) -> str:
    """The digest of what judges the turns on a board: the version and the values."""
    digest = hashlib.sha256(f"{VERSION}\n".encode())
    digest.update(value_file(board).read_bytes())
    return digest.hexdigest()


def finished_turns(timeline: Timeline) -> list[TurnSteps]:
    """All turns of a timeline that are played to their end."""
    marks = timeline.turns
    ends = [mark.step for mark in marks[1:]]
    if timeline.newest_state.is_over:
        ends.append(timeline.last)
    return [
        TurnSteps(mark.turn, mark.seat, mark.step, end)
        for mark, end in zip(marks, ends, strict=False)
        if mark.step < end
    ]


def judge(timeline: Timeline, at: TurnSteps, settings: Settings) -> TurnAnalysis:
    """Judge one turn: what it was worth to every seat, and what would have been better."""
    steps = [step for step in timeline.steps[at.first + 1 : at.last + 1] if step.choice is not None]
    names = [visible(name) for name in timeline.names]
    start, end = timeline.state(at.first), timeline.state(at.last)
    known = deals_of(start, at.seat, omniscient=settings.omniscient)
    before = worth_of(known)
    after = worth_of(deals_of(end, at.seat, omniscient=settings.omniscient))
    compared = None
    if len(steps) == at.last - at.first and has_decided(steps, at.seat):
        compared = compare(known, at.seat, played_trail(steps), settings)
    kind, played, text = _described(steps, start, at.seat, names)
    best, reason = _better(start, compared, after, at.seat, names)
    return TurnAnalysis(
        turn=at.turn,
        seat=at.seat,
        first_step=at.first,
        last_step=at.last,
        kind=kind,
        phase=phase_of(start),
        played=played,
        text=text,
        chances=_rounded(before.chances),
        ranks=_rounded(before.ranks),
        totals=_rounded(before.totals),
        chances_after=_rounded(after.chances),
        ranks_after=_rounded(after.ranks),
        totals_after=_rounded(after.totals),
        loss=0.0 if compared is None else round(compared.loss, _DIGITS),
        loss_interval=(0.0, 0.0) if compared is None else _interval(compared),
        is_mistake=compared is not None and compared.is_mistake,
        best=best,
        why=reason,
    )


def has_decided(steps: Sequence[Step], seat: int) -> bool:
    """Whether the seat made a choice of its own; the referee chooses for a disqualified one."""
    return any(step.seat == seat and step.by == "bot" for step in steps)


def played_trail(steps: Sequence[Step]) -> Trail:
    """The choices up to the end of the turn, without where the new markers went.

    Which markers these are, the seat did not know when it chose its turn.
    """
    kinds = [step.kind for step in steps]
    count = kinds.index(PLACE_MARKER) if PLACE_MARKER in kinds else len(steps)
    return tuple((step.seat, step.picked) for step in steps[:count])


def _described(
    steps: Sequence[Step], start: GameState, seat: int, names: Sequence[str]
) -> tuple[str, str, list[str]]:
    """The kind of a turn, the most important thing in it, and all of it in sentences."""
    text = narrated(start, [(step.seat, step.picked) for step in steps], names)
    own = [at for at, step in enumerate(steps) if step.seat == seat and step.kind == TURN]
    if not own:
        return DOINGS[DO_END_TURN], "", text
    main = min(own, key=lambda at: _KINDS.index(_choice(steps[at]).do))
    kind = _choice(steps[main]).do
    if kind == DO_MOVE:  # where it begins, nothing has moved yet
        main = next((at for at in range(main, len(steps)) if steps[at].kind == PUT), main)
    played = text[main].removeprefix(f"{names[seat]} ").partition("; ")[0]
    return DOINGS[kind], played, text


def _choice(step: Step) -> Choice:
    assert step.choice is not None
    return step.choice


def _better(
    start: GameState, compared: Comparison | None, after: Worth, seat: int, names: Sequence[str]
) -> tuple[Alternative | None, str]:
    """The better turn, and why it is better; nothing if none was found.

    Its values are those after the turn that was played, plus the differences.
    """
    if compared is None or compared.loss <= 0:
        return None, ""
    difference = compared.difference
    chances = np.clip(after.chances + difference.chances, 0, 1)
    rival = max(set(range(len(names))) - {seat}, key=lambda one: float(after.chances[one]))
    found = Alternative(
        choices=list(compared.trail),
        text=narrated(start, compared.trail, names),
        chances=_rounded(chances / chances.sum()),
        ranks=_rounded(np.clip(after.ranks + difference.ranks, 1, len(names))),
        totals=_rounded(after.totals + difference.totals),
        parts={part: round(points, 2) for part, points in parts_of(difference, seat).items()},
    )
    return found, why(difference, seat, rival, names)


def _interval(compared: Comparison) -> tuple[float, float]:
    low, high = compared.interval
    return round(low, _DIGITS), round(high, _DIGITS)


def _rounded(values: Floats) -> list[float]:
    return [round(float(value), _DIGITS) for value in values]

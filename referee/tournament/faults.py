"""The faults of a tournament, each with the decision of the bot and its place in the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from referee.engine import game
from referee.engine.terms import DECISIONS
from referee.errors import RecordRefused
from referee.replay.timeline import FaultMark, Timeline, open_timeline
from referee.tournament.store.store import RECORDS, STDERR, StoredFault


class AskedDecision(NamedTuple):
    """The kind of decision that the bot had to make."""

    decision: str
    choices: int


class FaultCase(NamedTuple):
    """A fault and what its record adds; without a record, that is None."""

    fault: StoredFault
    record: Path | None
    turn: int | None = None
    asked: AskedDecision | None = None  # also None before the first decision
    stderr_file: Path | None = None  # None also if another machine has it

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        data = self.fault._asdict()
        data["disqualified"] = bool(self.fault.disqualified)
        data["data"] = bot_text(self.fault.data)
        data["stderr"] = bot_text(self.fault.stderr)
        data["stderr_file"] = None if self.stderr_file is None else str(self.stderr_file)
        data["record"] = None if self.record is None else str(self.record)
        data["turn"] = self.turn
        data["asked"] = None if self.asked is None else self.asked._asdict()
        return data


def bot_text(data: bytes) -> str:
    """Decode the output of a bot; bytes that are not UTF-8 become escape sequences."""
    return data.decode("utf-8", "backslashreplace")


def fault_cases(folder: Path, faults: Iterable[StoredFault]) -> Iterator[FaultCase]:
    """Yield each fault with what its record adds; a record is read once for all of its faults."""
    for _, in_game in groupby(faults, key=lambda fault: (fault.block, fault.number)):
        yield from _cases_in_game(folder, list(in_game))


def _cases_in_game(folder: Path, faults: list[StoredFault]) -> Iterator[FaultCase]:
    name = faults[0].record
    record = None if name is None else folder / RECORDS / faults[0].block / name
    timeline = None if record is None else _timeline(record)
    for fault in faults:
        mark = None if timeline is None else _mark(timeline, fault)
        case = FaultCase(fault, record, stderr_file=_stderr_file(folder, fault))
        if timeline is not None and mark is not None:
            case = case._replace(turn=_turn(timeline, mark), asked=_asked(timeline, mark))
        yield case


def _stderr_file(folder: Path, fault: StoredFault) -> Path | None:
    if not fault.stderr_file:
        return None
    path = folder / STDERR / fault.stderr_file
    return path if path.is_file() else None


def _timeline(record: Path) -> Timeline | None:
    """Open a record; return None if it was moved or is damaged."""
    try:
        return open_timeline(record)
    except RecordRefused:
        return None


def _mark(timeline: Timeline, fault: StoredFault) -> FaultMark | None:
    own = (fault.seat, fault.strikes, fault.fault)
    marks = [(mark.fault.seat, mark.fault.strikes, mark.fault.fault) for mark in timeline.faults]
    return timeline.faults[marks.index(own)] if own in marks else None


def _turn(timeline: Timeline, mark: FaultMark) -> int:
    """Return the number for `referee replay --turn`: the turn before the fault."""
    return timeline.turn_at(max(min(mark.step, timeline.last) - 1, 0)) + 1


def _asked(timeline: Timeline, mark: FaultMark) -> AskedDecision | None:
    if mark.fault.asked_id is None or mark.step == 0:
        return None
    state = timeline.state(mark.step - 1)
    decision = game.pending(state)
    if decision is None:
        return None
    return AskedDecision(DECISIONS[decision.kind], len(game.choices(state)))


def count_faults(faults: Iterable[StoredFault]) -> dict[str, Counter[str]]:
    """Return the number of faults of each bot, by kind."""
    counts: dict[str, Counter[str]] = {}
    for fault in faults:
        counts.setdefault(fault.bot, Counter())[fault.fault] += 1
    return counts

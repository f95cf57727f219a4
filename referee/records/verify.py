"""Verifies records: plays each game again and compares it with every line of its record."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from operator import length_hint
from pathlib import Path
from typing import Final, TypeVar

from referee.engine.terms import END_REASONS
from referee.errors import LineRefused, RecordRefused
from referee.records.checker import Checker, Status
from referee.records.header import InvalidLine
from referee.records.lines import Line
from referee.records.reader import RecordReader
from referee.text import printable

Item = TypeVar("Item")
Result = TypeVar("Result")

AT_ONCE: Final = 4  # items that each worker gets at a time


@dataclass(frozen=True)
class RecordVerdict:
    """The result of verifying one record."""

    record: str
    verdict: Status
    line: int | None = None  # the number of the first wrong line
    why: str | None = None
    game: str | None = None
    ruleset: str | None = None
    turns: int = 0
    decisions: int = 0
    faults: int = 0
    reason: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the object that `--json` prints."""
        return asdict(self)

    def counts(self, *, complete: bool) -> bool:
        """Whether the record counts as wrong; an incomplete one does only if `complete` is true."""
        return self.verdict == "wrong" or (complete and self.verdict == "incomplete")


class Walk:
    """Goes through a record: yields each line to the caller, then checks and applies it."""

    def __init__(self, path: Path, *, events: bool = False) -> None:
        self.path = path
        self.checker = Checker(events=events)
        self._reader = RecordReader(path)

    def __iter__(self) -> Iterator[Line]:
        """Yield each line before it is checked and applied; LineRefused if the previous was wrong."""
        try:
            for line in self._reader.lines():
                yield line
                self.checker.handlers[type(line)](line)
        except InvalidLine as error:
            raise self._reader.refused(str(error)) from error
        self._reader.check_tail(is_over=self.checker.is_over)

    @property
    def in_past(self) -> bool:
        """Whether the line still belongs to the game that this one continues from."""
        return self.checker.is_open and self.checker.in_past

    def to_the_end(self) -> None:
        """Check and apply all lines at full speed; raise LineRefused for the first wrong one."""
        for _ in self.batches():
            pass

    def batches(self) -> Iterator[list[Line]]:
        """Check and apply some lines at a time, then yield them; the same as `to_the_end` otherwise."""
        handlers, reader = self.checker.handlers, self._reader
        for batch in reader.batches():
            rest = iter(batch)
            try:
                for line in rest:
                    handlers[type(line)](line)
            except InvalidLine as error:
                reader.number += len(batch) - length_hint(rest)
                raise reader.refused(str(error)) from error
            reader.number += len(batch)
            yield batch
        reader.check_tail(is_over=self.checker.is_over)

    def verdict(self) -> RecordVerdict:
        """Return the verdict after the last line."""
        checker = self.checker
        why = None
        if checker.status == "incomplete":
            why = self._where_it_breaks_off()
        elif checker.status == "void":
            why = f"the referee failed: {printable(checker.void or '')}"
        return self._verdict(checker.status, None, why)

    def refused(self, error: LineRefused) -> RecordVerdict:
        """Return the verdict after a wrong line."""
        return self._verdict("wrong", error.number, error.why)

    def _where_it_breaks_off(self) -> str:
        checker = self.checker
        if not checker.is_open:
            return "it breaks off in the first line" if self._reader.tail else "it is empty"
        cut = ", in the middle of a line" if self._reader.tail or self._reader.is_cut else ""
        if checker.state.over:
            return f"it breaks off before the end of the game is recorded{cut}"
        return f"it breaks off at decision {checker.state.decision_id}{cut}"

    def _verdict(self, status: Status, number: int | None, why: str | None) -> RecordVerdict:
        checker = self.checker
        if not checker.is_open:
            return RecordVerdict(str(self.path), status, number, why)
        state = checker.state
        return RecordVerdict(
            record=str(self.path),
            verdict=status,
            line=number,
            why=why,
            game=checker.header.game,
            ruleset=state.rules.name,
            turns=state.turn,
            decisions=state.decision_id - 1,
            faults=len(checker.faults),
            reason=END_REASONS[state.over] or None,
        )


def verify(path: Path) -> RecordVerdict:
    """Play the game of a record again, compare every line, and return the verdict."""
    walk = Walk(path)
    try:
        walk.to_the_end()
    except LineRefused as error:
        return walk.refused(error)
    return walk.verdict()


def in_parallel(
    work: Callable[[Item], Result], items: Sequence[Item], workers: int, at_once: int = AT_ONCE
) -> Iterator[Result]:
    """Yield the result of `work` for each item, such as a record, in their order.

    `workers` processes compute the results; each gets `at_once` items at a time.
    """
    workers = min(workers, -(-len(items) // at_once))
    if workers <= 1:
        yield from map(work, items)
        return
    batches = [items[at : at + at_once] for at in range(0, len(items), at_once)]
    with ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            for future in [pool.submit(_work_on_all, work, batch) for batch in batches]:
                yield from future.result()
        except BrokenProcessPool as error:
            raise RecordRefused("a worker process was killed") from error
        except BaseException:
            # Nobody waits for the other results: end the workers at once.
            for child in multiprocessing.active_children():
                child.terminate()
            raise


def _work_on_all(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    return list(map(work, items))


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

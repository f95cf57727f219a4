"""Verifying records: every game is played again and everything in its record is held against it."""

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
from referee.errors import RecordRefused
from referee.records.checker import Checker, Status
from referee.records.header import Wrong
from referee.records.lines import Line, LineRefused, Lines, printable

Result = TypeVar("Result")

SOME: Final = 4  # records that a worker takes at once


@dataclass(frozen=True)
class Verdict:
    """What became of one record."""

    record: str
    verdict: Status
    line: int | None = None  # the first that is wrong
    why: str | None = None
    game: str | None = None
    ruleset: str | None = None
    turns: int = 0
    decisions: int = 0
    faults: int = 0
    reason: str | None = None

    def words(self) -> dict[str, object]:
        """For programs."""
        return asdict(self)

    def counts(self, *, complete: bool) -> bool:
        """Whether something is wrong with it; a record that breaks off only if it has to be complete."""
        return self.verdict == "wrong" or (complete and self.verdict == "incomplete")


class Walk:
    """A record, line by line: look at the line, then have it checked and carried out."""

    def __init__(self, path: Path, *, events: bool = False) -> None:
        self.path = path
        self.checker = Checker(events=events)
        self._lines = Lines(path)

    def __iter__(self) -> Iterator[Line]:
        """Each line as it comes up; once it has been looked at it is taken. LineRefused if it is wrong."""
        try:
            for line in self._lines:
                yield line
                self.checker.takes[type(line)](line)
        except Wrong as error:
            raise self._lines.refused(str(error)) from error
        self._check_tail()

    @property
    def in_past(self) -> bool:
        """Whether the game that this one goes on from is still being told."""
        return self.checker.is_open and self.checker.in_past

    def to_the_end(self) -> None:
        """All lines, without a look at them."""
        takes, lines = self.checker.takes, self._lines
        for some in lines.some_at_a_time():
            rest = iter(some)
            try:
                for line in rest:
                    takes[type(line)](line)
            except Wrong as error:
                lines.done += len(some) - length_hint(rest) - 1
                raise lines.refused(str(error)) from error
            lines.done += len(some)
        self._check_tail()

    def _check_tail(self) -> None:
        """What follows the last line can only be the beginning of one more."""
        tail = self._lines.tail
        if not tail:
            return
        if self.checker.is_ended or self.checker.void is not None:
            raise self._lines.refused("something comes after the end")
        if not tail.lstrip().startswith(b"{"):
            raise self._lines.refused("this is no line of a record")

    def verdict(self) -> Verdict:
        """What can be said of it, once all lines were taken."""
        checker = self.checker
        why = None
        if checker.status == "incomplete":
            why = self._where_it_breaks_off()
        elif checker.status == "void":
            why = f"the referee failed: {printable(checker.void or '')}"
        return self._verdict(checker.status, None, why)

    def refused(self, error: LineRefused) -> Verdict:
        """The same, when a line was wrong."""
        return self._verdict("wrong", error.number, error.why)

    def _where_it_breaks_off(self) -> str:
        checker = self.checker
        if not checker.is_open:
            return "it breaks off in the first line" if self._lines.tail else "nothing is in it"
        cut = ", in the middle of a line" if self._lines.tail or self._lines.is_cut else ""
        if checker.state.over:
            return f"it breaks off before the end is told{cut}"
        return f"it breaks off at decision {checker.state.decision_id}{cut}"

    def _verdict(self, status: Status, number: int | None, why: str | None) -> Verdict:
        checker = self.checker
        if not checker.is_open:
            return Verdict(str(self.path), status, number, why)
        state = checker.state
        return Verdict(
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


def verify(path: Path) -> Verdict:
    """Play one record again."""
    walk = Walk(path)
    try:
        walk.to_the_end()
    except LineRefused as error:
        return walk.refused(error)
    return walk.verdict()


def in_parallel(
    work: Callable[[Path], Result], paths: Sequence[Path], workers: int
) -> Iterator[Result]:
    """The work on each record, in the order of the records, over so many processes."""
    workers = min(workers, -(-len(paths) // SOME))
    if workers <= 1:
        yield from map(work, paths)
        return
    several = [paths[at : at + SOME] for at in range(0, len(paths), SOME)]
    with ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            for done in [pool.submit(_all_of, work, some) for some in several]:
                yield from done.result()
        except BrokenProcessPool as error:
            raise RecordRefused("a worker process was ended from outside") from error
        except BaseException:
            # Nobody waits for the rest: the workers are ended, whatever they are at.
            for child in multiprocessing.active_children():
                child.terminate()
            raise


def _all_of(work: Callable[[Path], Result], paths: Sequence[Path]) -> list[Result]:
    return list(map(work, paths))


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

"""Follows the record of one game from one viewpoint: the page so far, and its new steps as events.

The id of an event is the number of steps that a client knows after it. It depends on the record only,
so clients can resume even after the server was started again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.errors import RefereeError
from referee.replay.position import Viewpoint
from referee.replay.timeline import Timeline
from referee.web.game.steps import GameSteps
from referee.web.live.broadcast import encoded_event

_ENDED: Final = "end"  # the id after the last event
_PACKED: Final = ".gz"


class GameFeed:
    """A growing record as a `Source`; `delay` holds back so many decisions until the game is over."""

    steps: GameSteps
    _status: tuple[int, int, int] | None  # of the record when it was read; None if it is packed

    def __init__(self, path: Path, viewpoint: Viewpoint, delay: int = 0) -> None:
        """Read the record as far as it is written; RecordRefused if it has no valid first line.

        A record that is packed when its game is over may be given by either name.
        """
        self._plain, self._packed = _both_names(path)
        self._viewpoint = viewpoint
        self._delay = delay
        self._replaced = 0  # how often another record took the place of the one that was followed
        self._read_again()

    # -- Source

    @property
    def is_finished(self) -> bool:
        """Whether the game is over, and everything is shown."""
        return self.steps.is_finished

    @property
    def event_id(self) -> str:
        """The number of steps, or `end`; a record that took the place of another has other ids."""
        mark = _ENDED if self.is_finished else str(len(self.steps.deltas))
        return f"{self._replaced}.{mark}" if self._replaced else mark

    def poll(self, *, is_last: bool = False) -> bool:  # noqa: ARG002  it is never put off
        """Read the lines that were added; return whether there are new steps."""
        if self.is_finished:
            return False
        status = _status(self._plain)
        if status == self._status:
            return False
        before = self.event_id
        with suppress(RefereeError):  # not even a first line is there; the next poll tries again
            if status is None:
                self._move_to_packed()
            elif self._status is None or status[:2] != self._status[:2]:
                self._replace()
            else:
                self._status = status
                self._grow()
        return self.event_id != before

    def since(self, event_id: str) -> bytes:
        """One event with all steps that follow; `reset` for a client that knows another record."""
        if event_id == self.event_id:
            return b""
        count = self._steps_of(event_id)
        if count is None:
            return encoded_event("reset", self.event_id, {})
        data = self.steps.since(count) | {
            "from": count,
            "ended": self.is_finished,
            "complete": self.steps.timeline.is_complete,
        }
        return encoded_event("steps", self.event_id, data)

    def _steps_of(self, event_id: str) -> int | None:
        """The number of steps that a client knows; None if it knows something else."""
        mark, _, number = event_id.rpartition(".")
        if mark != (str(self._replaced) if self._replaced else ""):
            return None
        if not (number.isascii() and number.isdigit() and len(number) < 9):
            return None
        return int(number) if 0 < int(number) <= len(self.steps.deltas) else None

    # -- reading

    def _read_again(self) -> None:
        """Read the record from its beginning."""
        status = _status(self._plain)
        timeline = Timeline(self._packed if status is None else self._plain)
        numbers = timeline.read()
        next(numbers, None)
        timeline.check_begun()
        self.steps = GameSteps(timeline, self._viewpoint)
        self.steps.add_newest()
        self._status = status
        self._add(numbers, is_whole=status is None)
        if timeline.wrong is not None and not self.steps.is_finished:
            self.steps.finish()

    def _grow(self) -> None:
        timeline = self.steps.timeline
        self._add(timeline.read(), is_whole=False)
        if timeline.wrong is not None:  # perhaps another record was written over this one
            self._replace()

    def _add(self, numbers: Iterator[int], *, is_whole: bool) -> None:
        """Add the steps that may be shown, and the end if nothing can follow."""
        timeline, steps = self.steps.timeline, self.steps
        if self._delay:
            deque(numbers, maxlen=0)
            is_over = is_whole or timeline.is_finished
            shown = timeline.last if is_over else timeline.last - self._delay
            numbers = iter(range(len(steps.deltas), shown + 1))
        for number in numbers:
            steps.add(number)
        if is_whole or (timeline.is_finished and timeline.wrong is None):
            steps.finish()

    def _move_to_packed(self) -> None:
        """Read on in the packed record, which has the same steps and the end; it may not be there yet."""
        if not self._packed.exists():
            return
        self._status = None
        timeline = self.steps.timeline
        timeline.continue_in(self._packed)
        self._add(timeline.read(), is_whole=True)
        if timeline.wrong is not None:  # it is another record
            self._replace()

    def _replace(self) -> None:
        """Read a new record with the same name: an interrupted game is played again.

        A record that is still wrong is the same one; its steps and their ids stay.
        """
        was_wrong = self.steps.timeline.wrong is not None
        self._read_again()
        is_same = was_wrong and self.steps.timeline.wrong is not None
        if not is_same:
            self._replaced += 1


def _both_names(path: Path) -> tuple[Path, Path]:
    """The names of a record before and after it is packed."""
    if path.suffix == _PACKED:
        return path.with_suffix(""), path
    return path, path.with_name(f"{path.name}{_PACKED}")


def _status(path: Path) -> tuple[int, int, int] | None:
    """The device and number of a file, which another file does not have, and its size; None without a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size

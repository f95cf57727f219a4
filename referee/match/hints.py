"""Hints for people who play: another process makes them, and each use is written to the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

from referee.engine.state import GameState
from referee.records.writer import RecordWriter

NO_HINT: Final = "No hint was found: the process that looks for it failed."


class HintTask(Protocol):
    """A hint that another process is looking for; the analysis package implements it."""

    def fileno(self) -> int:
        """A file that can be read as soon as the hint is ready."""

    def text(self) -> str:
        """Wait for the hint: sentences, one a line; "" if the process failed."""

    def stop(self) -> None:
        """End the process, whether it is ready or not."""


Adviser: TypeAlias = Callable[[GameState, Sequence[str]], HintTask]
"""Begins a hint for the seat that must decide; the names are those of all seats."""


class Hints:
    """The hints of one game: begun on request, and noted in its record when given."""

    def __init__(self, adviser: Adviser, record: RecordWriter | None) -> None:
        self._adviser = adviser
        self._record = record

    def begin(self, state: GameState, names: Sequence[str]) -> HintTask:
        """Begin a hint for the seat that must decide."""
        return self._adviser(state, names)

    def take(self, state: GameState, task: HintTask) -> str:
        """Wait for the hint, and write to the record that it was given."""
        text = task.text()
        if not text:
            return NO_HINT
        if self._record is not None:
            self._record.hint(state)
        return text

"""What all hands use: the log of events, and lists that are replaced when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from referee.engine.terms import Event

if TYPE_CHECKING:
    from referee.engine.state import GameState

T = TypeVar("T")


def emit(state: GameState, event: Event) -> None:
    """Write an event to the log, if anybody listens."""
    if state.events is not None:
        state.events.append(event)


def replaced(values: list[T], index: int, value: T) -> list[T]:
    """The list with one entry changed, as a list of its own: see GameState."""
    changed = values[:]
    changed[index] = value
    return changed

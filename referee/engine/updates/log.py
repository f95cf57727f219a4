"""Shared by all updates: emit an event, and replace an entry of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from referee.engine.terms import Event

if TYPE_CHECKING:
    from referee.engine.state import GameState

T = TypeVar("T")


def emit(state: GameState, event: Event) -> None:
    """Append an event to the log, if the game keeps one."""
    if state.events is not None:
        state.events.append(event)


def replaced(values: list[T], index: int, value: T) -> list[T]:
    """A copy of the list with one entry changed; GameState explains why it is a copy."""
    changed = values[:]
    changed[index] = value
    return changed

"""Clocks: how long a bot may think, and how much time it has left."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from referee.adjudication.clock_rules import NO_CLOCK, ClockRules

__all__ = ["NO_CLOCK", "TOLERANCE_MS", "ClockRules", "RecordedClocks", "SeatClock"]

TOLERANCE_MS: Final = 0.001  # a record gives times in microseconds


class SeatClock:
    """The clock of one seat in one game."""

    def __init__(self, rules: ClockRules) -> None:
        self._bank_ms: float | None = rules.bank_ms
        self._increment_ms: int = rules.increment_ms
        self._move_ms: float | None = rules.move_ms

    def begin(self) -> float | None:
        """Add the increment before a request; returns the time for the answer, None for no limit."""
        move = self._move_ms
        if self._bank_ms is None:
            return move
        self._bank_ms += self._increment_ms
        return self._bank_ms if move is None else min(self._bank_ms, move)

    def use(self, used_ms: float) -> None:
        """Take the time of an answer from the bank, which is never less than 0."""
        if self._bank_ms is not None:
            self._bank_ms = max(0.0, self._bank_ms - used_ms)


class RecordedClocks:
    """The clocks of all seats in a recorded game, to check that nobody used more time than was left."""

    __slots__ = ("_left", "_more", "_most")

    def __init__(self, rules: Sequence[ClockRules]) -> None:
        self._left = [_limit(seat.bank_ms) for seat in rules]
        self._most = [_limit(seat.move_ms) for seat in rules]
        self._more = [seat.increment_ms for seat in rules]

    def allowed(self, seat: int) -> float:
        """The milliseconds that the next answer of a seat may take; infinite without a limit."""
        return max(0.0, min(self._left[seat] + self._more[seat], self._most[seat]) - TOLERANCE_MS)

    def charge(self, seat: int, ms: float) -> bool:
        """Charge an answer; returns False, and charges nothing, if there was not enough time."""
        left = self._left[seat] + self._more[seat]
        if ms > left or ms > self._most[seat]:
            return False
        self._left[seat] = left - ms
        return True


def _limit(ms: int | None) -> float:
    return inf if ms is None else ms + TOLERANCE_MS

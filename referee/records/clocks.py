"""The clocks of a recorded game, as `match.clock` runs them: nobody can have used more than was left."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from referee.adjudication.clock import ClockRules

A_LITTLE_MS: Final = 0.001  # times are written in microseconds


class Clocks:
    """What is left to each seat; without a limit it is infinite."""

    __slots__ = ("_left", "_more", "_most")

    def __init__(self, rules: Sequence[ClockRules]) -> None:
        self._left = [inf if one.bank_ms is None else one.bank_ms + A_LITTLE_MS for one in rules]
        self._most = [inf if one.move_ms is None else one.move_ms + A_LITTLE_MS for one in rules]
        self._more = [one.increment_ms for one in rules]

    def allowed(self, seat: int) -> float:
        """What may be used for the next answer."""
        return max(0.0, min(self._left[seat] + self._more[seat], self._most[seat]) - A_LITTLE_MS)

    def charge(self, seat: int, ms: float) -> bool:
        """An answer took so long; False, and nothing is charged, if there was not as much."""
        left = self._left[seat] + self._more[seat]
        if ms > left or ms > self._most[seat]:
            return False
        self._left[seat] = left - ms
        return True

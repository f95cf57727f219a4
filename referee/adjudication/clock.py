"""Clocks: how long a bot may think, and what is left to it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ClockRules:
    """Time limits in milliseconds; None is none.

    `start` covers process start to `hello` and `start` to `ready`; `bank` is what a bot has for
    the whole game, `increment` what it gets for each request, `move` the most for one answer.
    """

    start_ms: int | None = 10_000
    bank_ms: int | None = 60_000
    increment_ms: int = 100
    move_ms: int | None = 15_000
    by_cpu: bool = False  # charge the bot's CPU time instead of the time on the wall

    def words(self) -> dict[str, int | None]:
        """As messages and records say it."""
        return {
            "start_ms": self.start_ms,
            "bank_ms": self.bank_ms,
            "increment_ms": self.increment_ms,
            "move_ms": self.move_ms,
        }


NO_CLOCK = ClockRules(start_ms=None, bank_ms=None, increment_ms=0, move_ms=None)


class SeatClock:
    """One seat's clock in one game."""

    def __init__(self, rules: ClockRules) -> None:
        self._rules = rules
        self._bank_ms: float | None = rules.bank_ms

    def begin(self) -> float | None:
        """A request is due: the increment is added; what may be used for it, None without limit."""
        move = self._rules.move_ms
        if self._bank_ms is None:
            return move
        self._bank_ms += self._rules.increment_ms
        return self._bank_ms if move is None else min(self._bank_ms, move)

    def use(self, used_ms: float) -> None:
        """The answer took so long."""
        if self._bank_ms is not None:
            self._bank_ms = max(0.0, self._bank_ms - used_ms)

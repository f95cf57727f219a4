"""How long to think about a turn: by the clock, with a reserve, or for a number of rounds."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # a bot starts faster without types that it does not need
    from protocol.parts import Clock

RESERVE_MS = 200.0  # never used: the machine may be busy when the answer must be sent
RESERVE_SHARE = 0.1  # of the clock, never used either
LARGEST_SHARE = 0.3  # of the clock, for one turn
DECISIONS = 5  # requests of a turn; each of them brings an increment
FEWER_TURNS = 1.5  # expect this many fewer turns than estimated
LAST_TURNS = 2.0  # the time must last for this many turns, even if the end is near


def budget_ms(left_ms: float, clock: Clock, turns: float, most_ms: float) -> float:
    """The milliseconds for a turn, at most `most_ms`; 0 if no time is left.

    `left_ms` is the time left, `clock` the clock rules of the game, and `turns` the estimated
    number of turns to come. Without a bank, nothing can be saved for later turns.
    """
    spendable = max(0.0, left_ms - max(RESERVE_MS, RESERVE_SHARE * left_ms))
    if clock["bank_ms"] is None:
        return min(spendable, most_ms)
    steady = spendable / max(LAST_TURNS, turns - FEWER_TURNS)
    steady += DECISIONS * (clock["increment_ms"] or 0)
    return min(steady, LARGEST_SHARE * spendable, most_ms)


class TimeBudget:
    """A budget of milliseconds, counted from its creation by a clock that returns seconds."""

    def __init__(self, milliseconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.clock, self.milliseconds = clock, milliseconds
        self.begun = clock()

    def used(self) -> float:
        """Which part of the budget is used; 1 or more means all of it."""
        return 1000 * (self.clock() - self.begun) / self.milliseconds

    def count_rounds(self, number: int = 1) -> None:
        """Do nothing: only the clock counts."""


class RoundBudget:
    """A budget of rounds, whatever the clock says."""

    def __init__(self, rounds: int) -> None:
        self.played, self.rounds = 0, rounds

    def used(self) -> float:
        """Which part of the budget is used; 1 or more means all of it."""
        return self.played / self.rounds

    def count_rounds(self, number: int = 1) -> None:
        self.played += number


Budget: TypeAlias = TimeBudget | RoundBudget

"""Conduct: what is a fault, what it costs, and what is chosen in a bot's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.engine.choice import Choice
from referee.engine.terms import DO_DECLINE, DO_END_TURN, DO_STOP

FATAL = frozenset({"start", "crash", "flood"})
DEFAULT_STRIKES = 3
MOST_UNASKED = 256
PONDER_TOLERANCE_MS = 50.0
_MODEST = (DO_END_TURN, DO_DECLINE, DO_STOP)


@dataclass(frozen=True)
class Fault:
    """What a bot did wrong: data, never an exception."""

    fault: str
    message: str
    data: bytes = b""  # the offending bytes, as far as they are kept
    ms: float = 0.0  # what it took of the clock


class Conduct:
    """The strikes of one game, and who lost the right to answer."""

    def __init__(self, seats: int, allowed: int = DEFAULT_STRIKES) -> None:
        self.allowed = allowed
        self.strikes = [0] * seats
        self.out: list[tuple[str, int] | None] = [None] * seats  # fault and decision id

    def strike(self, seat: int, fault: Fault, decision_id: int) -> bool:
        """Note a fault; whether it disqualifies the seat."""
        self.strikes[seat] += 1
        if fault.fault in FATAL or self.strikes[seat] >= self.allowed > 0:
            self.out[seat] = (fault.fault, decision_id)
            return True
        return False

    def answers(self, seat: int) -> bool:
        """Whether the seat still answers for itself."""
        return self.out[seat] is None

    def nobody_answers(self) -> bool:
        """Whether every seat is disqualified."""
        return None not in self.out

    def ranks(self, by_score: Sequence[int]) -> list[int]:
        """Final ranks: those who finished first; then the disqualified, the latest before earlier ones."""
        keys = [
            (0, rank) if out is None else (1, -out[1])
            for rank, out in zip(by_score, self.out, strict=True)
        ]
        return [1 + sum(other < key for other in keys) for key in keys]


def stand_in(options: list[Choice]) -> int:
    """The choice made in a bot's place: end the turn, decline or stop, else the first."""
    for index, choice in enumerate(options):
        if choice.do in _MODEST:
            return index
    return 0

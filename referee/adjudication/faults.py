"""Faults: what a bot did wrong, what that costs, and what is chosen in the bot's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.engine.choice import Choice
from referee.engine.terms import DO_DECLINE, DO_END_TURN, DO_STOP

FATAL = frozenset({"start", "crash", "flood"})  # the bot cannot play on
DEFAULT_STRIKES = 3
MOST_UNASKED = 256  # messages in a game that the bot was not asked for
PONDER_TOLERANCE_MS = 50.0
MOST_BYTES = 1024  # kept of a wrong message
_DEFAULT_ACTIONS = (DO_END_TURN, DO_DECLINE, DO_STOP)


@dataclass(frozen=True)
class Fault:
    """What a bot did wrong. A fault is data, never an exception."""

    fault: str
    message: str
    data: bytes = b""  # the beginning of the wrong message
    ms: float = 0.0  # the time that was charged for the answer


@dataclass(frozen=True)
class FaultRecord:
    """A fault in a game: the seat, the decision and the strikes after it.

    Workers send it as JSON. Every field has a plain class as its type: in a compiled build msgspec
    cannot decode a union such as `str | None` here (test_a_fault_record_survives_json).
    """

    seat: int
    name: str
    decision_id: int  # the decision that was pending
    cause: Fault
    strikes: int  # of the seat so far, including this fault
    allowed: int  # strikes that disqualify; 0 means that only a fatal fault does
    disqualified: bool
    stderr_excerpt: bytes = b""  # the first and last lines of the bot's stderr in this game
    stderr_file: str = ""  # the file with all of it; empty if there is none

    @property
    def fault(self) -> str:
        """The kind of fault: crash, illegal, timeout, ..."""
        return self.cause.fault

    @property
    def message(self) -> str:
        """What the bot did wrong, in a sentence without its name."""
        return self.cause.message

    @property
    def asked_id(self) -> int | None:
        """The decision that the bot was asked for; None for a fault at the start."""
        return None if self.cause.fault == "start" else self.decision_id

    @property
    def stderr(self) -> str:
        """The first and last lines of the bot's stderr, or the traceback of a bot in this process."""
        return self.stderr_excerpt.decode(errors="replace")

    def to_dict(self) -> dict[str, object]:
        """The fault as `--json` prints it."""
        return {
            "seat": self.seat,
            "name": self.name,
            "id": self.asked_id,
            "fault": self.fault,
            "message": self.message,
            "strikes": self.strikes,
            "allowed": self.allowed,
            "disqualified": self.disqualified,
            "stderr": self.stderr_file or None,
            "stderr_excerpt": self.stderr,
        }

    def describe(self) -> str:
        """The fault and its consequence in a sentence, without the bot's name."""
        where = "" if self.asked_id is None else f", decision {self.asked_id}"
        what = f"{self.message} ({self.fault}{where})"
        if self.disqualified:
            return f"{what}: disqualified"
        limit = f" of {self.allowed}" if self.allowed else ""
        return f"{what}: strike {self.strikes}{limit}, the referee chose in its place"


class Strikes:
    """The strikes of one game, and which seats are disqualified."""

    def __init__(self, seats: int, allowed: int = DEFAULT_STRIKES) -> None:
        self.allowed = allowed
        self.counts = [0] * seats
        self.out: list[tuple[str, int] | None] = [
            None
        ] * seats  # the fault and decision id of a disqualified seat

    def add(self, seat: int, fault: str, decision_id: int) -> bool:
        """Count a fault; returns whether it disqualifies the seat."""
        self.counts[seat] += 1
        if fault in FATAL or self.counts[seat] >= self.allowed > 0:
            self.out[seat] = (fault, decision_id)
            return True
        return False

    def answers(self, seat: int) -> bool:
        """Whether the seat still makes its own choices."""
        return self.out[seat] is None

    def nobody_answers(self) -> bool:
        """Whether every seat is disqualified."""
        return None not in self.out

    def ranks(self, by_score: Sequence[int]) -> list[int]:
        """Final ranks: seats that finished come first, then the disqualified, the latest first."""
        keys = [
            (0, rank) if out is None else (1, -out[1])
            for rank, out in zip(by_score, self.out, strict=True)
        ]
        return [1 + sum(other < key for other in keys) for key in keys]


def default_choice(options: list[Choice]) -> int:
    """The index that the referee chooses in place of a bot.

    It ends the turn, declines or stops; if none of these is offered, it takes the first choice.
    """
    for index, choice in enumerate(options):
        if choice.do in _DEFAULT_ACTIONS:
            return index
    return 0

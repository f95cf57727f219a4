"""A person at another place, such as a browser: asked over a connection, with or without a clock."""

from __future__ import annotations

import time
from typing import NamedTuple, Protocol

from referee.adjudication.clock import NO_CLOCK, ClockRules, SeatClock
from referee.adjudication.faults import Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.encoder import SeatEncoder
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.match.hints import Hints
from referee.match.players import Answer
from referee.match.without_process import WithoutProcess
from referee.records.header import HUMAN, TIMED_HUMAN


class Question(NamedTuple):
    """A decision that a seat is asked: the position, its choices, and the time for the answer."""

    seat: int
    state: GameState
    options: list[Choice]
    allowed_ms: float | None  # None: no limit
    hints: Hints | None = None  # None: there are no hints in this game

    @property
    def decision_id(self) -> int:
        """The id of the decision, which the answer must name."""
        return self.state.decision_id


class RemoteSeats(Protocol):
    """The people who play from elsewhere; the web package implements it."""

    @property
    def has_clock(self) -> bool:
        """Whether the clock of the game runs for these people."""

    def begin(self, board: Board, names: list[str]) -> None:
        """Begin a game on this board with these players; called once for each person."""

    def ask(self, question: Question) -> int:
        """Wait for the index of a choice. EOFError if the person leaves, TimeoutError if it is late."""

    def tell_fault(self, fault: FaultRecord) -> None:
        """Tell the person of a fault of their seat."""

    def end(self, seat: int) -> None:
        """End the game in this seat: nothing more is asked."""


class RemotePlayer(WithoutProcess):
    """A seat that a person plays from elsewhere."""

    def __init__(self, name: str, seats: RemoteSeats) -> None:
        super().__init__(name, TIMED_HUMAN if seats.has_clock else HUMAN)
        self._seats = seats
        self._seat = 0
        self._hints: Hints | None = None

    def sit(self, state: GameState, seat: int, hints: Hints | None = None) -> None:
        """Take this seat in the next game, whose position is `state`; `hints` if it may ask for them."""
        self._state = state
        self._seat = seat
        self._hints = hints

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Begin a game, with a full clock if the person has one."""
        self._clock = SeatClock(clock if self._seats.has_clock else NO_CLOCK)
        self._seats.begin(self._state.board, names)
        return None

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Ask and wait; leaving is the fault `crash`, an answer after the deadline `timeout`."""
        allowed_ms = self._clock.begin()
        asked_ns = time.monotonic_ns()
        try:
            question = Question(self._seat, self._state, options, allowed_ms, self._hints)
            index = self._seats.ask(question)
        except EOFError:
            fault = Fault("crash", "left the game")
            return self._charged(fault, self._used_ms(asked_ns, allowed_ms))
        except TimeoutError:
            assert allowed_ms is not None, "an answer without a limit cannot be late"
            return self._charged(
                Fault("timeout", f"gave no answer within {allowed_ms:.0f} ms"), allowed_ms
            )
        used_ms = self._used_ms(asked_ns, allowed_ms)
        self._clock.use(used_ms)
        return Answer(index, used_ms, asked_ns, time.monotonic_ns())

    def _used_ms(self, asked_ns: int, allowed_ms: float | None) -> float:
        """The time since then in whole microseconds, at most what was left."""
        used_ms = int((time.monotonic_ns() - asked_ns) / 1000 + 0.5) / 1000
        return used_ms if allowed_ms is None else min(used_ms, allowed_ms)

    def _charged(self, fault: Fault, used_ms: float) -> Fault:
        self._clock.use(used_ms)
        return Fault(fault.fault, fault.message, ms=used_ms if self._seats.has_clock else 0.0)

    def refuse(self, fault: FaultRecord) -> None:
        """Tell the person of a fault of this seat."""
        self._seats.tell_fault(fault)

    def dismiss(self) -> None:
        """End the game in this seat."""
        self._seats.end(self._seat)

    def end(self, standings: list[SeatResult]) -> None:
        """End the game in this seat; the page shows the standings from the record."""
        self._seats.end(self._seat)

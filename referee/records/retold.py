"""A bot at a table where everything has happened already."""

from __future__ import annotations

from pathlib import Path

from protocol.messages import Choose
from referee.adjudication.clock import NO_CLOCK, ClockRules, SeatClock
from referee.adjudication.faults import Fault
from referee.match.bots import Bot
from referee.match.players import BotPlayer, T
from referee.speech import Encoding, Speech


class RecordedClock(SeatClock):
    """The clock of a recorded game: what a bot uses now does not count, what was used then does."""

    def use(self, used_ms: float) -> None:
        """It does not count."""

    def charge(self, recorded_ms: float) -> None:
        """It was used then."""
        super().use(recorded_ms)


class RetoldPlayer(BotPlayer):
    """A bot that is told the clock of a record, and held to it unless it may take its time."""

    def __init__(self, bot: Bot, stderr: Path, *, in_time: bool = True) -> None:
        super().__init__(bot, stderr)
        self.clock_of_record = NO_CLOCK
        self._in_time = in_time
        self._recorded = RecordedClock(NO_CLOCK)

    def start(self, speech: Speech, game: str, names: list[str], clock: ClockRules) -> Fault | None:
        """A game begins."""
        fault = super().start(speech, game, names, clock)
        self._clock = self._recorded = RecordedClock(self.clock_of_record)
        return fault

    def charge(self, recorded_ms: float) -> None:
        """The answer in the record took so long."""
        self._recorded.charge(recorded_ms)

    def skip(self) -> None:
        """The seat was at fault before it was asked."""
        self._recorded.begin()

    def _expect(
        self, wanted: type[T], what: str, encoding: Encoding, deadline_ns: int | None
    ) -> T | Fault:
        limit = deadline_ns if self._in_time else None
        return super()._expect(wanted, what, encoding, limit)

    def _hear(
        self, decision_id: int, count: int, asked_ns: int, allowed_ms: float | None, cpu_ms: float
    ) -> Choose | Fault:
        limit = allowed_ms if self._in_time else None
        return super()._hear(decision_id, count, asked_ns, limit, cpu_ms)

    def _judge_time(
        self, heard: Choose | Fault, used_ms: float, allowed_ms: float | None
    ) -> tuple[Choose | Fault, float]:
        limit = allowed_ms if self._in_time else None
        return super()._judge_time(heard, used_ms, limit)

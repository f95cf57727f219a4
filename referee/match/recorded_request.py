"""The exact message by which a bot was asked a decision of a recorded game."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.bots.find import Bot
from referee.encoder import MessageFormat, SeatEncoder
from referee.engine.choice import Choice
from referee.errors import RecordRefused
from referee.match.players import Answer
from referee.match.reask import Reasking, RecordedClock, asked_seat
from referee.records.header import is_person
from referee.records.lines import SeatLine
from referee.records.resume import Record
from referee.text import printable


class RecordedRequest(NamedTuple):
    """A request as bytes, and what they are."""

    data: bytes
    message_format: MessageFormat
    is_assumed: bool  # the record does not say what the bot's hello asked for

    def as_json(self) -> str:
        """The message as JSON, whatever its encoding is."""
        if self.message_format.encoding == "json":
            return self.data.decode().rstrip()
        return msgspec.json.encode(msgspec.msgpack.decode(self.data)).decode()


def recorded_request(path: Path, decision_id: int) -> RecordedRequest:
    """The message that asked for this decision, byte for byte as the bot got it.

    RecordRefused if no bot was asked this decision, LineRefused if a line of the record is wrong.
    """
    seat = asked_seat(path, decision_id)
    player = Record(path).header.players[seat]
    if is_person(player.hash):
        name = printable(player.name)
        raise RecordRefused(f"{name}, seat {seat}, is a person, who gets no messages")
    writer = _MessageWriter(player, decision_id)
    Reasking(path, writer, seat, at=decision_id).run()
    return RecordedRequest(writer.request, writer.message_format, player.message_format() is None)


class _MessageWriter:
    """A seat whose messages are only written; it keeps the request for one decision."""

    def __init__(self, player: SeatLine, decision_id: int) -> None:
        self.bot = Bot(player.name, (), Path(), player.hash)
        self.message_format = player.message_format() or MessageFormat()
        self.clock_of_record = NO_CLOCK
        self.request = b""
        self._wanted = decision_id

    def open(self, _: ClockRules) -> Fault | None:
        return None

    def start(self, encoder: SeatEncoder, _: str, __: list[str], ___: ClockRules) -> Fault | None:
        self._encoder = encoder
        self._clock = RecordedClock(self.clock_of_record)
        return None

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        allowed_ms = self._clock.begin()
        clock_ms = None if allowed_ms is None else int(allowed_ms)
        with_state = self.message_format.state == "full"
        request = self._encoder.decide(options, clock_ms, with_state=with_state)
        if decision_id == self._wanted:
            self.request = request
        now_ns = time.monotonic_ns()
        return Answer(0, 0.0, now_ns, now_ns)

    def charge(self, recorded_ms: float) -> None:
        self._clock.charge(recorded_ms)

    def skip(self) -> None:
        self._clock.begin()

    def refuse(self, fault: FaultRecord) -> None:
        """Errors have no events: they do not change the next request."""

    def end(self, standings: list[SeatResult]) -> None:
        """The end comes after the request."""

    def stderr_excerpt(self) -> bytes:
        return b""

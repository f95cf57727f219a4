"""A conversation with the bot on trial: every step has its deadline, and what was said is kept.

More is let pass than in a game, so that one mistake fails one check: what is no message at all is
noted for the check `stdout`, and who is late is noted for `start-time` and `answer-time`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, NoReturn, TypeAlias, TypeVar

from protocol.codec import WireError, decode_reply
from protocol.messages import PROTOCOL_VERSION, BotHello, Choose, FromBot, Ready
from referee import __version__
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import MOST_UNASKED, Fault
from referee.bots.find import Bot
from referee.bots.process import BotProcess, monotonic_ns
from referee.check.verdict import Failed, last_lines, readable
from referee.encoder import Dialects, Encoding, plain
from referee.engine.board import Board

T = TypeVar("T", BotHello, Ready, Choose)
Delivery: TypeAlias = Callable[[Encoding, bytes], Sequence[bytes]]

ENCODINGS: Final[tuple[Encoding, ...]] = ("json", "msgpack")
LEAVE_MS: Final = 500
BUDGET_S: Final = 20.0  # how long one check goes on asking
PAUSE_S: Final = 0.002  # between the pieces of a message
_MARGIN_MS: Final = 500
_LAST_WORDS_S: Final = 0.001
_NS: Final = 1_000_000


class Timed(NamedTuple):
    """How long an answer took, how long it was allowed to, and what was asked."""

    ms: float
    allowed_ms: float | None
    what: str


class Noise(NamedTuple):
    """Something that nobody asked for, and the check in which it came."""

    check: str
    shown: str


class Departure(NamedTuple):
    """How a process left: after how long, and its exit status; None if it is still there."""

    ms: float
    status: int | None


@dataclass
class Subject:
    """The bot on trial, the limits, and what all its conversations have shown so far."""

    bot: Bot
    clock: ClockRules
    folder: Path  # for its stderr
    check: str = ""  # the one at work
    until: float = 0.0  # as time.monotonic counts: how long it goes on asking
    starts_ms: list[float] = field(default_factory=list)
    answers: list[Timed] = field(default_factory=list)
    noise: list[Noise] = field(default_factory=list)  # no messages
    late: list[Noise] = field(default_factory=list)  # messages that nobody waits for
    stderr_bytes: list[int] = field(default_factory=list)  # by process
    stays: bool = False  # when it is told to quit
    _dialects: dict[str, Dialects] = field(default_factory=dict)

    def begin(self, check: str) -> None:
        """A check begins."""
        self.check = check
        self.until = time.monotonic() + BUDGET_S

    def in_time(self) -> bool:
        """Whether the check may go on asking."""
        return time.monotonic() < self.until

    def dialects(self, board: Board) -> Dialects:
        """The ways to speak of a board."""
        return self._dialects.setdefault(board.digest, Dialects(board))

    @contextmanager
    def talk(self) -> Iterator[Talk]:
        """A conversation with a process of its own, which is gone afterwards."""
        stderr = self.folder / f"{len(self.stderr_bytes)}.txt"
        talk = Talk(self, BotProcess(self.bot, stderr))
        try:
            yield talk
            talk.listen(_LAST_WORDS_S)
        finally:
            talk.close()
            self.stderr_bytes.append(stderr.stat().st_size if stderr.exists() else 0)


def whole(_: Encoding, data: bytes) -> Sequence[bytes]:
    """A message as it is."""
    return (data,)


class Talk:
    """One conversation; `delivery` says how messages are sent."""

    def __init__(self, subject: Subject, process: BotProcess) -> None:
        self.subject = subject
        self.hello = BotHello(name="")
        self.delivery: Delivery = whole
        self.timed = True  # whether answers are counted for `answer-time`
        self.where = ""  # of the game that is played, for sentences
        self._process = process
        self._started_ns = monotonic_ns()
        self._encoding: Encoding = "json"
        self._sent = self._received = b""
        self._unasked = 0

    # -- the steps of a conversation

    def greet(self, offer: Sequence[Encoding] = ENCODINGS) -> BotHello:
        """Exchange hellos; from then on the encoding is the one that the bot asked for."""
        fields = {"referee": __version__, "game": "hansa-teutonica", "encodings": list(offer)}
        self.send(plain("json", "hello", protocol=PROTOCOL_VERSION, **fields))
        self.hello = self.expect(BotHello, "hello", self._started_ns, self.start_ms)
        self.subject.starts_ms.append(self.ms_since(self._started_ns))
        self._encoding = self.hello.encoding
        self._process.switch(self._encoding)
        return self.hello

    @property
    def encoding(self) -> Encoding:
        """The one that is spoken now."""
        return self._encoding

    @property
    def start_ms(self) -> float:
        """The time allowed for hello and ready."""
        assert self.subject.clock.start_ms is not None
        return self.subject.clock.start_ms

    def send(self, data: bytes) -> int:
        """Send a message the way it is to be delivered; the moment at which the clock starts."""
        pieces = self.delivery(self._encoding, data)
        self._sent = b"".join(pieces)
        for piece in pieces[:-1]:
            self._process.say(piece)
            time.sleep(PAUSE_S)
        return self._process.say(pieces[-1])

    def ready(self, started_ns: int) -> None:
        """Hear the answer to `start`."""
        self._unasked = 0
        self.expect(Ready, "ready", started_ns, self.start_ms)

    def choice(
        self, number: int, count: int, started_ns: int, allowed_ms: float | None
    ) -> tuple[int, float]:
        """Hear the answer to the decision of this number, which has so many choices; its time in ms."""
        limit_ms = allowed_ms if allowed_ms is not None else self.subject.clock.move_ms or 0
        reply = self.expect(Choose, "choice", started_ns, limit_ms, number)
        ms = self.ms_since(started_ns)
        if self.timed:
            self.subject.answers.append(Timed(ms, allowed_ms, self.where))
        if reply.id != number:
            self.fail(f"answered decision {reply.id}, when {number} was asked", "garbage")
        if not 0 <= reply.choice < count:
            self.fail(f"chose {reply.choice}, which is not one of 0 to {count - 1}", "illegal")
        return reply.choice, ms

    def leave(self, *, close_input: bool = False) -> Departure:
        """Wait for the process to leave by itself; all that it says meanwhile is noise."""
        if close_input:
            self._process.close_input()
        begun_ns = monotonic_ns()
        deadline_ns = begun_ns + LEAVE_MS * _NS
        self._drain(deadline_ns)
        status = self._process.exit_status((deadline_ns - monotonic_ns()) / 1e9)
        return Departure(self.ms_since(begun_ns), status)

    def listen(self, seconds: float) -> None:
        """Nobody says anything for a while; if the bot does, it is noise."""
        self._drain(monotonic_ns() + int(seconds * 1e9))

    def close(self) -> None:
        """End the process for certain; one that is known to stay gets no time to leave."""
        if not (self._process.input_closed or self.subject.stays):
            begun_ns = monotonic_ns()
            self._process.stop(plain(self._encoding, "quit"))
            self.subject.stays = self.ms_since(begun_ns) > LEAVE_MS
        self._process.kill()

    # -- hearing

    def expect(
        self,
        wanted: type[T],
        what: str,
        started_ns: int,
        allowed_ms: float,
        number: int | None = None,
    ) -> T:
        """The next message, which must be of this type; who is late is waited for twice as long."""
        patience_ms = 2 * allowed_ms + _MARGIN_MS
        self._received = b""
        while True:
            heard = self._process.hear(started_ns + int(patience_ms * _NS))
            if isinstance(heard, Fault):
                self._fail_by(heard, what, patience_ms)
            self._received = heard
            reply = self._decode(heard)
            if isinstance(reply, wanted) and not _is_late(reply, number):
                return reply
            if reply is not None and not isinstance(reply, Choose):
                self.fail(f"sent another message where its {what} was due", "garbage")
            self._note(heard, is_late=reply is not None)
            if self._unasked > MOST_UNASKED:
                self.fail(f"sent more than {MOST_UNASKED} things unasked in a game", "flood")

    def _decode(self, data: bytes) -> FromBot | None:
        """A message; None for something that does not even mean to be one."""
        try:
            return decode_reply(data, self._encoding)
        except WireError as error:
            if b"type" in data:
                self.fail(f"sent what is refused: {error}", "garbage")
            return None

    def _is_answer(self, data: bytes) -> bool:
        try:
            return isinstance(decode_reply(data, self._encoding), Choose)
        except WireError:
            return False

    def _note(self, data: bytes, *, is_late: bool) -> None:
        """Nobody waits for this: dropped, but kept in mind."""
        where = self.subject.late if is_late else self.subject.noise
        where.append(Noise(self.subject.check, readable(data, self._encoding)))
        self._unasked += 1

    def _drain(self, deadline_ns: int) -> None:
        while monotonic_ns() < deadline_ns and self._unasked <= MOST_UNASKED:
            heard = self._process.hear(deadline_ns)
            if isinstance(heard, Fault):
                if not heard.data:
                    return
                heard = heard.data
            self._note(heard, is_late=self._is_answer(heard))

    # -- failing

    def ms_since(self, then_ns: int) -> float:
        """Milliseconds since that moment."""
        return (monotonic_ns() - then_ns) / _NS

    def _fail_by(self, fault: Fault, what: str, patience_ms: float) -> NoReturn:
        """The process gave no message at all."""
        self._received = fault.data or self._received
        if fault.fault == "timeout":
            instead = ", but wrote what is no message" if self._received else ""
            self.fail(f"gave no {what} within {patience_ms:.0f} ms{instead}", "timeout")
        if fault.fault == "crash":
            self.fail(f"gave no {what}: it {fault.message}", "crash")
        self.fail(f"gave no {what}: {fault.message}", fault.fault)

    def fail(self, sentence: str, fault: str, hint: str | None = None) -> NoReturn:
        """It went wrong here: with what was said last."""
        raise Failed(
            f"{self.where}: it {sentence}" if self.where else f"it {sentence}",
            fault,
            sent=readable(self._sent, self._encoding) if self._sent else None,
            received=readable(self._received, self._encoding) if self._received else None,
            stderr=last_lines(self._process.stderr_tail()),
            hint=hint,
        )


def _is_late(reply: FromBot, number: int | None) -> bool:
    """Whether it answers a decision before this one."""
    return isinstance(reply, Choose) and number is not None and reply.id < number

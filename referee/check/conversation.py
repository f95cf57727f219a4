"""A conversation with the bot under test: every step has a deadline.

It tolerates more than a game does, so that one mistake fails one check: output that is not a
message is noted for the check `stdout`, and lateness for `start-time` and `answer-time`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, NoReturn, TypeAlias, TypeVar

from protocol.codec import WireError, decode_reply, wrong_encoding
from protocol.messages import PROTOCOL_VERSION, BotHello, Choose, FromBot, Ready
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import MOST_UNASKED, Fault
from referee.bots.find import Bot, with_values
from referee.bots.parameters import Values
from referee.bots.process import BotProcess, monotonic_ns
from referee.check.verdict import HINTS, CheckFailed, readable, stderr_text
from referee.encoder import Encoding, Formats, plain_message
from referee.engine.board import Board
from referee.version import __version__

T = TypeVar("T", BotHello, Ready, Choose)
Transport: TypeAlias = Callable[[Encoding, bytes], Sequence[bytes]]

ENCODINGS: Final[tuple[Encoding, ...]] = ("json", "msgpack")
EXIT_MS: Final = 500
BUDGET_S: Final = 20.0  # a check stops asking after this time
PAUSE_S: Final = 0.002  # between the pieces of a message
_MARGIN_MS: Final = 500
_FINAL_LISTEN_S: Final = 0.001
_NS: Final = 1_000_000


class TimedAnswer(NamedTuple):
    """How long an answer took, its time limit (None: no limit), and what was asked."""

    ms: float
    allowed_ms: float | None
    what: str


class StrayOutput(NamedTuple):
    """Output that was not asked for, and the check in which it came."""

    check: str
    shown: str


class Exit(NamedTuple):
    """After how long a process exited, and its exit status; None if it is still running."""

    ms: float
    status: int | None


@dataclass
class Subject:
    """The bot under test, its time limits, and what all its conversations have shown so far."""

    bot: Bot
    clock: ClockRules
    folder: Path  # for its stderr
    check: str = ""  # the name of the current check
    until: float = 0.0  # when the check stops asking, in the seconds of time.monotonic
    starts_ms: list[float] = field(default_factory=list)
    answers: list[TimedAnswer] = field(default_factory=list)
    stray: list[StrayOutput] = field(default_factory=list)  # not messages
    late: list[StrayOutput] = field(default_factory=list)  # answers that are no longer expected
    stderr_bytes: list[int] = field(default_factory=list)  # by process
    ignores_quit: bool = False
    _formats: dict[str, Formats] = field(default_factory=dict)

    def begin(self, check: str) -> None:
        """Start the time budget of a check."""
        self.check = check
        self.until = time.monotonic() + BUDGET_S

    def in_time(self) -> bool:
        """Whether the check has time to ask more."""
        return time.monotonic() < self.until

    def formats(self, board: Board) -> Formats:
        """Return the message formats for games on this board."""
        return self._formats.setdefault(board.digest, Formats(board))

    @contextmanager
    def converse(self, values: Values | None = None) -> Iterator[Conversation]:
        """Start the bot for one conversation, perhaps with these values of its parameters.

        Its process is killed afterwards.
        """
        stderr = self.folder / f"{len(self.stderr_bytes)}.txt"
        bot = self.bot if values is None else with_values(self.bot, values)
        conversation = Conversation(self, BotProcess(bot, stderr))
        try:
            yield conversation
            conversation.listen(_FINAL_LISTEN_S)
        finally:
            conversation.close()
            self.stderr_bytes.append(stderr.stat().st_size if stderr.exists() else 0)


def unchanged(_: Encoding, data: bytes) -> Sequence[bytes]:
    """Send the message as it is, in one piece."""
    return (data,)


class Conversation:
    """One conversation with one process of the bot; `transport` changes the messages sent to it."""

    def __init__(self, subject: Subject, process: BotProcess) -> None:
        self.subject = subject
        self.hello = BotHello(name="")
        self.transport: Transport = unchanged
        self.timed = True  # whether answers count for `answer-time`
        self.where = ""  # the game and decision, for sentences
        self._process = process
        self._started_ns = monotonic_ns()
        self._encoding: Encoding = "json"
        self._sent = self._received = b""
        self._unasked = 0

    # -- the steps of a conversation

    def greet(self, offer: Sequence[Encoding] = ENCODINGS) -> BotHello:
        """Exchange hellos; after that the encoding is the one that the bot asked for."""
        fields = {"referee": __version__, "game": "hansa-teutonica", "encodings": list(offer)}
        self.send(plain_message("json", "hello", protocol=PROTOCOL_VERSION, **fields))
        self.hello = self.expect(BotHello, "hello", self._started_ns, self.start_ms)
        self.subject.starts_ms.append(self.ms_since(self._started_ns))
        self._encoding = self.hello.encoding
        self._process.greeted(self._encoding)
        return self.hello

    @property
    def start_ms(self) -> float:
        """The time limit for hello and for ready, in milliseconds."""
        assert self.subject.clock.start_ms is not None
        return self.subject.clock.start_ms

    def send(self, data: bytes) -> int:
        """Send a message through `transport`; return the time in ns at which the bot's clock starts."""
        pieces = self.transport(self._encoding, data)
        self._sent = b"".join(pieces)
        for piece in pieces[:-1]:
            self._process.say(piece)
            time.sleep(PAUSE_S)
        return self._process.say(pieces[-1])

    def ready(self, started_ns: int) -> None:
        """Wait for the answer to `start`; raise Failed if it is anything but `ready`."""
        self._unasked = 0
        self.expect(Ready, "ready", started_ns, self.start_ms)

    def choice(
        self, number: int, count: int, started_ns: int, allowed_ms: float | None
    ) -> tuple[int, float]:
        """Wait for the answer to a decision; return the chosen index and the time in milliseconds.

        Raise Failed if it answers another decision or is not one of the `count` choices.
        """
        limit_ms = allowed_ms if allowed_ms is not None else self.subject.clock.move_ms or 0
        reply = self.expect(Choose, "choice", started_ns, limit_ms, number)
        ms = self.ms_since(started_ns)
        if self.timed:
            self.subject.answers.append(TimedAnswer(ms, allowed_ms, self.where))
        if reply.id != number:
            self.fail(f"answered decision {reply.id}, when {number} was asked", "garbage")
        if not 0 <= reply.choice < count:
            self.fail(f"chose {reply.choice}, which is not one of 0 to {count - 1}", "illegal")
        return reply.choice, ms

    def wait_for_exit(self, *, close_input: bool = False) -> Exit:
        """Wait for the process to exit by itself; what it writes meanwhile is stray output."""
        if close_input:
            self._process.close_input()
        started_ns = monotonic_ns()
        deadline_ns = started_ns + EXIT_MS * _NS
        self._drain(deadline_ns)
        status = self._process.exit_status((deadline_ns - monotonic_ns()) / 1e9)
        return Exit(self.ms_since(started_ns), status)

    def listen(self, seconds: float) -> None:
        """Wait in silence; what the bot writes meanwhile is stray output."""
        self._drain(monotonic_ns() + int(seconds * 1e9))

    def close(self) -> None:
        """Send quit, then kill the process; a bot that is known to ignore quit is killed at once."""
        if not (self._process.input_closed or self.subject.ignores_quit):
            started_ns = monotonic_ns()
            self._process.stop(plain_message(self._encoding, "quit"))
            self.subject.ignores_quit = self.ms_since(started_ns) > EXIT_MS
        self._process.kill()

    # -- receiving

    def expect(
        self,
        wanted: type[T],
        what: str,
        started_ns: int,
        allowed_ms: float,
        number: int | None = None,
    ) -> T:
        """Return the next message, which must be of the wanted type; raise Failed if it is not.

        It waits more than twice the time limit, because lateness has its own checks.
        """
        wait_ms = 2 * allowed_ms + _MARGIN_MS
        self._received = b""
        while True:
            heard = self._process.hear(started_ns + int(wait_ms * _NS))
            if isinstance(heard, Fault):
                self._fail_by(heard, what, wait_ms)
            self._received = heard
            reply = self._decode(heard)
            if isinstance(reply, wanted) and not _is_late(reply, number):
                return reply
            if reply is not None and not isinstance(reply, Choose):
                self.fail(f"sent another message where its {what} was expected", "garbage")
            self._note(heard, is_late=reply is not None)
            if self._unasked > MOST_UNASKED:
                self.fail(
                    f"sent more than {MOST_UNASKED} messages that were not asked for in a game",
                    "flood",
                )

    def _decode(self, data: bytes) -> FromBot | None:
        """Return the message; None for output that does not look like a message."""
        try:
            return decode_reply(data, self._encoding)
        except WireError as error:
            if wrong_encoding(data, self._encoding):
                self.fail(f"sent an invalid message: {error}", "garbage", HINTS["encoding"])
            if b"type" in data:
                self.fail(f"sent an invalid message: {error}", "garbage")
            return None

    def _is_answer(self, data: bytes) -> bool:
        try:
            return isinstance(decode_reply(data, self._encoding), Choose)
        except WireError:
            return False

    def _note(self, data: bytes, *, is_late: bool) -> None:
        """Note output that was not expected, and otherwise ignore it."""
        noted = self.subject.late if is_late else self.subject.stray
        noted.append(StrayOutput(self.subject.check, readable(data, self._encoding)))
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
        return (monotonic_ns() - then_ns) / _NS

    def _fail_by(self, fault: Fault, what: str, wait_ms: float) -> NoReturn:
        """Fail because the process sent no message at all."""
        self._received = fault.data or self._received
        if fault.fault == "timeout":
            came = self._process.describe_unfinished()
            if self._received and not self._process.unfinished():
                came = "it wrote something that is not a message"
            mistaken = wrong_encoding(self._process.unfinished(), self._encoding)
            self.fail(
                f"did not send its {what} within {wait_ms:.0f} ms: {came}",
                "timeout",
                HINTS["encoding"] if mistaken else None,
            )
        if fault.fault == "crash":
            self.fail(f"did not send its {what}: it {fault.message}", "crash")
        self.fail(f"did not send its {what}: {fault.message}", fault.fault)

    def fail(self, sentence: str, fault: str, hint: str | None = None) -> NoReturn:
        """Raise Failed with what was sent and received last and the end of stderr."""
        raise CheckFailed(
            f"it {sentence}",
            fault,
            where=self.where,
            sent=readable(self._sent, self._encoding) if self._sent else None,
            received=readable(self._received, self._encoding) if self._received else None,
            stderr=stderr_text(self._process.stderr_excerpt()),
            hint=hint,
        )


def _is_late(reply: FromBot, number: int | None) -> bool:
    """Whether the reply answers an earlier decision than this one."""
    return isinstance(reply, Choose) and number is not None and reply.id < number

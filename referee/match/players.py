"""Players: what the runner asks of a seat, and a bot process that answers under a clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, TypeVar

from protocol.codec import WireError, decode_reply, shown
from protocol.messages import PROTOCOL_VERSION, BotHello, Choose, Ready
from referee.adjudication.clock import ClockRules, SeatClock
from referee.adjudication.faults import MOST_UNASKED, PONDER_TOLERANCE_MS, Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.bots.find import Bot
from referee.bots.process import BotProcess, monotonic_ns
from referee.encoder import Encoding, MessageFormat, SeatEncoder, plain_message
from referee.engine.choice import Choice
from referee.version import __version__

T = TypeVar("T", BotHello, Ready)
Ponder: TypeAlias = Literal["report", "forbid", "allow"]

SLOW_MS = 50.0  # for a slower answer, measure how long the bot waited for a core
_CPU_WALL = 10  # a limit of CPU time allows this multiple of wall time, plus a second
_NS = 1_000_000


class Answer:
    """A player's choice, the time it took, and how long the player waited for a core."""

    __slots__ = ("asked_ns", "core_wait_ms", "index", "ms", "read_ns", "say")

    def __init__(
        self,
        index: int,
        ms: float,
        asked_ns: int,
        read_ns: int,
        core_wait_ms: float = 0.0,
        say: str | None = None,
    ) -> None:
        self.index = index
        self.ms = ms
        self.asked_ns = asked_ns  # when the request was written
        self.read_ns = read_ns  # when the answer was read
        self.core_wait_ms = core_wait_ms
        self.say = say


class Player(Protocol):
    """Whatever answers for a seat: a bot process, a bot in this process, or a person."""

    @property
    def name(self) -> str:
        """The name that the organiser gave the player."""

    @property
    def version(self) -> str | None:
        """The version that the player reports, if any."""

    @property
    def content(self) -> str:
        """A hash of the player's files."""

    @property
    def message_format(self) -> MessageFormat:
        """What its messages are like: encoding, detail, and whether they have the state."""

    def open(self, clock: ClockRules) -> Fault | None:
        """Start the process and exchange `hello`, unless that is done."""

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Begin a game; returns a fault if the player is not ready."""

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Choose one of these options, or commit a fault."""

    def refuse(self, fault: FaultRecord) -> None:
        """Receive a fault of this seat."""

    def dismiss(self) -> None:
        """Stop playing: the seat is disqualified or the game is void."""

    def end(self, standings: list[SeatResult]) -> None:
        """Receive the final standings."""

    def stderr_excerpt(self) -> bytes:
        """The first and last lines that it wrote to stderr in this game."""


class BotPlayer:
    """A bot process, which plays many games one after the other."""

    def __init__(
        self, bot: Bot, stderr: Path, *, core: int | None = None, ponder: Ponder = "report"
    ) -> None:
        self.bot = bot
        self.stderr = stderr
        self.pondered_ms = 0.0
        self._core = core
        self._ponder = ponder
        self._process: BotProcess | None = None
        self._hello = BotHello(name=bot.name)
        self._encoder: SeatEncoder | None = None

    @property
    def name(self) -> str:
        """The name that the organiser gave the player."""
        return self.bot.name

    @property
    def version(self) -> str | None:
        """The version that the player reports, if any."""
        return self._hello.version

    @property
    def content(self) -> str:
        """The hash of the bot's files."""
        return self.bot.content

    @property
    def message_format(self) -> MessageFormat:
        """What its messages are like: encoding, detail, and whether they have the state."""
        hello = self._hello
        return MessageFormat(hello.encoding, hello.detail, hello.state)

    def open(self, clock: ClockRules) -> Fault | None:
        """Start the process and exchange `hello`, unless that is done."""
        if self._process is not None:
            return None
        process = BotProcess(self.bot, self.stderr, self._core)
        self._process = process
        self._hello = BotHello(name=self.bot.name)
        self._encoder = None
        started = process.say(
            plain_message(
                "json",
                "hello",
                protocol=PROTOCOL_VERSION,
                referee=__version__,
                game="hansa-teutonica",
                encodings=["json", "msgpack"],
            )
        )
        hello = self._expect(BotHello, "hello", "json", started, clock.start_ms)
        if isinstance(hello, Fault):
            return hello
        self._hello = hello
        process.greeted(hello.encoding)
        return None

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Send `start` and wait for `ready`."""
        self._live.begin_game(is_first=self._encoder is None)
        self._encoder = encoder
        self._clock = SeatClock(clock)
        self._by_cpu = clock.by_cpu
        self._unasked = 0
        self.pondered_ms = 0.0
        started = self._live.say(encoder.start(game, names, clock))
        ready = self._expect(Ready, "ready", self._hello.encoding, started, clock.start_ms)
        self._cpu_ms = self._live.cpu_ms()
        self._core_wait_ms: float | None = None  # when the answer became slow
        return ready if isinstance(ready, Fault) else None

    @property
    def _playing(self) -> SeatEncoder:
        assert self._encoder is not None, "no game has begun"
        return self._encoder

    @property
    def _live(self) -> BotProcess:
        assert self._process is not None, "the bot has been ended"
        return self._process

    def _expect(
        self,
        wanted: type[T],
        what: str,
        encoding: Encoding,
        asked_ns: int,
        allowed_ms: float | None,
    ) -> T | Fault:
        """Wait for a message of the handshake; anything else is the fault `start`.

        A `choose` at this point is a late answer of the previous game, and is dropped.
        """
        deadline_ns = _deadline(asked_ns, allowed_ms)
        while True:
            raw = self._live.hear(deadline_ns)
            if isinstance(raw, Fault) and raw.fault == "timeout":
                late = self._lateness(f"did not send {what} within {allowed_ms:.0f} ms")
                return replace(late, fault="start")
            if isinstance(raw, Fault):
                return Fault("start", f"did not send {what}: it {raw.message}", raw.data)
            try:
                reply = decode_reply(raw, encoding)
            except WireError as error:
                return Fault("start", f"did not send {what}: {error}", raw)
            if isinstance(reply, wanted):
                return reply
            if not isinstance(reply, Choose) or wanted is BotHello:
                return Fault("start", f"sent another message instead of {what}", raw)
            flood = self._drop(raw)
            if flood is not None:
                return flood

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Send the request, and judge the reply."""
        process = self._live
        allowed_ms = self._clock.begin()
        cpu_ms = process.cpu_ms()
        pondered = self._note_pondering(cpu_ms)
        if pondered is not None:
            return pondered
        clock_ms = None if allowed_ms is None else int(allowed_ms)
        request = self._playing.decide(options, clock_ms, with_state=self._hello.state == "full")
        asked_ns = process.say(request)
        heard = self._hear(decision_id, len(options), asked_ns, allowed_ms, cpu_ms)
        read_ns = monotonic_ns()
        self._cpu_ms = process.cpu_ms()
        used_ms = self._cpu_ms - cpu_ms if self._by_cpu else (read_ns - asked_ns) / _NS
        used_ms = int(used_ms * 1000 + 0.5) / 1000  # whole microseconds, as in a record
        wait_ms = self._waited_for_core((read_ns - asked_ns) / _NS)
        heard, used_ms = self._judge_time(heard, used_ms, allowed_ms)
        self._clock.use(used_ms)
        if isinstance(heard, Fault):
            return replace(_excused(heard, wait_ms), ms=used_ms)
        return Answer(heard.choice, used_ms, asked_ns, read_ns, wait_ms, heard.say)

    def _judge_time(
        self, heard: Choose | Fault, used_ms: float, allowed_ms: float | None
    ) -> tuple[Choose | Fault, float]:
        """Return the judged answer and the time to charge, at most what was left.

        By wall time, an answer that has arrived was in time, even if we read it late. CPU time is
        always the bot's own.
        """
        if allowed_ms is None:
            return heard, used_ms
        if self._by_cpu and used_ms > allowed_ms and not isinstance(heard, Fault):
            heard = Fault(
                "timeout",
                f"used {used_ms:.0f} ms of CPU time, and its clock had {allowed_ms:.0f} ms left",
            )
        is_timeout = isinstance(heard, Fault) and heard.fault == "timeout"
        return heard, allowed_ms if is_timeout else min(used_ms, allowed_ms)

    def _note_pondering(self, cpu_ms: float) -> Fault | None:
        """Add up the CPU time used while others were asked; a fault where that is forbidden."""
        pondered = cpu_ms - self._cpu_ms
        self.pondered_ms += pondered
        if self._ponder == "forbid" and pondered > PONDER_TOLERANCE_MS:
            self._cpu_ms = cpu_ms
            return Fault(
                "ponder",
                f"used {pondered:.0f} ms of CPU time during other players' decisions, which is forbidden",
            )
        return None

    def _waited_for_core(self, took_ms: float) -> float:
        """How long a slow answer waited for a core; 0 if that was less than half of its time."""
        if self._core_wait_ms is None:
            return 0.0
        before, self._core_wait_ms = self._core_wait_ms, None
        waited_ms = self._live.core_wait_ms() - before
        return waited_ms if 2 * waited_ms > took_ms - SLOW_MS else 0.0

    def _hear(
        self, decision_id: int, count: int, asked_ns: int, allowed_ms: float | None, cpu_ms: float
    ) -> Choose | Fault:
        """The answer to this request; late answers to earlier requests are dropped."""
        dropped = b""
        while True:
            raw = self._hear_in_time(asked_ns, allowed_ms, cpu_ms)
            if isinstance(raw, Fault):
                if raw.fault != "timeout" or allowed_ms is None:
                    return raw
                limit = self._limit(allowed_ms)
                return self._lateness(f"gave no answer within {limit}", dropped)
            judged = judge(raw, self._hello.encoding, decision_id, count)
            if judged is not None:
                return judged
            flood = self._drop(raw)
            if flood is not None:
                return flood
            dropped = raw

    def _limit(self, allowed_ms: float) -> str:
        if not self._by_cpu:
            return f"{allowed_ms:.0f} ms"
        wall_ms = _most_wall_ms(allowed_ms)
        return f"{allowed_ms:.0f} ms of CPU time, or {wall_ms:.0f} ms in all"

    def _lateness(self, what: str, dropped: bytes = b"") -> Fault:
        """The fault of a bot that is too late, with what came instead of its message."""
        rest, came = self._live.unfinished(), self._live.describe_unfinished()
        if dropped and not rest:
            came = f"it sent an answer to an older decision: {shown(dropped)}"
        return Fault("timeout", f"{what}: {came}", rest or dropped)

    def _drop(self, raw: bytes) -> Fault | None:
        """Count a late message; too many of them are a fault."""
        self._unasked += 1
        if self._unasked > MOST_UNASKED:
            return Fault(
                "flood", f"sent more than {MOST_UNASKED} messages that it was not asked for", raw
            )
        return None

    def _hear_in_time(
        self, asked_ns: int, allowed_ms: float | None, cpu_ms: float
    ) -> bytes | Fault:
        process = self._live
        if not self._by_cpu or allowed_ms is None:
            return self._hear_by(_deadline(asked_ns, allowed_ms), asked_ns)
        # A process cannot use up its CPU time before that much wall time has passed: check then.
        latest = asked_ns + int(_most_wall_ms(allowed_ms) * _NS)
        while True:
            left_ms = allowed_ms - (process.cpu_ms() - cpu_ms)
            heard = process.hear(min(latest, monotonic_ns() + int(max(left_ms, 1) * _NS)))
            if not isinstance(heard, Fault) or heard.fault != "timeout":
                return heard
            if left_ms <= 0 or monotonic_ns() >= latest:
                return heard

    def _hear_by(self, deadline_ns: int | None, asked_ns: int) -> bytes | Fault:
        """Wait by wall time; once the answer is slow, note how long the bot has waited for a core."""
        slow_ns = asked_ns + int(SLOW_MS * _NS)
        if deadline_ns is not None and deadline_ns <= slow_ns:
            return self._live.hear(deadline_ns)
        heard = self._live.hear(slow_ns)
        if not isinstance(heard, Fault) or heard.fault != "timeout":
            return heard
        self._core_wait_ms = self._live.core_wait_ms()
        return self._live.hear(deadline_ns)

    def refuse(self, fault: FaultRecord) -> None:
        """Send the fault to the bot, if it has a process and a game."""
        if self._process is not None and self._encoder is not None:
            self._process.say(self._encoder.error(fault))

    def dismiss(self) -> None:
        """Kill the process; the next game starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def end(self, standings: list[SeatResult]) -> None:
        """Send the final standings."""
        if self._process is not None:
            self._process.say(self._playing.end(standings))

    def close(self) -> None:
        """Send `quit` and end the process."""
        if self._process is not None:
            self._process.stop(plain_message(self._hello.encoding, "quit"))
            self._process = None

    def cpu_ms(self) -> float:
        """CPU time in milliseconds that the process has used so far."""
        return self._process.cpu_ms() if self._process is not None else 0.0

    def stderr_excerpt(self) -> bytes:
        """The first and last lines that it wrote to stderr in this game."""
        return self._process.stderr_excerpt() if self._process is not None else b""


def judge(raw: bytes, encoding: Encoding, decision_id: int, count: int) -> Choose | Fault | None:
    """Judge a message as the answer to a request: a choice, a fault, or None if it is late."""
    try:
        reply = decode_reply(raw, encoding)
    except WireError as error:
        return Fault("garbage", str(error), raw)
    if not isinstance(reply, Choose):
        return Fault("garbage", "sent a message that is not of type choose", raw)
    if reply.id < decision_id:
        return None
    if reply.id > decision_id:
        return Fault("garbage", f"answered decision {reply.id} before it was asked", raw)
    if 0 <= reply.choice < count:
        return reply
    return Fault("illegal", f"chose {reply.choice}, which is not one of 0 to {count - 1}", raw)


def _excused(fault: Fault, waited_ms: float) -> Fault:
    """A timeout counts in any case, but its message says how long the bot waited for a core."""
    if not waited_ms or fault.fault != "timeout":
        return fault
    return replace(fault, message=f"{fault.message}; it waited {waited_ms:.0f} ms for a core")


def _most_wall_ms(allowed_ms: float) -> float:
    """The limit of wall time that goes with a limit of CPU time."""
    return _CPU_WALL * allowed_ms + 1000


def _deadline(started_ns: int, allowed_ms: float | None) -> int | None:
    return None if allowed_ms is None else started_ns + int(allowed_ms * _NS)

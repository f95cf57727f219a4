"""Who sits at the table: a bot in its process, asked by the clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, TypeVar

from protocol.codec import WireError, decode_reply
from protocol.messages import PROTOCOL_VERSION, BotHello, Choose, Ready
from referee import __version__
from referee.adjudication.clock import ClockRules, SeatClock
from referee.adjudication.faults import MOST_UNASKED, PONDER_TOLERANCE_MS, Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.bots.find import Bot
from referee.bots.process import BotProcess, monotonic_ns
from referee.encoder import Detail, Encoding, Speech, plain
from referee.engine.choice import Choice

T = TypeVar("T", BotHello, Ready)
Ponder: TypeAlias = Literal["report", "forbid", "allow"]

SLOW_MS = 50.0  # from here on it is looked up whether the machine was the slow one
_CPU_WALL = 10  # with a CPU clock the wall allows so many times as much, and a second
_NS = 1_000_000


class Answer:
    """What a player chose, how long it took, and how long it waited for a core meanwhile."""

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
    """A seat's answers, wherever they come from."""

    @property
    def name(self) -> str:
        """The organiser's name for it."""

    @property
    def version(self) -> str | None:
        """What it says of itself."""

    @property
    def content(self) -> str:
        """A hash of what it is made of."""

    @property
    def dialect(self) -> tuple[Encoding, Detail]:
        """How it wants to be spoken to."""

    def open(self, clock: ClockRules) -> Fault | None:
        """Be there: start the process and shake hands, unless that is done."""

    def start(self, speech: Speech, game: str, names: list[str], clock: ClockRules) -> Fault | None:
        """A game begins."""

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Choose one of these."""

    def refuse(self, fault: FaultRecord) -> None:
        """The last answer was refused."""

    def dismiss(self) -> None:
        """The seat is disqualified."""

    def end(self, standings: list[SeatResult]) -> None:
        """The game is over."""

    def stderr_tail(self) -> bytes:
        """The end of what it said on stderr."""


class BotPlayer:
    """A bot process that plays many games, one after the other."""

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
        self._speech: Speech | None = None

    @property
    def name(self) -> str:
        """The organiser's name for it."""
        return self.bot.name

    @property
    def version(self) -> str | None:
        """What it says of itself."""
        return self._hello.version

    @property
    def content(self) -> str:
        """The hash of what it is made of."""
        return self.bot.content

    @property
    def dialect(self) -> tuple[Encoding, Detail]:
        """How it wants to be spoken to."""
        return self._hello.encoding, self._hello.detail

    def open(self, clock: ClockRules) -> Fault | None:
        """Start the process and shake hands, unless that is done."""
        if self._process is not None:
            return None
        process = BotProcess(self.bot, self.stderr, self._core)
        self._process = process
        self._hello = BotHello(name=self.bot.name)
        self._speech = None
        started = process.say(
            plain(
                "json",
                "hello",
                protocol=PROTOCOL_VERSION,
                referee=__version__,
                game="hansa-teutonica",
                encodings=["json", "msgpack"],
            )
        )
        hello = self._expect(BotHello, "hello", "json", _deadline(started, clock.start_ms))
        if isinstance(hello, Fault):
            return hello
        self._hello = hello
        if hello.encoding != "json":
            process.switch(hello.encoding)
        return None

    def start(self, speech: Speech, game: str, names: list[str], clock: ClockRules) -> Fault | None:
        """A game begins; the answer is `ready`."""
        self._speech = speech
        self._clock = SeatClock(clock)
        self._by_cpu = clock.by_cpu
        self._unasked = 0
        self.pondered_ms = 0.0
        self._live.make_room()
        started = self._live.say(speech.start(game, names, clock))
        deadline_ns = _deadline(started, clock.start_ms)
        ready = self._expect(Ready, "ready", self._hello.encoding, deadline_ns)
        self._cpu_ms = self._live.cpu_ms()
        self._core_wait_ms: float | None = None  # at the moment when an answer became slow
        return ready if isinstance(ready, Fault) else None

    @property
    def _playing(self) -> Speech:
        assert self._speech is not None, "no game has begun"
        return self._speech

    @property
    def _live(self) -> BotProcess:
        assert self._process is not None, "the bot has been ended"
        return self._process

    def _expect(
        self, wanted: type[T], what: str, encoding: Encoding, deadline_ns: int | None
    ) -> T | Fault:
        """One message of the hand-shake; whatever else comes is the fault `start`.

        An answer that comes now is a late one of the game before, and is dropped.
        """
        while True:
            raw = self._live.hear(deadline_ns)
            if isinstance(raw, Fault):
                return Fault("start", f"gave no {what}: it {raw.message}", raw.data)
            try:
                reply = decode_reply(raw, encoding)
            except WireError as error:
                return Fault("start", f"gave no {what}: {error}", raw)
            if isinstance(reply, wanted):
                return reply
            if not isinstance(reply, Choose) or wanted is BotHello:
                return Fault("start", f"gave no {what}, but another message", raw)
            flood = self._drop(raw)
            if flood is not None:
                return flood

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Ask, and judge what comes back."""
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
        used_ms = int(used_ms * 1000 + 0.5) / 1000  # in the microseconds that a record says
        wait_ms = self._waited_for_core((read_ns - asked_ns) / _NS)
        heard, used_ms = self._judge_time(heard, used_ms, allowed_ms)
        self._clock.use(used_ms)
        if isinstance(heard, Fault):
            return replace(_excused(heard, wait_ms), ms=used_ms)
        return Answer(heard.choice, used_ms, asked_ns, read_ns, wait_ms, heard.say)

    def _judge_time(
        self, heard: Choose | Fault, used_ms: float, allowed_ms: float | None
    ) -> tuple[Choose | Fault, float]:
        """What is charged, which is never more than there was.

        On the wall an answer that is here came in time, though we may have been late to read it;
        CPU time is nobody's but the bot's.
        """
        if allowed_ms is None:
            return heard, used_ms
        if self._by_cpu and used_ms > allowed_ms and not isinstance(heard, Fault):
            heard = Fault("timeout", "used more CPU time than it had")
        is_timeout = isinstance(heard, Fault) and heard.fault == "timeout"
        return heard, allowed_ms if is_timeout else min(used_ms, allowed_ms)

    def _note_pondering(self, cpu_ms: float) -> Fault | None:
        """CPU time used since the last answer, while others were asked."""
        pondered = cpu_ms - self._cpu_ms
        self.pondered_ms += pondered
        if self._ponder == "forbid" and pondered > PONDER_TOLERANCE_MS:
            self._cpu_ms = cpu_ms
            return Fault("ponder", f"used {pondered:.0f} ms of CPU while others were asked")
        return None

    def _waited_for_core(self, took_ms: float) -> float:
        """How long an answer waited for a core once it was slow; 0 unless that was half of the time."""
        if self._core_wait_ms is None:
            return 0.0
        before, self._core_wait_ms = self._core_wait_ms, None
        waited_ms = self._live.core_wait_ms() - before
        return waited_ms if 2 * waited_ms > took_ms - SLOW_MS else 0.0

    def _hear(
        self, decision_id: int, count: int, asked_ns: int, allowed_ms: float | None, cpu_ms: float
    ) -> Choose | Fault:
        """The answer to this request; late ones to earlier requests are dropped."""
        while True:
            raw = self._hear_in_time(asked_ns, allowed_ms, cpu_ms)
            if isinstance(raw, Fault):
                return raw
            judged = judge(raw, self._hello.encoding, decision_id, count)
            if judged is not None:
                return judged
            flood = self._drop(raw)
            if flood is not None:
                return flood

    def _drop(self, raw: bytes) -> Fault | None:
        """A message too late to matter; too many of them are a fault."""
        self._unasked += 1
        if self._unasked > MOST_UNASKED:
            return Fault("flood", f"sent more than {MOST_UNASKED} messages unasked", raw)
        return None

    def _hear_in_time(
        self, asked_ns: int, allowed_ms: float | None, cpu_ms: float
    ) -> bytes | Fault:
        process = self._live
        if not self._by_cpu or allowed_ms is None:
            return self._hear_by(_deadline(asked_ns, allowed_ms), asked_ns)
        # A process cannot use its CPU time up sooner than the wall shows as much: look then.
        latest = asked_ns + int((_CPU_WALL * allowed_ms + 1000) * _NS)
        while True:
            left_ms = allowed_ms - (process.cpu_ms() - cpu_ms)
            heard = process.hear(min(latest, monotonic_ns() + int(max(left_ms, 1) * _NS)))
            if not isinstance(heard, Fault) or heard.fault != "timeout":
                return heard
            if left_ms <= 0 or monotonic_ns() >= latest:
                return heard

    def _hear_by(self, deadline_ns: int | None, asked_ns: int) -> bytes | Fault:
        """By the wall. Once an answer is slow, what it waits for a core from then on is looked up."""
        slow_ns = asked_ns + int(SLOW_MS * _NS)
        if deadline_ns is not None and deadline_ns <= slow_ns:
            return self._live.hear(deadline_ns)
        heard = self._live.hear(slow_ns)
        if not isinstance(heard, Fault) or heard.fault != "timeout":
            return heard
        self._core_wait_ms = self._live.core_wait_ms()
        return self._live.hear(deadline_ns)

    def refuse(self, fault: FaultRecord) -> None:
        """Tell the bot what was wrong; without a game, there is nothing to tell."""
        if self._process is not None and self._speech is not None:
            self._process.say(self._speech.error(fault))

    def dismiss(self) -> None:
        """End the process; its next game begins with a new one."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def end(self, standings: list[SeatResult]) -> None:
        """The game is over."""
        if self._process is not None:
            self._process.say(self._playing.end(standings))

    def close(self) -> None:
        """No more games."""
        if self._process is not None:
            self._process.stop(plain(self._hello.encoding, "quit"))
            self._process = None

    def cpu_ms(self) -> float:
        """CPU time that its process has used so far."""
        return self._process.cpu_ms() if self._process is not None else 0.0

    def stderr_tail(self) -> bytes:
        """The end of what it said on stderr."""
        return self._process.stderr_tail() if self._process is not None else b""


def judge(raw: bytes, encoding: Encoding, decision_id: int, count: int) -> Choose | Fault | None:
    """What a message is worth as the answer to a request: a choice, a fault, or None if it is late."""
    try:
        reply = decode_reply(raw, encoding)
    except WireError as error:
        return Fault("garbage", str(error), raw)
    if not isinstance(reply, Choose):
        return Fault("garbage", "sent another message than the choice asked for", raw)
    if reply.id < decision_id:
        return None
    if reply.id > decision_id:
        return Fault("garbage", f"answered decision {reply.id} before it was asked", raw)
    if 0 <= reply.choice < count:
        return reply
    return Fault("illegal", f"chose {reply.choice}, which is none of 0 to {count - 1}", raw)


def _excused(fault: Fault, waited_ms: float) -> Fault:
    """A time-out counts all the same, but it is said that the machine had its part in it."""
    if not waited_ms or fault.fault != "timeout":
        return fault
    return replace(fault, message=f"{fault.message}; it waited {waited_ms:.0f} ms for a core")


def _deadline(started_ns: int, allowed_ms: float | None) -> int | None:
    return None if allowed_ms is None else started_ns + int(allowed_ms * _NS)

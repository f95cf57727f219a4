"""Ask a bot again what a seat was asked in a recorded game, and compare its answers.

The bot gets the messages that the seat got. Its answers do not change the game, which continues as
recorded. The clock also comes from the record, so that every message is the same as before.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

from protocol.messages import Choose
from referee.adjudication.clock import NO_CLOCK, ClockRules, SeatClock
from referee.adjudication.faults import FATAL, Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.bots.find import Bot
from referee.encoder import Encoding, GameEncoder, MessageFormat, SeatEncoder
from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.serialize import Words, choice_words
from referee.engine.terms import DECISIONS
from referee.errors import BotRefused, RecordRefused
from referee.match.players import Answer, BotPlayer, T
from referee.records.game_stats import Answers
from referee.records.header import clock_of_seat
from referee.records.lines import DecisionLine, FaultLine, Line, SeatLine, no_first_line
from referee.records.verify import Walk
from referee.text import printable


@dataclass(frozen=True)
class AnswerDifference:
    """A decision with a different answer; None means a fault instead of an answer."""

    id: int
    decision: str
    recorded: Words | None
    answered: Words | None
    recorded_fault: str | None
    fault: str | None
    message: str | None  # of the new fault
    recorded_ms: float
    ms: float


@dataclass
class ReaskResult:
    """How many answers are the same, and the differences."""

    record: str
    seat: int
    name: str  # of the bot in the record
    bot: str  # the name of the bot that was asked now
    asked: int = 0
    same: int = 0
    differences: list[AnswerDifference] = field(default_factory=list)
    stopped: str | None = None  # why the bot could not be asked any more
    stderr: str = ""  # an excerpt of what it wrote until then
    answer: AnswerDifference | None = None  # the only one that was compared, even if it is the same
    recorded_times: Answers = field(default_factory=Answers)
    times: Answers = field(default_factory=Answers)

    @property
    def is_same(self) -> bool:
        """Whether every answer was the recorded one."""
        return not self.differences and self.stopped is None

    def to_dict(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {"same_throughout": self.is_same, **asdict(self)}


def seat_of(players: list[SeatLine], bot: Bot, seat: int | None) -> int:
    """The seat given, else the only one with the bot's name, else the only one with its hash.

    RecordRefused if there is no such seat, or more than one.
    """
    if seat is not None:
        if seat >= len(players):
            raise RecordRefused(
                f"the record has no seat {seat}; its seats are 0 to {len(players) - 1}"
            )
        return seat
    candidates = (
        [player.seat for player in players if player.name == bot.name],
        [player.seat for player in players if player.hash == bot.content],
    )
    for found in candidates:
        if len(found) == 1:
            return found[0]
    names = ", ".join(f"{player.seat} {printable(player.name)}" for player in players)
    raise RecordRefused(f"cannot tell which seat the bot played; choose one with --seat: {names}")


class RecordedClock(SeatClock):
    """The clock of a recorded game: only the recorded times are charged."""

    def use(self, used_ms: float) -> None:
        """Ignore the time that the bot uses now."""

    def charge(self, recorded_ms: float) -> None:
        """Charge the time of the recorded answer."""
        super().use(recorded_ms)


class ReaskPlayer(BotPlayer):
    """A bot that plays by the clock of a record; without `in_time` it is never too late."""

    def __init__(self, bot: Bot, stderr: Path, *, in_time: bool = True) -> None:
        super().__init__(bot, stderr)
        self.clock_of_record = NO_CLOCK
        self._in_time = in_time
        self._recorded = RecordedClock(NO_CLOCK)

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Send `start` with the clock of the record; returns a fault if the bot is not ready."""
        fault = super().start(encoder, game, names, clock)
        self._clock = self._recorded = RecordedClock(self.clock_of_record)
        return fault

    def charge(self, recorded_ms: float) -> None:
        """Charge the time of the recorded answer to the clock."""
        self._recorded.charge(recorded_ms)

    def skip(self) -> None:
        """Start the clock of a decision at which the seat was at fault before it was asked."""
        self._recorded.begin()

    def _expect(
        self,
        wanted: type[T],
        what: str,
        encoding: Encoding,
        asked_ns: int,
        allowed_ms: float | None,
    ) -> T | Fault:
        limit = allowed_ms if self._in_time else None
        return super()._expect(wanted, what, encoding, asked_ns, limit)

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


def asked_seat(path: Path, decision_id: int) -> int:
    """The seat that had to make a decision of a record.

    RecordRefused if the record has no such decision, or nobody was asked, since it had one choice.
    """
    last = 0
    for line in Walk(path):
        if isinstance(line, DecisionLine):
            last = line.id
            if last == decision_id and line.by != "single":
                return line.seat
            if last == decision_id:
                raise RecordRefused(f"nobody was asked decision {last}: it had one choice only")
    raise RecordRefused(
        f"{printable(str(path))} has no decision {decision_id}: its last decision is {last}"
    )


class RecordedSeat(Protocol):
    """Receives the messages of a seat: a bot that is asked again, or a writer of the messages."""

    clock_of_record: ClockRules

    @property
    def bot(self) -> Bot:
        """The bot, by whose name and hash its seat is found."""

    @property
    def message_format(self) -> MessageFormat:
        """What its messages are like."""

    def open(self, clock: ClockRules) -> Fault | None:
        """Start it, and exchange `hello` with it."""

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Begin the game; returns a fault if it is not ready."""

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Choose one of these options, or commit a fault."""

    def charge(self, recorded_ms: float) -> None:
        """Charge the time of the recorded answer to the clock."""

    def skip(self) -> None:
        """Start the clock of a decision at which the seat was at fault before it was asked."""

    def refuse(self, fault: FaultRecord) -> None:
        """Receive a fault of this seat."""

    def end(self, standings: list[SeatResult]) -> None:
        """Receive the final standings."""

    def stderr_excerpt(self) -> bytes:
        """The first and last lines that it wrote to stderr."""


class Reasking:
    """Reads one record and asks the bot every question to one seat.

    With `at`, its answer to that decision alone is compared, and it is asked nothing after it.
    """

    def __init__(
        self, path: Path, player: RecordedSeat, seat: int | None, at: int | None = None
    ) -> None:
        self._walk = Walk(path, events=True)
        self._player = player
        self._wanted = seat
        self._at = at
        self._is_started = False
        self._stopped = False
        self.result = ReaskResult(str(path), -1, "", player.bot.name)

    def run(self) -> ReaskResult:
        """Ask every question again and compare the answers.

        LineRefused if a line of the record is wrong, RecordRefused if there is nothing to ask.
        """
        for line in self._walk:
            if self._walk.checker.is_open and not self._walk.in_past:
                self._send(line)
            if self._stopped:
                break
        if not (self.result.asked or self.result.stopped):
            raise self._nothing_asked()
        if self._walk.checker.is_ended and not self._stopped:
            self._player.end(self._walk.checker.standings)
        return self.result

    def _nothing_asked(self) -> RecordRefused:
        if not self._walk.checker.is_open:
            return no_first_line(self._walk.path)
        where = printable(self.result.record)
        if not self._is_started:
            return RecordRefused(f"{where} has no decisions")
        what = "anything" if self._at is None else f"decision {self._at}"
        return RecordRefused(f"seat {self.result.seat} of {where} was not asked {what}")

    def _send(self, line: Line) -> None:
        """Send the bot what this line meant for the seat: a request, a refusal or nothing."""
        if not self._is_started:
            self._start()
        seat, checker = self.result.seat, self._walk.checker
        if self._stopped or not checker.strikes.answers(seat):
            self._stopped = True  # a disqualified bot gets no more messages
        elif isinstance(line, DecisionLine) and line.seat == seat and line.by == "bot":
            self._decision(line)
        elif isinstance(line, FaultLine) and line.seat == seat:
            self._fault(line)

    def _start(self) -> None:
        checker, player = self._walk.checker, self._player
        header, setup = checker.header, checker.setup
        seat = seat_of(header.players, player.bot, self._wanted)
        self.result.seat, self.result.name = seat, header.players[seat].name
        self._is_started = True
        try:
            fault = player.open(setup.clock)
        except BotRefused as error:
            fault = Fault("start", str(error))
        if fault is None:
            player.clock_of_record = clock_of_seat(setup, seat)
            encoding, detail, _ = player.message_format
            game_encoder = GameEncoder(setup.formats.get(encoding, detail), checker.state)
            encoder = SeatEncoder(game_encoder, seat)
            fault = player.start(encoder, header.game, setup.names, setup.clock)
        if fault is not None:
            self._stop(fault)

    def _stop(self, fault: Fault) -> None:
        self.result.stopped = f"{fault.fault}: {fault.message}"
        self.result.stderr = self._player.stderr_excerpt().decode(errors="replace")
        self._stopped = True

    def _decision(self, line: DecisionLine) -> None:
        state = self._walk.checker.state
        options = game.choices(state)
        is_asked = len(options) > 1 and state.agenda[-1].seat == line.seat
        if not is_asked or not 0 <= line.choice < len(options):
            return  # the line is wrong, and is refused next
        answer = self._ask(options)
        self._player.charge(line.ms)
        if not self._is_compared():
            return
        self.result.recorded_times.add(line.ms)
        self._compare(options, answer, line.choice, None, line.ms)

    def _fault(self, line: FaultLine) -> None:
        """Ask what was asked then, if anything, and send the refusal that followed."""
        state = self._walk.checker.state
        if line.fault == "ponder":
            self._player.skip()
        elif line.fault != "start" and state.agenda and state.agenda[-1].seat == line.seat:
            options = game.choices(state)
            answer = self._ask(options)
            self._player.charge(line.ms)
            if self._is_compared():
                self._compare(options, answer, None, line.fault, line.ms)
        if not self._stopped:
            self._player.refuse(self._fault_record(line))

    def _fault_record(self, line: FaultLine) -> FaultRecord:
        """The fault of this line, before the checker counts it."""
        strikes = self._walk.checker.strikes
        return FaultRecord(
            seat=line.seat,
            name=self.result.name,
            decision_id=self._walk.checker.state.decision_id,
            cause=Fault(line.fault, line.message),
            strikes=strikes.counts[line.seat] + 1,
            allowed=strikes.allowed,
            disqualified=False,
        )

    def _ask(self, options: list[Choice]) -> Answer | Fault:
        decision_id = self._walk.checker.state.decision_id
        answer = self._player.decide(decision_id, options)
        if self._is_compared():
            self.result.asked += 1
            self.result.times.add(answer.ms)
            self._stopped = decision_id == self._at
        if isinstance(answer, Fault) and answer.fault in FATAL:
            self._stop(answer)
        return answer

    def _is_compared(self) -> bool:
        return self._at in (None, self._walk.checker.state.decision_id)

    def _compare(
        self,
        options: list[Choice],
        answer: Answer | Fault,
        recorded: int | None,
        recorded_fault: str | None,
        recorded_ms: float,
    ) -> None:
        is_same = isinstance(answer, Answer) and answer.index == recorded
        if is_same:
            self.result.same += 1
            if self._at is None:
                return
        state, board = self._walk.checker.state, self._walk.checker.state.board
        fault = answer if isinstance(answer, Fault) else None
        chosen = options[answer.index] if isinstance(answer, Answer) else None
        both = AnswerDifference(
            id=state.decision_id,
            decision=DECISIONS[state.agenda[-1].kind],
            recorded=None if recorded is None else choice_words(board, options[recorded]),
            answered=None if chosen is None else choice_words(board, chosen),
            recorded_fault=recorded_fault,
            fault=fault.fault if fault else None,
            message=fault.message if fault else None,
            recorded_ms=recorded_ms,
            ms=round(answer.ms, 3),
        )
        if self._at is not None:
            self.result.answer = both
        if not is_same:
            self.result.differences.append(both)

"""A recorded game told to a bot once more: the messages that a seat got, and what the bot answers now.

The bot's answers change nothing: the game goes on as it is recorded. Its clock is the one of the
record as well, so that every message says what it said then.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path

from referee.adjudication.faults import FATAL, Fault, FaultRecord
from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.terms import DECISIONS
from referee.engine.words import Words, choice_words
from referee.errors import BotRefused, RecordRefused
from referee.match.bots import Bot
from referee.match.players import Answer
from referee.records.lines import DecisionLine, FaultLine, Line, Seated, printable
from referee.records.opening import clock_of_seat
from referee.records.retold import RetoldPlayer
from referee.records.tally import Answers
from referee.records.verify import Walk
from referee.speech import Speech, Tale


@dataclass(frozen=True)
class Difference:
    """One decision that came out otherwise; `null` where there was a fault instead of an answer."""

    id: int
    decision: str
    recorded: Words | None
    answered: Words | None
    recorded_fault: str | None
    fault: str | None
    message: str | None  # what was wrong with the answer now
    recorded_ms: float
    ms: float


@dataclass
class Reasked:
    """What became of it."""

    record: str
    seat: int
    name: str  # of the bot in the record
    bot: str  # of the one that was asked now
    asked: int = 0
    same: int = 0
    differences: list[Difference] = field(default_factory=list)
    stopped: str | None = None  # why the bot could not be asked to the end
    recorded_times: Answers = field(default_factory=Answers)
    times: Answers = field(default_factory=Answers)

    @property
    def is_same(self) -> bool:
        """Whether the bot answered every time as it is recorded."""
        return not self.differences and self.stopped is None

    def words(self) -> dict[str, object]:
        """For programs."""
        return {"same_throughout": self.is_same, **asdict(self)}


def seat_of(players: list[Seated], bot: Bot, seat: int | None) -> int:
    """The seat that is meant: the one given, else the one of the bot's name, else of its hash."""
    if seat is not None:
        if seat >= len(players):
            raise RecordRefused(f"the record has the seats 0 to {len(players) - 1}, not {seat}")
        return seat
    fits = (
        [player.seat for player in players if player.name == bot.name],
        [player.seat for player in players if player.hash == bot.content],
    )
    for found in fits:
        if len(found) == 1:
            return found[0]
    names = ", ".join(f"{player.seat} {printable(player.name)}" for player in players)
    raise RecordRefused(f"which seat is to be asked again? Give --seat; they are {names}")


class Reasking:
    """One run through one record."""

    def __init__(self, path: Path, player: RetoldPlayer, seat: int | None) -> None:
        self._walk = Walk(path, events=True)
        self._player = player
        self._wanted = seat
        self._is_started = False
        self._stopped = False
        self.result = Reasked(str(path), -1, "", player.name)

    def run(self) -> Reasked:
        """Tell it all; LineRefused if the record is wrong."""
        for line in self._walk:
            if self._walk.checker.is_open and not self._walk.in_past:
                self._hear(line)
            if self._stopped:
                break
        if not (self.result.asked or self.result.stopped):
            where, seat = printable(self.result.record), self.result.seat
            raise RecordRefused(
                f"{where} is no record: it has no game"
                if seat < 0
                else f"seat {seat} of {where} was asked nothing"
            )
        if self._walk.checker.is_ended and not self._stopped:
            self._player.end(self._walk.checker.standings)
        return self.result

    def _hear(self, line: Line) -> None:
        """What this line meant for the seat: a request, a refusal, nothing."""
        if not self._is_started:
            self._start()
        seat, checker = self.result.seat, self._walk.checker
        if self._stopped or not checker.conduct.answers(seat):
            self._stopped = True  # at fault then, or now: no more messages
        elif isinstance(line, DecisionLine) and line.seat == seat and line.by == "bot":
            self._decision(line)
        elif isinstance(line, FaultLine) and line.seat == seat:
            self._fault(line)

    def _start(self) -> None:
        checker, player = self._walk.checker, self._player
        header, opening = checker.header, checker.opening
        seat = seat_of(header.players, player.bot, self._wanted)
        self.result.seat, self.result.name = seat, header.players[seat].name
        self._is_started = True
        try:
            fault = player.open(opening.clock)
        except BotRefused as error:
            fault = Fault("start", str(error))
        if fault is None:
            player.clock_of_record = clock_of_seat(opening, seat)
            tale = Tale(opening.dialects.get(*player.dialect), checker.state)
            speech = Speech(tale, seat)
            fault = player.start(speech, header.game, opening.names, opening.clock)
        if fault is not None:
            self._stop(fault)

    def _stop(self, fault: Fault) -> None:
        self.result.stopped = f"{fault.fault}: {fault.message}"
        self._stopped = True

    def _decision(self, line: DecisionLine) -> None:
        state = self._walk.checker.state
        options = game.choices(state)
        is_asked = len(options) > 1 and state.agenda[-1].seat == line.seat
        if not is_asked or not 0 <= line.choice < len(options):
            return  # wrong, as will be said at once
        answer = self._ask(options)
        self._player.charge(line.ms)
        self.result.recorded_times.add(line.ms)
        if isinstance(answer, Answer) and answer.index == line.choice:
            self.result.same += 1
        else:
            self._differ(options, answer, options[line.choice], None, line.ms)

    def _fault(self, line: FaultLine) -> None:
        """What was asked then, unless nothing was; and that the answer was refused."""
        state = self._walk.checker.state
        if line.fault == "ponder":
            self._player.skip()
        elif line.fault != "start" and state.agenda and state.agenda[-1].seat == line.seat:
            options = game.choices(state)
            answer = self._ask(options)
            self._player.charge(line.ms)
            self._differ(options, answer, None, line.fault, line.ms)
        if not self._stopped:
            self._player.refuse(self._fault_record(line))

    def _fault_record(self, line: FaultLine) -> FaultRecord:
        """The fault that the checker takes next."""
        conduct = self._walk.checker.conduct
        return FaultRecord(
            seat=line.seat,
            name=self.result.name,
            decision_id=self._walk.checker.state.decision_id,
            cause=Fault(line.fault, line.message),
            strikes=conduct.counts[line.seat] + 1,
            allowed=conduct.allowed,
            disqualified=False,
        )

    def _ask(self, options: list[Choice]) -> Answer | Fault:
        answer = self._player.decide(self._walk.checker.state.decision_id, options)
        self.result.asked += 1
        self.result.times.add(answer.ms)
        if isinstance(answer, Fault) and answer.fault in FATAL:
            self._stop(answer)
        return answer

    def _differ(
        self,
        options: list[Choice],
        answer: Answer | Fault,
        recorded: Choice | None,
        recorded_fault: str | None,
        recorded_ms: float,
    ) -> None:
        state = self._walk.checker.state
        fault = answer if isinstance(answer, Fault) else None
        chosen = options[answer.index] if isinstance(answer, Answer) else None
        self.result.differences.append(
            Difference(
                id=state.decision_id,
                decision=DECISIONS[state.agenda[-1].kind],
                recorded=None if recorded is None else choice_words(state.board, recorded),
                answered=None if chosen is None else choice_words(state.board, chosen),
                recorded_fault=recorded_fault,
                fault=fault.fault if fault else None,
                message=fault.message if fault else None,
                recorded_ms=recorded_ms,
                ms=round(answer.ms, 3),
            )
        )

"""Checks a record line by line against the engine, the clocks and the rules about faults.

`Checker.apply` applies a line, or raises InvalidLine if a referee would not have written it there.
The code that referees games also judges the recorded faults, strikes and ranks.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from math import inf
from typing import Any, Final, Literal, TypeAlias

import msgspec

from referee.adjudication.clock import TOLERANCE_MS, RecordedClocks
from referee.adjudication.faults import MOST_BYTES, Fault, FaultRecord, Strikes, default_choice
from referee.adjudication.standings import SeatResult, final_standings
from referee.engine import game, view
from referee.engine.digest import Digester
from referee.engine.game import follow
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, END_REASONS, FAULTS, GOES_ON
from referee.records.header import (
    InvalidLine,
    RecordedSetup,
    clock_of_seat,
    is_person,
    read_setup,
)
from referee.records.lines import (
    DecisionLine,
    EndLine,
    FaultLine,
    GameLine,
    HintLine,
    Line,
    TurnLine,
    VoidLine,
)
from referee.records.writer import HINTS_FORMAT

Status: TypeAlias = Literal["fine", "incomplete", "void", "wrong"]

KINDS: Final = (GameLine, DecisionLine, FaultLine, HintLine, TurnLine, EndLine, VoidLine)
BEFORE_ASKED: Final = ("start", "flood")  # faults that a seat can commit before it is asked

_sorted = msgspec.json.Encoder(order="sorted").encode


class Checker:
    """A recorded game that is refereed again."""

    header: GameLine
    setup: RecordedSetup
    state: GameState
    strikes: Strikes

    def __init__(self, *, events: bool = False) -> None:
        self.is_open = False  # the first line was taken
        self.begins_at = 1  # the id of the first decision that was played in this record
        self.is_ended = False
        self.void: str | None = None
        self.faults: list[FaultRecord] = []
        self.hints: list[int] = []  # the seat of each hint that was given
        self.standings: list[SeatResult] = []
        self._events = events
        self._turn = 0  # the turn whose end is recorded next
        self._last_turn_ended = False  # the end of the last turn was recorded
        self._default_choice_is_next = False  # after a fault the referee's own choice comes next
        self._last_failed_start = -1  # the last seat with a recorded fault at the start
        # The function that applies the next line, by the type of the line.
        self.handlers: dict[type, Callable[[Any], None]] = dict.fromkeys(KINDS, self._too_early)
        self.handlers |= {GameLine: self._game, VoidLine: self._void}

    @property
    def status(self) -> Status:
        """The verdict if no more lines come."""
        if self.void is not None:
            return "void"
        return "fine" if self.is_ended else "incomplete"

    @property
    def is_over(self) -> bool:
        """Whether no line may follow: the game has ended, or is void."""
        return self.is_ended or self.void is not None

    @property
    def in_past(self) -> bool:
        """Whether the next line still belongs to the game that this one continues from."""
        return self.state.decision_id < self.begins_at

    def apply(self, line: Line) -> None:
        """Apply the next line; raise InvalidLine if it cannot be the next one."""
        self.handlers[type(line)](line)

    def _too_early(self, _: Line) -> None:
        raise InvalidLine("the first line of a record must be its game line")

    def _too_late(self, _: Line) -> None:
        raise InvalidLine("there is a line after the end")

    def _again(self, _: Line) -> None:
        raise InvalidLine("there is a second game line")

    def _game(self, line: GameLine) -> None:
        self.setup = setup = read_setup(line)
        self.header = line
        self.state = game.new_game(setup.board, setup.rules, line.seed, events=self._events)
        self.strikes = Strikes(setup.rules.players, line.strikes)
        self._choice_json = setup.choice_json
        self.begins_at = line.origin.at if line.origin is not None else 1
        self._turn = self.state.turn
        self._digester = Digester(self.state)
        seats = range(setup.rules.players)
        self._clocks = RecordedClocks([clock_of_seat(setup, seat) for seat in seats])
        # No fault so far, and the clock runs for every answer: a shortcut for most records.
        self._every_answer_counts = self.begins_at == 1
        self.is_open = True
        self.handlers |= {
            GameLine: self._again,
            DecisionLine: self._decision,
            FaultLine: self._fault,
            HintLine: self._hint,
            TurnLine: self._turn_end,
            EndLine: self._end,
        }

    # -- decisions

    def _decision(self, line: DecisionLine) -> None:
        by = line.by
        if by == "referee":
            self._check_default_choice(line)
        chosen = follow(
            self.state,
            self._turn,
            line.id,
            line.seat,
            line.decision,
            line.choice,
            by == "single",
        )
        if chosen is None:
            raise self._not_asked(line)
        if line.do != self._choice_json[chosen]:
            _check_words(line, bytes(self._choice_json[chosen]))
        if by == "bot":
            counts = self._every_answer_counts or self._counts(line)
            if counts and not self._clocks.charge(line.seat, line.ms):
                raise self._too_slow(line)
        elif line.ms or line.lag_ms or line.say is not None:
            raise InvalidLine(
                f"only a bot takes time and makes remarks, but this decision is by {by!r}"
            )
        self._default_choice_is_next = False

    def _not_asked(self, line: DecisionLine) -> InvalidLine:
        """Return the error for the part that is wrong: turn, id, seat, kind, index or who decided."""
        state = self.state
        if self._turn_is_over or not state.agenda:
            return self._out_of_turn("a decision")
        asked, count = state.agenda[-1], len(game.choices(state))
        kind = DECISIONS[asked.kind]
        if line.id != state.decision_id:
            return InvalidLine(f"decision {line.id} comes where {state.decision_id} is expected")
        if line.seat != asked.seat:
            return InvalidLine(f"seat {line.seat} decides, but seat {asked.seat} is asked")
        if line.decision != kind:
            return InvalidLine(f"the decision is {line.decision!r}, but must be {kind!r}")
        if not 0 <= line.choice < count:
            return InvalidLine(f"choice {line.choice} is not one of 0 to {count - 1}")
        offered = "is one choice" if count == 1 else f"are {count} choices"
        return InvalidLine(f"it is by {line.by!r}, but there {offered}")

    @property
    def _turn_is_over(self) -> bool:
        """Whether the next line must be the end of a turn; the last turn ends with the game."""
        return self.state.turn != self._turn or (
            self.state.over != GOES_ON and not self._last_turn_ended
        )

    def _out_of_turn(self, what: str) -> InvalidLine:
        if self._turn_is_over:
            return InvalidLine(f"{what} comes where the end of turn {self._turn} is expected")
        return InvalidLine(f"{what} comes after the game is over ({END_REASONS[self.state.over]})")

    def _counts(self, line: DecisionLine) -> bool:
        """Whether the clock runs for the answer; raise InvalidLine if the seat may not answer."""
        if line.id < self.begins_at:
            return False
        if self._default_choice_is_next:
            raise InvalidLine("the bot was at fault, so the referee must choose in its place")
        if not self.strikes.answers(line.seat):
            raise InvalidLine(f"seat {line.seat} is disqualified and cannot answer")
        self._every_answer_counts = not self.faults
        return True

    def _too_slow(self, line: DecisionLine | FaultLine) -> InvalidLine:
        left_ms = self._clocks.allowed(line.seat)
        return InvalidLine(
            f"{line.ms} ms were used, but only {left_ms:.3f} ms were left: a time-out"
        )

    def _check_default_choice(self, line: DecisionLine) -> None:
        """Check, before it is applied, that the referee had to choose and made its default choice."""
        options = game.choices(self.state)
        if self._turn_is_over or len(options) < 2:
            return  # `follow` finds what is wrong
        if not (self._default_choice_is_next or self.in_past) and self.strikes.answers(line.seat):
            raise InvalidLine(f"the referee chose for seat {line.seat}, which was not at fault")
        default = default_choice(options)
        if line.choice != default:
            raise InvalidLine(f"in a bot's place the referee chooses {default}, not {line.choice}")

    # -- faults

    def _fault(self, line: FaultLine) -> None:
        self._check_fault(line)
        out = self.strikes.add(line.seat, line.fault, self.state.decision_id)
        if line.strikes != self.strikes.counts[line.seat]:
            raise InvalidLine(
                f"strikes is {line.strikes}, but must be {self.strikes.counts[line.seat]}"
            )
        self.faults.append(
            FaultRecord(
                seat=line.seat,
                name=self.setup.names[line.seat],
                decision_id=self.state.decision_id,
                cause=Fault(line.fault, line.message, _bytes_of_reply(line), line.ms),
                strikes=line.strikes,
                allowed=self.strikes.allowed,
                disqualified=out,
                stderr_excerpt=line.stderr.encode(),
            )
        )
        self._every_answer_counts = False
        if out:
            game.emit_disqualified(self.state, line.seat, line.fault, self.state.decision_id)
        if self.strikes.nobody_answers():
            game.abandon(self.state)
            self._last_turn_ended = True  # the turn is cut short, and its end is not recorded

    def _check_fault(self, line: FaultLine) -> None:
        if self._turn_is_over or not self.state.agenda:
            raise self._out_of_turn("a fault")
        if self.in_past:
            raise InvalidLine(
                f"there is a fault before decision {self.begins_at}, where play began in this record"
            )
        if line.fault not in FAULTS:
            raise InvalidLine(f"{line.fault!r} is not a valid fault; valid are {', '.join(FAULTS)}")
        if line.seat >= self.setup.rules.players or not self.strikes.answers(line.seat):
            raise InvalidLine(
                f"seat {line.seat} is at fault, but does not exist or is disqualified"
            )
        _bytes_of_reply(line)
        expected_id = None if line.fault == "start" else self.state.decision_id
        if line.id != expected_id:
            raise InvalidLine(f"the fault has the id {line.id}, but must have {expected_id}")
        starting = self.state.decision_id == self.begins_at and not self._default_choice_is_next
        if starting and line.fault in BEFORE_ASKED and not line.ms:
            self._check_start(line)
        else:
            self._check_asked(line)

    def _check_asked(self, line: FaultLine) -> None:
        """Check a fault of the seat that is asked: one per decision, with two or more choices."""
        if line.fault == "start" or line.seat != self.state.agenda[-1].seat:
            raise InvalidLine(
                f"seat {line.seat} is at fault with {line.fault!r}, but was not asked"
            )
        if len(game.choices(self.state)) == 1:
            raise InvalidLine("a fault comes where there is only one choice, so no bot is asked")
        if self._default_choice_is_next:
            raise InvalidLine("a second fault comes at the same decision")
        if line.fault == "timeout":
            allowed_ms = self._clocks.allowed(line.seat)
            if allowed_ms == inf:
                raise InvalidLine("a time-out comes where there is no clock")
            if abs(line.ms - allowed_ms) > TOLERANCE_MS:
                raise InvalidLine(f"a time-out takes all {allowed_ms:.3f} ms, not {line.ms}")
        if not self._clocks.charge(line.seat, line.ms):
            raise self._too_slow(line)
        self._default_choice_is_next = True

    def _check_start(self, line: FaultLine) -> None:
        """Check a fault before the first decision: in the order of the seats, each at most once."""
        if line.seat <= self._last_failed_start:
            raise InvalidLine(
                "faults at the start must come in the order of the seats, at most one each"
            )
        self._last_failed_start = line.seat

    # -- hints

    def _hint(self, line: HintLine) -> None:
        if self.header.format < HINTS_FORMAT:
            raise InvalidLine(f"a hint comes in a record of format {self.header.format}")
        if self._turn_is_over or not self.state.agenda:
            raise self._out_of_turn("a hint")
        asked = self.state.agenda[-1].seat
        if (line.id, line.seat) != (self.state.decision_id, asked):
            raise InvalidLine(
                f"a hint for decision {line.id} of seat {line.seat} comes where decision"
                f" {self.state.decision_id} of seat {asked} is expected"
            )
        if not self._is_copied(line.id) and not self._asks_for_hints(asked):
            raise InvalidLine(f"seat {asked} gets a hint, but is not a person who must decide")
        self.hints.append(asked)

    def _is_copied(self, decision_id: int) -> bool:
        """Whether a hint may be from the record that this one continues, where others played."""
        return self.header.origin is not None and decision_id <= self.begins_at

    def _asks_for_hints(self, seat: int) -> bool:
        """Whether the seat is a person, has a choice, and is still asked."""
        return (
            is_person(self.header.players[seat].hash)
            and self.strikes.answers(seat)
            and not self._default_choice_is_next
            and len(game.choices(self.state)) > 1
        )

    # -- turns and the end

    def _turn_end(self, line: TurnLine) -> None:
        turn = self.state.turn
        if turn == self._turn and not self._turn_is_over:
            raise InvalidLine("the end of a turn comes where no turn has ended")
        if line.turn != self._turn:
            raise InvalidLine(
                f"the end of turn {line.turn} comes where that of turn {self._turn} is expected"
            )
        self._check_digest(line.digest)
        self._last_turn_ended = turn == self._turn  # the last one ends with the game
        self._turn = turn

    def _check_digest(self, digest: str) -> None:
        found = self._digester.digest()
        if digest != found:
            raise InvalidLine(f"the digest is {digest}, but must be {found} for this position")

    def _end(self, line: EndLine) -> None:
        state = self.state
        if self._turn_is_over:
            raise self._out_of_turn("the end")
        if not state.over or self.in_past:
            raise InvalidLine(f"the end comes where decision {state.decision_id} is expected")
        if line.reason != END_REASONS[state.over]:
            raise InvalidLine(
                f"the reason is {line.reason!r}, but must be {END_REASONS[state.over]!r}"
            )
        self._check_digest(line.digest)
        missions = [view.mission_words(state, seat) for seat in range(state.rules.players)]
        _compare("missions", missions, line.missions)
        self.standings = final_standings(state, self.strikes, self.setup.names)
        _compare("standings", [standing.to_dict() for standing in self.standings], line.standings)
        self.is_ended = True
        self.handlers.update(dict.fromkeys(KINDS, self._too_late))

    def _void(self, line: VoidLine) -> None:
        self.void = line.message
        self.handlers.update(dict.fromkeys(KINDS, self._too_late))


def _check_words(line: DecisionLine, expected: bytes) -> None:
    """Raise InvalidLine unless both are the same JSON value; spaces and key order may differ."""
    found = bytes(line.do)
    try:
        if _sorted(msgspec.json.decode(found)) == _sorted(msgspec.json.decode(expected)):
            return
    except (ValueError, RecursionError):
        pass
    found_text = found.decode(errors="replace")
    raise InvalidLine(
        f"choice {line.choice} is written as {found_text}, but must be {expected.decode()}"
    )


def _compare(what: str, expected: Any, found: Any) -> None:
    """Raise InvalidLine at the first difference; values of different types differ: true is not 1."""
    if type(expected) is not type(found):
        raise InvalidLine(f"{what} is {_shown(found)}, but must be {_shown(expected)}")
    if isinstance(expected, dict):
        if expected.keys() != found.keys():
            raise InvalidLine(f"{what} has {', '.join(found)}, but must have {', '.join(expected)}")
        for key, value in expected.items():
            _compare(f"{what}.{key}", value, found[key])
    elif isinstance(expected, list):
        if len(expected) != len(found):
            raise InvalidLine(f"{what} has {len(found)} entries, but must have {len(expected)}")
        for index, (expected_item, found_item) in enumerate(zip(expected, found, strict=True)):
            _compare(f"{what}[{index}]", expected_item, found_item)
    elif expected != found:
        raise InvalidLine(f"{what} is {_shown(found)}, but must be {_shown(expected)}")


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _bytes_of_reply(line: FaultLine) -> bytes:
    """Return the bytes that the bot sent; raise InvalidLine if they are too many or not base64."""
    try:
        data = base64.b64decode(line.bytes_base64, validate=True)
    except ValueError as error:
        raise InvalidLine(f"bytes_base64 is not valid base64: {error}") from error
    if len(data) > MOST_BYTES:
        raise InvalidLine(f"bytes_base64 holds more than {MOST_BYTES} bytes")
    return data

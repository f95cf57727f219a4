"""Checks a record line by line against the engine, the clocks and the rules about faults.

`Checker.take` applies a line, or raises Wrong if no referee can have written it there. Faults,
strikes and ranks are judged by the same code that referees games.
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
from referee.records.header import Opening, Wrong, clock_of_seat, read_opening
from referee.records.lines import (
    DecisionLine,
    EndLine,
    FaultLine,
    GameLine,
    Line,
    TurnLine,
    VoidLine,
)

Status: TypeAlias = Literal["fine", "incomplete", "void", "wrong"]

KINDS: Final = (GameLine, DecisionLine, FaultLine, TurnLine, EndLine, VoidLine)
BEFORE_ASKED: Final = ("start", "flood")  # faults that a seat can commit before it is asked

_sorted = msgspec.json.Encoder(order="sorted").encode


class Checker:
    """A recorded game that is refereed again."""

    header: GameLine
    opening: Opening
    state: GameState
    strikes: Strikes

    def __init__(self, *, events: bool = False) -> None:
        self.is_open = False  # the first line was taken
        self.is_ended = False
        self.void: str | None = None
        self.faults: list[FaultRecord] = []
        self.standings: list[SeatResult] = []
        self._events = events
        self._turn = 0  # the turn whose end is recorded next
        self._last_turn_ended = False  # the end of the last turn was recorded
        self._default_choice_due = False  # after a fault the referee's own choice comes next
        self._last_failed_start = -1  # the last seat with a recorded fault at the start
        # What applies a line of each kind, as far as the record has come.
        self.takes: dict[type, Callable[[Any], None]] = dict.fromkeys(KINDS, self._too_early)
        self.takes |= {GameLine: self._game, VoidLine: self._void}

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
        """Whether the lines are still those of the game that this one continues from."""
        return self.state.decision_id < self._begins_at

    def take(self, line: Line) -> None:
        """Apply the next line; Wrong if it cannot be the next one."""
        self.takes[type(line)](line)

    def _too_early(self, _: Line) -> None:
        raise Wrong("a record begins with the line of the game")

    def _too_late(self, _: Line) -> None:
        raise Wrong("something comes after the end")

    def _again(self, _: Line) -> None:
        raise Wrong("the line of the game comes a second time")

    def _game(self, line: GameLine) -> None:
        self.opening = opening = read_opening(line)
        self.header = line
        self.state = game.new_game(opening.board, opening.rules, line.seed, events=self._events)
        self.strikes = Strikes(opening.rules.players, line.strikes)
        self._choice_json = opening.choice_json
        self._begins_at = line.origin.at if line.origin is not None else 1
        self._turn = self.state.turn
        self._digester = Digester(self.state)
        seats = range(opening.rules.players)
        self._clocks = RecordedClocks([clock_of_seat(opening, seat) for seat in seats])
        self._is_calm = self._begins_at == 1  # no fault so far, and the clock runs for every answer
        self.is_open = True
        self.takes |= {
            GameLine: self._again,
            DecisionLine: self._decision,
            FaultLine: self._fault,
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
            counts = self._is_calm or self._counts(line)
            if counts and not self._clocks.charge(line.seat, line.ms):
                raise self._too_slow(line)
        elif line.ms or line.lag_ms or line.say is not None:
            raise Wrong(f"only a bot takes time and makes remarks, and this decision is by {by!r}")
        self._default_choice_due = False

    def _not_asked(self, line: DecisionLine) -> Wrong:
        """Which part is wrong: the time, the decision, the seat, the index or who decided."""
        state = self.state
        if self._turn_is_over or not state.agenda:
            return self._out_of_turn("a decision")
        asked, count = state.agenda[-1], len(game.choices(state))
        kind = DECISIONS[asked.kind]
        if line.id != state.decision_id:
            return Wrong(f"decision {line.id} comes where {state.decision_id} is due")
        if line.seat != asked.seat:
            return Wrong(f"seat {line.seat} decides, and seat {asked.seat} is asked")
        if line.decision != kind:
            return Wrong(f"the decision is {line.decision!r}, and must be {kind!r}")
        if not 0 <= line.choice < count:
            return Wrong(f"choice {line.choice} is not one of 0 to {count - 1}")
        there = "is one choice" if count == 1 else f"are {count} choices"
        return Wrong(f"it is by {line.by!r}, and there {there}")

    @property
    def _turn_is_over(self) -> bool:
        """Whether the end of a turn has to come next; the last turn ends with the game."""
        return self.state.turn != self._turn or (
            self.state.over != GOES_ON and not self._last_turn_ended
        )

    def _out_of_turn(self, what: str) -> Wrong:
        if self._turn_is_over:
            return Wrong(f"{what} comes where the end of turn {self._turn} is due")
        return Wrong(f"{what} comes where the game is over ({END_REASONS[self.state.over]})")

    def _counts(self, line: DecisionLine) -> bool:
        """Whether the clock runs for the answer; Wrong if the seat may not answer."""
        if line.id < self._begins_at:
            return False
        if self._default_choice_due:
            raise Wrong("the bot was at fault: the referee has to choose in its place")
        if not self.strikes.answers(line.seat):
            raise Wrong(f"seat {line.seat} is disqualified and cannot answer")
        self._is_calm = not self.faults
        return True

    def _too_slow(self, line: DecisionLine | FaultLine) -> Wrong:
        left_ms = self._clocks.allowed(line.seat)
        return Wrong(f"{line.ms} ms were used, and {left_ms:.3f} ms were left: a time-out")

    def _check_default_choice(self, line: DecisionLine) -> None:
        """Wrong unless the referee had to choose, and made its default choice; before it is applied."""
        options = game.choices(self.state)
        if self._turn_is_over or len(options) < 2:
            return  # more is wrong than this
        if not (self._default_choice_due or self.in_past) and self.strikes.answers(line.seat):
            raise Wrong(f"the referee chose for seat {line.seat}, which was not at fault")
        default = default_choice(options)
        if line.choice != default:
            raise Wrong(f"in a bot's place the referee chooses {default}, not {line.choice}")

    # -- faults

    def _fault(self, line: FaultLine) -> None:
        self._check_fault(line)
        out = self.strikes.add(line.seat, line.fault, self.state.decision_id)
        if line.strikes != self.strikes.counts[line.seat]:
            raise Wrong(f"strikes is {line.strikes}, and must be {self.strikes.counts[line.seat]}")
        self.faults.append(
            FaultRecord(
                seat=line.seat,
                name=self.opening.names[line.seat],
                decision_id=self.state.decision_id,
                cause=Fault(line.fault, line.message, _data_of(line), line.ms),
                strikes=line.strikes,
                allowed=self.strikes.allowed,
                disqualified=out,
                stderr_tail=line.stderr.encode(),
            )
        )
        self._is_calm = False
        if out:
            game.emit_disqualified(self.state, line.seat, line.fault, self.state.decision_id)
        if self.strikes.nobody_answers():
            game.abandon(self.state)
            self._last_turn_ended = True  # the turn is cut short, and its end is not recorded

    def _check_fault(self, line: FaultLine) -> None:
        if self._turn_is_over or not self.state.agenda:
            raise self._out_of_turn("a fault")
        if self.in_past:
            raise Wrong(
                f"a fault comes before decision {self._begins_at}, where the game continues"
            )
        if line.fault not in FAULTS:
            raise Wrong(f"{line.fault!r} is not a valid fault; valid are {', '.join(FAULTS)}")
        if line.seat >= self.opening.rules.players or not self.strikes.answers(line.seat):
            raise Wrong(f"seat {line.seat} is at fault, and it does not exist or is disqualified")
        _data_of(line)
        wanted = None if line.fault == "start" else self.state.decision_id
        if line.id != wanted:
            raise Wrong(f"the fault has the id {line.id}, and must have {wanted}")
        starting = self.state.decision_id == self._begins_at and not self._default_choice_due
        if starting and line.fault in BEFORE_ASKED and not line.ms:
            self._check_start(line)
        else:
            self._check_asked(line)

    def _check_asked(self, line: FaultLine) -> None:
        """A fault of the seat that is asked: one per decision, and only where there is a choice."""
        if line.fault == "start" or line.seat != self.state.agenda[-1].seat:
            raise Wrong(f"seat {line.seat} is at fault with {line.fault!r}, and was not asked")
        if len(game.choices(self.state)) == 1:
            raise Wrong("a fault comes where there is only one choice, so no bot is asked")
        if self._default_choice_due:
            raise Wrong("a second fault comes at the same decision")
        if line.fault == "timeout":
            allowed_ms = self._clocks.allowed(line.seat)
            if allowed_ms == inf:
                raise Wrong("a time-out comes where there is no clock")
            if abs(line.ms - allowed_ms) > TOLERANCE_MS:
                raise Wrong(f"a time-out takes all {allowed_ms:.3f} ms, not {line.ms}")
        if not self._clocks.charge(line.seat, line.ms):
            raise self._too_slow(line)
        self._default_choice_due = True

    def _check_start(self, line: FaultLine) -> None:
        """A fault before anything was asked: seats in their order, each at most once."""
        if line.seat <= self._last_failed_start:
            raise Wrong("faults at the start must come in the order of the seats, at most one each")
        self._last_failed_start = line.seat

    # -- turns and the end

    def _turn_end(self, line: TurnLine) -> None:
        turn = self.state.turn
        if turn == self._turn and not self._turn_is_over:
            raise Wrong("the end of a turn comes where no turn has ended")
        if line.turn != self._turn:
            raise Wrong(f"the end of turn {line.turn} comes where that of turn {self._turn} is due")
        self._check_digest(line.digest)
        self._last_turn_ended = turn == self._turn  # the last one ends with the game
        self._turn = turn

    def _check_digest(self, digest: str) -> None:
        found = self._digester.digest()
        if digest != found:
            raise Wrong(f"the digest is {digest}, and the position has {found}")

    def _end(self, line: EndLine) -> None:
        state = self.state
        if self._turn_is_over:
            raise self._out_of_turn("the end")
        if not state.over or self.in_past:
            raise Wrong(f"the end comes where decision {state.decision_id} is due")
        if line.reason != END_REASONS[state.over]:
            raise Wrong(f"the reason is {line.reason!r}, and must be {END_REASONS[state.over]!r}")
        self._check_digest(line.digest)
        missions = [view.mission_words(state, seat) for seat in range(state.rules.players)]
        _compare("missions", missions, line.missions)
        self.standings = final_standings(state, self.strikes, self.opening.names)
        _compare("standings", [standing.to_dict() for standing in self.standings], line.standings)
        self.is_ended = True
        self.takes.update(dict.fromkeys(KINDS, self._too_late))

    def _void(self, line: VoidLine) -> None:
        self.void = line.message
        self.takes.update(dict.fromkeys(KINDS, self._too_late))


def _check_words(line: DecisionLine, expected: bytes) -> None:
    """Wrong unless both are the same JSON value; spaces and the order of keys may differ."""
    found = bytes(line.do)
    try:
        if _sorted(msgspec.json.decode(found)) == _sorted(msgspec.json.decode(expected)):
            return
    except (ValueError, RecursionError):
        pass
    found_text = found.decode(errors="replace")
    raise Wrong(f"choice {line.choice} is {expected.decode()}, not {found_text}")


def _compare(what: str, due: Any, found: Any) -> None:
    """Wrong at the first difference; types count, so that true is not 1, nor is 1.0."""
    if type(due) is not type(found):
        raise Wrong(f"{what} is {_shown(found)}, and must be {_shown(due)}")
    if isinstance(due, dict):
        if due.keys() != found.keys():
            raise Wrong(f"{what} has {', '.join(found)}, and must have {', '.join(due)}")
        for key, value in due.items():
            _compare(f"{what}.{key}", value, found[key])
    elif isinstance(due, list):
        if len(due) != len(found):
            raise Wrong(f"{what} has {len(found)} entries, and must have {len(due)}")
        for index, (one, other) in enumerate(zip(due, found, strict=True)):
            _compare(f"{what}[{index}]", one, other)
    elif due != found:
        raise Wrong(f"{what} is {_shown(found)}, and must be {_shown(due)}")


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _data_of(line: FaultLine) -> bytes:
    """The bytes that were wrong; Wrong if they are not base64 or more than are kept."""
    try:
        data = base64.b64decode(line.bytes_base64, validate=True)
    except ValueError as error:
        raise Wrong(f"bytes_base64 is not valid base64: {error}") from error
    if len(data) > MOST_BYTES:
        raise Wrong(f"bytes_base64 holds more than {MOST_BYTES} bytes")
    return data

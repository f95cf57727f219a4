"""A recorded game, step by step: the position after any step, and the steps that one can jump to.

Step 0 is the set-up, step n is decision n. Each line of the record is checked as it is read, and
reading stops at the first wrong line. Every 16th position is kept; from there any other position
is reached with a few choices. The terminal, `replay --json` and the web page all use this module.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from referee.adjudication.faults import FaultRecord, Strikes
from referee.engine import game
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.terms import EV_CREATED, EV_DISPLACED, EV_NEUTRAL_CREATED, NONE, Event
from referee.errors import LineRefused
from referee.narration.log import GameLog, Sentence, record_sentence, shown_text
from referee.narration.result import describe_ending
from referee.records.checker import Checker
from referee.records.header import InvalidLine
from referee.records.lines import DecisionLine, FaultLine, GameLine, HintLine, Line, no_first_line
from referee.records.reader import RecordReader

STEPS_BETWEEN_KEPT: Final = 16  # positions
LONGEST_NAME: Final = 40


class Step(NamedTuple):
    """One decision. The set-up, and the step at which a game is abandoned, have no choice."""

    turn: int
    event_count: int  # the number of events from the set-up to this step
    seat: int = NONE
    kind: int = NONE
    picked: int = NONE  # the index of the choice
    choice: Choice | None = None
    by: str = ""
    ms: float = 0.0
    offered: int = 0  # number of choices
    say: str | None = None


class TurnMark(NamedTuple):
    """The step at which a turn begins, which is the last step of the turn before."""

    step: int
    turn: int
    seat: int


class FaultMark(NamedTuple):
    """A fault, and the step at which it is shown."""

    step: int
    fault: FaultRecord


class Timeline:
    """The steps of a game so far; `grow` or `read` adds the new lines of its record."""

    log: GameLog

    def __init__(self, path: Path) -> None:
        self.path = path
        self.steps: list[Step] = []
        self.turns: list[TurnMark] = []
        self.displacements: list[int] = []
        self.creations: list[int] = []
        self.faults: list[FaultMark] = []
        self.wrong: str | None = None  # what is wrong with the line after the last step
        self._reader = RecordReader(path)
        self._checker = Checker(events=True)
        self._kept: list[GameState] = []
        self._kept_at: list[int] = []
        self._lines_taken = 0

    # -- the game

    @property
    def header(self) -> GameLine:
        """The first line of the record, which must have been read."""
        return self._checker.header

    @property
    def board(self) -> Board:
        return self._checker.setup.board

    @property
    def rules(self) -> Ruleset:
        return self._checker.setup.rules

    @property
    def names(self) -> list[str]:
        """The names of the seats, cut to LONGEST_NAME characters."""
        return [
            name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
            for name in self._checker.setup.names
        ]

    @property
    def last(self) -> int:
        """The number of the last step; -1 until the first line is read."""
        return len(self.steps) - 1

    @property
    def is_complete(self) -> bool:
        """Whether the record reaches the end of the game, and nothing in it is wrong."""
        return self._checker.is_ended and self.wrong is None

    @property
    def is_finished(self) -> bool:
        """Whether no more lines can follow."""
        checker = self._checker
        return checker.is_ended or checker.void is not None or self.wrong is not None

    @property
    def void(self) -> str | None:
        """Why the game is void; None if it is not."""
        return self._checker.void

    # -- the newest step

    @property
    def newest_state(self) -> GameState:
        """The position after all lines that were read; it must not be changed."""
        return self._checker.state

    @property
    def newest_strikes(self) -> Strikes:
        """The strikes after all lines that were read; they must not be changed."""
        return self._checker.strikes

    # -- any step

    def state(self, step: int) -> GameState:
        """The position after a step, as a copy that the caller may change."""
        at = bisect_right(self._kept_at, step) - 1
        state = self._kept[at].copy()
        for passed in self.steps[self._kept_at[at] + 1 : step + 1]:
            game.apply(state, passed.picked)
        return state

    def strikes(self, step: int) -> Strikes:
        """The strikes of all seats after a step."""
        strikes = Strikes(self.rules.players, self.header.strikes)
        for at, fault in self.faults:
            if at <= step:
                strikes.add(fault.seat, fault.fault, fault.decision_id)
        return strikes

    def events(self, step: int) -> Sequence[Event]:
        """The events of a step, in their order."""
        before = self.steps[step - 1].event_count if step else 0
        return (self._checker.state.events or [])[before : self.steps[step].event_count]

    def turn_at(self, step: int) -> int:
        """The index in `turns` of the turn that a step is in, or begins."""
        return bisect_right(self.turns, step, key=lambda mark: mark.step) - 1

    def closing_sentence(self) -> Sentence:
        """How the record ends: why the game is over, or what is wrong with the record."""
        checker = self._checker
        if self.wrong is not None:
            return record_sentence("fault", f"the record is wrong from here on: {self.wrong}")
        if checker.void is not None:
            return record_sentence("fault", f"the game is void: {shown_text(checker.void)}")
        if not checker.is_ended:
            return record_sentence("end", "the record breaks off here")
        return record_sentence("end", describe_ending(checker.state))

    # -- growing

    def grow(self) -> bool:
        """Read all lines that were added to the record; return whether there were any.

        Raises RecordRefused if not even the first line can be used.
        """
        before = self._lines_taken
        deque(self.read(), maxlen=0)
        return self._lines_taken != before

    def read(self) -> Iterator[int]:
        """Read the new lines one by one, and yield the number of each new step.

        Until the next number is requested, `newest_state` and `newest_strikes` are those of the step.
        Raises RecordRefused if not even the first line can be used.
        """
        if self.is_finished:
            return
        try:
            for line in self._reader.lines():
                self._lines_taken += 1
                before = self.last
                self._take(line)
                if self.last != before:
                    yield self.last
            self._reader.check_tail(is_over=self._checker.is_over)
        except InvalidLine as error:
            self._refuse(self._reader.refused(str(error)))
        except LineRefused as error:
            self._refuse(error)

    def continue_in(self, path: Path) -> None:
        """Read on in the packed record; what was read stays."""
        self.path = path
        self._reader.continue_in(path)

    def check_begun(self) -> None:
        """Raise RecordRefused if the record has no first line."""
        if not self.steps:
            raise no_first_line(self.path)

    def _refuse(self, error: LineRefused) -> None:
        """Keep the steps before a wrong line; raise the error if there are none."""
        if not self.steps:
            raise error
        self.wrong = error.why

    def _take(self, line: Line) -> None:
        if isinstance(line, DecisionLine):
            self._decide(line)
            return
        self._checker.apply(line)
        if isinstance(line, GameLine):
            state = self._checker.state
            self.log = GameLog(state.board, state.neutral, self.names)
            self._add(Step(state.turn, len(state.events or [])))
        elif isinstance(line, FaultLine):
            self._fault()
        elif isinstance(line, HintLine):
            self.log.add_hint(line.seat)

    def _decide(self, line: DecisionLine) -> None:
        checker = self._checker
        if not self.steps or game.pending(checker.state) is None:
            checker.apply(line)  # raises InvalidLine
            return
        state = checker.state
        options, kind, turn = game.choices(state), state.agenda[-1].kind, state.turn
        checker.apply(line)
        choice = options[line.choice]
        self._add(
            Step(
                turn,
                len(state.events or []),
                seat=line.seat,
                kind=kind,
                picked=line.choice,
                choice=choice,
                by=line.by,
                ms=line.ms,
                offered=len(options),
                say=line.say,
            )
        )

    def _fault(self) -> None:
        """Add a fault to the step of the choice that the referee makes after it."""
        fault, state = self._checker.faults[-1], self._checker.state
        self.faults.append(FaultMark(len(self.steps), fault))
        self.log.add_fault(fault)
        if state.is_over:  # no seat is left to play
            self._add(Step(state.turn, len(state.events or [])))

    def _add(self, step: Step) -> None:
        """Add a step with its sentences, events and marks; keep some of the positions."""
        state, number = self._checker.state, len(self.steps)
        self.log.add_step(state, step.seat, step.choice, step.say)
        self.steps.append(step)
        if number % STEPS_BETWEEN_KEPT == 0 or step.choice is None:
            self._kept.append(state.copy())
            self._kept_at.append(number)
        kinds = {event[0] for event in self.events(number)}
        if EV_DISPLACED in kinds:
            self.displacements.append(number)
        if EV_CREATED in kinds or EV_NEUTRAL_CREATED in kinds:
            self.creations.append(number)
        if not self.turns or state.turn != self.turns[-1].turn:
            self.turns.append(TurnMark(number, state.turn, state.active))


def open_timeline(path: Path) -> Timeline:
    """The steps of a record, as far as it is written; RecordRefused if it has no valid first line."""
    timeline = Timeline(path)
    timeline.grow()
    timeline.check_begun()
    return timeline

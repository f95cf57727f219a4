"""A recorded game, step by step: any position at once, and the steps that are worth a jump.

Step 0 is the set-up, step n what decision n did. The record is checked line by line as it is read;
from the first line that is wrong on nothing is shown. Some positions are kept, and the others are
a few choices away from one of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from referee.adjudication.faults import FaultRecord, Strikes
from referee.engine import game
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.terms import EV_CREATED, EV_DISPLACED, EV_NEUTRAL_CREATED, NONE, Event
from referee.narration.log import Sentence, shown_text
from referee.narration.result import ending
from referee.records.checker import Checker
from referee.records.header import Wrong
from referee.records.lines import (
    DecisionLine,
    FaultLine,
    GameLine,
    Line,
    LineRefused,
    no_first_line,
)
from referee.records.reader import RecordReader
from referee.replay.told import Numbers, Tellings, remark

BETWEEN: Final = 16  # steps from one kept position to the next
LONGEST_NAME: Final = 40


class Step(NamedTuple):
    """Who decided what, and which sentences tell of it; nobody decides the set-up."""

    turn: int
    told: Numbers
    heard: int  # how many events there were afterwards
    seat: int = NONE
    kind: int = NONE
    picked: int = NONE  # the index of the choice
    choice: Choice | None = None
    by: str = ""
    ms: float = 0.0
    offered: int = 0
    say: str | None = None


class TurnMark(NamedTuple):
    """The step at which a turn begins: the one that ended the turn before."""

    step: int
    turn: int
    seat: int


class FaultMark(NamedTuple):
    """A fault, and the step that it is told at."""

    step: int
    fault: FaultRecord


class Timeline:
    """The steps of a game so far; `grow` takes what was added to its record."""

    tellings: Tellings

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
        self._due: Numbers = ()  # faults that are told with the next step

    # -- what is played

    @property
    def header(self) -> GameLine:
        """The first line of the record."""
        return self._checker.header

    @property
    def board(self) -> Board:
        """Where it is played."""
        return self._checker.opening.board

    @property
    def rules(self) -> Ruleset:
        """What it is played by."""
        return self._checker.opening.rules

    @property
    def names(self) -> list[str]:
        """The names of the seats, cut to a length that can be shown."""
        return [
            name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
            for name in self._checker.opening.names
        ]

    @property
    def last(self) -> int:
        """The number of the last step; -1 before the first line is there."""
        return len(self.steps) - 1

    @property
    def is_complete(self) -> bool:
        """Whether the record goes to the end of the game, and nothing in it is wrong."""
        return self._checker.is_ended and self.wrong is None

    @property
    def is_finished(self) -> bool:
        """Whether no line can follow."""
        checker = self._checker
        return checker.is_ended or checker.void is not None or self.wrong is not None

    # -- any step

    def state(self, step: int) -> GameState:
        """The position after a step; it is the caller's own."""
        at = bisect_right(self._kept_at, step) - 1
        state = self._kept[at].copy()
        for passed in self.steps[self._kept_at[at] + 1 : step + 1]:
            game.apply(state, passed.picked)
        return state

    def conduct(self, step: int) -> Strikes:
        """The strikes after a step."""
        strikes = Strikes(self.rules.players, self.header.strikes)
        for at, fault in self.faults:
            if at <= step:
                strikes.add(fault.seat, fault.fault, fault.decision_id)
        return strikes

    def events(self, step: int) -> Sequence[Event]:
        """What happened at a step."""
        heard = self.steps[step - 1].heard if step else 0
        return (self._checker.state.events or [])[heard : self.steps[step].heard]

    def turn_at(self, step: int) -> int:
        """The place in `turns` of the last turn that has begun at a step."""
        return bisect_right(self.turns, step, key=lambda mark: mark.step) - 1

    def told(self, step: int, eyes: int | None = None) -> list[Sentence]:
        """The sentences of a step, as far as a seat hears them."""
        return self._said(self.steps[step].told, eyes)

    def coda(self, eyes: int | None = None) -> list[Sentence]:
        """What is told after the last step: faults that nothing followed yet, and how it ended."""
        return [*self._said(self._due, eyes), self._last_word()]

    def _said(self, numbers: Numbers, eyes: int | None) -> list[Sentence]:
        sentences = self.tellings.sentences
        return [sentences[number] for number in self.tellings.heard(numbers, eyes)]

    def _last_word(self) -> Sentence:
        checker = self._checker
        if self.wrong is not None:
            return remark("fault", f"the record is wrong from here on: {self.wrong}")
        if checker.void is not None:
            return remark("fault", f"the game is void: {shown_text(checker.void)}")
        if not checker.is_ended:
            return remark("end", "the record breaks off here")
        return remark("end", ending(checker.state))

    # -- growing

    def grow(self) -> bool:
        """Take the lines that were added; whether there were any. RecordRefused if nothing can be shown."""
        if self.is_finished:
            return False
        grown = False
        try:
            for line in self._reader.lines():
                grown = True
                self._take(line)
            self._reader.check_tail(is_over=self._checker.is_over)
        except Wrong as error:
            self._refuse(self._reader.refused(str(error)))
        except LineRefused as error:
            self._refuse(error)
        return grown

    def _refuse(self, error: LineRefused) -> None:
        """What came before can be shown, if anything did."""
        if not self.steps:
            raise error
        self.wrong = error.why

    def _take(self, line: Line) -> None:
        if isinstance(line, DecisionLine):
            self._decide(line)
            return
        self._checker.take(line)
        if isinstance(line, GameLine):
            state = self._checker.state
            self.tellings = Tellings(state.board, state.neutral)
            self._add(Step(state.turn, self.tellings.news(state, NONE, None, None), 0))
        elif isinstance(line, FaultLine):
            self._fault()

    def _decide(self, line: DecisionLine) -> None:
        checker = self._checker
        if not self.steps or game.pending(checker.state) is None:
            checker.take(line)  # it is refused
            return
        state = checker.state
        options, kind, turn = game.choices(state), state.agenda[-1].kind, state.turn
        checker.take(line)
        choice = options[line.choice]
        self._add(
            Step(
                turn,
                self.tellings.news(state, line.seat, choice, line.say),
                0,
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
        """A fault is told with the choice that the referee made after it."""
        fault, state = self._checker.faults[-1], self._checker.state
        self.faults.append(FaultMark(len(self.steps), fault))
        self._due = (*self._due, self.tellings.fault(fault))
        if state.is_over:  # nobody is left to play
            self._add(Step(state.turn, self.tellings.news(state, NONE, None, None), 0))

    def _add(self, step: Step) -> None:
        """One more step, with the faults that came before it and the events of it."""
        state, number = self._checker.state, len(self.steps)
        events = state.events or []
        self.steps.append(step._replace(told=self._due + step.told, heard=len(events)))
        self._due = ()
        if number % BETWEEN == 0 or step.choice is None:
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
    """The game of a record, as far as it is written; RecordRefused if there is nothing to show."""
    timeline = Timeline(path)
    timeline.grow()
    if not timeline.steps:
        raise no_first_line(path)
    return timeline

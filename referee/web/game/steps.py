"""Every step of a recorded game: the position as the engine has it, and what was told on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from referee.engine import game
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import NONE
from referee.errors import LineRefused, RecordRefused
from referee.narration.log import Sentence, Tale, fault_text, shown_text
from referee.narration.result import ending
from referee.records.lines import DecisionLine, FaultLine, GameLine, Line, no_first_line
from referee.records.verify import Walk
from referee.web.game.position_cells import Cells, Delta, Eyes, cells, difference, places

BY: Final = ("bot", "single", "referee")


class Deed(NamedTuple):
    """Who decided what; nobody did at the set-up and where a game is given up."""

    turn: int
    seat: int = NONE
    kind: int = NONE
    by: int = NONE  # an index of BY
    ms: float = 0
    offered: int = 0  # how many choices there were


@dataclass
class Steps:
    """What there is to know of each step, by its number; step 0 is the set-up."""

    deeds: list[Deed] = field(default_factory=list)
    told: list[list[int]] = field(default_factory=list)  # sentences
    deltas: list[Delta] = field(default_factory=list)  # from the step before


@dataclass
class Frames:
    """A game, ready to be shown: all of it, or as much as its record tells truly."""

    header: GameLine
    state: GameState  # the last position
    first: Cells
    places: dict[str, list[int]]
    steps: Steps
    sentences: list[Sentence]
    faults: list[int]  # the steps that one is told at
    complete: bool


def frames_of(path: Path, seat: int | None = None) -> Frames:
    """The game of a record, played again and checked; `seat` hides what that seat could not see."""
    camera = _Camera(path, Eyes(seat))
    camera.roll()
    return camera.frames()


class _Decided(NamedTuple):
    """A decision as it was before it was carried out."""

    line: DecisionLine
    deed: Deed
    choice: Choice


class _Camera:
    """Watches a record being checked, and takes a frame at every step."""

    def __init__(self, path: Path, eyes: Eyes) -> None:
        self._eyes = eyes
        self._path = path
        self._walk = Walk(path, events=True)
        self._checker = self._walk.checker
        self._steps = Steps()
        self._faults: list[int] = []
        self._due: list[int] = []  # faults to be told with the next step

    def roll(self) -> None:
        """The whole record, or what comes before the first line that is wrong."""
        seen: Line | _Decided | None = None
        try:
            for line in self._walk:
                self._taken(seen)
                seen = self._before(line)
            self._taken(seen)
        except LineRefused as error:
            if not self._steps.deeds:
                raise
            self._afterwards("fault", f"the record is wrong from here on: {error.why}")
            return
        if not self._steps.deeds:
            raise no_first_line(self._path)
        self._conclude()

    def frames(self) -> Frames:
        """What was taken."""
        checker = self._checker
        return Frames(
            header=checker.header,
            state=checker.state,
            first=self._first,
            places=places(checker.state, checker.conduct, self._eyes),
            steps=self._steps,
            sentences=list(self._tale.sentences),
            faults=self._faults,
            complete=checker.is_ended,
        )

    # -- lines: before they are carried out, and after

    def _before(self, line: Line) -> Line | _Decided:
        """A line with what will be gone once it is taken."""
        if not isinstance(line, DecisionLine) or not self._steps.deeds:
            return line
        state = self._checker.state
        options, asked = game.choices(state), game.pending(state)
        if asked is None or not 0 <= line.choice < len(options):
            return line  # it will be refused
        by, ms = BY.index(line.by), round(line.ms, 3)
        deed = Deed(state.turn, asked.seat, asked.kind, by, ms, len(options))
        return _Decided(line, deed, options[line.choice])

    def _taken(self, seen: Line | _Decided | None) -> None:
        if isinstance(seen, GameLine):
            self._open()
        elif isinstance(seen, _Decided):
            self._decided(seen)
        elif isinstance(seen, FaultLine):
            self._fault()

    def _open(self) -> None:
        state = self._checker.state
        seat = self._eyes.seat
        if seat is not None and not 0 <= seat < state.rules.players:
            most = state.rules.players - 1
            raise RecordRefused(f"{self._path} has no seat {seat}: they go from 0 to {most}")
        self._tale = Tale(state.board, state.neutral)
        self._first = self._last = self._shot()
        self._step(Deed(state.turn), self._tale.news(state))

    def _decided(self, seen: _Decided) -> None:
        seat, tale = seen.deed.seat, self._tale
        say = seen.line.say
        remark = [tale.add(seat, "say", shown_text(say))] if say else []
        news = tale.news(self._checker.state) or [tale.silent(seat, seen.choice)]
        self._step(seen.deed, [*remark, *news])

    def _fault(self) -> None:
        """A fault is told with the choice that the referee made after it."""
        fault, state = self._checker.faults[-1], self._checker.state
        self._due.append(self._tale.add(fault.seat, "fault", fault_text(fault)))
        if state.is_over:  # nobody is left to play
            self._step(Deed(state.turn), self._tale.news(state))

    def _conclude(self) -> None:
        """How it ended, if it did."""
        state, void = self._checker.state, self._checker.void
        if void is not None:
            self._afterwards("fault", f"the game is void: {shown_text(void)}")
        elif not self._checker.is_ended:
            self._afterwards("end", "the record breaks off here")
        else:
            self._afterwards("end", ending(state))

    # -- steps

    def _shot(self) -> Cells:
        return cells(self._checker.state, self._checker.conduct, self._eyes)

    def _step(self, deed: Deed, told: list[int]) -> None:
        shot = self._shot()
        self._steps.deltas.append(difference(self._last, shot))
        self._last = shot
        if self._due:
            self._faults.append(len(self._steps.deeds))
        self._steps.deeds.append(deed)
        self._steps.told.append(self._due + told)
        self._due = []

    def _afterwards(self, tone: str, said: str) -> None:
        """What is told once nothing more happens; a fault that nothing followed comes before it."""
        if self._due:
            self._step(Deed(self._checker.state.turn), [])
        self._steps.told[-1].append(self._tale.add(NONE, tone, said))

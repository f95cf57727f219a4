"""The steps of a recorded game as data for the web page: changed cells, decisions and sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from referee.engine.terms import NONE
from referee.narration.log import Numbers, Sentence
from referee.replay.position import Viewpoint, viewpoint_of
from referee.replay.timeline import Step, Timeline
from referee.web.game.position_cells import Cells, Delta, cells, difference, places

BY: Final = ("bot", "single", "referee")


class DecisionRow(NamedTuple):
    """One decision, as far as the viewpoint may see it; NONE for a step without a decision."""

    turn: int
    seat: int = NONE
    kind: int = NONE
    by: int = NONE  # an index in BY; NONE if it is hidden
    ms: float = 0
    offered: int = 0  # number of choices


class GameSteps:
    """A recorded game as lists with one item for each step; step 0 is the set-up."""

    def __init__(self, timeline: Timeline, viewpoint: Viewpoint) -> None:
        """Take a timeline whose newest step is the set-up."""
        self.timeline = timeline
        self.viewpoint = viewpoint
        self.first = self._last = self._newest_cells()
        self.places = places(timeline.newest_state, timeline.newest_strikes, viewpoint)
        self.deltas: list[Delta] = []  # from the step before
        self.decisions: list[DecisionRow] = []
        self.step_sentences: list[list[int]] = []  # indexes in `sentences`
        self.sentences: list[Sentence] = []
        self._indexes: dict[int, int] = {}  # in `sentences`, by the number in the log

    def add_newest(self) -> None:
        """Add the newest step of the timeline."""
        timeline = self.timeline
        sentences = self.viewpoint.readable(timeline, timeline.log.steps[-1])
        self._add(self._row(timeline.steps[-1]), sentences)

    def finish(self) -> None:
        """Add what follows the last step: faults that no choice follows, and how the record ends."""
        timeline = self.timeline
        if faults := self.viewpoint.readable(timeline, timeline.log.waiting):
            self._add(DecisionRow(timeline.newest_state.turn), faults)
        self.step_sentences[-1].append(len(self.sentences))
        self.sentences.append(timeline.closing_sentence())

    @property
    def faults(self) -> list[int]:
        """The steps that show a fault."""
        marks = self.timeline.faults
        return sorted({mark.step for mark in marks if self.viewpoint.sees_fault(mark)})

    def _row(self, step: Step) -> DecisionRow:
        if step.choice is None:
            return DecisionRow(step.turn)
        if not self.viewpoint.sees_answer(step):
            return DecisionRow(step.turn, step.seat, step.kind)
        by, ms = BY.index(step.by), round(step.ms, 3)
        return DecisionRow(step.turn, step.seat, step.kind, by, ms, step.offered)

    def _add(self, row: DecisionRow, sentences: Numbers) -> None:
        newest = self._newest_cells()
        self.deltas.append(difference(self._last, newest))
        self._last = newest
        self.decisions.append(row)
        self.step_sentences.append([self._index(number) for number in sentences])

    def _index(self, number: int) -> int:
        """The index of a sentence of the log; hidden sentences never get one."""
        index = self._indexes.setdefault(number, len(self.sentences))
        if index == len(self.sentences):
            self.sentences.append(self.timeline.log.sentences[number])
        return index

    def _newest_cells(self) -> Cells:
        timeline = self.timeline
        return cells(timeline.newest_state, timeline.newest_strikes, self.viewpoint)


def read_steps(path: Path, viewer_seat: int | None = None) -> GameSteps:
    """Read and check a record in one pass, as one seat sees it; None sees everything.

    RecordRefused if it has no valid first line, or if the game has no such seat.
    """
    timeline = Timeline(path)
    numbers = timeline.read()
    next(numbers, None)
    timeline.check_begun()
    steps = GameSteps(timeline, viewpoint_of(timeline, viewer_seat))
    steps.add_newest()
    for _ in numbers:
        steps.add_newest()
    steps.finish()
    return steps

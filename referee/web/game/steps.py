"""The steps of a recorded game as data for the web page: changed cells, decisions and sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.engine.terms import NONE
from referee.narration.log import Numbers, Sentence
from referee.replay.position import Viewpoint, viewpoint_of
from referee.replay.timeline import Step, Timeline
from referee.web.game.position_cells import CellReader, Delta, places

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
        self._reader = CellReader(viewpoint)
        self.first = self._reader.read(timeline.newest_state, timeline.newest_strikes)
        self.places = places(timeline.newest_state, timeline.newest_strikes, viewpoint)
        self.deltas: list[Delta] = []  # from the step before
        self.decisions: list[DecisionRow] = []
        self.step_sentences: list[list[int]] = []  # indexes in `sentences`
        self.sentences: list[Sentence] = []
        self.is_finished = False
        self._indexes: dict[int, int] = {}  # in `sentences`, by the number in the log
        self._sentence_counts: list[int] = []  # by step: how many there were after it
        self._revised: dict[int, list[int]] = {}  # sentences of steps that `finish` changed

    def add_newest(self) -> None:
        """Add the newest step of the timeline."""
        self.add(self.timeline.last)

    def add(self, number: int) -> None:
        """Add a step of the timeline; all steps before it must have been added."""
        timeline = self.timeline
        if number == timeline.last:
            delta = self._newest_changes()
        else:
            delta = self._reader.read_changes(timeline.state(number), timeline.strikes(number))
        sentences = self.viewpoint.readable(timeline, timeline.log.steps[number])
        self._add(delta, self._row(timeline.steps[number]), sentences)

    def finish(self) -> None:
        """Add what follows the last step: faults that no choice follows, and how the record ends."""
        timeline = self.timeline
        if faults := self.viewpoint.readable(timeline, timeline.log.waiting):
            self._add(self._newest_changes(), DecisionRow(timeline.newest_state.turn), faults)
        self._reveal_remarks()
        last = self.step_sentences[-1]
        self._revise(len(self.step_sentences) - 1, [*last, len(self.sentences)])
        self.sentences.append(timeline.closing_sentence())
        self.is_finished = True

    def _reveal_remarks(self) -> None:
        """Add remarks that can only be read after the end to their steps."""
        if not self.viewpoint.waits_for_remarks or not self.timeline.newest_state.is_over:
            return
        for number, step in enumerate(self.timeline.steps):
            if step.say is not None:
                readable = self.viewpoint.readable_after_end(self.timeline, number)
                self._revise(number, [self._index(sentence) for sentence in readable])

    def _revise(self, step: int, sentences: list[int]) -> None:
        self.step_sentences[step] = self._revised[step] = sentences

    def since(self, count: int = 0) -> dict[str, Any]:
        """The steps after the first `count`, and sentences of earlier steps that changed, as data for the page."""
        begin = self._sentence_counts[count - 1] if count else 0
        added: dict[str, Any] = {
            "deltas": self.deltas[count:],
            "decisions": _columns(self.decisions[count:]),
            "step_sentences": self.step_sentences[count:],
            "sentences": self.sentences[begin:],
            "faults": self.faults,
        }
        revised = {step: numbers for step, numbers in self._revised.items() if step < count}
        return added | {"revised": revised} if revised else added

    @property
    def faults(self) -> list[int]:
        """The steps that show a fault."""
        marks = self.timeline.faults
        shown = range(len(self.deltas))
        return sorted(
            {mark.step for mark in marks if mark.step in shown and self.viewpoint.sees_fault(mark)}
        )

    def _row(self, step: Step) -> DecisionRow:
        if step.choice is None:
            return DecisionRow(step.turn)
        if not self.viewpoint.sees_answer(step):
            return DecisionRow(step.turn, step.seat, step.kind)
        by, ms = BY.index(step.by), round(step.ms, 3)
        return DecisionRow(step.turn, step.seat, step.kind, by, ms, step.offered)

    def _add(self, delta: Delta, row: DecisionRow, sentences: Numbers) -> None:
        self.deltas.append(delta)
        self.decisions.append(row)
        self.step_sentences.append([self._index(number) for number in sentences])
        self._sentence_counts.append(len(self.sentences))

    def _index(self, number: int) -> int:
        """The index of a sentence of the log; hidden sentences never get one."""
        index = self._indexes.setdefault(number, len(self.sentences))
        if index == len(self.sentences):
            self.sentences.append(self.timeline.log.sentences[number])
        return index

    def _newest_changes(self) -> Delta:
        timeline = self.timeline
        return self._reader.read_changes(timeline.newest_state, timeline.newest_strikes)


def _columns(rows: list[DecisionRow]) -> dict[str, list[object]]:
    """The rows as one list for each field; this takes half the space of an object for each row."""
    return {field: [row[at] for row in rows] for at, field in enumerate(DecisionRow._fields)}


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

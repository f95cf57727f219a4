"""An analysis as the screens show it: what a viewpoint may see of it, and the better turns played out.

The cache of an analysis is a file that anybody can change, so what does not fit the record is left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from referee.analysis.cache import read_analysis
from referee.analysis.lines import GameAnalysis, TurnAnalysis
from referee.analysis.summary import describe_game
from referee.engine.errors import ChoiceRefused
from referee.engine.state import GameState
from referee.engine.terms import Event
from referee.narration.log import GameLog, Sentence, played_out
from referee.replay.position import Viewpoint
from referee.replay.timeline import Timeline

LONGEST_LINE: Final = 100  # choices


class ChancePoint(NamedTuple):
    """The chances of all seats to come first, at a step."""

    step: int
    chances: list[float]


class LineStep(NamedTuple):
    """One choice of a better turn, and the position after it."""

    seat: int
    state: GameState
    sentences: list[Sentence]
    events: list[Event]


class ShownAnalysis(NamedTuple):
    """The turns of an analysis that can be seen; a sentence about the game if these are all turns."""

    turns: list[TurnAnalysis]
    end: int  # the last step of the record
    summary: str = ""

    @property
    def mistakes(self) -> list[TurnAnalysis]:
        """The turns that were mistakes, in their order."""
        return [turn for turn in self.turns if turn.is_mistake]

    def turn_at(self, step: int) -> TurnAnalysis | None:
        """The turn that a step is in, or begins; None if it cannot be seen."""
        at = bisect_right(self.turns, step, key=lambda turn: turn.first_step) - 1
        if at < 0:
            return None
        turn = self.turns[at]
        return turn if step < turn.last_step or step == turn.last_step == self.end else None

    def chances_at(self, step: int) -> list[float] | None:
        """The chances at a step; None if they are not known yet."""
        points = list(self.points())
        at = bisect_right(points, step, key=lambda point: point.step) - 1
        return None if at < 0 else points[at].chances

    def points(self) -> Iterator[ChancePoint]:
        """The chances wherever they are known: where a turn begins, and where it ends if no other begins."""
        begins = {turn.first_step for turn in self.turns}
        for turn in self.turns:
            yield ChancePoint(turn.first_step, turn.chances)
            if turn.last_step not in begins:
                yield ChancePoint(turn.last_step, turn.chances_after)


class RecordAnalysis:
    """The analysis beside a record from any viewpoint, as the `Judgements` of a replay."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._seen: dict[Viewpoint, ShownAnalysis | None] = {}
        self._lines: dict[tuple[Viewpoint, int], list[LineStep]] = {}

    def seen(self, viewpoint: Viewpoint) -> ShownAnalysis | None:
        """What a viewpoint may see of the analysis; None if that is nothing."""
        if viewpoint not in self._seen:
            self._seen[viewpoint] = shown_analysis(self._timeline, viewpoint)
        return self._seen[viewpoint]

    def mistakes(self, viewpoint: Viewpoint) -> list[int] | None:
        """The steps at which mistakes begin; None if no analysis can be seen."""
        seen = self.seen(viewpoint)
        return None if seen is None else [turn.first_step for turn in seen.mistakes]

    def mistake_at(self, viewpoint: Viewpoint, step: int) -> TurnAnalysis | None:
        """The turn that a step is in, or begins, if it is a mistake."""
        seen = self.seen(viewpoint)
        turn = None if seen is None else seen.turn_at(step)
        return turn if turn is not None and turn.is_mistake else None

    def line(self, viewpoint: Viewpoint, step: int) -> list[LineStep]:
        """The steps of the better turn in place of the mistake at a step; empty without a mistake."""
        turn = self.mistake_at(viewpoint, step)
        if turn is None:
            return []
        key = (viewpoint, turn.turn)
        if key not in self._lines:
            self._lines[key] = better_line(self._timeline, turn, viewpoint)
        return self._lines[key]

    def line_length(self, viewpoint: Viewpoint, step: int) -> int:
        """The number of steps of the better turn; 0 without a mistake."""
        return len(self.line(viewpoint, step))


def shown_analysis(timeline: Timeline, viewpoint: Viewpoint) -> ShownAnalysis | None:
    """What a viewpoint may see of the analysis beside a record; None if there is nothing to see."""
    analysis = read_analysis(timeline.path)
    seats = range(timeline.rules.players)
    if analysis is None or analysis.seats != len(seats) or not set(analysis.winners) <= set(seats):
        return None
    turns = [turn for turn in analysis.turns if _is_shown(timeline, viewpoint, analysis, turn)]
    if not turns:
        return None
    is_whole = len(turns) == len(analysis.turns)
    return ShownAnalysis(turns, timeline.last, describe_game(analysis) if is_whole else "")


def _is_shown(
    timeline: Timeline, viewpoint: Viewpoint, analysis: GameAnalysis, turn: TurnAnalysis
) -> bool:
    omniscient = analysis.settings.omniscient
    sees = viewpoint.sees_judgement(timeline.newest_state, turn.seat, omniscient=omniscient)
    return sees and _fits(timeline, turn)


def _fits(timeline: Timeline, turn: TurnAnalysis) -> bool:
    """Whether a turn is one of this record, with a chance for each seat."""
    seats, marks = timeline.rules.players, timeline.turns
    if not 1 <= turn.turn <= len(marks):
        return False
    ends = marks[turn.turn].step if turn.turn < len(marks) else timeline.last
    mark = (turn.first_step, turn.turn, turn.seat)
    lists = (turn.chances, turn.chances_after)
    trail = turn.best.choices if turn.best is not None else []
    return (
        marks[turn.turn - 1] == mark
        and turn.last_step == ends
        and all(len(chances) == seats for chances in lists)
        and all(0 <= chance <= 1 for chances in lists for chance in chances)
        and all(0 <= seat < seats for seat, _ in trail)
    )


def better_line(timeline: Timeline, turn: TurnAnalysis, viewpoint: Viewpoint) -> list[LineStep]:
    """The steps of the better turn, as far as a viewpoint may see them; empty if none was found."""
    if turn.best is None:
        return []
    start = timeline.state(turn.first_step)
    log = GameLog(start.board, start.neutral, timeline.names)
    trail = turn.best.choices[:LONGEST_LINE]
    steps: list[LineStep] = []
    count = 0  # of the events before a choice
    try:
        for (seat, _), state in zip(trail, played_out(start, trail, log), strict=False):
            if not viewpoint.sees_line(timeline.newest_state, state):
                break
            sentences = [log.sentences[number] for number in log.steps[-1]]
            events = (state.events or [])[count:]
            steps.append(LineStep(seat, state.copy(), sentences, events))
            count += len(events)
    except ChoiceRefused:
        pass
    return steps

"""What may be seen of a recorded game: everything, only what one seat could see, or what everybody may.

`Viewpoint` is the one place that decides this. The terminal, `replay --json` and the web page ask
it before they show a sentence, a time, a fault, a mission or a score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, cast

from protocol.words import State
from referee.adjudication.faults import Strikes
from referee.adjudication.standings import Outcome, SeatResult, final_standings
from referee.engine import view
from referee.engine.state import GameState
from referee.errors import RecordRefused
from referee.narration.log import Numbers, Sentence
from referee.narration.result import GameSummary, PlayerSummary, missions_of
from referee.replay.timeline import FaultMark, Step, Timeline
from referee.text import printable


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """From where a recorded game is seen: by one seat, or (None) by somebody who may see everything.

    A public viewpoint (`SPECTATOR`) has no seat: it sees what all seats see, and remarks after the end.
    """

    seat: int | None = None
    is_public: bool = False

    @property
    def sees_everything(self) -> bool:
        """Whether nothing is hidden, not even the seed, from which everything hidden can be computed."""
        return self.seat is None and not self.is_public

    @property
    def waits_for_remarks(self) -> bool:
        """Whether remarks of all seats can be read, but only when the game is over."""
        return self.is_public

    def sees_private(self, owner: int) -> bool:
        """Whether what only the seat `owner` may know can be seen."""
        return self.sees_everything or self.seat == owner

    def sees_answer(self, step: Step) -> bool:
        """Whether it can be seen how a choice was made: by whom, in what time, with what remark."""
        return self.sees_private(step.seat)

    def sees_fault(self, mark: FaultMark) -> bool:
        """Whether a fault can be seen; its details are private, a disqualification is public."""
        return self.sees_private(mark.fault.seat) or mark.fault.disqualified

    def sees_mission(self, state: GameState, seat: int) -> bool:
        """Whether the mission of a seat can be seen; all missions are open when the game is over."""
        return self.sees_private(seat) or state.is_over

    def sees_ranks(self, state: GameState) -> bool:
        """Whether nothing that scores is hidden, so that the ranks are certain."""
        return self.sees_everything or state.is_over or not state.missions

    def sees_judgement(self, newest: GameState, seat: int, *, omniscient: bool) -> bool:
        """Whether an analysis of a turn of a seat can be seen; it depends on all that the seat knew.

        `newest` is the newest position of the game. An omniscient analysis depends on everything hidden.
        """
        if self.is_public:
            return newest.is_over
        return self.sees_everything or (self.seat == seat and not omniscient)

    def sees_line(self, newest: GameState, state: GameState) -> bool:
        """Whether a position after a turn that was not played can be seen; its end would open what is hidden."""
        return not state.is_over or self.sees_everything or (self.is_public and newest.is_over)

    def standings(
        self, state: GameState, strikes: Strikes, names: Sequence[str]
    ) -> list[SeatResult]:
        """The results as if the game ended now, without what hidden missions are worth."""
        standings = final_standings(state, strikes, names)
        if self.sees_ranks(state):
            return standings
        return _without_hidden_missions(standings, state, self)

    def readable(self, timeline: Timeline, numbers: Numbers) -> Numbers:
        """These sentences of the log, where private ones are replaced by public ones or left out."""
        if self.sees_everything:
            return numbers
        readable = (self._readable(timeline, number) for number in numbers)
        return tuple(number for number in readable if number is not None)

    def _readable(self, timeline: Timeline, number: int) -> int | None:
        owner = timeline.log.owner(number)
        if owner is None or self.sees_private(owner):
            return number
        return timeline.log.for_others(number)

    def readable_after_end(self, timeline: Timeline, step: int) -> Numbers:
        """The sentences of a step of a finished game that can be read, with the remarks that waited for its end."""
        log = timeline.log
        readable = (
            number if log.is_remark(number) else self._readable(timeline, number)
            for number in log.steps[step]
        )
        return tuple(number for number in readable if number is not None)

    def sentences(self, timeline: Timeline, step: int) -> list[Sentence]:
        """The sentences of a step that can be read."""
        log = timeline.log
        return [log.sentences[number] for number in self.readable(timeline, log.steps[step])]

    def closing_sentences(self, timeline: Timeline) -> list[Sentence]:
        """The sentences after the last step: faults that no choice follows, and how the record ends."""
        log = timeline.log
        faults = [log.sentences[number] for number in self.readable(timeline, log.waiting)]
        return [*faults, timeline.closing_sentence()]


SPECTATOR: Final = Viewpoint(is_public=True)


def viewpoint_of(timeline: Timeline, seat: int | None) -> Viewpoint:
    """The viewpoint of a seat of this game; RecordRefused if the game has no such seat."""
    last = timeline.rules.players - 1
    if seat is not None and not 0 <= seat <= last:
        name = printable(str(timeline.path))
        raise RecordRefused(f"{name} has no seat {seat}: seats are numbered from 0 to {last}")
    return Viewpoint(seat)


class Position(NamedTuple):
    """The position after one step, as far as it can be seen."""

    step: int
    state: GameState
    seen: State
    missions: list[list[str] | None]  # by seat; None if it has no mission, or a hidden one
    plates: list[list[str] | None]  # by seat, its known markers that lie face down; None if hidden
    result: GameSummary  # as if the game ended here


def position_at(timeline: Timeline, step: int, viewpoint: Viewpoint) -> Position:
    """The position after a step, as far as it can be seen from a viewpoint."""
    return position_of(timeline, step, timeline.state(step), viewpoint)


def position_of(timeline: Timeline, step: int, state: GameState, viewpoint: Viewpoint) -> Position:
    """A position that follows a step or could have followed it, as far as it can be seen."""
    seats = range(state.rules.players)
    missions = [
        view.mission_words(state, seat) if viewpoint.sees_mission(state, seat) else None
        for seat in seats
    ]
    return Position(
        step=step,
        state=state,
        seen=_seen(state, viewpoint),
        missions=missions,
        plates=[_plate(state, seat, viewpoint) for seat in seats],
        result=_result(timeline, step, state, viewpoint),
    )


def _seen(state: GameState, viewpoint: Viewpoint) -> State:
    """The position as the viewer's seat sees it (without one, seat 0); the public sees no seat's secrets."""
    hidden: dict[str, object] = {"mission": None, "plate_seen": []} if viewpoint.is_public else {}
    return cast("State", view.see(state, viewpoint.seat or 0) | hidden)


def _plate(state: GameState, seat: int, viewpoint: Viewpoint) -> list[str] | None:
    if not viewpoint.sees_private(seat):
        return None
    return cast("list[str]", view.own_words(state, seat)["plate_seen"])


def _result(timeline: Timeline, step: int, state: GameState, viewpoint: Viewpoint) -> GameSummary:
    header, names = timeline.header, timeline.names
    standings = viewpoint.standings(state, timeline.strikes(step), names)
    missions = [
        cities if viewpoint.sees_mission(state, seat) else None
        for seat, cities in enumerate(missions_of(state))
    ]
    players = [
        PlayerSummary(player.seat, name, player.version, player.hash, pondered_ms=None)
        for player, name in zip(header.players, names, strict=True)
    ]
    faults = [
        mark.fault
        for mark in timeline.faults
        if mark.step <= step and viewpoint.sees_private(mark.fault.seat)
    ]
    outcome = Outcome(header.game, header.seed, state, standings, faults)
    return GameSummary(outcome, players, missions)


def _without_hidden_missions(
    standings: list[SeatResult], state: GameState, viewpoint: Viewpoint
) -> list[SeatResult]:
    """Take hidden missions out of the totals, and rank the seats by what is left."""
    visible = [
        standing if viewpoint.sees_mission(state, standing.seat) else _without_mission(standing)
        for standing in standings
    ]
    return [
        replace(standing, rank=1 + sum(_is_before(other, standing) for other in visible))
        for standing in visible
    ]


def _without_mission(standing: SeatResult) -> SeatResult:
    parts = {**standing.parts, "missions": 0}
    return replace(standing, total=standing.total - standing.parts["missions"], parts=parts)


def _is_before(standing: SeatResult, other: SeatResult) -> bool:
    """Whether a seat ranks before another by its total; disqualified seats come last."""
    return (standing.disqualified is not None, -standing.total) < (
        other.disqualified is not None,
        -other.total,
    )

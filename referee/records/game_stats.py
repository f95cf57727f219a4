"""Counts what happened in one recorded game, from its events; every line is checked first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from referee.adjudication.standings import SeatResult
from referee.engine.serialize import event_words
from referee.engine.state import GameState
from referee.engine.terms import (
    END_REASONS,
    EV_ACTION,
    EV_CREATED,
    EV_DEVELOPED,
    EV_DISPLACED,
    EV_FAVOUR_TAKEN,
    EV_MARKER_TAKEN,
    EV_MARKER_USED,
    EV_PERMIT,
    EV_POST,
    EV_TURN,
)
from referee.errors import LineRefused
from referee.records.lines import DecisionLine
from referee.records.verify import RecordVerdict, Walk

_COUNTED: Final = frozenset(
    {
        EV_ACTION,
        EV_CREATED,
        EV_DEVELOPED,
        EV_DISPLACED,
        EV_FAVOUR_TAKEN,
        EV_MARKER_TAKEN,
        EV_MARKER_USED,
        EV_PERMIT,
        EV_POST,
        EV_TURN,
    }
)


@dataclass
class Answers:
    """How many answers a bot gave, and how long they took."""

    count: int = 0
    total_ms: float = 0.0
    slowest_ms: float = 0.0

    def add(self, ms: float) -> None:
        """Count one more answer, which took this many milliseconds."""
        self.count += 1
        self.total_ms += ms
        self.slowest_ms = max(self.slowest_ms, ms)


@dataclass
class CountedStep:
    """A development of an ability by one step, with the number of the seat's own turn."""

    ability: str
    steps: int
    turn: int


@dataclass
class SeatTally:
    """The counts of one seat in one game."""

    seat: int
    name: str
    rank: int
    total: int
    parts: dict[str, int]  # they add up to the total
    disqualified: str | None
    share: float  # of the victory: 1, or less if it is shared
    faults: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    routes: Counter[str] = field(default_factory=Counter)  # created
    posts: int = 0
    developed: list[CountedStep] = field(default_factory=list)
    taken: Counter[str] = field(default_factory=Counter)  # markers
    used: Counter[str] = field(default_factory=Counter)  # also for favours and permits
    favours: Counter[str] = field(default_factory=Counter)
    displaced: int = 0  # own tradesmen, by others
    answers: Answers = field(default_factory=Answers)
    hints: int = 0  # that a person asked for


@dataclass
class GameTally:
    """The counts of one finished game."""

    record: str
    game: str
    board: str
    ruleset: str
    players: int
    seed: int
    turns: int
    decisions: int
    reason: str
    seats: list[SeatTally]


def tally_record(path: Path) -> tuple[RecordVerdict, GameTally | None]:
    """Verify a record and count; the counts are None unless it is valid and its game is finished."""
    walk = Walk(path, events=True)
    answers: dict[int, Answers] = {}
    try:
        for line in walk:
            if isinstance(line, DecisionLine) and line.by == "bot" and not walk.in_past:
                answers.setdefault(line.seat, Answers()).add(line.ms)
    except LineRefused as error:
        return walk.refused(error), None
    verdict = walk.verdict()
    if verdict.verdict != "fine":
        return verdict, None
    return verdict, _tally(walk, answers)


def _tally(walk: Walk, answers: dict[int, Answers]) -> GameTally:
    checker = walk.checker
    state, standings = checker.state, checker.standings
    winners = sum(standing.rank == 1 for standing in standings)
    seats = [_seat(standing, winners) for standing in standings]
    for fault in checker.faults:
        seats[fault.seat].faults += 1
    for seat in checker.hints:
        seats[seat].hints += 1
    for seat, timed in answers.items():
        seats[seat].answers = timed
    _count(state, seats)
    return GameTally(
        record=str(walk.path),
        game=checker.header.game,
        board=state.board.id,
        ruleset=state.rules.name,
        players=state.rules.players,
        seed=checker.header.seed,
        turns=state.turn,
        decisions=state.decision_id - 1,
        reason=END_REASONS[state.over],
        seats=seats,
    )


def _seat(standing: SeatResult, winners: int) -> SeatTally:
    return SeatTally(
        seat=standing.seat,
        name=standing.name,
        rank=standing.rank,
        total=standing.total,
        parts={**standing.parts, "countries": sum(standing.countries.values())},
        disqualified=standing.disqualified,
        share=1 / winners if standing.rank == 1 else 0.0,
    )


def _count(state: GameState, seats: list[SeatTally]) -> None:
    """Add up the events of the whole game."""
    turn = 0
    for event in state.events or ():
        if event[0] not in _COUNTED:
            continue
        words = event_words(state, event)
        if event[0] == EV_TURN:
            turn = (event[1] - 1) // len(seats) + 1  # the seat's own
        elif isinstance(words["seat"], int):  # not the neutral colour
            _count_one(seats[words["seat"]], event[0], words, turn)


def _count_one(seat: SeatTally, kind: int, words: dict[str, Any], turn: int) -> None:
    if kind == EV_ACTION:
        seat.actions[words["do"]] += 1
    elif kind == EV_CREATED:
        seat.routes[words["route"]] += 1
    elif kind == EV_POST:
        seat.posts += 1
    elif kind == EV_DISPLACED:
        seat.displaced += 1
    elif kind == EV_DEVELOPED:
        seat.developed.append(CountedStep(words["ability"], words["steps"], turn))
    elif kind == EV_MARKER_TAKEN:
        seat.taken[words["marker"]] += 1
    elif kind == EV_MARKER_USED:
        seat.used[words["marker"]] += 1
    elif kind == EV_FAVOUR_TAKEN:
        seat.favours[words["tile"]] += 1
        seat.used.update(words["markers"])
    elif "bought" in words:
        seat.used[words["bought"]] += 1

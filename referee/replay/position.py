"""A position as it is shown: what one seat may see of it, or everything, and the score as it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, cast

from protocol.words import State
from referee.adjudication.standings import Outcome, SeatResult, final_standings
from referee.engine import view
from referee.engine.state import GameState
from referee.narration.result import GameSummary, PlayerSummary, missions_of
from referee.replay.timeline import Timeline


class Position(NamedTuple):
    """One step of a game, with everything on the table."""

    step: int
    state: GameState
    seen: State
    missions: list[list[str] | None]  # by seat; None: there is none, or it is hidden
    plates: list[list[str] | None]  # what lies face down, as far as it is known; None: hidden
    result: GameSummary  # as if the game ended here


def position_at(timeline: Timeline, step: int, eyes: int | None) -> Position:
    """The position after a step, by the eyes of a seat; None sees everything."""
    state = timeline.state(step)
    seats = range(state.rules.players)
    missions = [
        view.mission_words(state, seat) if _open(state, seat, eyes) else None for seat in seats
    ]
    return Position(
        step=step,
        state=state,
        seen=cast("State", view.see(state, eyes or 0)),
        missions=missions,
        plates=[_plate(state, seat, eyes) for seat in seats],
        result=_result(timeline, step, state, eyes),
    )


def _open(state: GameState, seat: int, eyes: int | None) -> bool:
    """Whether the mission of a seat is known: missions are told when the game is over."""
    return eyes in (None, seat) or state.is_over


def _plate(state: GameState, seat: int, eyes: int | None) -> list[str] | None:
    if eyes not in (None, seat):
        return None
    return cast("list[str]", view.own_words(state, seat)["plate_seen"])


def _result(timeline: Timeline, step: int, state: GameState, eyes: int | None) -> GameSummary:
    header, names = timeline.header, timeline.names
    standings = final_standings(state, timeline.conduct(step), names)
    missions = missions_of(state)
    if eyes is not None and state.missions and not state.is_over:
        standings = _without_missions(standings, eyes)
        missions = [cities if seat == eyes else None for seat, cities in enumerate(missions)]
    players = [
        PlayerSummary(player.seat, name, player.version, player.hash, pondered_ms=None)
        for player, name in zip(header.players, names, strict=True)
    ]
    faults = [mark.fault for mark in timeline.faults if mark.step <= step]
    outcome = Outcome(header.game, header.seed, state, standings, faults)
    return GameSummary(outcome, players, missions)


def _without_missions(standings: list[SeatResult], eyes: int) -> list[SeatResult]:
    """The score without the missions of others, and ranks as they seem to be."""
    known = [one if one.seat == eyes else _without_mission(one) for one in standings]
    return [replace(one, rank=1 + sum(_before(other, one) for other in known)) for one in known]


def _without_mission(standing: SeatResult) -> SeatResult:
    parts = {**standing.parts, "missions": 0}
    return replace(standing, total=standing.total - standing.parts["missions"], parts=parts)


def _before(one: SeatResult, other: SeatResult) -> bool:
    """Whether one seems to rank before the other: the disqualified come last."""
    return (one.disqualified is not None, -one.total) < (
        other.disqualified is not None,
        -other.total,
    )

"""A position as it is shown: what one seat may see of it, or everything, and the score as it stands."""

from __future__ import annotations

from typing import NamedTuple, cast

from protocol.words import State
from referee.adjudication.standings import final_standings
from referee.engine import view
from referee.engine.state import GameState
from referee.match.runner import Outcome
from referee.narration.result import PlayerWords, Result, StandingWords, report
from referee.replay.timeline import Timeline


class Position(NamedTuple):
    """One step of a game, with everything on the table."""

    step: int
    state: GameState
    seen: State
    missions: list[list[str] | None]  # by seat; None: there is none, or it is hidden
    plates: list[list[str] | None]  # what lies face down, as far as it is known; None: hidden
    result: Result  # as if the game ended here


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


def _result(timeline: Timeline, step: int, state: GameState, eyes: int | None) -> Result:
    header, names = timeline.header, timeline.names
    standings = final_standings(state, timeline.conduct(step), names)
    players: list[PlayerWords] = [
        {
            "seat": player.seat,
            "name": name,
            "version": player.version,
            "hash": player.hash,
            "pondered_ms": None,
        }
        for player, name in zip(header.players, names, strict=True)
    ]
    faults = [mark.words for mark in timeline.faults if mark.step <= step]
    outcome = Outcome(header.game, header.seed, state, standings, [])
    result = report(outcome, players, faults)
    if eyes is not None and state.missions and not state.is_over:
        _hide_missions(result, eyes)
    return result


def _hide_missions(result: Result, eyes: int) -> None:
    """The score without the missions of others, and ranks as they seem to be."""
    standings = result["standings"]
    for standing in standings:
        if standing["seat"] != eyes:
            standing["total"] -= standing["missions"]
            standing["missions"] = 0
            result["missions"][standing["seat"]] = None
    for standing in standings:
        standing["rank"] = 1 + sum(_before(other, standing) for other in standings)


def _before(one: StandingWords, other: StandingWords) -> bool:
    """Whether one seems to rank before the other: the disqualified come last."""
    return (one["disqualified"] is not None, -one["total"]) < (
        other["disqualified"] is not None,
        -other["total"],
    )

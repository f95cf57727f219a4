"""A recorded game for programs: an object for the game, one for each decision, one for a position."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import TypeAlias

from referee.engine import game
from referee.engine.serialize import choice_words, event_words
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS
from referee.replay.position import Position, position_at
from referee.replay.search import plain
from referee.replay.timeline import FaultMark, Timeline

Words: TypeAlias = dict[str, object]


def game_words(timeline: Timeline, eyes: int | None) -> Words:
    """What is played, and by whom; the seed would tell what is hidden from a seat."""
    header = timeline.header
    return {
        "line": "game",
        "game": header.game,
        "ruleset": timeline.rules.name,
        "rules": timeline.rules.to_dict(),
        "board_digest": timeline.board.digest,
        "seed": header.seed if eyes is None else None,
        "seat": eyes,
        "players": [
            {"seat": one.seat, "name": one.name, "version": one.version} for one in header.players
        ],
    }


def step_words(timeline: Timeline, step: int, eyes: int | None) -> Iterator[Words]:
    """The faults that were told at a step, and the decision."""
    for mark in timeline.faults:
        if mark.step == step and _hears(mark, eyes):
            yield {"line": "fault", **_fault(mark, eyes)}
    one, names = timeline.steps[step], timeline.names
    words: Words = {"line": "decision" if one.choice else "step", "id": step, "turn": one.turn}
    if one.choice is not None:
        words |= {"seat": one.seat, "decision": DECISIONS[one.kind]}
        words["do"] = choice_words(timeline.board, one.choice)
        if eyes in (None, one.seat):
            words |= {"choice": one.picked, "choices": one.offered, "by": one.by, "ms": one.ms}
            words |= {} if one.say is None else {"say": one.say}
    state = timeline.state(0)  # events are said by board and rules alone
    words["events"] = [event_words(state, event) for event in timeline.events(step)]
    words["log"] = [plain(sentence, names) for sentence in timeline.told(step, eyes)]
    yield words


def _hears(mark: FaultMark, eyes: int | None) -> bool:
    return eyes in (None, mark.fault.seat) or mark.fault.disqualified


def _fault(mark: FaultMark, eyes: int | None) -> Words:
    fault = mark.fault
    words: Words = {
        "seat": fault.seat,
        "fault": fault.fault,
        "disqualified": fault.disqualified,
    }
    if eyes in (None, fault.seat):
        words |= {"id": fault.asked_id, "message": fault.message, "strikes": fault.strikes}
        data = base64.b64encode(fault.cause.data).decode()
        words |= {"bytes_base64": data, "stderr": fault.stderr}
    return words


def position_words(timeline: Timeline, step: int, eyes: int | None) -> Words:
    """The position after a step, what is asked next, and the score as if the game ended here."""
    position = position_at(timeline, step, eyes)
    words: Words = {"line": "position", "id": step, "state": _state(position, eyes)}
    words["asked"] = _asked(position.state)
    words["reason"] = position.result.reason
    words["standings"] = [standing.to_dict() for standing in position.result.standings]
    return words


def _state(position: Position, eyes: int | None) -> Words:
    """As the seat sees it; without a seat everything that is hidden is told for all of them."""
    state: Words = {**position.seen}
    if eyes is None:
        del state["mission"], state["plate_seen"]
        state["missions"], state["plates_seen"] = position.missions, position.plates
    return state


def _asked(state: GameState) -> Words | None:
    pending = game.pending(state)
    if pending is None:
        return None
    return {"id": state.decision_id, "seat": pending.seat, "decision": DECISIONS[pending.kind]}


def end_words(timeline: Timeline, eyes: int | None) -> Words:
    """How the record ends."""
    names = timeline.names
    return {
        "line": "end",
        "complete": timeline.is_complete,
        "wrong": timeline.wrong,
        "log": [plain(sentence, names) for sentence in timeline.coda(eyes)],
    }

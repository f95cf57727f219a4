"""`replay --json`: one object for the game, one for each decision and fault, one for a position."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from referee.engine import game
from referee.engine.serialize import choice_words, event_words
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS
from referee.narration.log import Sentence
from referee.replay.position import Position, Viewpoint, position_at
from referee.replay.timeline import FaultMark, Timeline

JsonLine: TypeAlias = dict[str, object]


def game_line(timeline: Timeline, viewpoint: Viewpoint) -> JsonLine:
    """What is played, and by which bots; for one seat without the seed."""
    header = timeline.header
    return {
        "line": "game",
        "game": header.game,
        "ruleset": timeline.rules.name,
        "rules": timeline.rules.to_dict(),
        "board_digest": timeline.board.digest,
        "seed": header.seed if viewpoint.sees_everything else None,
        "seat": viewpoint.seat,
        "players": [
            {"seat": one.seat, "name": one.name, "version": one.version} for one in header.players
        ],
    }


def step_lines(timeline: Timeline, step: int, viewpoint: Viewpoint) -> Iterator[JsonLine]:
    """The faults that belong to a step, and then the step itself."""
    for mark in timeline.faults:
        if mark.step == step and viewpoint.sees_fault(mark):
            yield _fault_line(mark, viewpoint)
    one = timeline.steps[step]
    line: JsonLine = {"line": "decision" if one.choice else "step", "id": step, "turn": one.turn}
    if one.choice is not None:
        line |= {"seat": one.seat, "decision": DECISIONS[one.kind]}
        line["do"] = choice_words(timeline.board, one.choice)
        if viewpoint.sees_answer(one):
            line |= {"choice": one.picked, "choices": one.offered, "by": one.by, "ms": one.ms}
            line |= {} if one.say is None else {"say": one.say}
    state = timeline.newest_state  # events are described by board and rules alone
    line["events"] = [event_words(state, event) for event in timeline.events(step)]
    line["log"] = _texts(timeline, viewpoint.sentences(timeline, step))
    yield line


def _fault_line(mark: FaultMark, viewpoint: Viewpoint) -> JsonLine:
    fault = mark.fault
    line: JsonLine = {
        "line": "fault",
        "seat": fault.seat,
        "fault": fault.fault,
        "disqualified": fault.disqualified,
    }
    if viewpoint.sees_private(fault.seat):
        line |= {"id": fault.asked_id, "message": fault.message, "strikes": fault.strikes}
        data = base64.b64encode(fault.cause.data).decode()
        line |= {"bytes_base64": data, "stderr": fault.stderr}
    return line


def position_line(timeline: Timeline, step: int, viewpoint: Viewpoint) -> JsonLine:
    """The position after a step, the next decision, and the score as if the game ended here."""
    position = position_at(timeline, step, viewpoint)
    return {
        "line": "position",
        "id": step,
        "state": _visible_state(position, viewpoint),
        "asked": _next_decision(position.state),
        "reason": position.result.reason,
        "standings": [one.to_dict() for one in position.result.standings],
    }


def _visible_state(position: Position, viewpoint: Viewpoint) -> JsonLine:
    """As a seat sees it; an outsider gets the hidden parts of all seats instead."""
    state: JsonLine = {**position.seen}
    if viewpoint.sees_everything:
        del state["mission"], state["plate_seen"]
        state["missions"], state["plates_seen"] = position.missions, position.plates
    return state


def _next_decision(state: GameState) -> JsonLine | None:
    pending = game.pending(state)
    if pending is None:
        return None
    return {"id": state.decision_id, "seat": pending.seat, "decision": DECISIONS[pending.kind]}


def end_line(timeline: Timeline, viewpoint: Viewpoint) -> JsonLine:
    """How the record ends, and what is wrong with it."""
    return {
        "line": "end",
        "complete": timeline.is_complete,
        "wrong": timeline.wrong,
        "log": _texts(timeline, viewpoint.closing_sentences(timeline)),
    }


def _texts(timeline: Timeline, sentences: Sequence[Sentence]) -> list[str]:
    return [timeline.log.plain_text(sentence) for sentence in sentences]

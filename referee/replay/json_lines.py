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
    """The rules, the board and the players; the seed is only there if everything may be seen."""
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
            {"seat": player.seat, "name": player.name, "version": player.version}
            for player in header.players
        ],
    }


def step_lines(timeline: Timeline, step: int, viewpoint: Viewpoint) -> Iterator[JsonLine]:
    """The faults that belong to a step, and then the step itself."""
    for mark in timeline.faults:
        if mark.step == step and viewpoint.sees_fault(mark):
            yield _fault_line(mark, viewpoint)
    decided = timeline.steps[step]
    line: JsonLine = {
        "line": "decision" if decided.choice else "step",
        "id": step,
        "turn": decided.turn,
    }
    if decided.choice is not None:
        line |= {"seat": decided.seat, "decision": DECISIONS[decided.kind]}
        line["do"] = choice_words(timeline.board, decided.choice)
        if viewpoint.sees_answer(decided):
            line |= {
                "choice": decided.picked,
                "choices": decided.offered,
                "by": decided.by,
                "ms": decided.ms,
            }
            line |= {} if decided.say is None else {"say": decided.say}
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
        "standings": [standing.to_dict() for standing in position.result.standings],
    }


def _visible_state(position: Position, viewpoint: Viewpoint) -> JsonLine:
    """The state as a seat sees it; without a seat, it has the hidden parts of all seats."""
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

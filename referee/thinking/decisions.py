"""Decisions within a turn: the seat's own by looking one choice ahead, others' by a good guess."""

from __future__ import annotations

from typing import TypeAlias

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import DO_RELOCATE, RELOCATE, TURN, tradesman
from referee.thinking.evaluation import Evaluator, content_of

Trail: TypeAlias = tuple[tuple[int, int], ...]
"""The choices of a turn, with the likely choices of others: pairs of a seat and an index."""


def answer_until_turn(state: GameState, evaluator: Evaluator, trail: Trail) -> Trail:
    """Answer the decisions that follow from an action, until a seat chooses its next action.

    Changes `state`. Returns `trail` with the choices made.
    """
    while not state.over and state.agenda[-1].kind != TURN:
        asked = state.agenda[-1].seat
        answer = best_index if asked == evaluator.seat else likely_index
        index = answer(state, evaluator)
        game.apply(state, index)
        trail = (*trail, (asked, index))
    return trail


def best_index(state: GameState, evaluator: Evaluator) -> int:
    """The choice that leads to the best position for the seat; of equals the last, which does least."""
    count = len(game.choices(state))
    if count == 1:
        return 0
    values = [evaluator.evaluate(_after(state, index)) for index in range(count)]
    return max(range(count), key=lambda index: (values[index], index))


def _after(state: GameState, index: int) -> GameState:
    after = state.copy()
    game.apply(after, index)
    return after


def likely_index(state: GameState, evaluator: Evaluator) -> int:
    """What another seat would choose: relocated tradesmen go where they help it most."""
    decision, options = state.agenda[-1], game.choices(state)
    if decision.kind != RELOCATE or decision.owner >= len(evaluator.seats):
        return 0
    gains = [
        added_expectation(state, evaluator, decision.owner, choice.point, choice.kind)
        if choice.do == DO_RELOCATE
        else 0.0
        for choice in options
    ]
    return gains.index(max(gains))


def added_expectation(
    state: GameState, evaluator: Evaluator, seat: int, point: int, kind: int
) -> float:
    """How much more a seat can expect from a route with a tradesman of its own on this point."""
    route = state.board.point_route[point]
    content = content_of(state, route)
    at = 1 + point - state.board.routes[route][0]
    filled = (*content[:at], tradesman(seat, kind), *content[at + 1 :])
    return evaluator.expected(seat, route, filled) - evaluator.expected(seat, route, content)

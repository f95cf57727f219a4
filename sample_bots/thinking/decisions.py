"""Decisions within a turn: one's own by looking one choice ahead, others' by a good guess."""

from __future__ import annotations

from typing import TypeAlias

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import DO_RELOCATE, RELOCATE, TURN, tradesman
from thinking.evaluation import Outlook, content_of

Trail: TypeAlias = tuple[tuple[int, int], ...]
"""Who chooses, and the index: the choices of a turn, with the likely answers of others."""


def settle(state: GameState, outlook: Outlook, trail: Trail) -> Trail:
    """Answer the decisions that follow from an action, until a turn goes on."""
    while not state.over and state.agenda[-1].kind != TURN:
        asked = state.agenda[-1].seat
        answer = best_index if asked == outlook.seat else likely_index
        index = answer(state, outlook)
        game.apply(state, index)
        trail = (*trail, (asked, index))
    return trail


def best_index(state: GameState, outlook: Outlook) -> int:
    """The choice after which the seat is best off; of equals the last, which does least."""
    count = len(game.choices(state))
    if count == 1:
        return 0
    worths = [outlook.of(_after(state, index)) for index in range(count)]
    return max(range(count), key=lambda index: (worths[index], index))


def _after(state: GameState, index: int) -> GameState:
    after = state.copy()
    game.apply(after, index)
    return after


def likely_index(state: GameState, outlook: Outlook) -> int:
    """What another seat would choose: relocated tradesmen go where they help it most."""
    decision, options = state.agenda[-1], game.choices(state)
    if decision.kind != RELOCATE or decision.owner >= len(outlook.seats):
        return 0
    gains = [
        added_hope(state, outlook, decision.owner, choice.point, choice.kind)
        if choice.do == DO_RELOCATE
        else 0.0
        for choice in options
    ]
    return gains.index(max(gains))


def added_hope(state: GameState, outlook: Outlook, seat: int, point: int, kind: int) -> float:
    """How much more a seat may expect of a route with a tradesman of its own on this point."""
    route = state.board.point_route[point]
    content = content_of(state, route)
    at = 1 + point - state.board.routes[route][0]
    filled = (*content[:at], tradesman(seat, kind), *content[at + 1 :])
    return outlook.hope(seat, route, filled) - outlook.hope(seat, route, content)

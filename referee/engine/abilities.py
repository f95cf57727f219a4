"""The desk: what abilities are worth, and developing them (SET-3, TURN-4, CRE-9)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.state import GameState
from referee.engine.terms import ACTIONS, NONE, Ability, Seat, desk_index


def value(state: GameState, seat: Seat, ability: Ability) -> int:
    """What the rightmost uncovered space of the track shows."""
    return state.rules.values[ability][state.desk[desk_index(seat, ability)]]


def is_full(state: GameState, seat: Seat, ability: Ability) -> bool:
    """Whether no tradesman is left on the track."""
    return state.desk[desk_index(seat, ability)] == len(state.rules.values[ability]) - 1


def develop(state: GameState, seat: Seat, ability: Ability) -> None:
    """Develop an ability by one step; actions that it adds can be used in the same turn."""
    before = value(state, seat, ability)
    updates.develop(state, seat, ability)
    gained = value(state, seat, ability) - before
    # In a turn whose actions were given up it gives none (FAV-1; test_developing_actions_gives_no_action_after_a_favour).
    if ability == ACTIONS and gained > 0 and not state.forgone:
        updates.gain_actions(state, gained, NONE)

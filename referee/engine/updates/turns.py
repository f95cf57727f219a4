"""Turns, actions, prestige, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.engine.terms import (
    EV_ACTION,
    EV_ACTIONS_GAINED,
    EV_PRESTIGE,
    EV_TURN,
    NONE,
    CityId,
    Marker,
    Seat,
)
from referee.engine.updates.log import emit, replaced

if TYPE_CHECKING:
    from referee.engine.state import GameState


def begin_turn(state: GameState, seat: Seat, actions: int) -> None:
    """Begin the next turn, which is this seat's."""
    state.turn += 1
    state.active = seat
    state.actions_left = actions
    state.extra_actions = 0
    state.fresh = True
    state.acted = False
    state.forgone = False
    state.permits_spent = 0
    state.permit_bought = False
    emit(state, (EV_TURN, state.turn, seat, actions))


def end_actions(state: GameState) -> None:
    """Set the actions left to zero: the seat does nothing more this turn."""
    state.actions_left = 0
    state.extra_actions = 0
    state.fresh = False


def give_up_actions(state: GameState) -> None:
    """Give up all actions of the turn, which goes on without any (FAV-1)."""
    end_actions(state)
    state.acted = True
    state.forgone = True


def spend_action(state: GameState, do: int, *, with_permit: bool = False) -> None:
    """Spend one action.

    A turn's own actions are spent before those of markers; where permits can be bought, after
    them, unless the action is one for which a bought permit holds (BRI-9).
    """
    own_first = with_permit or not state.rules.permits
    if state.extra_actions and not (own_first and state.actions_left > state.extra_actions):
        state.extra_actions -= 1
    state.actions_left -= 1
    state.fresh = False
    state.acted = True
    emit(state, (EV_ACTION, state.active, do, state.actions_left))


def gain_actions(state: GameState, actions: int, marker: Marker) -> None:
    """Gain actions for this turn: from a marker, or from the ability when the marker is NONE."""
    state.actions_left += actions
    if marker != NONE:
        state.extra_actions += actions
        state.acted = True
    emit(state, (EV_ACTIONS_GAINED, state.active, actions, marker))


def close(state: GameState, reason: int) -> None:
    """End the game: no decision is pending any more."""
    end_actions(state)
    state.agenda.clear()
    state.options = None
    state.over = reason


def deal_missions(state: GameState, cards: tuple[int, ...]) -> None:
    """Give each seat a mission card, without an event because cards are secret."""
    state.missions = cards


def display_favours(state: GameState, tiles: tuple[int, ...]) -> None:
    """Put favour tiles on display."""
    for tile in tiles:
        state.display |= 1 << tile


def score(state: GameState, colour: Seat, points: int, why: int, city: CityId) -> None:
    """Score prestige on the track; a neutral colour without a score marker gets none."""
    if colour >= state.rules.players and not state.rules.neutral_scores:
        return
    state.prestige = replaced(state.prestige, colour, state.prestige[colour] + points)
    emit(state, (EV_PRESTIGE, colour, points, why, city))


def list_chain(state: GameState, colour: Seat) -> None:
    """Record that this colour has linked the red-bannered cities."""
    state.east_west += (colour,)

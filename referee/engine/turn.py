"""A turn: what the seat may do until it ends the turn (TURN-1 to TURN-4)."""

from __future__ import annotations

from referee.engine import ending, markers, updates
from referee.engine.abilities import value
from referee.engine.actions import create, displace, income, move, place
from referee.engine.choice import Choice
from referee.engine.decision import Decision
from referee.engine.state import GameState
from referee.engine.terms import (
    ACTIONS,
    BY_MAX_TURNS,
    DO_END_TURN,
    EXTRA_ACTION,
    TURN,
    Seat,
)
from referee.engine.variants import countries, favours


def begin_next(state: GameState) -> None:
    """Begin the next seat's turn, or end the game after `max_turns`."""
    if state.rules.max_turns and state.turn >= state.rules.max_turns:
        ending.finish(state, BY_MAX_TURNS)
        return
    seat = state.turn % state.rules.players
    extra = state.favours[seat] >> EXTRA_ACTION & 1
    updates.begin_turn(state, seat, value(state, seat, ACTIONS) + extra)
    state.agenda.append(Decision(TURN, seat))


def choices(state: GameState, decision: Decision) -> list[Choice]:
    """Actions, uses of markers, what variants add, and ending the turn."""
    seat = decision.seat
    found: list[Choice] = []
    if state.actions_left:
        income.add_choices(state, seat, found)
        place.add_choices(state, seat, found)
        displace.add_choices(state, seat, found)
        move.add_choices(state, seat, found)
        create.add_choices(state, seat, found)
    markers.add_choices(state, seat, found)
    for hook in state.hooks.turn_choices:
        hook(state, seat, found)
    found.append(state.board.tables.end_turn)
    return found


def _end(state: GameState, seat: Seat, choice: Choice) -> None:
    pass


# By `do`, from DO_INCOME to DO_END_TURN.
_RESOLVE = (
    income.resolve,
    place.resolve,
    displace.resolve,
    move.resolve,
    create.resolve,
    markers.resolve,
    favours.resolve,
    countries.resolve,
    _end,
)


def resolve(state: GameState, decision: Decision, choice: Choice) -> None:
    """Carry out the choice; after the end of the turn, markers are placed."""
    _RESOLVE[choice.do](state, decision.seat, choice)
    if choice.do == DO_END_TURN:
        state.agenda.pop()
        updates.end_actions(state)
        markers.begin_placing(state, decision.seat)

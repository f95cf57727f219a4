"""The game as a fold over indices: new_game, pending, choices, apply, replay, standings."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.engine import ending, markers, turn, updates
from referee.engine.actions import create, move, permanent_markers, place, relocate
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.decision import Decision
from referee.engine.ending import Standing, standings
from referee.engine.errors import ChoiceRefused, RulesRefused
from referee.engine.ruleset import RULES_VERSION, Ruleset
from referee.engine.setup import set_up
from referee.engine.state import GameState
from referee.engine.terms import BY_ABANDONMENT, DECISIONS, EV_DISQUALIFIED, FAULTS, GOES_ON, TURN
from referee.engine.variants import favours, neutral, promos

__all__ = [
    "RULES_VERSION",
    "Choice",
    "Decision",
    "GameState",
    "Standing",
    "abandon",
    "apply",
    "choices",
    "emit_disqualified",
    "follow",
    "new_game",
    "pending",
    "play",
    "replay",
    "settle",
    "standings",
]

# For each decision, in the order of terms.DECISIONS: the functions that list and resolve it.
_HANDLERS: tuple[
    tuple[
        Callable[[GameState, Decision], list[Choice]],
        Callable[[GameState, Decision, Choice], None],
    ],
    ...,
] = (
    (turn.choices, turn.resolve),
    (move.lift_choices, move.resolve_lift),
    (move.put_choices, move.resolve_put),
    (relocate.choices, relocate.resolve),
    (favours.levy_choices, favours.resolve_levy),
    (permanent_markers.choices, permanent_markers.resolve),
    (markers.place_choices, markers.resolve_placing),
    (neutral.choices, neutral.resolve),
    (promos.choices, promos.resolve),
    (place.payments, place.resolve_payment),
    (create.rewards, create.resolve_reward),
)


def new_game(board: Board, rules: Ruleset, seed: int, *, events: bool = True) -> GameState:
    """A game at its first decision; with `events=False` no events are logged."""
    if rules.board != board.id:
        raise RulesRefused(f"these rules are for the board {rules.board}, not for {board.id}")
    state = set_up(board, rules, seed, [] if events else None)
    turn.begin_next(state)
    return state


def pending(state: GameState) -> Decision | None:
    """Who must decide what; None when the game is over."""
    return state.agenda[-1] if state.agenda else None


def choices(state: GameState) -> list[Choice]:
    """Every legal choice of the pending decision, in a fixed order; empty when the game is over.

    The list belongs to the engine; callers must not change it.
    """
    if state.options is None:
        if not state.agenda:
            return []
        decision = state.agenda[-1]
        state.options = _HANDLERS[decision.kind][0](state, decision)
    return state.options


def apply(state: GameState, index: int) -> None:
    """Carry out the choice at this index; on ChoiceRefused the state is unchanged."""
    options = choices(state)
    if type(index) is not int or not 0 <= index < len(options):
        raise ChoiceRefused(_refusal(state, index, len(options)))
    decision = state.agenda[-1]
    state.options = None
    state.decision_id += 1
    _HANDLERS[decision.kind][1](state, decision, options[index])
    _continue(state)


def follow(
    state: GameState,
    turn: int,
    decision_id: int,
    seat: int,
    decision: str,
    index: int,
    single: bool,
) -> Choice | None:
    """Carry out a recorded choice and return it.

    Returns None and changes nothing unless the turn, the decision and its id, the seat, the index
    and whether there is only a `single` choice all match the pending decision.
    """
    if turn != state.turn:
        return None
    options = choices(state)
    if not 0 <= index < len(options) or single != (len(options) == 1):
        return None
    asked = state.agenda[-1]
    if decision_id != state.decision_id or seat != asked.seat or decision != DECISIONS[asked.kind]:
        return None
    choice = options[index]
    apply(state, index)
    return choice


def _refusal(state: GameState, index: object, count: int) -> str:
    if not state.agenda:
        return f"choice {index!r} comes after the end of the game"
    kind = DECISIONS[state.agenda[-1].kind]
    return (
        f"choice {index!r} of decision {state.decision_id} ({kind}) is not one of 0 to {count - 1}"
    )


def _continue(state: GameState) -> None:
    """Between actions: run the hooks, end the game if it is over, or begin the next turn."""
    while state.agenda and state.agenda[-1].kind == TURN:
        for hook in state.hooks.action_finished:
            hook(state)
        if state.agenda[-1].kind == TURN:
            reason = ending.reason_to_end(state)
            if reason != GOES_ON:
                ending.finish(state, reason)
            return
    if not state.agenda and state.over == GOES_ON:
        turn.begin_next(state)


def settle(state: GameState) -> int:
    """Resolve pending decisions that have only one choice, as a referee does; return how many."""
    taken = 0
    while len(choices(state)) == 1:
        apply(state, 0)
        taken += 1
    return taken


def play(state: GameState, index: int) -> int:
    """Carry out a choice, then resolve decisions that have only one; return how many of these."""
    apply(state, index)
    return settle(state)


def replay(
    board: Board, rules: Ruleset, seed: int, indices: Iterable[int], *, events: bool = True
) -> GameState:
    """The position after these choices, which include those of decisions with only one choice."""
    state = new_game(board, rules, seed, events=events)
    for index in indices:
        apply(state, index)
    return state


def emit_disqualified(state: GameState, seat: int, fault: str, decision_id: int) -> None:
    """Emit the event that a seat is disqualified; nothing else changes."""
    updates.emit(state, (EV_DISQUALIFIED, seat, FAULTS.index(fault), decision_id))


def abandon(state: GameState) -> None:
    """End the game at once, because every seat is disqualified."""
    if state.over == GOES_ON:
        ending.finish(state, BY_ABANDONMENT)

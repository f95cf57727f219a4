"""Bonus markers: using those that a seat holds, and placing new ones (TURN-2, TURN-3, BON-1 to BON-9)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.abilities import develop, is_full
from referee.engine.actions import move
from referee.engine.actions.establish import has_empty_space
from referee.engine.choice import Choice
from referee.engine.decision import Decision, ask
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    BLOCK,
    DEVELOP_ABILITY,
    EXCHANGE_POSTS,
    MOVE_3,
    NONE,
    PLACE_MARKER,
    PLUS_3_ACTIONS,
    PLUS_4_ACTIONS,
    REMOVE_3,
    SWAP_MARKER,
    TRADER,
    TRIBUTE,
    WHY_MOVE_3,
    WHY_REMOVE_3,
    Marker,
    RouteId,
    Seat,
    SpaceId,
    colour_of,
    stock_index,
)

_LIFTS = {MOVE_3: WHY_MOVE_3, REMOVE_3: WHY_REMOVE_3}
_ACTIONS = {PLUS_3_ACTIONS: 3, PLUS_4_ACTIONS: 4}


def add_choices(state: GameState, seat: Seat, choices: list[Choice]) -> None:
    """Every use of every type of marker that the seat holds, except additional posts (see create)."""
    last = NONE
    for marker in state.markers[seat]:
        if marker != last:
            choices += _uses(state, seat, marker)
            last = marker


def _uses(state: GameState, seat: Seat, marker: Marker) -> list[Choice]:
    tables = state.board.tables
    if marker in _ACTIONS:
        return [] if state.forgone else [tables.use[marker]]
    if marker in _LIFTS:
        usable = move.anything_to_lift(state, seat, _LIFTS[marker])
        return [tables.use[marker]] if usable else []
    if marker == DEVELOP_ABILITY:
        return [
            tables.use_develop[marker][ability]
            for ability in range(len(ABILITIES))
            if not is_full(state, seat, ability)
        ]
    if marker == EXCHANGE_POSTS:
        pairs = [
            space for space in range(len(state.posts) - 1) if _may_exchange(state, seat, space)
        ]
        return [tables.exchange[marker][space] for space in pairs]
    if marker == SWAP_MARKER:
        return _swaps(state, seat)
    if marker in (TRIBUTE, BLOCK) and state.supply[stock_index(seat, TRADER)]:
        return tables.lay[marker]
    return []


def _may_exchange(state: GameState, seat: Seat, space: SpaceId) -> bool:
    """Two neighbouring posts on spaces of one city, of two owners (BON-4)."""
    one, other = colour_of(state.posts[space]), colour_of(state.posts[space + 1])
    if NONE in (one, other) or one == other:
        return False
    cities = state.board.space_city
    if cities[space] != cities[space + 1]:
        return False
    return not state.rules.exchange_own or seat in (one, other)


def _swaps(state: GameState, seat: Seat) -> list[Choice]:
    """Any marker except a swap marker from another seat's used pile (BON-9)."""
    tables = state.board.tables.swap[SWAP_MARKER]
    return [
        tables[owner][marker]
        for owner in range(state.rules.players)
        if owner != seat
        for marker in sorted(set(state.used[owner]))
        if marker != SWAP_MARKER
    ]


def resolve(state: GameState, seat: Seat, choice: Choice) -> None:
    """Use a marker; it costs no action."""
    marker = choice.marker
    if marker == SWAP_MARKER:
        updates.swap_marker(state, seat, choice)
    elif marker in (TRIBUTE, BLOCK):
        updates.lay_marker(state, seat, choice)
    else:
        updates.use_marker(state, seat, marker, choice)
        _take_effect(state, seat, choice)


def _take_effect(state: GameState, seat: Seat, choice: Choice) -> None:
    marker = choice.marker
    if marker in _ACTIONS:
        updates.gain_actions(state, _ACTIONS[marker], marker)
    elif marker in _LIFTS:
        move.begin(state, seat, _LIFTS[marker])
    elif marker == DEVELOP_ABILITY:
        develop(state, seat, choice.ability)
    else:
        updates.exchange(state, seat, choice.space)


# -- the plate


def begin_placing(state: GameState, seat: Seat) -> None:
    """At the end of the turn: look at the plate and place its markers where a route qualifies."""
    if not state.plates[seat]:
        return
    decision = Decision(PLACE_MARKER, seat, left=len(state.plates[seat]))
    options = place_choices(state, decision)
    if options:
        updates.look_at_plate(state, seat)
        ask(state, decision, place_choices(state, decision))


def place_choices(state: GameState, decision: Decision) -> list[Choice]:
    """Each type of marker on the plate, on each route that may take one (BON-2)."""
    routes = [route for route in range(len(state.free)) if _is_clear(state, route)]
    if not routes:
        routes = [route for hook in state.hooks.spare_routes for route in hook(state)]
    tables = state.board.tables.place_marker
    kinds = sorted(set(state.plates[decision.seat]))
    return [tables[marker][route] for marker in kinds for route in routes]


def _is_clear(state: GameState, route: RouteId) -> bool:
    return state.free[route] == state.board.all_free[route] and may_lie(state, route)


def may_lie(state: GameState, route: RouteId) -> bool:
    """Whether a route may take a marker, apart from tradesmen: no other marker, and an empty space."""
    if not state.board.takes_markers[route] or state.route_markers[route] != NONE:
        return False
    one, other = state.board.ends[route]
    return has_empty_space(state, one) or has_empty_space(state, other)


def resolve_placing(state: GameState, decision: Decision, choice: Choice) -> None:
    """Place one marker, then ask for the next one."""
    state.agenda.pop()
    updates.place_marker(state, decision.seat, choice.marker, choice.route)
    for hook in state.hooks.marker_placed:
        hook(state, choice.route)
    begin_placing(state, decision.seat)

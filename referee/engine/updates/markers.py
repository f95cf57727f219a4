"""Bonus markers, favour tiles and permits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.engine.terms import (
    EV_FAVOUR_TAKEN,
    EV_MARKER_DRAWN,
    EV_MARKER_PLACED,
    EV_MARKER_TAKEN,
    EV_MARKER_USED,
    EV_PERMIT,
    NONE,
    SWAP_MARKER,
    TRADER,
    Marker,
    RouteId,
    Seat,
    stock_index,
)
from referee.engine.updates.log import emit, replaced
from referee.engine.updates.turns import give_up_actions

if TYPE_CHECKING:
    from referee.engine.choice import Choice
    from referee.engine.state import GameState


def place_start_marker(state: GameState, route: RouteId, marker: Marker) -> None:
    """Put a start marker on the route of a tavern."""
    state.route_markers = replaced(state.route_markers, route, marker)
    emit(state, (EV_MARKER_PLACED, NONE, route, marker))


def take_marker(state: GameState, seat: Seat, route: RouteId) -> None:
    """Give the marker of a created route to the seat."""
    marker = state.route_markers[route]
    state.route_markers = replaced(state.route_markers, route, NONE)
    _gain(state, seat, marker)
    emit(state, (EV_MARKER_TAKEN, seat, route, marker))


def draw_marker(state: GameState, seat: Seat) -> None:
    """Put a replacement face down on the plate; the game ends if there is none."""
    left = len(state.supply_order) - state.drawn - 1
    if left < 0:
        state.undrawn = True
        return
    plate = (*state.plates[seat], state.supply_order[state.drawn])
    state.plates = replaced(state.plates, seat, plate)
    state.drawn += 1
    emit(state, (EV_MARKER_DRAWN, seat, left))


def look_at_plate(state: GameState, seat: Seat) -> None:
    """Record that the seat has seen the markers on its plate."""
    state.plates = replaced(state.plates, seat, tuple(sorted(state.plates[seat])))
    state.plates_seen = replaced(state.plates_seen, seat, len(state.plates[seat]))


def place_marker(state: GameState, seat: Seat, marker: Marker, route: RouteId) -> None:
    """Move a marker from the seat's plate to a route."""
    state.plates = replaced(state.plates, seat, without(state.plates[seat], marker))
    state.plates_seen = replaced(state.plates_seen, seat, state.plates_seen[seat] - 1)
    state.route_markers = replaced(state.route_markers, route, marker)
    emit(state, (EV_MARKER_PLACED, seat, route, marker))


def use_marker(state: GameState, seat: Seat, marker: Marker, choice: Choice) -> None:
    """Turn a marker over; the event says what it was used for."""
    state.fresh = False
    _give_up(state, seat, marker)
    _turn_over(state, seat, marker)
    _emit_use(state, seat, marker, choice)


def _emit_use(state: GameState, seat: Seat, marker: Marker, choice: Choice) -> None:
    """The event of a marker's use, with the fields of the choice."""
    emit(
        state,
        (
            EV_MARKER_USED,
            seat,
            marker,
            choice.city,
            choice.kind,
            choice.space,
            choice.ability,
            choice.seat,
            choice.other,
            choice.route,
        ),
    )


def swap_marker(state: GameState, seat: Seat, choice: Choice) -> None:
    """Exchange the swap marker for one of another seat's used markers."""
    state.fresh = False
    owner = choice.seat
    state.used = replaced(state.used, owner, without(state.used[owner], choice.other))
    _turn_over(state, owner, SWAP_MARKER)
    _give_up(state, seat, SWAP_MARKER)
    _gain(state, seat, choice.other)
    _emit_use(state, seat, SWAP_MARKER, choice)


def lay_marker(state: GameState, seat: Seat, choice: Choice) -> None:
    """Lay a tribute or block above a route, together with a trader of the supply."""
    state.fresh = False
    _give_up(state, seat, choice.marker)
    state.supply[stock_index(seat, TRADER)] -= 1
    state.laid += ((choice.marker, choice.route, seat),)
    _emit_use(state, seat, choice.marker, choice)


def take_favour(state: GameState, seat: Seat, choice: Choice) -> None:
    """Turn two markers over and take a tile of the display, for all actions of the turn."""
    for marker in (choice.marker, choice.other):
        _give_up(state, seat, marker)
        _turn_over(state, seat, marker)
    state.display &= ~(1 << choice.tile)
    state.favours = replaced(state.favours, seat, state.favours[seat] | 1 << choice.tile)
    give_up_actions(state)
    emit(state, (EV_FAVOUR_TAKEN, seat, choice.tile, choice.marker, choice.other))


def buy_permit(state: GameState, seat: Seat, marker: Marker) -> None:
    """Remove a marker from the game for a permit that holds for the whole turn."""
    state.fresh = False
    _give_up(state, seat, marker)
    state.markers_out += (marker,)
    state.permit_bought = True
    emit(state, (EV_PERMIT, seat, NONE, marker))


def spend_permit(state: GameState, seat: Seat, permit: int) -> None:
    """Spend a city's permit for this turn."""
    state.permits_spent |= 1 << permit
    emit(state, (EV_PERMIT, seat, state.board.permits[permit][0], NONE))


def _gain(state: GameState, seat: Seat, marker: Marker) -> None:
    state.markers = replaced(state.markers, seat, tuple(sorted((*state.markers[seat], marker))))


def _give_up(state: GameState, seat: Seat, marker: Marker) -> None:
    state.markers = replaced(state.markers, seat, without(state.markers[seat], marker))


def _turn_over(state: GameState, seat: Seat, marker: Marker) -> None:
    state.used = replaced(state.used, seat, tuple(sorted((*state.used[seat], marker))))


def without(markers: tuple[Marker, ...], marker: Marker) -> tuple[Marker, ...]:
    """The markers without one of this type."""
    at = markers.index(marker)
    return markers[:at] + markers[at + 1 :]

"""Created routes are cleared, and tradesmen become posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.engine.terms import (
    AS_ADDITIONAL,
    EMPTY,
    EV_CITY_COMPLETED,
    EV_CREATED,
    EV_EXCHANGED,
    EV_NEUTRAL_CREATED,
    EV_POST,
    EV_RETURNED,
    EV_SPECIAL_PRESTIGE,
    MERCHANT,
    NONE,
    ON_SPACE,
    TRADER,
    CityId,
    Kind,
    PointId,
    RouteId,
    Seat,
    SpaceId,
    Tradesman,
    colour_of,
    kind_of,
    stock_index,
    tradesman,
)
from referee.engine.updates.log import emit, replaced
from referee.engine.updates.tradesmen import put_down, take_up

if TYPE_CHECKING:
    from referee.engine.choice import Choice
    from referee.engine.state import GameState


def clear_created(
    state: GameState, choice: Choice, used: Kind, held: tuple[Tradesman, ...]
) -> None:
    """Take the created route's tradesmen off; all but the used and the held go to the stock."""
    seat = state.active
    men = [take_up(state, point) for point in state.board.routes[choice.route]]
    merchants = sum([kind_of(man) for man in men]) - (used == MERCHANT)
    traders = len(men) - merchants - (used != NONE)
    held_merchants = sum([kind_of(man) for man in held])
    traders -= len(held) - held_merchants
    merchants -= held_merchants
    state.stock[stock_index(seat, TRADER)] += traders
    state.stock[stock_index(seat, MERCHANT)] += merchants
    emit(state, (EV_CREATED, seat, *_reward(choice), traders, merchants))


def _reward(choice: Choice) -> tuple[int, ...]:
    return (
        choice.route,
        choice.reward,
        choice.city,
        choice.kind,
        choice.ability,
        choice.special,
    )


def return_held(state: GameState, seat: Seat, held: tuple[Tradesman, ...]) -> None:
    """Return the tradesmen kept from a created route to the stock."""
    merchants = sum([kind_of(man) for man in held])
    traders = len(held) - merchants
    state.stock[stock_index(seat, TRADER)] += traders
    state.stock[stock_index(seat, MERCHANT)] += merchants
    if held:
        emit(state, (EV_RETURNED, seat, traders, merchants))


def clear_neutral(state: GameState, route: RouteId, stays: bool) -> None:
    """A route full of neutral traders is created: they leave, and its marker with them."""
    for point in state.board.routes[route]:
        take_up(state, point)
    if stays:
        put_down(state, neutral_point(state, route), tradesman(state.neutral, TRADER))
    marker = state.route_markers[route]
    if marker != NONE:
        state.route_markers = replaced(state.route_markers, route, NONE)
        state.markers_out += (marker,)
    emit(state, (EV_NEUTRAL_CREATED, route, marker, int(stays)))


def neutral_point(state: GameState, route: RouteId) -> PointId:
    """Where a rule puts a neutral trader: the lowest free point, houses before ships (TWO-1)."""
    free = [p for p in state.board.routes[route] if state.points[p] == EMPTY]
    return min(free, key=lambda point: (state.board.ship[point], point))


def put_post(state: GameState, man: Tradesman, city: CityId, where: int, space: SpaceId) -> None:
    """Turn a tradesman that was taken off the board or out of the supply into a post."""
    if where == ON_SPACE:
        state.posts = replaced(state.posts, space, man)
    elif where == AS_ADDITIONAL:
        state.additional = replaced(state.additional, city, (man, *state.additional[city]))
    else:
        state.green = replaced(state.green, city, (*state.green[city], man))
    colour = colour_of(man)
    present = state.presence[city] | 1 << colour
    state.presence = replaced(state.presence, city, present)
    emit(state, (EV_POST, colour, city, where, space, kind_of(man)))


def leave_supply(state: GameState, seat: Seat, kind: Kind) -> None:
    """Take a tradesman of the supply, to become a post."""
    state.supply[stock_index(seat, kind)] -= 1


def exchange(state: GameState, seat: Seat, space: SpaceId) -> None:
    """Exchange two neighbouring posts, from the left one's space."""
    one, other = state.posts[space], state.posts[space + 1]
    state.posts = replaced(replaced(state.posts, space, other), space + 1, one)
    emit(state, (EV_EXCHANGED, seat, space))


def complete_city(state: GameState, city: CityId) -> None:
    """Count one more completed city."""
    state.completed_cities += 1
    emit(state, (EV_CITY_COMPLETED, city, state.completed_cities))


def take_special(state: GameState, seat: Seat, space: int) -> None:
    """A merchant of the route just created takes a space of special prestige."""
    state.special = (*state.special[:space], seat, *state.special[space + 1 :])
    emit(state, (EV_SPECIAL_PRESTIGE, seat, state.board.special_points[space]))

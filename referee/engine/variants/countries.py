"""Countries: permits to enter them, and majorities at the end (BRI-2, BRI-8, BRI-9).

On a board without countries every route is in the home country.
"""

from __future__ import annotations

from referee.engine import updates
from referee.engine.choice import Choice
from referee.engine.control import count_posts, rightmost_holder
from referee.engine.hooks import Variant
from referee.engine.state import GameState
from referee.engine.terms import NONE, RouteId, Seat


def open_routes(state: GameState, seat: Seat) -> tuple[RouteId, ...]:
    """The routes on which the seat may place and displace now."""
    board = state.board
    if not board.abroad or bought_permit_holds(state):
        return board.routes_in(board.everywhere)
    countries = board.home
    for permit, (city, opens) in enumerate(board.permits):
        if not state.permits_spent >> permit & 1 and rightmost_holder(state, city) == seat:
            countries |= opens
    return board.routes_in(countries)


def bought_permit_holds(state: GameState) -> bool:
    """Whether a bought permit opens all countries to the next action; markers' actions do not count."""
    return state.permit_bought and state.actions_left > state.extra_actions


def spend_action(state: GameState, seat: Seat, do: int, route: RouteId) -> None:
    """Spend an action to place or displace on this route, and the permit that it needs (BRI-2)."""
    is_home = bool(state.board.route_country[route] & state.board.home)
    with_permit = not is_home and bought_permit_holds(state)
    permit = NONE if is_home or with_permit else _permit_for(state, seat, route)
    updates.spend_action(state, do, with_permit=with_permit)
    if permit != NONE:
        updates.spend_permit(state, seat, permit)


def _permit_for(state: GameState, seat: Seat, route: RouteId) -> int:
    """The narrowest permit of a city that serves on this route abroad."""
    country = state.board.route_country[route]
    # There is always one: without it, the action would not have been offered.
    serving = [
        permit
        for permit, (city, opens) in enumerate(state.board.permits)
        if opens & country
        and not state.permits_spent >> permit & 1
        and rightmost_holder(state, city) == seat
    ]
    return serving[0]


def add_purchases(state: GameState, seat: Seat, choices: list[Choice]) -> None:
    """Offer a permit for any unused marker, once a turn, while an own action is left (BRI-9)."""
    if state.permit_bought or state.actions_left <= state.extra_actions:
        return
    choices += [state.board.tables.permit[marker] for marker in sorted(set(state.markers[seat]))]


def resolve(state: GameState, seat: Seat, choice: Choice) -> None:
    """Give up a marker for a permit."""
    updates.buy_permit(state, seat, choice.marker)


def majorities(state: GameState, controllers: list[Seat]) -> list[list[int]]:
    """For each country that gives prestige: what each colour gets."""
    return [
        _majority(state, controllers, cities, prestige)
        for cities, prestige in zip(
            state.board.country_cities, state.board.country_prestige, strict=True
        )
        if prestige
    ]


def _majority(
    state: GameState, controllers: list[Seat], cities: list[int], prestige: tuple[int, ...]
) -> list[int]:
    """Those with a city by cities and posts; then those without by posts (BRI-8)."""
    held = [controllers[city] for city in cities]
    scores: list[tuple[int, int]] = []
    for colour in range(state.rules.colours):
        posts = sum([count_posts(state, city, colour) for city in cities])
        takes_part = colour < state.rules.players or state.rules.neutral_scores
        scores.append((held.count(colour), posts) if takes_part else (0, 0))
    places = state.rules.tied_places
    return [share(score, scores, prestige, places) for score in scores]


def share(
    score: tuple[int, int], scores: list[tuple[int, int]], prestige: tuple[int, ...], places: int
) -> int:
    """What a score earns among these: tied ones share the sum of their places, rounded down.

    They share `places` places at most, from their own downwards.
    """
    if score == (0, 0):
        return 0
    better = sum([other > score for other in scores])
    tied = scores.count(score)
    return sum(prestige[better : better + min(tied, places)]) // tied


PERMITS = Variant("permits", turn_choices=add_purchases)

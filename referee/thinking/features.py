"""Describes a position by numbers, one row for each seat: what the learnt value knows of it.

A row says what a seat has and what it is about to get, alone and compared with the other seats. All
numbers are of the order of 1. Rows depend on the position only, not on who asks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from referee.engine import game
from referee.engine.board import Board
from referee.engine.ending import Standing
from referee.engine.state import GameState
from referee.engine.terms import (
    ACTIONS,
    ADDITIONAL_POST,
    BANK,
    BOOK,
    DEVELOP_ABILITY,
    KEYS,
    MERCHANT,
    NONE,
    PLUS_3_ACTIONS,
    PLUS_4_ACTIONS,
    PRIVILEGE,
    TRADER,
    colour_of,
    desk_index,
    kind_of,
    stock_index,
    tradesman,
)
from referee.thinking.cities import Cities
from referee.thinking.places import places

PHASES: Final = (0.0, 1 / 3, 2 / 3, 9.0)  # where the thirds of a game begin and end, by progress
_NEARLY: Final = ("full", "one_missing", "two_missing")
_OF_A_ROUTE: Final = ("routes", "actions", "ability", "post", "control", "marker")
_ROUTE_PARTS: Final = len(_OF_A_ROUTE)
_CONTESTED: Final = len(_NEARLY) * _ROUTE_PARTS  # the first of the numbers that follow
_NO_CHAIN: Final = 9.0

FEATURES: Final[tuple[str, ...]] = (
    # How far the game is.
    "markers_left",
    "leader_on_track",
    "cities_completed",
    "progress",
    "progress_squared",
    "seats",
    # Whose turn it is.
    "is_active",
    "actions_left",
    "turns_until_own",
    # Points, if the game ended now.
    "track",
    "track_ahead",
    "total",
    "total_ahead_of_best",
    "total_ahead_of_mean",
    "abilities",
    "markers",
    "special",
    "cities",
    "network",
    "missions",
    "countries",
    # The desk.
    "keys_steps",
    "actions_steps",
    "privilege_steps",
    "book_steps",
    "bank_steps",
    "actions_value",
    "keys_value",
    # Tradesmen.
    "supply_traders",
    "supply_merchants",
    "stock_traders",
    "stock_merchants",
    "route_traders",
    "route_merchants",
    # Posts.
    "posts",
    "cities_with_posts",
    "cities_controlled",
    "routes_of_controlled",
    "cities_secure",
    "posts_mean_of_others",
    # Markers, the chain, favours.
    "marker_count",
    "marker_additional_post",
    "marker_develop",
    "marker_actions",
    "marker_other",
    "chain_missing",
    "chain_done",
    "favours",
    # Routes that the seat has begun, by the number of points that it does not hold.
    *[f"{nearly}_{part}" for nearly in _NEARLY for part in _OF_A_ROUTE],
    "contested_routes",
    "contested_tradesmen",
    "outnumbered_tradesmen",
    "undisputed_parts",
    "special_ready",
)


def features(
    state: GameState, *, is_turn_over: bool = False, with_places: bool = False
) -> list[list[float]]:
    """The rows of all seats; with `is_turn_over` as if the active seat had ended its turn.

    `with_places` adds who is where, which differs from board to board.
    """
    players = state.rules.players
    cities, standings = Cities(state), game.standings(state)
    posts = _posts(state, cities)
    routes = _routes(state, cities)
    clock = _clock(state)
    rows: list[list[float]] = []
    for seat in range(players):
        row = clock + _turn(state, seat, is_turn_over)
        row += _points(standings, seat)
        row += _desk(state, seat)
        row += _tradesmen(state, seat)
        row += _own_posts(posts, seat, players)
        row += _markers(state, seat)
        row += routes[seat]
        rows.append(row)
    if with_places:
        return [row + more for row, more in zip(rows, places(state, cities), strict=True)]
    return rows


def progress(state: GameState) -> float:
    """How far the game is, from 0 to about 1: the nearest of its ends decides."""
    return max(_ends(state))


def _ends(state: GameState) -> list[float]:
    return [
        1 - (len(state.supply_order) - state.drawn) / state.rules.supply_size,
        max(state.prestige) / state.rules.components.track_end,
        state.completed_cities / state.board.completed_cities_limit,
    ]


def _clock(state: GameState) -> list[float]:
    ends = _ends(state)
    far = max(ends)
    return [1 - ends[0], ends[1], ends[2], far, far * far, state.rules.players / 5]


def _turn(state: GameState, seat: int, is_turn_over: bool) -> list[float]:
    is_active = seat == state.active
    actions = 0 if is_turn_over or not is_active else state.actions_left
    players = state.rules.players
    return [float(is_active), actions / 4, (seat - state.active) % players / players]


def _points(standings: list[Standing], seat: int) -> list[float]:
    own = standings[seat]
    others = [standing for standing in standings if standing.seat != seat]
    best = max([standing.total for standing in others])
    mean = sum([standing.total for standing in others]) / len(others)
    track = max([standing.track for standing in others])
    return [
        own.track / 10,
        (own.track - track) / 10,
        own.total / 25,
        (own.total - best) / 15,
        (own.total - mean) / 15,
        own.abilities / 4,
        own.markers / 8,
        own.special / 8,
        own.cities / 10,
        own.network / 12,
        own.missions / 8,
        sum(own.countries) / 10,
    ]


def _desk(state: GameState, seat: int) -> list[float]:
    steps = state.desk[desk_index(seat, 0) : desk_index(seat + 1, 0)]
    values = state.rules.values
    return [
        steps[KEYS] / 4,
        steps[ACTIONS] / 5,
        steps[PRIVILEGE] / 3,
        steps[BOOK] / 3,
        steps[BANK] / 3,
        values[ACTIONS][steps[ACTIONS]] / 4,
        values[KEYS][steps[KEYS]] / 3,
    ]


def _tradesmen(state: GameState, seat: int) -> list[float]:
    merchants = state.points.count(tradesman(seat, MERCHANT))
    traders = state.on_points[seat] - merchants
    return [
        state.supply[stock_index(seat, TRADER)] / 8,
        state.supply[stock_index(seat, MERCHANT)] / 2,
        state.stock[stock_index(seat, TRADER)] / 8,
        state.stock[stock_index(seat, MERCHANT)] / 2,
        traders / 6,
        merchants / 2,
    ]


# -- posts


def _posts(state: GameState, cities: Cities) -> list[list[int]]:
    """By colour: posts, cities with posts, cities controlled, their routes, cities that are safe."""
    found = [[0, 0, 0, 0, 0] for _ in range(state.rules.colours)]
    for city in range(len(state.presence)):
        if not state.presence[city]:
            continue
        holder = cities.controllers[city]
        second = 0
        counts = cities.counts[city]
        for colour in range(len(counts)):
            count = counts[colour]
            if count:
                found[colour][0] += count
                found[colour][1] += 1
                if colour != holder:
                    second = max(second, count)
        found[holder][2] += 1
        found[holder][3] += len(state.board.city_routes[city])
        empty = cities.empty[city]
        if empty == 0 or counts[holder] - second > empty:
            found[holder][4] += 1
    return found


def _own_posts(posts: list[list[int]], seat: int, players: int) -> list[float]:
    own = posts[seat]
    others = sum([posts[other][0] for other in range(players) if other != seat])
    return [
        own[0] / 8,
        own[1] / 8,
        own[2] / 6,
        own[3] / 20,
        own[4] / 5,
        others / (players - 1) / 8,
    ]


# -- markers, the chain, favours


def _markers(state: GameState, seat: int) -> list[float]:
    additional = develop = actions = rest = 0
    for marker in state.markers[seat]:
        if marker == ADDITIONAL_POST:
            additional += 1
        elif marker == DEVELOP_ABILITY:
            develop += 1
        elif marker in (PLUS_3_ACTIONS, PLUS_4_ACTIONS):
            actions += 1
        else:
            rest += 1
    count = len(state.markers[seat]) + len(state.used[seat])
    is_done = seat in state.east_west
    missing = _NO_CHAIN
    if not is_done and len(state.east_west) < len(state.board.chain_prestige):
        missing = _chain_missing(state.board, _present(state, seat))
    return [
        count / 5,
        float(additional),
        float(develop),
        float(actions),
        float(rest),
        missing / 5,
        float(is_done),
        state.favours[seat].bit_count() / 3,
    ]


def _present(state: GameState, seat: int) -> int:
    """A bit for each city with a post of the seat."""
    found = 0
    for city in range(len(state.presence)):
        if state.presence[city] >> seat & 1:
            found |= 1 << city
    return found


@lru_cache(maxsize=4096)
def _chain_missing(board: Board, present: int) -> float:
    """The fewest cities without a post of the seat on a way between the two ends of the chain."""
    start, goal = board.chain_ends
    cost = [_cost(present, city) for city in range(len(board.neighbours))]
    total = [99] * len(cost)
    total[start] = cost[start]
    frontier = [start]
    while frontier:
        here = frontier.pop(0)
        for near in board.neighbours[here]:
            if total[here] + cost[near] < total[near]:
                total[near] = total[here] + cost[near]
                frontier.append(near)
    return float(total[goal])


def _cost(present: int, city: int) -> int:
    return 0 if present >> city & 1 else 1


# -- routes


def _routes(state: GameState, cities: Cities) -> list[list[float]]:
    """By seat, what it is about to get from the routes that it has begun."""
    players, board = state.rules.players, state.board
    found = [[0.0] * (_CONTESTED + 5) for _ in range(players)]
    for route in range(len(state.free)):
        if state.free[route] == board.all_free[route]:
            continue
        own = [0] * state.rules.colours
        merchants = [0] * state.rules.colours
        for point in board.routes[route]:
            man = state.points[point]
            if man:
                own[colour_of(man)] += 1
                if kind_of(man) == MERCHANT:
                    merchants[colour_of(man)] += 1
        for seat in range(players):
            if own[seat]:
                _add_route(state, cities, route, seat, own, merchants[seat] > 0, found[seat])
    return found


def _add_route(
    state: GameState,
    cities: Cities,
    route: int,
    seat: int,
    own: list[int],
    has_merchant: bool,
    row: list[float],
) -> None:
    """Add a route to the row of a seat; `own` are the tradesmen on it by colour."""
    size, mine = len(state.board.routes[route]), own[seat]
    others = sum(own) - mine
    if others:
        row[_CONTESTED] += 1.0
        row[_CONTESTED + 1] += mine
        if max([own[colour] for colour in range(len(own)) if colour != seat]) > mine:
            row[_CONTESTED + 2] += mine
    else:
        row[_CONTESTED + 3] += mine / size
    missing = size - mine
    if missing >= len(_NEARLY):
        return
    at = _ROUTE_PARTS * missing
    row[at] += 1.0
    best = 0.0
    for city in state.board.ends[route]:
        _add_abilities(state, city, seat, row, at + 1)
        best = max(best, _post_value(state, cities, city, seat, has_merchant))
        holder = cities.controllers[city]
        if holder == seat:
            row[at + 4] += 1.0
        elif holder != NONE:
            row[at + 4] -= 0.3
    row[at + 3] += best
    if state.route_markers[route] != NONE:
        row[at + 5] += 1.0
    if has_merchant and state.board.is_special[route]:
        row[_CONTESTED + 4] += 0.5 if missing else 1.0


def _add_abilities(state: GameState, city: int, seat: int, row: list[float], at: int) -> None:
    for ability in state.board.abilities[city]:
        if state.desk[desk_index(seat, ability)] < len(state.rules.values[ability]) - 1:
            row[at if ability == ACTIONS else at + 1] = 1.0


def _post_value(
    state: GameState, cities: Cities, city: int, seat: int, has_merchant: bool
) -> float:
    """A post that the seat could take now: 1, and the prestige on its space."""
    board, space = state.board, cities.next_space[city]
    if space == NONE or board.space_colour[space] > state.desk[desk_index(seat, PRIVILEGE)]:
        return 0.0
    if board.space_kind[space] == MERCHANT and not has_merchant:
        return 0.0
    return 1.0 + board.space_coin[space]

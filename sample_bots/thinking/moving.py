"""Moving thought through: the free points of a route filled with one's least useful tradesmen."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import (
    BOOK,
    DO_LIFT,
    DO_PUT,
    DO_STOP,
    EMPTY,
    LIFT,
    MERCHANT,
    NONE,
    PUT,
    colour_of,
    kind_of,
)
from thinking.decisions import Trail, best_index, settle
from thinking.evaluation import Outlook, content_of

Likeness: TypeAlias = tuple[int, int, int]


class Transfer(NamedTuple):
    """Tradesmen that leave their points for a route."""

    gain: float
    route: int
    origins: list[int]


def moves(
    state: GameState, index: int, outlook: Outlook, most: int
) -> list[tuple[GameState, Trail]]:
    """The most promising moves, each carried out, with its choices from this one on."""
    found: list[tuple[GameState, Trail]] = []
    for transfer in _transfers(state, outlook)[:most]:
        after = state.copy()
        game.apply(after, index)
        found.append((after, _carry_out(after, outlook, transfer, ((outlook.seat, index),))))
    return found


def _transfers(state: GameState, here: Outlook) -> list[Transfer]:
    """Transfers that gain something, the best first; without one, that which loses least."""
    losses = sorted([(_loss(state, here, point), point) for point in _own_points(state, here.seat)])
    found = [_transfer(state, here, route, losses) for route in _goals(state, here)]
    best = sorted([one for one in found if one.origins], reverse=True)
    return [one for one in best if one.gain > 0] or best[:1]


def _goals(state: GameState, here: Outlook) -> list[int]:
    """Routes that one move can fill, and those with a tradesman of the seat on them already."""
    most = state.rules.values[BOOK][here.seats[here.seat].desk.steps[BOOK]]
    begun = {state.board.point_route[point] for point in _own_points(state, here.seat)}
    routes = enumerate(state.free)
    return [r for r, free in routes if free and (free.bit_count() <= most or r in begun)]


def _own_points(state: GameState, seat: int) -> list[int]:
    return [point for point, man in enumerate(state.points) if colour_of(man) == seat]


def _loss(state: GameState, here: Outlook, point: int) -> float:
    """How much less may be expected of its route without the tradesman on a point."""
    route = state.board.point_route[point]
    content = content_of(state, route)
    at = 1 + point - state.board.routes[route][0]
    without = (*content[:at], EMPTY, *content[at + 1 :])
    return here.hope(here.seat, route, content) - here.hope(here.seat, route, without)


def _transfer(
    state: GameState, here: Outlook, route: int, losses: list[tuple[float, int]]
) -> Transfer:
    """As many as may be moved, or fit, from where they are missed least."""
    board, steps = state.board, here.seats[here.seat].desk.steps[BOOK]
    content, first = list(content_of(state, route)), board.routes[route][0]
    free = [point for point in board.routes[route] if not state.points[point]]
    most = min(len(free), state.rules.values[BOOK][steps])
    gain = -here.hope(here.seat, route, tuple(content))
    origins: list[int] = []
    for loss, origin in losses:
        if len(origins) == most:
            break
        man = state.points[origin]
        goal = next(
            (point for point in free if kind_of(man) == MERCHANT or not board.ship[point]), NONE
        )
        if goal != NONE and board.point_route[origin] != route:
            content[1 + goal - first] = man
            free.remove(goal)
            origins.append(origin)
            gain -= loss
    return Transfer(gain + here.hope(here.seat, route, tuple(content)), route, origins)


def _carry_out(state: GameState, outlook: Outlook, transfer: Transfer, trail: Trail) -> Trail:
    """Lift, stop, put; whatever finds no point on the route goes where it helps most."""
    wanted = [_likeness(state, point) for point in transfer.origins]
    while not state.over and state.agenda[-1].kind in (LIFT, PUT):
        index = _next_part(state, wanted, transfer.route)
        if index == NONE:
            index = best_index(state, outlook)
        game.apply(state, index)
        trail = (*trail, (outlook.seat, index))
    return settle(state, outlook, trail)


def _next_part(state: GameState, wanted: list[Likeness], route: int) -> int:
    """The choice that carries the transfer on; what it lifts is wanted no longer."""
    for index, choice in enumerate(game.choices(state)):
        if choice.do == DO_LIFT and _likeness(state, choice.point) in wanted:
            wanted.remove(_likeness(state, choice.point))
            return index
        if choice.do == DO_STOP:
            return index
        if choice.do == DO_PUT and state.board.point_route[choice.point] == route:
            return index
    return NONE


def _likeness(state: GameState, point: int) -> Likeness:
    """Tradesmen that are alike in this are one choice."""
    return state.board.point_route[point], state.points[point], state.board.ship[point]

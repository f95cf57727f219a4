"""Plans a whole move: fills the free points of a route with the seat's least useful tradesmen."""

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
from referee.thinking.decisions import Trail, answer_until_turn, best_index
from referee.thinking.evaluation import Evaluator, content_of

MoveClass: TypeAlias = tuple[int, int, int]


class Transfer(NamedTuple):
    """Tradesmen to move from their points to a route."""

    gain: float
    route: int
    origins: list[int]


def moves(
    state: GameState, index: int, evaluator: Evaluator, most: int
) -> list[tuple[GameState, Trail]]:
    """At most `most` promising moves: the position after each, and its choices from `index` on."""
    found: list[tuple[GameState, Trail]] = []
    for transfer in _transfers(state, evaluator)[:most]:
        after = state.copy()
        game.apply(after, index)
        found.append((after, _carry_out(after, evaluator, transfer, ((evaluator.seat, index),))))
    return found


def _transfers(state: GameState, here: Evaluator) -> list[Transfer]:
    """Transfers that gain something, the best first; if there are none, the one that loses least."""
    losses = sorted([(_loss(state, here, point), point) for point in _own_points(state, here.seat)])
    found = [_transfer(state, here, route, losses) for route in _goals(state, here)]
    best = sorted([transfer for transfer in found if transfer.origins], reverse=True)
    return [transfer for transfer in best if transfer.gain > 0] or best[:1]


def _goals(state: GameState, here: Evaluator) -> list[int]:
    """Routes that one move can fill, and those that already hold a tradesman of the seat."""
    most = state.rules.values[BOOK][here.seats[here.seat].desk.steps[BOOK]]
    begun = {state.board.point_route[point] for point in _own_points(state, here.seat)}
    routes = enumerate(state.free)
    return [r for r, free in routes if free and (free.bit_count() <= most or r in begun)]


def _own_points(state: GameState, seat: int) -> list[int]:
    return [point for point, tradesman in enumerate(state.points) if colour_of(tradesman) == seat]


def _loss(state: GameState, here: Evaluator, point: int) -> float:
    """How much less the seat can expect from a route without its tradesman on this point."""
    route = state.board.point_route[point]
    content = content_of(state, route)
    at = 1 + point - state.board.routes[route][0]
    without = (*content[:at], EMPTY, *content[at + 1 :])
    return here.expected(here.seat, route, content) - here.expected(here.seat, route, without)


def _transfer(
    state: GameState, here: Evaluator, route: int, losses: list[tuple[float, int]]
) -> Transfer:
    """As many tradesmen as the seat may move and the route can hold, with the smallest losses."""
    board, steps = state.board, here.seats[here.seat].desk.steps[BOOK]
    content, first = list(content_of(state, route)), board.routes[route][0]
    free = [point for point in board.routes[route] if not state.points[point]]
    most = min(len(free), state.rules.values[BOOK][steps])
    gain = -here.expected(here.seat, route, tuple(content))
    origins: list[int] = []
    for loss, origin in losses:
        if len(origins) == most:
            break
        tradesman = state.points[origin]
        goal = next(
            (point for point in free if kind_of(tradesman) == MERCHANT or not board.ship[point]),
            NONE,
        )
        if goal != NONE and board.point_route[origin] != route:
            content[1 + goal - first] = tradesman
            free.remove(goal)
            origins.append(origin)
            gain -= loss
    return Transfer(gain + here.expected(here.seat, route, tuple(content)), route, origins)


def _carry_out(state: GameState, evaluator: Evaluator, transfer: Transfer, trail: Trail) -> Trail:
    """Lift, stop, put. A tradesman without a free point on the route goes where it helps most."""
    wanted = [_move_class(state, point) for point in transfer.origins]
    while not state.over and state.agenda[-1].kind in (LIFT, PUT):
        index = _next_part(state, wanted, transfer.route)
        if index == NONE:
            index = best_index(state, evaluator)
        game.apply(state, index)
        trail = (*trail, (evaluator.seat, index))
    return answer_until_turn(state, evaluator, trail)


def _next_part(state: GameState, wanted: list[MoveClass], route: int) -> int:
    """The next choice of the transfer, or NONE. Removes from `wanted` what it lifts."""
    for index, choice in enumerate(game.choices(state)):
        if choice.do == DO_LIFT and _move_class(state, choice.point) in wanted:
            wanted.remove(_move_class(state, choice.point))
            return index
        if choice.do == DO_STOP:
            return index
        if choice.do == DO_PUT and state.board.point_route[choice.point] == route:
            return index
    return NONE


def _move_class(state: GameState, point: int) -> MoveClass:
    """The engine offers tradesmen of the same class as one choice."""
    return state.board.point_route[point], state.points[point], state.board.ship[point]

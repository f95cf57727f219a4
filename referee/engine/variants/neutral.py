"""Two players and a neutral colour (TWO-1, TWO-3, TWO-4, TWO-6)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.actions.create import score_control
from referee.engine.actions.establish import establish, leftmost_empty, settle_tribute
from referee.engine.choice import Choice
from referee.engine.decision import Decision, ask
from referee.engine.hooks import Variant
from referee.engine.markers import may_lie
from referee.engine.rng import Rng
from referee.engine.state import GameState
from referee.engine.terms import (
    EMPTY,
    FROM_STOCK,
    NEUTRAL_POST,
    NONE,
    ON_SPACE,
    TRADER,
    RouteId,
    tradesman,
)


def set_up(state: GameState, _: Rng) -> None:
    """Put a neutral trader on routes to special cities and on routes with a marker (TWO-1)."""
    for route, marker in enumerate(state.route_markers):
        if _is_special(state, route) or marker != NONE:
            _put_trader(state, route)


def _is_special(state: GameState, route: RouteId) -> bool:
    return state.board.ends_at_special(route, state.rules.neutral_scores)


def _put_trader(state: GameState, route: RouteId) -> None:
    man = tradesman(state.neutral, TRADER)
    updates.place(state, man, FROM_STOCK, updates.neutral_point(state, route))


def join_marker(state: GameState, route: RouteId) -> None:
    """A neutral trader joins a marker on an empty route; on a spare route one stands there (TWO-4)."""
    if state.free[route] == state.board.all_free[route]:
        _put_trader(state, route)


def spare_routes(state: GameState) -> list[RouteId]:
    """Routes with neutral traders and no others, for a marker that finds no empty one (TWO-6)."""
    if not state.rules.neutral_scores:
        return []
    return [
        route
        for route in range(len(state.free))
        if may_lie(state, route) and _only_neutral(state, route)
    ]


def _only_neutral(state: GameState, route: RouteId) -> bool:
    allowed = (EMPTY, tradesman(state.neutral, TRADER))
    return all([state.points[point] in allowed for point in state.board.routes[route]])


def create_full_routes(state: GameState) -> None:
    """Create the first route that is full of neutral traders; the rest follow in their turn (TWO-3)."""
    for route, mask in enumerate(state.free):
        if not mask and _only_neutral(state, route):
            _create(state, route)
            return


def _create(state: GameState, route: RouteId) -> None:
    had_marker = state.route_markers[route] != NONE
    stays = state.rules.neutral_scores and _is_special(state, route)
    updates.clear_neutral(state, route, stays)
    score_control(state, route)
    if had_marker:
        updates.draw_marker(state, state.active)
    decision = Decision(NEUTRAL_POST, state.active, point=state.board.routes[route][0])
    options = choices(state, decision)
    if options:
        ask(state, decision, options)
    else:
        create_full_routes(state)


def choices(state: GameState, decision: Decision) -> list[Choice]:
    """The end cities of the route that have an empty space."""
    route = state.board.point_route[decision.point]
    tables = state.board.tables.neutral_post
    return [tables[c] for c in state.board.ends[route] if leftmost_empty(state, c) != NONE]


def resolve(state: GameState, decision: Decision, choice: Choice) -> None:
    """The neutral trader takes the leftmost empty space, whatever its colour and shape."""
    state.agenda.pop()
    space = leftmost_empty(state, choice.city)
    establish(state, tradesman(state.neutral, TRADER), choice.city, ON_SPACE, space)
    settle_tribute(state, choice.city)


NEUTRAL = Variant(
    "neutral",
    set_up=set_up,
    action_finished=create_full_routes,
    marker_placed=join_marker,
    spare_routes=spare_routes,
)

"""Relocation: displaced tradesmen and their extras find new points (DIS-2 to DIS-5, TWO-2, BRI-3, FAV-2)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.actions.extra_tradesmen import extra_men, extra_source
from referee.engine.choice import Choice, from_point
from referee.engine.decision import Decision, ask
from referee.engine.state import GameState
from referee.engine.terms import (
    DO_DECLINE,
    DO_RELOCATE,
    FROM_DISPLACED,
    FROM_POINT,
    MERCHANT,
    REINFORCE,
    RELOCATE,
    RELOCATE_ANYWHERE,
    PointId,
    RouteId,
    Seat,
    Tradesman,
)


def begin(state: GameState, by: Seat, point: PointId, displaced: Tradesman) -> None:
    """Ask the displaced player, or for a neutral trader the other player."""
    owner = (displaced >> 1) - 1
    neutral = owner >= state.rules.players
    extras = 2 if displaced & 1 == MERCHANT or _has_tile(state, owner, REINFORCE) else 1
    decision = Decision(
        RELOCATE,
        1 - by if neutral else owner,
        point=point,
        by=by,
        owner=owner,
        left=extras,
        held=(displaced,),
    )
    _go_on(state, decision)


def _go_on(state: GameState, decision: Decision) -> None:
    """Ask, unless there is nothing to ask; a displaced tradesman without a point retires."""
    if decision.held and not _goals(state, decision, decision.held[0]):
        updates.retire_displaced(state, decision.held[0])
        decision = _after(decision, (), decision.left, decision.placed)
    options = choices(state, decision)
    if len(options) > 1 or (options and decision.held):
        ask(state, decision, options)


def choices(state: GameState, decision: Decision) -> list[Choice]:
    """The displaced first, then extras, each to the nearest points; then to decline."""
    tables = state.board.tables.relocate
    found: list[Choice] = []
    for man in decision.held:
        here = tables[FROM_DISPLACED][man & 1]
        found += [here[goal] for goal in _goals(state, decision, man)]
    if decision.left:
        _add_extras(state, decision, found)
    if not decision.held:
        found.append(state.board.tables.decline)
    return found


def _add_extras(state: GameState, decision: Decision, found: list[Choice]) -> None:
    tables = state.board.tables
    source = extra_source(state, decision.owner, decision.placed)
    for man, origin in extra_men(state, decision.owner, source, decision.placed):
        for goal in _goals(state, decision, man):
            if _leaves_room(state, decision, origin, goal):
                if source == FROM_POINT:
                    found.append(from_point(DO_RELOCATE, origin, man & 1, goal))
                else:
                    found.append(tables.relocate[source][man & 1][goal])


def _goals(state: GameState, decision: Decision, man: Tradesman) -> list[PointId]:
    """The free points that the tradesman fits on the nearest routes that have one."""
    fitting = state.board.tables.goals[fits_ships(state, man)]
    reach = _reach(state, decision)
    free, country = state.free, state.board.route_country
    for ring in _rings(state, decision):
        goals: list[PointId] = []
        for route in ring:
            if free[route] and country[route] & reach:
                goals += fitting[route][free[route]]
        if goals:
            return goals
    return []


def _rings(state: GameState, decision: Decision) -> list[list[RouteId]]:
    if _has_tile(state, decision.owner, RELOCATE_ANYWHERE):
        return [list(range(len(state.free)))]
    return state.board.rings[state.board.point_route[decision.point]]


def _reach(state: GameState, decision: Decision) -> int:
    """The countries that the piece may go to."""
    country = state.board.point_country[decision.point]
    if decision.owner >= state.rules.players:
        return country
    return country | state.board.home


def _leaves_room(state: GameState, decision: Decision, origin: PointId, goal: PointId) -> bool:
    """Whether the displaced, if it is still to be placed, has a point when the extra took its."""
    if not decision.held:
        return True
    man = decision.held[0]
    reach, board = _reach(state, decision), state.board
    ships = fits_ships(state, man)
    for ring in _rings(state, decision):
        for route in ring:
            if board.route_country[route] & reach:
                for point in board.routes[route]:
                    vacant = not state.points[point] or point == origin
                    if vacant and point != goal and (ships or not board.ship[point]):
                        return True
    return False


def fits_ships(state: GameState, man: Tradesman) -> bool:
    """Merchants do, and neutral traders (TWO-5)."""
    return man & 1 == MERCHANT or man >> 1 > state.rules.players


def _has_tile(state: GameState, colour: Seat, tile: int) -> bool:
    return colour < state.rules.players and bool(state.favours[colour] >> tile & 1)


def resolve(state: GameState, decision: Decision, choice: Choice) -> None:
    """One tradesman finds its point; what is left is asked anew."""
    state.agenda.pop()
    if choice.do == DO_DECLINE:
        return
    man = 2 * decision.owner + 2 + choice.kind
    updates.relocate(state, man, choice.source, choice.point, choice.origin)
    placed = (*decision.placed, choice.point)
    if choice.source == FROM_DISPLACED:
        decision = _after(decision, (), decision.left, placed)
    else:
        decision = _after(decision, decision.held, decision.left - 1, placed)
    _go_on(state, decision)


def _after(
    decision: Decision, held: tuple[Tradesman, ...], left: int, placed: tuple[PointId, ...]
) -> Decision:
    return Decision(
        RELOCATE,
        decision.seat,
        point=decision.point,
        by=decision.by,
        owner=decision.owner,
        left=left,
        held=held,
        placed=placed,
    )

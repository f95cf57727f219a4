"""Relocation: displaced tradesmen and their extras find new points (DIS-2 to DIS-5, TWO-2, BRI-3, FAV-2)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine import updates
from referee.engine.actions.extra_tradesmen import extra_source, possible_extras
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
    colour_of,
    kind_of,
    tradesman,
)


def begin(state: GameState, by: Seat, point: PointId, displaced: Tradesman) -> None:
    """Ask the displaced player, or for a neutral trader the other player."""
    owner = colour_of(displaced)
    neutral = owner >= state.rules.players
    extras = 2 if kind_of(displaced) == MERCHANT or _has_tile(state, owner, REINFORCE) else 1
    decision = Decision(
        RELOCATE,
        1 - by if neutral else owner,
        point=point,
        by=by,
        owner=owner,
        left=extras,
        held=(displaced,),
    )
    _continue(state, decision)


def _continue(state: GameState, decision: Decision) -> None:
    """Ask for the next tradesman if there is a choice; a displaced one without a point goes to the stock."""
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
        here = tables[FROM_DISPLACED][kind_of(man)]
        found += [here[goal] for goal in _goals(state, decision, man)]
    if decision.left:
        _add_extras(state, decision, found)
    if not decision.held:
        found.append(state.board.tables.decline)
    return found


def _add_extras(state: GameState, decision: Decision, found: list[Choice]) -> None:
    tables = state.board.tables
    source = extra_source(state, decision.owner, decision.placed)
    for man, origin in possible_extras(state, decision.owner, source, decision.placed):
        for goal in _goals(state, decision, man):
            if _leaves_point(state, decision, origin, goal):
                if source == FROM_POINT:
                    found.append(from_point(DO_RELOCATE, origin, kind_of(man), goal))
                else:
                    found.append(tables.relocate[source][kind_of(man)][goal])


def _goals(state: GameState, decision: Decision, man: Tradesman) -> list[PointId]:
    """The free points that the tradesman fits on the nearest routes that have one."""
    fitting = state.board.tables.goals[fits_ships(state, man)]
    free = state.free
    for ring in _rings(state, decision):
        goals: list[PointId] = []
        for route in ring:
            if free[route]:
                goals += fitting[route][free[route]]
        if goals:
            return goals
    return []


def _rings(state: GameState, decision: Decision) -> list[list[RouteId]]:
    """The routes that a tradesman may go to, by distance: nearest first (DIS-4, BRI-3)."""
    reach = _reach(state, decision)
    if _has_tile(state, decision.owner, RELOCATE_ANYWHERE):
        return [list(state.board.routes_in(reach))]
    return state.board.rings(state.board.point_route[decision.point], reach)


def _reach(state: GameState, decision: Decision) -> int:
    """The countries, as bits, that the tradesman may go to."""
    country = state.board.point_country[decision.point]
    if decision.owner >= state.rules.players:
        return country
    return country | state.board.home


def _leaves_point(state: GameState, decision: Decision, origin: PointId, goal: PointId) -> bool:
    """Whether the displaced, if still to be placed, has a point once an extra went to `goal`."""
    if not decision.held:
        return True
    ships = fits_ships(state, decision.held[0])
    for point in _reachable_points(state, decision):
        vacant = not state.points[point] or point == origin
        if vacant and point != goal and (ships or not state.board.ship[point]):
            return True
    return False


def _reachable_points(state: GameState, decision: Decision) -> Iterator[PointId]:
    """Every point, free or not, on the routes that the displaced may go to, nearest first."""
    for ring in _rings(state, decision):
        for route in ring:
            yield from state.board.routes[route]


def fits_ships(state: GameState, man: Tradesman) -> bool:
    """Whether a tradesman may stand on ships: merchants may, and neutral traders (TWO-5)."""
    return kind_of(man) == MERCHANT or colour_of(man) >= state.rules.players


def _has_tile(state: GameState, colour: Seat, tile: int) -> bool:
    return colour < state.rules.players and bool(state.favours[colour] >> tile & 1)


def resolve(state: GameState, decision: Decision, choice: Choice) -> None:
    """Put one tradesman on its point, then ask about the rest."""
    state.agenda.pop()
    if choice.do == DO_DECLINE:
        return
    man = tradesman(decision.owner, choice.kind)
    updates.relocate(state, man, choice.source, choice.point, choice.origin)
    placed = (*decision.placed, choice.point)
    if choice.source == FROM_DISPLACED:
        decision = _after(decision, (), decision.left, placed)
    else:
        decision = _after(decision, decision.held, decision.left - 1, placed)
    _continue(state, decision)


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

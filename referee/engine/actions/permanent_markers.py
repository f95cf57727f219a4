"""Permanent markers: used when their route is created, and only then (EAST-5 to EAST-8, BRI-7)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.abilities import develop, is_full
from referee.engine.actions import move
from referee.engine.actions.establish import establish_green, settle_tribute
from referee.engine.actions.extra_tradesmen import extra_source, possible_extras
from referee.engine.choice import Choice, from_point
from referee.engine.decision import Decision, ask
from referee.engine.state import GameState
from referee.engine.terms import (
    DEVELOP_PRIVILEGE,
    DO_DECLINE,
    DO_PLACE_FREELY,
    FROM_POINT,
    FROM_ROUTE,
    GREEN_POST,
    MERCHANT,
    MOVE_2_ANY,
    NONE,
    PERMANENT,
    PLACE_2_ABROAD,
    PLACE_2_FROM_ROUTE,
    PRIVILEGE,
    TRADER,
    WHY_MOVE_2_ANY,
    CityId,
    Kind,
    PointId,
    RouteId,
    Seat,
    Tradesman,
    kind_of,
    stock_index,
    tradesman,
)

_MOST = {DEVELOP_PRIVILEGE: 1, GREEN_POST: 1, PLACE_2_FROM_ROUTE: 2, PLACE_2_ABROAD: 2}


def begin(
    state: GameState, seat: Seat, route: RouteId, held: tuple[Tradesman, ...], city: CityId
) -> None:
    """Offer the route's permanent marker, if it has one."""
    marker, first = state.board.permanent[route], state.board.routes[route][0]
    if marker == NONE:
        return
    if marker == MOVE_2_ANY:
        must = state.rules.permanent_first
        move.begin(state, seat, WHY_MOVE_2_ANY, created=first if must else NONE)
        return
    decision = Decision(
        PERMANENT, seat, why=marker, left=_MOST[marker], point=first, city=city, held=held
    )
    _continue(state, decision)


def _continue(state: GameState, decision: Decision) -> None:
    if decision.left:
        options = choices(state, decision)
        if options and options[0].do != DO_DECLINE:
            ask(state, decision, options)
            return
    _finish(state, decision)


def _finish(state: GameState, decision: Decision) -> None:
    """Return the tradesmen kept from the route; tributes for its post are paid after that (BON-9)."""
    if decision.why == PLACE_2_FROM_ROUTE:
        updates.return_held(state, decision.seat, decision.held)
        if decision.city != NONE:
            settle_tribute(state, decision.city)


def choices(state: GameState, decision: Decision) -> list[Choice]:
    """What the marker allows; and to decline, unless it must be used and was not yet."""
    found: list[Choice] = []
    if decision.why == GREEN_POST:
        _add_green_posts(state, decision.seat, found)
    elif decision.why == DEVELOP_PRIVILEGE:
        if not is_full(state, decision.seat, PRIVILEGE):
            found.append(state.board.tables.develop[PRIVILEGE])
    elif decision.why == PLACE_2_FROM_ROUTE:
        _add_from_route(state, decision, found)
    else:
        _add_abroad(state, decision, found)
    if decision.placed or not state.rules.permanent_first:
        found.append(state.board.tables.decline)
    return found


def _add_green_posts(state: GameState, seat: Seat, found: list[Choice]) -> None:
    for city in state.board.green_cities:
        for kind in (TRADER, MERCHANT):
            if state.supply[stock_index(seat, kind)]:
                found.append(state.board.tables.green_post[city][kind])


def _goals(state: GameState, kind: Kind, countries: int) -> list[PointId]:
    fitting = state.board.tables.goals[kind == MERCHANT]
    return [
        goal
        for route in state.board.routes_in(countries)
        for goal in fitting[route][state.free[route]]
    ]


def _add_from_route(state: GameState, decision: Decision, found: list[Choice]) -> None:
    tables = state.board.tables.place_freely[FROM_ROUTE]
    for man in sorted(set(decision.held)):
        kind = kind_of(man)
        found += [tables[kind][goal] for goal in _goals(state, kind, state.board.everywhere)]


def _add_abroad(state: GameState, decision: Decision, found: list[Choice]) -> None:
    tables, stay = state.board.tables, decision.placed
    if state.rules.permanent_first:  # the tradesmen of the route still stand there
        stay += tuple(state.board.routes[state.board.point_route[decision.point]])
    source = extra_source(state, decision.seat, stay)
    for man, origin in possible_extras(state, decision.seat, source, stay):
        kind = kind_of(man)
        for goal in _goals(state, kind, state.board.abroad):
            if source == FROM_POINT:
                found.append(from_point(DO_PLACE_FREELY, origin, kind, goal))
            else:
                found.append(tables.place_freely[source][kind][goal])


def resolve(state: GameState, decision: Decision, choice: Choice) -> None:
    """Use the marker once, and ask again if it can be used twice."""
    state.agenda.pop()
    if choice.do == DO_DECLINE:
        _finish(state, decision)
    elif decision.why == GREEN_POST:
        establish_green(state, decision.seat, choice.kind, choice.city)
    elif decision.why == DEVELOP_PRIVILEGE:
        develop(state, decision.seat, PRIVILEGE)
    else:
        man = tradesman(decision.seat, choice.kind)
        updates.place(state, man, choice.source, choice.point, choice.origin)
        _continue(state, _after_placing(decision, man, choice))


def _after_placing(decision: Decision, man: Tradesman, choice: Choice) -> Decision:
    held = list(decision.held)
    if choice.source == FROM_ROUTE:
        held.remove(man)
    return Decision(
        PERMANENT,
        decision.seat,
        why=decision.why,
        left=decision.left - 1,
        point=decision.point,
        city=decision.city,
        held=tuple(held),
        placed=(*decision.placed, choice.point),
    )

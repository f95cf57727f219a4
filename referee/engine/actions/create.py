"""Create a trade route: points for the controllers, the marker, and one reward (CRE-1 to CRE-12, BON-3)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.abilities import develop, is_full
from referee.engine.actions import permanent_markers
from referee.engine.actions.establish import establish, leftmost_empty, settle_tribute
from referee.engine.choice import Choice
from referee.engine.control import controller
from referee.engine.decision import Decision
from referee.engine.state import GameState
from referee.engine.terms import (
    ADDITIONAL,
    ADDITIONAL_POST,
    AS_ADDITIONAL,
    BY_CONTROL,
    DEVELOP,
    DO_CREATE,
    MERCHANT,
    NONE,
    ON_SPACE,
    PLACE_2_FROM_ROUTE,
    POST,
    PRIVILEGE,
    REWARD,
    SPECIAL,
    TRADER,
    CityId,
    Kind,
    RouteId,
    Seat,
    Tradesman,
    desk_index,
    tradesman,
)


def add_choices(state: GameState, seat: Seat, choices: list[Choice]) -> None:
    """Every route on which all points are the seat's, with each possible reward."""
    board, points = state.board, state.points
    own = (tradesman(seat, TRADER), tradesman(seat, MERCHANT))
    for route, mask in enumerate(state.free):
        if not mask and points[board.routes[route][0]] in own:
            men = [points[point] for point in board.routes[route]]
            if all([man in own for man in men]):
                if _permanent_first(state, route):
                    choices.append(board.tables.create_only[route])
                else:
                    _add_rewards(state, seat, route, choices)


def _permanent_first(state: GameState, route: RouteId) -> bool:
    """Whether the route's permanent marker is used before the reward is chosen (EAST-5)."""
    return state.rules.permanent_first and state.board.permanent[route] != NONE


def _add_rewards(state: GameState, seat: Seat, route: RouteId, choices: list[Choice]) -> None:
    tables, ends = state.board.tables, state.board.ends[route]
    men = [state.points[point] for point in state.board.routes[route]]
    kinds = [kind for kind in (TRADER, MERCHANT) if tradesman(seat, kind) in men]
    choices.append(tables.create_only[route])
    for city in ends:
        if _may_establish(state, seat, city, kinds):
            choices.append(tables.create_post(route, city))
    if ADDITIONAL_POST in state.markers[seat]:
        for city in ends:
            if _takes_additional(state, city):
                choices += [tables.create_additional(route, city, kind) for kind in kinds]
    for ability in _abilities_at(state, ends):
        if not is_full(state, seat, ability):
            choices.append(tables.create_develop(route, ability))
    if state.board.is_special[route] and MERCHANT in kinds:
        for space, colour in enumerate(state.board.special_colours):
            if state.special[space] == NONE and colour <= state.desk[desk_index(seat, PRIVILEGE)]:
                choices.append(tables.create_special(route, space))


def _abilities_at(state: GameState, ends: tuple[CityId, CityId]) -> list[int]:
    one, other = state.board.abilities[ends[0]], state.board.abilities[ends[1]]
    return sorted({*one, *other})


def _may_establish(state: GameState, seat: Seat, city: CityId, kinds: list[Kind]) -> bool:
    space = leftmost_empty(state, city)
    return (
        space != NONE
        and state.board.space_kind[space] in kinds
        and state.board.space_colour[space] <= state.desk[desk_index(seat, PRIVILEGE)]
    )


def _takes_additional(state: GameState, city: CityId) -> bool:
    """Whether the leftmost space is occupied; a green city needs nothing (EAST-3)."""
    return state.board.green[city] or state.posts[state.board.spaces[city][0]] != 0


def resolve(state: GameState, seat: Seat, choice: Choice) -> None:
    """Clear the route, score, take the marker, then the reward, then the permanent marker."""
    route = choice.route
    if _permanent_first(state, route):
        _use_permanent_first(state, seat, route)
        return
    used = _kind_used(state, choice)
    held = _held_back(state, route, used)
    updates.spend_action(state, DO_CREATE)
    updates.clear_created(state, choice, used, held)
    score_control(state, route)
    take_marker(state, seat, route)
    _take_reward(state, seat, choice)
    if not _settle_tribute(state, choice):
        permanent_markers.begin(state, seat, route, held, choice.city)


def _use_permanent_first(state: GameState, seat: Seat, route: RouteId) -> None:
    """Score, then use the permanent marker, while the tradesmen stay on the route; then the reward."""
    updates.spend_action(state, DO_CREATE)
    score_control(state, route)
    take_marker(state, seat, route)
    state.agenda.append(Decision(REWARD, seat, point=state.board.routes[route][0]))
    permanent_markers.begin(state, seat, route, (), NONE)


def rewards(state: GameState, decision: Decision) -> list[Choice]:
    """Every reward of a created route whose permanent marker was used first."""
    found: list[Choice] = []
    _add_rewards(state, decision.seat, state.board.point_route[decision.point], found)
    return found


def resolve_reward(state: GameState, decision: Decision, choice: Choice) -> None:
    """Clear the route and take the reward."""
    state.agenda.pop()
    updates.clear_created(state, choice, _kind_used(state, choice), ())
    _take_reward(state, decision.seat, choice)
    if choice.city != NONE:
        settle_tribute(state, choice.city)


def score_control(state: GameState, route: RouteId) -> None:
    """Score one point for the controller of each end city (CRE-2)."""
    controllers = [(controller(state, city), city) for city in state.board.ends[route]]
    for colour, city in controllers:
        if colour != NONE:
            updates.score(state, colour, 1, BY_CONTROL, city)


def take_marker(state: GameState, seat: Seat, route: RouteId) -> None:
    """Take the route's marker, and draw a replacement onto the plate (CRE-3)."""
    if state.route_markers[route] != NONE:
        updates.take_marker(state, seat, route)
        updates.draw_marker(state, seat)


def _kind_used(state: GameState, choice: Choice) -> Kind:
    """The kind of the route's tradesman that the reward needs, or NONE."""
    if choice.reward == POST:
        return state.board.space_kind[leftmost_empty(state, choice.city)]
    return MERCHANT if choice.reward == SPECIAL else choice.kind


def _held_back(state: GameState, route: RouteId, used: Kind) -> tuple[Tradesman, ...]:
    """The tradesmen that the permanent marker may place instead of returning them (EAST-8)."""
    if state.board.permanent[route] != PLACE_2_FROM_ROUTE:
        return ()
    men = sorted([state.points[point] for point in state.board.routes[route]])
    if used != NONE:
        men.remove(tradesman(state.active, used))
    return tuple(men)


def _take_reward(state: GameState, seat: Seat, choice: Choice) -> None:
    city = choice.city
    if choice.reward == POST:
        space = leftmost_empty(state, city)
        man = tradesman(seat, state.board.space_kind[space])
        establish(state, man, city, ON_SPACE, space)
    elif choice.reward == ADDITIONAL:
        updates.use_marker(state, seat, ADDITIONAL_POST, choice)
        establish(state, tradesman(seat, choice.kind), city, AS_ADDITIONAL, NONE)
    elif choice.reward == DEVELOP:
        develop(state, seat, choice.ability)
    elif choice.reward == SPECIAL:
        updates.take_special(state, seat, choice.special)


def _settle_tribute(state: GameState, choice: Choice) -> bool:
    """Pay tributes for the post, unless tradesmen of the route return later; whether a seat is asked."""
    route = choice.route
    if choice.city == NONE or state.board.permanent[route] == PLACE_2_FROM_ROUTE:
        return False
    return settle_tribute(state, choice.city, state.board.routes[route][0])

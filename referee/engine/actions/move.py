"""Move: lift tradesmen off their points, then put them on free ones (MOV-1, MOV-2, BON-7, BON-8, EAST-6, BRI-4, BRI-5)."""

from __future__ import annotations

from referee.engine import updates
from referee.engine.abilities import value
from referee.engine.actions.relocate import fits_ships
from referee.engine.choice import Choice
from referee.engine.decision import Decision, ask
from referee.engine.state import GameState
from referee.engine.terms import (
    BOOK,
    DO_MOVE,
    DO_STOP,
    LIFT,
    MERCHANT,
    NONE,
    PUT,
    TRADER,
    WHY_MOVE,
    WHY_MOVE_2_ANY,
    WHY_MOVE_3,
    WHY_REMOVE_3,
    PointId,
    Seat,
    Tradesman,
    tradesman,
)
from referee.engine.variants import countries


def add_choices(state: GameState, seat: Seat, choices: list[Choice]) -> None:
    """Offer the action if the seat has a tradesman on a point."""
    if state.on_points[seat]:
        choices.append(state.board.tables.move)


def resolve(state: GameState, seat: Seat, choice: Choice) -> None:
    """Move up to as many own tradesmen as the Book's value."""
    unbound = countries.bought_permit_holds(state)
    updates.spend_action(state, DO_MOVE, with_permit=unbound)
    begin(state, seat, WHY_MOVE, unbound=unbound)


def begin(
    state: GameState, seat: Seat, why: int, *, unbound: bool = False, created: PointId = NONE
) -> None:
    """Ask the seat which tradesmen to lift.

    Those of the route that begins with the point `created` stay, and one of the others must be lifted.
    """
    left = most(state, seat, why)
    _go_on_lifting(state, Decision(LIFT, seat, why=why, left=left, point=created, unbound=unbound))


def most(state: GameState, seat: Seat, why: int) -> int:
    """How many tradesmen the seat may lift for this reason."""
    if why == WHY_MOVE:
        return value(state, seat, BOOK)
    return 2 if why == WHY_MOVE_2_ANY else 3


def anything_to_lift(state: GameState, seat: Seat, why: int) -> bool:
    """Whether any tradesman on a point may be lifted for this reason."""
    on_points = sum(state.on_points)
    if why == WHY_MOVE_3:
        on_points -= state.on_points[seat]
    return on_points > 0


def _go_on_lifting(state: GameState, decision: Decision) -> None:
    if decision.left:
        options = lift_choices(state, decision)
        if options and options[0].do != DO_STOP:
            ask(state, decision, options)
            return
    _begin_putting(state, decision)


def lift_choices(state: GameState, decision: Decision) -> list[Choice]:
    """Tradesmen to lift; and to stop, once one is lifted or if none has to be."""
    board, points = state.board, state.points
    liftable = _liftable(state, decision.seat, decision.why)
    created = NONE if decision.point == NONE else board.point_route[decision.point]
    found: list[Choice] = []
    for route, mask in enumerate(state.free):
        if mask == board.all_free[route] or route == created:
            continue
        met = 0
        for point in board.routes[route]:
            man = points[point]
            if liftable[man]:
                alike = 1 << 2 * man + board.ship[point]
                if not met & alike:
                    met |= alike
                    found.append(board.tables.lift[point])
    may_lift_none = decision.why == WHY_MOVE_2_ANY and created == NONE
    if may_lift_none or decision.left < most(state, decision.seat, decision.why):
        found.append(board.tables.stop)
    return found


def _liftable(state: GameState, seat: Seat, why: int) -> list[bool]:
    """By tradesman, whether the seat may lift it for this reason; False for an empty point."""
    found = [False] * tradesman(state.rules.colours, TRADER)
    for colour in range(state.rules.colours):
        is_own = colour == seat
        may_lift = is_own if why == WHY_MOVE else not (is_own and why == WHY_MOVE_3)
        found[tradesman(colour, TRADER)] = found[tradesman(colour, MERCHANT)] = may_lift
    return found


def resolve_lift(state: GameState, decision: Decision, choice: Choice) -> None:
    """Lift one more tradesman, or begin to put them."""
    state.agenda.pop()
    if choice.do == DO_STOP:
        _begin_putting(state, decision)
        return
    held, origins = decision.held, decision.origins
    if decision.why == WHY_REMOVE_3:
        updates.remove(state, decision.seat, choice.point, decision.why)
    else:
        held += (updates.lift(state, decision.seat, choice.point, decision.why),)
        origins += (choice.point,)
    _go_on_lifting(state, _with(decision, LIFT, decision.left - 1, held, origins))


def _begin_putting(state: GameState, decision: Decision) -> None:
    if decision.held:
        putting = _with(decision, PUT, 0, decision.held, decision.origins)
        ask(state, putting, put_choices(state, putting))


def put_choices(state: GameState, decision: Decision) -> list[Choice]:
    """Free points for the first lifted tradesman that leave one for each of the others."""
    man, free = decision.held[0], state.free
    tables = state.board.tables.put[fits_ships(state, man)]
    found: list[Choice] = []
    for route in state.board.routes_in(_reach(state, decision, 0)):
        mask = free[route]
        if mask:
            found += tables[route][mask]
    if any([_is_scarce(state, decision, other) for other in range(1, len(decision.held))]):
        found = [choice for choice in found if _leaves_points(state, decision, choice.point)]
    return found


def _reach(state: GameState, decision: Decision, which: int) -> int:
    """The countries that a lifted tradesman may be put in."""
    country = state.board.point_country[decision.origins[which]]
    if decision.why != WHY_MOVE:
        return country
    return state.board.everywhere if decision.unbound else country | state.board.home


def _is_scarce(state: GameState, decision: Decision, which: int) -> bool:
    """Whether a lifted tradesman fits no more points than were lifted, so that they could run out."""
    fitting = state.board.tables.goals[fits_ships(state, decision.held[which])]
    count = 0
    for route in state.board.routes_in(_reach(state, decision, which)):
        count += len(fitting[route][state.free[route]])
        if count > len(decision.held):
            return False
    return True


def _leaves_points(state: GameState, decision: Decision, taken: PointId) -> bool:
    """Whether each of the other lifted tradesmen can have a point of its own."""
    given: dict[PointId, int] = {taken: 0}
    goals = [_free_points(state, decision, which) for which in range(len(decision.held))]
    return all(_give_point(which, goals, given, {taken}) for which in range(1, len(goals)))


def _free_points(state: GameState, decision: Decision, which: int) -> list[PointId]:
    ships = fits_ships(state, decision.held[which])
    board = state.board
    return [
        point
        for route in board.routes_in(_reach(state, decision, which))
        for point in board.routes[route]
        if not state.points[point] and (ships or not board.ship[point])
    ]


def _give_point(
    which: int, goals: list[list[PointId]], given: dict[PointId, int], tried: set[PointId]
) -> bool:
    """Give a tradesman a point, moving others to another one where that helps."""
    for point in goals[which]:
        if point in tried:
            continue
        tried.add(point)
        if point not in given or _give_point(given[point], goals, given, tried):
            given[point] = which
            return True
    return False


def resolve_put(state: GameState, decision: Decision, choice: Choice) -> None:
    """Put the first lifted tradesman, then ask about the next."""
    state.agenda.pop()
    updates.put(state, decision.seat, decision.held[0], choice.point, decision.why)
    _begin_putting(state, _with(decision, PUT, 0, decision.held[1:], decision.origins[1:]))


def _with(
    decision: Decision,
    kind: int,
    left: int,
    held: tuple[Tradesman, ...],
    origins: tuple[PointId, ...],
) -> Decision:
    return Decision(
        kind,
        decision.seat,
        why=decision.why,
        left=left,
        point=decision.point,
        held=held,
        origins=origins,
        unbound=decision.unbound,
    )

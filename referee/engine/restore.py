"""A full state from what one seat was sent; what the seat cannot know is drawn from a seed.

For bots that search: the restored state offers the same choices as the real one. Whatever is
hidden from the seat (the order of the marker supply, plates, missions of others) is drawn from all
deals that agree with what the seat has seen, all equally likely (see `redraw`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from referee.engine.board import Board
from referee.engine.control import posts_of
from referee.engine.decision import Decision
from referee.engine.errors import ViewRefused
from referee.engine.rng import Rng
from referee.engine.ruleset import Ruleset
from referee.engine.serialize import Words
from referee.engine.setup import blank
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    DECISIONS,
    EMPTY,
    FAVOURS,
    LEVY,
    LIFT,
    LIFT_REASONS,
    MARKERS,
    MERCHANT,
    NONE,
    PAY_BLOCK,
    PERMANENT,
    PERMANENT_MARKERS,
    PLACE_MARKER,
    PUT,
    RELOCATE,
    REWARD,
    TAKE_TRIBUTE,
    TRADER,
    TURN,
    PointId,
    Seat,
    Tradesman,
    colour_of,
    desk_index,
    stock_index,
    tradesman,
)

Request: TypeAlias = Mapping[str, object]


def restore(board: Board, rules: Ruleset, seat: Seat, request: Request, seed: int) -> GameState:
    """A full state from a request (`id`, `decision`, `about`, `state`) that this seat was sent."""
    try:
        return _restore(board, rules, seat, request, Rng(seed))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as mistake:
        raise ViewRefused(
            f"this is not a valid view of a game of {rules.name}: {mistake!r}"
        ) from mistake


def _restore(board: Board, rules: Ruleset, seat: Seat, request: Request, rng: Rng) -> GameState:
    state = blank(board, rules)
    seen = _words(request["state"])
    _read_turn(state, seen, request)
    _read_board(state, seen)
    for player in _list(seen["players"]):
        _read_player(state, _words(player))
    _read_rest(state, seen)
    state.agenda = _agenda(state, seat, seen, request)
    _count(state)
    _read_hidden(state, seat, seen, request)
    _draw_hidden(state, seat, rng)
    return state


def _words(value: object) -> Words:
    return cast("Words", value)


def _list(value: object) -> list[object]:
    return cast("list[object]", value)


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _names(value: object) -> list[str]:
    return cast("list[str]", value)


# -- what is visible


def _read_turn(state: GameState, seen: Words, request: Request) -> None:
    state.decision_id = _number(request["id"])
    state.turn = _number(seen["turn"])
    state.active = _number(seen["active"])
    state.actions_left = _number(seen["actions_left"])
    state.extra_actions = _number(seen["extra_actions"])
    state.fresh = bool(seen["fresh"])
    state.acted = bool(seen["acted"])
    state.forgone = bool(seen["forgone"])
    state.completed_cities = _number(seen["completed_cities"])
    state.undrawn = bool(seen["undrawn"])


def _read_board(state: GameState, seen: Words) -> None:
    board = state.board
    routes, cities = _words(seen["routes"]), _words(seen["cities"])
    for route, name in enumerate(board.route_ids):
        words = _words(routes[name])
        men = [_man(state, man) for man in _list(words["points"])]
        for point, man in zip(board.routes[route], men, strict=True):
            state.points[point] = man
        if words["marker"] is not None:
            state.route_markers[route] = MARKERS.index(str(words["marker"]))
    for city, name in enumerate(board.city_ids):
        words = _words(cities[name])
        men = [_man(state, man) for man in _list(words["posts"])]
        if board.green[city]:
            state.green[city] = tuple(men)
        else:
            for space, man in zip(board.spaces[city], men, strict=True):
                state.posts[space] = man
        state.additional[city] = tuple([_man(state, man) for man in _list(words["additional"])])


def _read_player(state: GameState, words: Words) -> None:
    seat = _number(words["seat"])
    state.prestige[seat] = _number(words["prestige"])
    for held, name in ((state.stock, "stock"), (state.supply, "supply")):
        amounts = _words(words[name])
        held[stock_index(seat, TRADER)] = _number(amounts["traders"])
        held[stock_index(seat, MERCHANT)] = _number(amounts["merchants"])
    desk = _words(words["desk"])
    for ability, name in enumerate(ABILITIES):
        state.desk[desk_index(seat, ability)] = _number(desk[name])
    state.markers[seat] = _markers(words["markers"])
    state.used[seat] = _markers(words["used_markers"])
    state.favours[seat] = _tiles(words["favours"])


def _read_rest(state: GameState, seen: Words) -> None:
    state.display = _tiles(seen["favours"])
    state.special = tuple(
        [NONE if who is None else _colour(state, who) for who in _list(seen["special_prestige"])]
    )
    state.east_west = tuple([_colour(state, who) for who in _list(seen["east_west"])])
    state.laid = tuple([_laid(state, _words(words)) for words in _list(seen["laid"])])
    state.markers_out = tuple([MARKERS.index(name) for name in _names(seen["markers_out"])])
    if state.rules.neutral is not None:
        state.prestige[state.neutral] = _number(_words(seen["neutral"])["prestige"])
    if seen["permits"] is not None:
        permits = _words(seen["permits"])
        state.permit_bought = bool(permits["bought"])
        for number, (city, _) in enumerate(state.board.permits):
            if state.board.city_ids[city] in _names(permits["spent"]):
                state.permits_spent |= 1 << number


def _laid(state: GameState, words: Words) -> tuple[int, int, int]:
    route = state.board.route_number[str(words["route"])]
    return MARKERS.index(str(words["marker"])), route, _number(words["seat"])


def _colour(state: GameState, word: object) -> Seat:
    return state.neutral if word == "n" else _number(word)


def _man(state: GameState, word: object) -> Tradesman:
    if word is None:
        return EMPTY
    text = str(word)
    colour = state.neutral if text[0] == "n" else int(text[0])
    return tradesman(colour, "tm".index(text[1]))


def _markers(names: object) -> tuple[int, ...]:
    return tuple(sorted([MARKERS.index(name) for name in _names(names)]))


def _tiles(names: object) -> int:
    return sum([1 << FAVOURS.index(name) for name in set(_names(names))])


def _count(state: GameState) -> None:
    """Count what follows from the places of tradesmen and posts."""
    board = state.board
    for point, man in enumerate(state.points):
        if man != EMPTY:
            state.free[board.point_route[point]] &= ~board.point_bit[point]
            state.on_points[colour_of(man)] += 1
    for city in range(len(board.city_ids)):
        for man in posts_of(state, city):
            state.presence[city] |= 1 << colour_of(man)


# -- the pending decision


def _agenda(state: GameState, seat: Seat, seen: Words, request: Request) -> list[Decision]:
    """The decision that was asked, and below it what it interrupts: the turn, perhaps a reward."""
    kind = DECISIONS.index(str(request["decision"]))
    turn = Decision(TURN, state.active)
    if kind == TURN:
        return [turn]
    decision = _decision(state, kind, seat, _words(request["about"]), seen)
    if kind == PLACE_MARKER:
        return [decision]
    if state.rules.permanent_first and kind in (LIFT, PUT, PERMANENT) and decision.point != NONE:
        return [turn, Decision(REWARD, state.active, point=decision.point), decision]
    return [turn, decision]


def _decision(state: GameState, kind: int, seat: Seat, about: Words, seen: Words) -> Decision:
    held = tuple([_man(state, man) for man in _list(seen["in_hand"])])
    if kind in (LIFT, PUT):
        return _lifting(state, kind, seat, about)
    if kind == RELOCATE:
        return Decision(
            kind,
            seat,
            point=_point(state, about),
            by=_number(about["by"]),
            owner=_colour(state, about["owner"]),
            left=_number(about["extras"]),
            held=held,
            placed=_points(state, about["placed"]),
        )
    if kind == LEVY:
        return Decision(kind, seat, by=_number(about["by"]))
    if kind == PERMANENT:
        return _permanent(state, seat, about, held)
    if kind in (PLACE_MARKER, PAY_BLOCK):
        return Decision(kind, seat, left=_number(about["left"]))
    if kind == TAKE_TRIBUTE:
        return Decision(
            kind,
            seat,
            left=_number(about["left"]),
            city=state.board.city_number[str(about["city"])],
            point=_created(state, about),
        )
    return Decision(kind, seat, point=_first_point(state, about["route"]))


def _lifting(state: GameState, kind: int, seat: Seat, about: Words) -> Decision:
    lifted = _list(about["lifted"]) if kind == LIFT else [about, *_list(about["rest"])]
    return Decision(
        kind,
        seat,
        why=LIFT_REASONS.index(str(about["why"])),
        left=_number(about["left"]) if kind == LIFT else 0,
        point=_created(state, about),
        held=tuple([_man(state, _words(one)["tradesman"]) for one in lifted]),
        origins=_points(state, lifted),
        unbound=bool(about["unbound"]),
    )


def _permanent(state: GameState, seat: Seat, about: Words, held: tuple[Tradesman, ...]) -> Decision:
    post = about["post"]
    return Decision(
        PERMANENT,
        seat,
        why=PERMANENT_MARKERS.index(str(about["marker"])),
        left=_number(about["left"]),
        point=_first_point(state, about["route"]),
        city=NONE if post is None else state.board.city_number[str(post)],
        held=held,
        placed=_points(state, about["placed"]),
    )


def _first_point(state: GameState, route: object) -> PointId:
    return state.board.routes[state.board.route_number[str(route)]][0]


def _created(state: GameState, about: Words) -> PointId:
    """The first point of the route in `created`; NONE if there is none."""
    route = about.get("created")
    return NONE if route is None else _first_point(state, route)


def _point(state: GameState, words: Words) -> PointId:
    points = state.board.routes[state.board.route_number[str(words["route"])]]
    return points[_number(words["point"])]


def _points(state: GameState, words: object) -> tuple[PointId, ...]:
    return tuple([_point(state, _words(one)) for one in _list(words)])


# -- what is hidden


def redraw(state: GameState, seat: Seat, seed: int) -> None:
    """Draw again everything that this seat cannot know; what it has seen stays as it is.

    A deal puts each marker that the seat has not seen at one of the hidden places (plates, supply,
    outside the game) and gives each other seat a mission. All deals are equally likely: what others
    chose tells nothing about what they hold. `restore` with the same seed draws the same deal.
    In a finished game nothing is hidden, and nothing is drawn.
    """
    if state.is_over:
        return
    _draw_hidden(state, seat, Rng(seed))
    state.options = None  # the choices of another seat can depend on its plate


def _read_hidden(state: GameState, seat: Seat, seen: Words, request: Request) -> None:
    """Read what the seat knows of hidden things; what it does not know is NONE."""
    known = _markers(seen["plate_seen"])
    if DECISIONS.index(str(request["decision"])) == PLACE_MARKER:
        known = _markers(_words(request["about"])["markers"])
    for player in _list(seen["players"]):
        words = _words(player)
        owner = _number(words["seat"])
        seen_here = known if owner == seat else ()
        state.plates[owner] = seen_here + (NONE,) * (_number(words["plate"]) - len(seen_here))
        state.plates_seen[owner] = len(seen_here)
    state.supply_order = (NONE,) * _number(seen["marker_supply"])
    if state.rules.missions:
        board, own = state.board, _names(seen["mission"])
        cards = [NONE] * state.rules.players
        cards[seat] = board.missions.index(tuple([board.city_number[city] for city in own]))
        state.missions = tuple(cards)


def _draw_hidden(state: GameState, seat: Seat, rng: Rng) -> None:
    """Draw the markers that the seat has not seen, and the missions of others."""
    known = state.plates[seat][: state.plates_seen[seat]]
    unseen = rng.shuffled(_unseen_markers(state, known))
    plates: list[tuple[int, ...]] = []
    for owner, plate in enumerate(state.plates):
        seen_here = known if owner == seat else ()
        count = len(plate) - len(seen_here)
        looked_at = state.plates_seen[owner] - len(seen_here)  # by its owner, so it is sorted
        plates.append(seen_here + tuple(sorted(unseen[:looked_at])) + unseen[looked_at:count])
        unseen = unseen[count:]
    left = len(state.supply_order) - state.drawn
    if left > len(unseen):
        raise ValueError(f"{left} markers in the supply, where {len(unseen)} are not in view")
    state.plates = plates
    state.supply_order, state.drawn = unseen[:left], 0
    if state.missions:
        state.missions = _draw_missions(state, seat, rng)


def _unseen_markers(state: GameState, known: Sequence[int]) -> tuple[int, ...]:
    pool = list(state.rules.start_markers + state.rules.supply_markers)
    on_routes = [marker for marker in state.route_markers if marker != NONE]
    laid = [marker for marker, _, _ in state.laid]
    held = [marker for pile in state.markers + state.used for marker in pile]
    for marker in (*on_routes, *laid, *held, *state.markers_out, *known):
        pool.remove(marker)
    return tuple(sorted(pool))


def _draw_missions(state: GameState, seat: Seat, rng: Rng) -> tuple[int, ...]:
    own = state.missions[seat]
    others = [card for card in range(len(state.board.missions)) if card != own]
    cards = list(rng.shuffled(tuple(others))[: state.rules.players - 1])
    cards.insert(seat, own)
    return tuple(cards)

"""What one seat may see, as protocol dicts: the state and the pending decision."""

from __future__ import annotations

from referee.engine import game
from referee.engine.control import rightmost_holder
from referee.engine.decision import Decision
from referee.engine.ending import Standing
from referee.engine.serialize import (
    Words,
    choice_words,
    parts_words,
    point_words,
    seat_word,
    tradesman_word,
)
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    DECISIONS,
    FAVOURS,
    LEVY,
    LIFT,
    LIFT_REASONS,
    MARKERS,
    NEUTRAL_POST,
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
    RouteId,
    Seat,
    desk_index,
    tradesman,
)


def see(state: GameState, seat: Seat) -> Words:
    """The position as this seat sees it, as the protocol's `state`."""
    words = men_words(state)
    board = state.board
    return {
        **common_words(state),
        "routes": {
            name: route_words(state, words, route) for route, name in enumerate(board.route_ids)
        },
        "cities": cities_words(state, words),
        "players": [player_words(state, player) for player in range(state.rules.players)],
        **own_words(state, seat),
    }


def men_words(state: GameState) -> list[str | None]:
    """By tradesman, its text in messages, such as "0t"."""
    return [tradesman_word(state, man) for man in range(tradesman(state.rules.colours, TRADER))]


def route_words(state: GameState, words: list[str | None], route: RouteId) -> Words:
    """The tradesmen on a route's points, and its marker."""
    marker = state.route_markers[route]
    return {
        "points": [words[state.points[point]] for point in state.board.routes[route]],
        "marker": None if marker == NONE else MARKERS[marker],
    }


def cities_words(state: GameState, words: list[str | None]) -> Words:
    """The posts and additional posts of every city."""
    board = state.board
    return {
        name: {
            "posts": [words[state.posts[space]] for space in board.spaces[city]]
            + [words[man] for man in state.green[city]],
            "additional": [words[man] for man in state.additional[city]],
        }
        for city, name in enumerate(board.city_ids)
    }


def common_words(state: GameState) -> Words:
    """What everybody sees, except routes, cities and players."""
    return {**moment_words(state), **lasting_words(state)}


def moment_words(state: GameState) -> Words:
    """What changes at almost every decision."""
    return {
        "turn": state.turn,
        "active": state.active,
        "actions_left": state.actions_left,
        "extra_actions": state.extra_actions,
        "fresh": state.fresh,
        "acted": state.acted,
        "forgone": state.forgone,
        "completed_cities": state.completed_cities,
        "marker_supply": len(state.supply_order) - state.drawn,
        "undrawn": state.undrawn,
        "in_hand": [
            tradesman_word(state, man) for decision in state.agenda for man in decision.held
        ],
    }


def lasting_words(state: GameState) -> Words:
    """What seldom changes; `lasting` returns everything that it depends on."""
    board, rules = state.board, state.rules
    return {
        "east_west": [seat_word(state, colour) for colour in state.east_west],
        "special_prestige": [
            None if colour == NONE else seat_word(state, colour) for colour in state.special
        ],
        "favours": _tiles(state.display),
        "permits": _permits(state),
        "laid": [
            {"marker": MARKERS[marker], "route": board.route_ids[route], "seat": owner}
            for marker, route, owner in state.laid
        ],
        "markers_out": _names(state.markers_out),
        "neutral": None if rules.neutral is None else {"prestige": state.prestige[state.neutral]},
    }


def lasting(state: GameState) -> tuple[object, ...]:
    """Everything that `lasting_words` depends on: if it is equal, so are they."""
    return (
        state.east_west,
        state.special,
        state.display,
        state.laid,
        state.markers_out,
        state.prestige,
        state.posts,
        state.additional,
        state.green,
        state.active,
        state.permits_spent,
        state.permit_bought,
    )


def own_words(state: GameState, seat: Seat) -> Words:
    """What is hidden from the other seats."""
    return {
        "mission": mission_words(state, seat),
        "plate_seen": _names(state.plates[seat][: state.plates_seen[seat]]),
    }


def _names(markers: tuple[int, ...]) -> list[str]:
    return [MARKERS[marker] for marker in markers]


def _tiles(bits: int) -> list[str]:
    return [name for tile, name in enumerate(FAVOURS) if bits >> tile & 1]


def _amounts(tradesmen: tuple[int, int]) -> Words:
    traders, merchants = tradesmen
    return {"traders": traders, "merchants": merchants}


def player_words(state: GameState, seat: Seat) -> Words:
    """The possessions of one player: prestige, tradesmen, desk, markers and favours."""
    return {
        "seat": seat,
        "prestige": state.prestige[seat],
        "stock": _amounts(state.tradesmen(state.stock, seat)),
        "supply": _amounts(state.tradesmen(state.supply, seat)),
        "desk": {
            name: state.desk[desk_index(seat, ability)] for ability, name in enumerate(ABILITIES)
        },
        "markers": _names(state.markers[seat]),
        "used_markers": _names(state.used[seat]),
        "plate": len(state.plates[seat]),
        "favours": _tiles(state.favours[seat]),
    }


def mission_words(state: GameState, seat: Seat) -> list[str] | None:
    """The three cities of a seat's card; None without missions."""
    if not state.missions:
        return None
    return [state.board.city_ids[city] for city in state.board.missions[state.missions[seat]]]


def _permits(state: GameState) -> Words | None:
    """What is left of each city's permit for the seat whose turn it is; None without permits."""
    permits = state.board.permits
    if not permits:
        return None
    left: Words = {}
    spent: list[str] = []
    for number, (city, _) in enumerate(permits):
        name, gone = state.board.city_ids[city], state.permits_spent >> number & 1
        left[name] = int(not gone and rightmost_holder(state, city) == state.active)
        if gone:
            spent.append(name)
    return {"cities": left, "spent": spent, "bought": state.permit_bought}


# -- the pending decision


def request(state: GameState) -> Words:
    """The pending decision with its choices, for the seat that must decide."""
    decision = game.pending(state)
    assert decision is not None, "the game is over"
    words: Words = {"id": state.decision_id, "decision": DECISIONS[decision.kind]}
    concerns = about(state, decision)
    if concerns is not None:
        words["about"] = concerns
    words["choices"] = [choice_words(state.board, choice) for choice in game.choices(state)]
    return words


def about(state: GameState, decision: Decision) -> Words | None:
    """What a decision concerns; None for a plain turn."""
    if decision.kind in (LIFT, PUT):
        return _about_lifted(state, decision)
    if decision.kind == RELOCATE:
        return {
            **point_words(state.board, decision.point),
            "by": decision.by,
            "owner": seat_word(state, decision.owner),
            "extras": decision.left,
            "placed": _placed(state, decision),
        }
    if decision.kind == LEVY:
        return {"by": decision.by}
    if decision.kind == PERMANENT:
        return _about_permanent(state, decision)
    if decision.kind == PLACE_MARKER:
        return {"left": decision.left, "markers": _names(state.plates[decision.seat])}
    if decision.kind in (NEUTRAL_POST, REWARD):
        return {"route": _route_of(state, decision)}
    if decision.kind == TAKE_TRIBUTE:
        city = state.board.city_ids[decision.city]
        created = None if decision.point == NONE else _route_of(state, decision)
        return {"city": city, "left": decision.left, "created": created}
    if decision.kind == PAY_BLOCK:
        return {"left": decision.left}
    return None


def _placed(state: GameState, decision: Decision) -> list[Words]:
    return [point_words(state.board, point) for point in decision.placed]


def _route_of(state: GameState, decision: Decision) -> str:
    return state.board.route_ids[state.board.point_route[decision.point]]


def _about_lifted(state: GameState, decision: Decision) -> Words:
    lifted: list[Words] = [
        {"tradesman": tradesman_word(state, man), **point_words(state.board, origin)}
        for man, origin in zip(decision.held, decision.origins, strict=True)
    ]
    common: Words = {"why": LIFT_REASONS[decision.why], "unbound": decision.unbound}
    if decision.point != NONE:
        common["created"] = _route_of(state, decision)
    if decision.kind == LIFT:
        return {**common, "left": decision.left, "lifted": lifted}
    return {**lifted[0], **common, "rest": lifted[1:]}


def _about_permanent(state: GameState, decision: Decision) -> Words:
    words: Words = {
        "marker": PERMANENT_MARKERS[decision.why],
        "left": decision.left,
        "placed": _placed(state, decision),
        "route": _route_of(state, decision),
    }
    words["post"] = None if decision.city == NONE else state.board.city_ids[decision.city]
    return words


def standing_words(state: GameState, standing: Standing) -> Words:
    """A seat's rank and the parts of its total."""
    parts = parts_words(state.board, standing.parts)
    return {"seat": standing.seat, "rank": standing.rank, **parts}

"""Choices and events as the dicts of messages and records, from the engine's ints."""

from __future__ import annotations

from typing import Final, TypeAlias

from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ending import PARTS
from referee.engine.state import GameState
from referee.engine.terms import (
    ABILITIES,
    ADDITIONAL,
    DEVELOP,
    DO_CREATE,
    DO_DISPLACE,
    DO_FAVOUR,
    DO_INCOME,
    DO_PAY,
    DO_TRIBUTE,
    DO_USE,
    DOINGS,
    END_REASONS,
    EV_ACTIONS_GAINED,
    EV_CREATED,
    EV_EXCHANGED,
    EV_FAVOUR_TAKEN,
    EV_MARKER_USED,
    EV_PERMIT,
    EV_RELOCATED,
    EV_SCORED,
    FAULTS,
    FAVOURS,
    KINDS,
    LIFT_REASONS,
    MARKERS,
    NONE,
    PAY_REASONS,
    POST,
    POST_PLACES,
    PRESTIGE_REASONS,
    SOURCES,
    SPECIAL,
    Event,
    PointId,
    Seat,
    SpaceId,
    Tradesman,
    colour_of,
    kind_of,
)

Words: TypeAlias = dict[str, object]
SeatWord: TypeAlias = int | str

# How a field of an event is written; a tuple of names means an index into it.
_NUMBER: Final = 0
_SEAT: Final = 1
_POINT: Final = 2  # as two fields, route and point
_ROUTE: Final = 3
_CITY: Final = 4
_ORIGIN: Final = 5  # as from_route and from_point, if any
_MARKER_OR_NULL: Final = 6
_SPACE: Final = 7  # its number within the city, if any

_Field: TypeAlias = tuple[str, int | tuple[str, ...]]

_SEAT_FIELD: Final = ("seat", _SEAT)
_POINT_FIELD: Final = ("point", _POINT)
_KIND_FIELD: Final = ("tradesman", KINDS)
_TRADERS: Final = ("traders", _NUMBER)
_MERCHANTS: Final = ("merchants", _NUMBER)
_LIFTED: Final[tuple[_Field, ...]] = (
    _SEAT_FIELD,
    ("by", _SEAT),
    _POINT_FIELD,
    _KIND_FIELD,
    ("why", LIFT_REASONS),
)

# By event, in the order of terms.EV_*; those without fields here have a function of their own.
_EVENTS: Final[tuple[tuple[str, tuple[_Field, ...]], ...]] = (
    ("turn", (("turn", _NUMBER), _SEAT_FIELD, ("actions", _NUMBER))),
    ("action", (_SEAT_FIELD, ("do", DOINGS), ("left", _NUMBER))),
    ("income", (_SEAT_FIELD, _TRADERS, _MERCHANTS)),
    ("placed", (_SEAT_FIELD, _POINT_FIELD, _KIND_FIELD, ("from", SOURCES), ("origin", _ORIGIN))),
    ("displaced", (_SEAT_FIELD, ("by", _SEAT), _POINT_FIELD, _KIND_FIELD, ("with", KINDS))),
    ("paid", (_SEAT_FIELD, _TRADERS, _MERCHANTS, ("why", PAY_REASONS))),
    ("relocated", ()),
    ("lifted", _LIFTED),
    ("put", _LIFTED),
    ("removed", _LIFTED),
    ("created", ()),
    ("returned", (_SEAT_FIELD, _TRADERS, _MERCHANTS)),
    ("neutral-created", (("route", _ROUTE), ("marker", _MARKER_OR_NULL), ("stays", _NUMBER))),
    (
        "prestige",
        (_SEAT_FIELD, ("points", _NUMBER), ("why", PRESTIGE_REASONS), ("city", _CITY)),
    ),
    ("marker-taken", (_SEAT_FIELD, ("route", _ROUTE), ("marker", MARKERS))),
    ("marker-placed", (_SEAT_FIELD, ("route", _ROUTE), ("marker", MARKERS))),
    ("marker-drawn", (_SEAT_FIELD, ("left", _NUMBER))),
    ("marker-used", ()),
    ("actions-gained", ()),
    (
        "post",
        (
            _SEAT_FIELD,
            ("city", _CITY),
            ("where", POST_PLACES),
            ("space", _SPACE),
            _KIND_FIELD,
        ),
    ),
    ("city-completed", (("city", _CITY), ("count", _NUMBER))),
    ("developed", (_SEAT_FIELD, ("ability", ABILITIES), ("steps", _NUMBER))),
    ("special-prestige", (_SEAT_FIELD, ("points", _NUMBER))),
    ("exchanged", ()),
    ("favour-taken", ()),
    ("levied", (_SEAT_FIELD, _TRADERS, _MERCHANTS)),
    ("tribute", (_SEAT_FIELD, _TRADERS, _MERCHANTS)),
    ("permit", ()),
    ("disqualified", (_SEAT_FIELD, ("fault", FAULTS), ("id", _NUMBER))),
    ("game-over", (("reason", END_REASONS),)),
    ("scored", ()),
)


def seat_word(state: GameState, colour: Seat) -> SeatWord:
    """A seat's number, or "n" for the neutral colour."""
    return "n" if colour >= state.rules.players else colour


def tradesman_word(state: GameState, man: Tradesman) -> str | None:
    """A tradesman as seat and kind, like "0t"; None for an empty place."""
    return f"{seat_word(state, colour_of(man))}{'tm'[kind_of(man)]}" if man else None


def point_words(board: Board, point: PointId) -> Words:
    """A point as its route and its number in it."""
    return {
        "route": board.route_ids[board.point_route[point]],
        "point": board.index_in_route(point),
    }


def spaces_words(board: Board, space: SpaceId) -> Words:
    """Two neighbouring spaces of a city, from the left one."""
    index = _index_in_city(board, space)
    return {"city": board.city_ids[board.space_city[space]], "spaces": [index, index + 1]}


def _index_in_city(board: Board, space: SpaceId) -> int:
    return space - board.spaces[board.space_city[space]][0]


# -- choices


def choice_words(board: Board, choice: Choice) -> Words:
    """A choice as messages and records spell it."""
    words: Words = {"do": DOINGS[choice.do]}
    if choice.do == DO_CREATE:
        words["route"] = board.route_ids[choice.route]
        words["reward"] = reward_words(board, choice)
    elif choice.do == DO_USE:
        words |= _use_words(board, choice)
    elif choice.do == DO_FAVOUR:
        words["tile"] = FAVOURS[choice.tile]
        words["markers"] = [MARKERS[choice.marker], MARKERS[choice.other]]
    elif choice.do in (DO_INCOME, DO_TRIBUTE, DO_PAY):
        words |= _amount(choice)
    else:
        _add_plain(board, choice, words)
    return words


def _add_plain(board: Board, choice: Choice, words: Words) -> None:
    """Add the fields that mean the same in every choice."""
    if choice.marker != NONE:
        words["marker"] = MARKERS[choice.marker]
    if choice.city != NONE:
        words["city"] = board.city_ids[choice.city]
    if choice.route != NONE:
        words["route"] = board.route_ids[choice.route]
    if choice.kind != NONE:
        words["tradesman"] = KINDS[choice.kind]
    if choice.source != NONE:
        words["from"] = SOURCES[choice.source]
        _add_origin(board, choice.origin, words)
    if choice.point != NONE:
        words |= point_words(board, choice.point)
    if choice.ability != NONE:
        words["ability"] = ABILITIES[choice.ability]
    if choice.do == DO_DISPLACE:
        words["pay"] = _amount(choice)


def _amount(choice: Choice) -> Words:
    return {"traders": choice.traders, "merchants": choice.merchants}


def _add_origin(board: Board, origin: PointId, words: Words) -> None:
    if origin != NONE:
        left = point_words(board, origin)
        words["from_route"], words["from_point"] = left["route"], left["point"]


def reward_words(board: Board, choice: Choice) -> Words | None:
    """The reward of a created route; None if only points and marker are taken."""
    if choice.reward == POST:
        return {"post": board.city_ids[choice.city]}
    if choice.reward == ADDITIONAL:
        return {"additional": board.city_ids[choice.city], "tradesman": KINDS[choice.kind]}
    if choice.reward == DEVELOP:
        return {"develop": ABILITIES[choice.ability]}
    if choice.reward == SPECIAL:
        return {"special": board.special_points[choice.special]}
    return None


def _use_words(board: Board, choice: Choice) -> Words:
    words: Words = {"marker": MARKERS[choice.marker]}
    if choice.ability != NONE:
        words["ability"] = ABILITIES[choice.ability]
    if choice.space != NONE:
        words |= spaces_words(board, choice.space)
    if choice.seat != NONE:
        words["owner"], words["takes"] = choice.seat, MARKERS[choice.other]
    if choice.route != NONE:
        words["route"] = board.route_ids[choice.route]
    return words


# -- events


def event_words(state: GameState, event: Event) -> Words:
    """An event as messages spell it."""
    name, fields = _EVENTS[event[0]]
    words: Words = {"event": name}
    if not fields:
        words["seat"] = seat_word(state, event[1])
        words |= _rare_event(state, event)
        return words
    for (field, how), value in zip(fields, event[1:], strict=True):
        _add_field(state, field, how, value, words)
    return words


def _add_field(
    state: GameState, field: str, how: int | tuple[str, ...], value: int, words: Words
) -> None:
    board = state.board
    if isinstance(how, tuple):
        words[field] = how[value]
    elif how == _NUMBER:
        words[field] = value
    elif how == _SEAT:
        words[field] = None if value == NONE else seat_word(state, value)
    elif how == _POINT:
        words |= point_words(board, value)
    elif how == _ROUTE:
        words[field] = board.route_ids[value]
    elif how == _CITY:
        words[field] = board.city_ids[value]
    elif how == _ORIGIN:
        _add_origin(board, value, words)
    elif how == _MARKER_OR_NULL:
        words[field] = None if value == NONE else MARKERS[value]
    else:
        words[field] = None if value == NONE else _index_in_city(board, value)


def _rare_event(state: GameState, event: Event) -> Words:
    board, kind = state.board, event[0]
    if kind == EV_RELOCATED:
        return _relocated(board, event)
    if kind == EV_CREATED:
        return _created(board, event)
    if kind == EV_MARKER_USED:
        return _marker_used(board, event)
    if kind == EV_ACTIONS_GAINED:
        return {"actions": event[2], "why": "actions" if event[3] == NONE else MARKERS[event[3]]}
    if kind == EV_EXCHANGED:
        return spaces_words(board, event[2])
    if kind == EV_FAVOUR_TAKEN:
        return {"tile": FAVOURS[event[2]], "markers": [MARKERS[event[3]], MARKERS[event[4]]]}
    if kind == EV_PERMIT:
        bought = event[2] == NONE
        return {"bought": MARKERS[event[3]]} if bought else {"city": board.city_ids[event[2]]}
    assert kind == EV_SCORED
    return parts_words(board, event[2:])


def _relocated(board: Board, event: Event) -> Words:
    _, _, kind, source, origin, point = event
    words: Words = {"tradesman": KINDS[kind], "from": SOURCES[source]}
    _add_origin(board, origin, words)
    return words | ({"to": "stock"} if point == NONE else point_words(board, point))


def _created(board: Board, event: Event) -> Words:
    _, _, route, reward, city, kind, ability, special, traders, merchants = event
    choice = Choice(
        DO_CREATE,
        route=route,
        reward=reward,
        city=city,
        kind=kind,
        ability=ability,
        special=special,
    )
    return {
        "route": board.route_ids[route],
        "reward": reward_words(board, choice),
        "returned": {"traders": traders, "merchants": merchants},
    }


def _marker_used(board: Board, event: Event) -> Words:
    _, _, marker, city, kind, space, ability, seat, other, route = event
    if city != NONE:
        return {
            "marker": MARKERS[marker],
            "additional": board.city_ids[city],
            "tradesman": KINDS[kind],
        }
    choice = Choice(
        DO_USE, marker=marker, space=space, ability=ability, seat=seat, other=other, route=route
    )
    return _use_words(board, choice)


def parts_words(board: Board, parts: tuple[int, ...]) -> Words:
    """A total and its parts, in the order of ending.Standing."""
    names = ("total", *PARTS)
    words: Words = dict(zip(names, parts, strict=False))
    words["countries"] = dict(zip(board.scoring_countries, parts[len(names) :], strict=True))
    return words

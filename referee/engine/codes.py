"""Codes: choices, events, decisions and views as small ints, for bots that need speed.

The tables here define the position of every field; the encoder, the schema and the
page in the documentation are made from them. A city, route, point or space is its number on the
board, points and spaces counted through the whole board; other things are their index in `terms`;
-1 is none. A tradesman is 2 x (seat + 1) + kind, the neutral colour being the seat after the last,
and 0 is an empty place.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from referee.engine.choice import Choice
from referee.engine.decision import Decision
from referee.engine.state import GameState
from referee.engine.terms import (
    LEVY,
    LIFT,
    NEUTRAL_POST,
    NONE,
    PAY_BLOCK,
    PERMANENT,
    PLACE_MARKER,
    PUT,
    RELOCATE,
    REWARD,
    TAKE_TRIBUTE,
    Seat,
)

Code: TypeAlias = list[int]
StateCodes: TypeAlias = dict[str, int | list[int] | list[list[int]]]

# By `do`, in the order of terms.DOINGS: the fields that follow it.
CHOICE_FIELDS: Final[tuple[tuple[str, ...], ...]] = (
    ("traders", "merchants"),
    ("point", "kind"),
    ("point", "kind", "traders", "merchants"),
    (),
    ("route", "reward", "city", "kind", "ability", "special"),
    ("marker", "ability", "space", "seat", "other", "route"),
    ("tile", "marker", "other"),
    ("marker",),
    (),
    ("point",),
    (),
    ("point",),
    ("kind", "source", "origin", "point"),
    ("kind",),
    ("city", "kind"),
    ("kind", "source", "origin", "point"),
    ("ability",),
    (),
    ("marker", "route"),
    ("city",),
    ("traders", "merchants"),
    ("traders", "merchants"),
)

# By event, in the order of terms.EV_*: the fields that follow its number.
EVENT_FIELDS: Final[tuple[tuple[str, ...], ...]] = (
    ("turn", "seat", "actions"),
    ("seat", "do", "left"),
    ("seat", "traders", "merchants"),
    ("seat", "point", "kind", "source", "origin"),
    ("seat", "by", "point", "kind", "with"),
    ("seat", "traders", "merchants", "why"),
    ("seat", "kind", "source", "origin", "point"),
    ("seat", "by", "point", "kind", "why"),
    ("seat", "by", "point", "kind", "why"),
    ("seat", "by", "point", "kind", "why"),
    (
        "seat",
        "route",
        "reward",
        "city",
        "kind",
        "ability",
        "special",
        "traders",
        "merchants",
    ),
    ("seat", "traders", "merchants"),
    ("route", "marker", "stays"),
    ("seat", "points", "why", "city"),
    ("seat", "route", "marker"),
    ("seat", "route", "marker"),
    ("seat", "left"),
    ("seat", "marker", "city", "kind", "space", "ability", "owner", "takes", "route"),
    ("seat", "actions", "marker"),
    ("seat", "city", "where", "space", "kind"),
    ("city", "count"),
    ("seat", "ability", "steps"),
    ("seat", "points"),
    ("seat", "space"),
    ("seat", "tile", "marker", "other"),
    ("seat", "traders", "merchants"),
    ("seat", "traders", "merchants"),
    ("seat", "city", "marker"),
    ("seat", "fault", "id"),
    ("reason",),
    (
        "seat",
        "total",
        "track",
        "abilities",
        "markers",
        "special",
        "cities",
        "network",
        "missions",
        "countries...",
    ),
)

# The view of a seat: each field and what it holds.
STATE_FIELDS: Final[tuple[tuple[str, str], ...]] = (
    (
        "now",
        """turn, active, actions_left, extra_actions, fresh, completed_cities, marker_supply, undrawn, acted, forgone""",
    ),
    ("points", "by point: the tradesman there, or 0"),
    ("posts", "by space: the tradesman there, or 0"),
    ("additional", "city, tradesman, city, tradesman, ...: additional posts, left to right"),
    ("green", "city, tradesman, ...: posts in green cities, left to right"),
    ("route_markers", "by route: the bonus marker, or -1"),
    ("stock", "traders and merchants of seat 0, of seat 1, ..."),
    ("supply", "traders and merchants of seat 0, of seat 1, ..."),
    (
        "desk",
        "developed steps of keys, actions, privilege, book and bank: of seat 0, of seat 1, ...",
    ),
    ("prestige", "by seat; with two players the neutral colour comes last"),
    ("markers", "by seat: a list of unused bonus markers"),
    ("used_markers", "by seat: a list of used bonus markers"),
    ("plates", "by seat: how many markers lie on the plate"),
    ("favours", "favour tiles as bits: those on display, of seat 0, of seat 1, ..."),
    ("special_prestige", "by special prestige space: the seat there, or -1"),
    ("east_west", "seats in the order in which they linked the two cities"),
    ("laid", "marker, route, seat, marker, route, seat, ...: tributes and blocks"),
    ("markers_out", "markers that are out of the game"),
    ("in_hand", "tradesmen that are off the board"),
    (
        "permits",
        "spent permits as bits, those for the fewest countries first; then bought (0 or 1)",
    ),
    ("mission", "the three cities of your own mission, or an empty list"),
    ("plate_seen", "markers on your own plate that you have looked at"),
)

# By decision that has an `about`: its fields.
ABOUT_FIELDS: Final[dict[int, tuple[str, ...]]] = {
    LIFT: ("why", "left", "held", "origins", "unbound", "created"),
    PUT: ("why", "held", "origins", "unbound", "created"),
    RELOCATE: ("point", "by", "owner", "left", "held", "placed"),
    LEVY: ("by",),
    PERMANENT: ("why", "left", "route", "city", "held", "placed"),
    PLACE_MARKER: ("left", "markers"),
    NEUTRAL_POST: ("route",),
    TAKE_TRIBUTE: ("city", "left", "created"),
    PAY_BLOCK: ("left",),
    REWARD: ("route",),
}


def choice_code(choice: Choice) -> Code:
    """A choice as ints: what it does, then the fields of CHOICE_FIELDS."""
    return [choice.do, *[getattr(choice, field) for field in CHOICE_FIELDS[choice.do]]]


def about_codes(state: GameState, decision: Decision) -> StateCodes | None:
    """What a decision concerns; None for a plain turn."""
    fields = ABOUT_FIELDS.get(decision.kind, ())
    return {field: _about(state, decision, field) for field in fields} or None


def _about(state: GameState, decision: Decision, field: str) -> int | list[int]:
    if field == "route":
        return state.board.point_route[decision.point]
    if field == "created":
        return NONE if decision.point == NONE else state.board.point_route[decision.point]
    if field == "markers":
        return list(state.plates[decision.seat])
    value: int | tuple[int, ...] = getattr(decision, field)
    return list(value) if isinstance(value, tuple) else int(value)


def state_codes(state: GameState, seat: Seat) -> StateCodes:
    """The position as this seat sees it, as flat lists."""
    board = state.board
    return {
        "now": [
            state.turn,
            state.active,
            state.actions_left,
            state.extra_actions,
            int(state.fresh),
            state.completed_cities,
            len(state.supply_order) - state.drawn,
            int(state.undrawn),
            int(state.acted),
            int(state.forgone),
        ],
        "points": state.points,
        "posts": state.posts,
        "additional": _by_city(state.additional),
        "green": _by_city(state.green),
        "route_markers": state.route_markers,
        "stock": state.stock,
        "supply": state.supply,
        "desk": state.desk,
        "prestige": state.prestige,
        "markers": [list(pile) for pile in state.markers],
        "used_markers": [list(pile) for pile in state.used],
        "plates": [len(plate) for plate in state.plates],
        "favours": [state.display, *state.favours],
        "special_prestige": list(state.special),
        "east_west": list(state.east_west),
        "laid": [number for laid in state.laid for number in laid],
        "markers_out": list(state.markers_out),
        "in_hand": [man for decision in state.agenda for man in decision.held],
        "permits": [state.permits_spent, int(state.permit_bought)] if board.permits else [],
        "mission": list(board.missions[state.missions[seat]]) if state.missions else [],
        "plate_seen": list(state.plates[seat][: state.plates_seen[seat]]),
    }


def _by_city(posts: list[tuple[int, ...]]) -> list[int]:
    return [number for city, men in enumerate(posts) for man in men for number in (city, man)]

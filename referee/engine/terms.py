"""The glossary: every term that the engine and the wire share, as small ints.

Inside the engine a thing is its number; the tuples give its name at that index. The order of
each tuple is part of the rules version, because choices are listed in it.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Seat: TypeAlias = int  # 0 is the first player; the neutral colour is numbered after the last seat
Kind: TypeAlias = int
Tradesman: TypeAlias = int  # a tradesman of a colour, see `tradesman`; 0 is an empty place
PointId: TypeAlias = int  # numbered through the whole board
RouteId: TypeAlias = int
CityId: TypeAlias = int
SpaceId: TypeAlias = int  # numbered through the whole board
Marker: TypeAlias = int
Ability: TypeAlias = int

NONE: Final = -1  # no route, city, marker or whatever the field names
EMPTY: Final = 0  # a connection point or space without a tradesman

TRADER: Final = 0
MERCHANT: Final = 1
KINDS: Final = ("trader", "merchant")

POINT_TYPES: Final = ("house", "ship")

SHAPES: Final = ("square", "round")  # the shape at index k takes a tradesman of kind k
COLOURS: Final = ("white", "orange", "pink", "black")

KEYS: Final = 0
ACTIONS: Final = 1
PRIVILEGE: Final = 2
BOOK: Final = 3
BANK: Final = 4
ABILITIES: Final = ("keys", "actions", "privilege", "book", "bank")

ADDITIONAL_POST: Final = 0
EXCHANGE_POSTS: Final = 1
DEVELOP_ABILITY: Final = 2
PLUS_3_ACTIONS: Final = 3
PLUS_4_ACTIONS: Final = 4
MOVE_3: Final = 5
REMOVE_3: Final = 6
SWAP_MARKER: Final = 7
TRIBUTE: Final = 8
BLOCK: Final = 9
MARKERS: Final = (
    "additional-post",
    "exchange-posts",
    "develop-ability",
    "plus-3-actions",
    "plus-4-actions",
    "move-3",
    "remove-3",
    "swap-marker",
    "tribute",
    "block",
)

RELOCATE_ANYWHERE: Final = 0
EXTRA_ACTION: Final = 1
LEVY_TILE: Final = 2
REINFORCE: Final = 3
PATRON: Final = 4
SCHOLAR: Final = 5
FAVOURS: Final = ("relocate-anywhere", "extra-action", "levy", "reinforce", "patron", "scholar")

MOVE_2_ANY: Final = 0
DEVELOP_PRIVILEGE: Final = 1
GREEN_POST: Final = 2
PLACE_2_FROM_ROUTE: Final = 3
PLACE_2_ABROAD: Final = 4
PERMANENT_MARKERS: Final = (
    "move-2-any",
    "develop-privilege",
    "green-post",
    "place-2-from-route",
    "place-2-abroad",
)

# Decisions: what a seat is asked.
TURN: Final = 0
LIFT: Final = 1
PUT: Final = 2
RELOCATE: Final = 3
LEVY: Final = 4
PERMANENT: Final = 5
PLACE_MARKER: Final = 6
NEUTRAL_POST: Final = 7
TAKE_TRIBUTE: Final = 8
PAY_BLOCK: Final = 9
REWARD: Final = 10
DECISIONS: Final = (
    "turn",
    "lift",
    "put",
    "relocate",
    "levy",
    "permanent",
    "place-marker",
    "neutral-post",
    "tribute",
    "block",
    "reward",
)

# What a choice does. Choices are listed in this order.
DO_INCOME: Final = 0
DO_PLACE: Final = 1
DO_DISPLACE: Final = 2
DO_MOVE: Final = 3
DO_CREATE: Final = 4
DO_USE: Final = 5
DO_FAVOUR: Final = 6
DO_PERMIT: Final = 7
DO_END_TURN: Final = 8
DO_LIFT: Final = 9
DO_STOP: Final = 10
DO_PUT: Final = 11
DO_RELOCATE: Final = 12
DO_LEVY: Final = 13
DO_GREEN_POST: Final = 14
DO_PLACE_FREELY: Final = 15  # the `place` of a permanent marker
DO_DEVELOP: Final = 16
DO_DECLINE: Final = 17
DO_PLACE_MARKER: Final = 18
DO_NEUTRAL_POST: Final = 19
DO_TRIBUTE: Final = 20
DO_PAY: Final = 21
DOINGS: Final = (
    "income",
    "place",
    "displace",
    "move",
    "create",
    "use",
    "favour",
    "permit",
    "end-turn",
    "lift",
    "stop",
    "put",
    "relocate",
    "levy",
    "green-post",
    "place",
    "develop",
    "decline",
    "place-marker",
    "neutral-post",
    "tribute",
    "pay",
)

# What a created route earns beside points and marker.
NO_REWARD: Final = 0
POST: Final = 1
ADDITIONAL: Final = 2
DEVELOP: Final = 3
SPECIAL: Final = 4

# Where a tradesman that is put on a point comes from.
FROM_DISPLACED: Final = 0
FROM_STOCK: Final = 1
FROM_SUPPLY: Final = 2
FROM_ROUTE: Final = 3
FROM_POINT: Final = 4
SOURCES: Final = ("displaced", "stock", "supply", "route", "point")

# Why tradesmen are lifted.
WHY_MOVE: Final = 0
WHY_MOVE_3: Final = 1
WHY_REMOVE_3: Final = 2
WHY_MOVE_2_ANY: Final = 3
LIFT_REASONS: Final = ("move", "move-3", "remove-3", "move-2-any")

# Why prestige is scored, tradesmen are paid, actions are gained.
BY_CONTROL: Final = 0
BY_COIN: Final = 1
BY_EAST_WEST: Final = 2
PRESTIGE_REASONS: Final = ("control", "coin", "east-west")
FOR_DISPLACING: Final = 0
FOR_BLOCK: Final = 1
PAY_REASONS: Final = ("displace", "block")

# Where a post stands.
ON_SPACE: Final = 0
AS_ADDITIONAL: Final = 1
IN_GREEN_CITY: Final = 2
POST_PLACES: Final = ("space", "additional", "green")

# Why the game ended; 0 while it goes on. If several reasons apply, the first one counts.
GOES_ON: Final = 0
BY_PRESTIGE: Final = 1
BY_MARKERS: Final = 2
BY_CITIES: Final = 3
BY_MAX_TURNS: Final = 4
BY_ABANDONMENT: Final = 5
END_REASONS: Final = ("", "prestige", "markers", "cities", "max-turns", "abandoned")

# The faults of a bot; one that disqualifies a seat becomes an event.
FAULTS: Final = ("start", "timeout", "crash", "garbage", "illegal", "flood", "ponder")

# Events, as tuples that begin with one of these; `codes.EVENT_FIELDS` lists their fields.
EV_TURN: Final = 0
EV_ACTION: Final = 1
EV_INCOME: Final = 2
EV_PLACED: Final = 3
EV_DISPLACED: Final = 4
EV_PAID: Final = 5
EV_RELOCATED: Final = 6
EV_LIFTED: Final = 7
EV_PUT: Final = 8
EV_REMOVED: Final = 9
EV_CREATED: Final = 10
EV_RETURNED: Final = 11
EV_NEUTRAL_CREATED: Final = 12
EV_PRESTIGE: Final = 13
EV_MARKER_TAKEN: Final = 14
EV_MARKER_PLACED: Final = 15
EV_MARKER_DRAWN: Final = 16
EV_MARKER_USED: Final = 17
EV_ACTIONS_GAINED: Final = 18
EV_POST: Final = 19
EV_CITY_COMPLETED: Final = 20
EV_DEVELOPED: Final = 21
EV_SPECIAL_PRESTIGE: Final = 22
EV_EXCHANGED: Final = 23
EV_FAVOUR_TAKEN: Final = 24
EV_LEVIED: Final = 25
EV_TRIBUTE: Final = 26
EV_PERMIT: Final = 27
EV_DISQUALIFIED: Final = 28
EV_GAME_OVER: Final = 29
EV_SCORED: Final = 30

Event: TypeAlias = tuple[int, ...]


def tradesman(colour: Seat, kind: Kind) -> Tradesman:
    """A tradesman as one int, never EMPTY; `colour_of` and `kind_of` take it apart."""
    return 2 * colour + 2 + kind


def colour_of(man: Tradesman) -> Seat:
    """The colour of a tradesman: its seat, or the number of the neutral colour. NONE for EMPTY."""
    return (man >> 1) - 1


def kind_of(man: Tradesman) -> Kind:
    """TRADER or MERCHANT. An EMPTY place has no kind."""
    return man & 1


def stock_index(seat: Seat, kind: Kind) -> int:
    """Where `GameState.stock` and `GameState.supply` count a seat's tradesmen of this kind."""
    return 2 * seat + kind


def desk_index(seat: Seat, ability: Ability) -> int:
    """Where `GameState.desk` counts the steps that a seat has developed an ability."""
    return 5 * seat + ability

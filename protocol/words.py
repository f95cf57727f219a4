"""Types of messages in words: the names of things, the state of a game, `about`.

Choices and events have modules of their own. Bots get plain dicts; type checkers and the JSON
Schemas use these types. An optional key is NotRequired; `None` stands for null.
"""

# No postponed annotations: TypedDict needs the real types to know which keys are required.

from typing import Literal, TypeAlias, TypedDict, final

Ability: TypeAlias = Literal["keys", "actions", "privilege", "book", "bank"]
Colour: TypeAlias = Literal["white", "orange", "pink", "black"]
Kind: TypeAlias = Literal["trader", "merchant"]
Marker: TypeAlias = Literal[
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
]
Favour: TypeAlias = Literal[
    "relocate-anywhere", "extra-action", "levy", "reinforce", "patron", "scholar"
]
PermanentMarker: TypeAlias = Literal[
    "move-2-any", "develop-privilege", "green-post", "place-2-from-route", "place-2-abroad"
]
Source: TypeAlias = Literal["displaced", "stock", "supply", "route", "point"]
LiftReason: TypeAlias = Literal["move", "move-3", "remove-3", "move-2-any"]
EndReason: TypeAlias = Literal["prestige", "markers", "cities", "max-turns", "abandoned"]
Fault: TypeAlias = Literal["start", "timeout", "crash", "garbage", "illegal", "flood", "ponder"]
DecisionKind: TypeAlias = Literal[
    "turn", "lift", "put", "relocate", "levy", "permanent", "place-marker", "neutral-post"
]
SeatOrNeutral: TypeAlias = int | Literal["n"]
Tradesman: TypeAlias = str  # seat and kind: "0t", "3m", "nt"

# With the detail `codes`:
Code: TypeAlias = list[int]  # a choice or an event
AboutCodes: TypeAlias = dict[str, int | list[int]]
StateCodes: TypeAlias = dict[str, list[int] | list[list[int]]]


class Amount(TypedDict):
    """A number of tradesmen of each kind."""

    traders: int
    merchants: int


class Place(TypedDict):
    """A point: its route and its number there."""

    route: str
    point: int


# -- what a decision concerns; `final`, so that type checkers know a type by a key that it has


class Lifted(TypedDict):
    """A lifted tradesman, and the point that it comes from."""

    tradesman: Tradesman
    route: str
    point: int


@final
class AboutLift(TypedDict):
    """About `lift`: how many more to lift, and what is already lifted."""

    why: LiftReason
    unbound: bool
    left: int
    lifted: list[Lifted]


@final
class AboutPut(TypedDict):
    """About `put`: the tradesman to put now, and the rest to put after it."""

    tradesman: Tradesman
    route: str
    point: int
    why: LiftReason
    unbound: bool
    rest: list[Lifted]


@final
class AboutRelocate(TypedDict):
    """About `relocate`: the displacement, and which points were already used for it."""

    route: str
    point: int
    by: int
    owner: SeatOrNeutral
    extras: int
    placed: list[Place]


@final
class AboutLevy(TypedDict):
    """About `levy`: the seat that took income."""

    by: int


@final
class AboutPermanent(TypedDict):
    """About `permanent`: the marker of the route just created, and the city of its new post."""

    marker: PermanentMarker
    left: int
    placed: list[Place]
    route: str
    post: str | None


@final
class AboutPlaceMarker(TypedDict):
    """About `place-marker`: the markers on the plate."""

    left: int
    markers: list[Marker]


@final
class AboutNeutralPost(TypedDict):
    """About `neutral-post`: the route that the neutral colour created."""

    route: str


@final
class AboutTurn(TypedDict):
    """About `turn`: there is nothing to add."""


About: TypeAlias = (
    AboutTurn
    | AboutLift
    | AboutPut
    | AboutRelocate
    | AboutLevy
    | AboutPermanent
    | AboutPlaceMarker
    | AboutNeutralPost
)
ABOUT = {
    "lift": AboutLift,
    "put": AboutPut,
    "relocate": AboutRelocate,
    "levy": AboutLevy,
    "permanent": AboutPermanent,
    "place-marker": AboutPlaceMarker,
    "neutral-post": AboutNeutralPost,
}


# -- the state


class RouteState(TypedDict):
    """The tradesmen on a route's points, and its bonus marker."""

    points: list[Tradesman | None]
    marker: Marker | None


class CityState(TypedDict):
    """The posts of a city: on its spaces, and the additional ones left of them."""

    posts: list[Tradesman | None]
    additional: list[Tradesman]


class Desk(TypedDict):
    """How many steps of each ability are developed."""

    keys: int
    actions: int
    privilege: int
    book: int
    bank: int


class PlayerState(TypedDict):
    """The possessions of one player."""

    seat: int
    prestige: int
    stock: Amount
    supply: Amount
    desk: Desk
    markers: list[Marker]
    used_markers: list[Marker]
    plate: int
    favours: list[Favour]


class Permits(TypedDict):
    """Permits of the active seat: what is left in each city, which are spent, whether one was bought."""

    cities: dict[str, int]
    spent: list[str]
    bought: bool


class Laid(TypedDict):
    """A tribute or block above a route."""

    marker: Marker
    route: str
    seat: int


class NeutralState(TypedDict):
    """The neutral colour's part of the state."""

    prestige: int


class State(TypedDict):
    """A position, as one seat may see it."""

    turn: int
    active: int
    actions_left: int
    extra_actions: int
    fresh: bool
    completed_cities: int
    marker_supply: int
    undrawn: bool
    east_west: list[SeatOrNeutral]
    routes: dict[str, RouteState]
    cities: dict[str, CityState]
    special_prestige: list[int | None]
    favours: list[Favour]
    players: list[PlayerState]
    mission: list[str] | None
    plate_seen: list[Marker]
    in_hand: list[Tradesman]
    permits: Permits | None
    laid: list[Laid]
    markers_out: list[Marker]
    neutral: NeutralState | None


class View(State):
    """What a bot that is a function gets: the state, the game, the seat, and the decision to make.

    `decision` is None for a seat that is not asked.
    """

    game: str
    seat: int
    id: int
    decision: DecisionKind | None
    about: About

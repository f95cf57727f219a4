"""Types of events in words, one for each kind; a seat is its number, or "n" for the neutral colour."""

# No postponed annotations: TypedDict needs the real types to know which keys are required.

from typing import Literal, NotRequired, TypeAlias, TypedDict, get_args

from .choices import Reward
from .words import (
    Ability,
    Amount,
    EndReason,
    Fault,
    Favour,
    Kind,
    LiftReason,
    Marker,
    SeatOrNeutral,
    Source,
)


class Turn(TypedDict):
    """A turn begins, with this number of actions."""

    event: Literal["turn"]
    turn: int
    seat: int
    actions: int


class Action(TypedDict):
    """An action was chosen; `left` is the number of actions left."""

    event: Literal["action"]
    seat: int
    do: Literal["income", "place", "displace", "move", "create"]
    left: int


class ToSupply(TypedDict):
    """Tradesmen went from the stock into the supply."""

    event: Literal["income", "levied", "tribute"]
    seat: int
    traders: int
    merchants: int


Placed = TypedDict(
    "Placed",
    {
        "event": Literal["placed"],
        "seat": SeatOrNeutral,
        "route": str,
        "point": int,
        "tradesman": Kind,
        "from": Source,
        "from_route": NotRequired[str],
        "from_point": NotRequired[int],
    },
)
"""A tradesman was put on a point."""

Displaced = TypedDict(
    "Displaced",
    {
        "event": Literal["displaced"],
        "seat": SeatOrNeutral,
        "by": int,
        "route": str,
        "point": int,
        "tradesman": Kind,
        "with": Kind,
    },
)
"""A tradesman of `seat` had to leave its point for one of `by`."""


class Paid(TypedDict):
    """Tradesmen went from the supply to the stock."""

    event: Literal["paid"]
    seat: int
    traders: int
    merchants: int
    why: Literal["displace", "block"]


Relocated = TypedDict(
    "Relocated",
    {
        "event": Literal["relocated"],
        "seat": SeatOrNeutral,
        "tradesman": Kind,
        "from": Source,
        "from_route": NotRequired[str],
        "from_point": NotRequired[int],
        "route": NotRequired[str],
        "point": NotRequired[int],
        "to": NotRequired[Literal["stock"]],
    },
)
"""A displaced tradesman, or an extra one, went to a point; without a free one, to the stock."""


class Carried(TypedDict):
    """A tradesman of `seat` was lifted off a point, put on one, or removed, by `by`."""

    event: Literal["lifted", "put", "removed"]
    seat: SeatOrNeutral
    by: int
    route: str
    point: int
    tradesman: Kind
    why: LiftReason


class Created(TypedDict):
    """A trade route was created; `returned` is how many of its tradesmen went to the stock at once."""

    event: Literal["created"]
    seat: int
    route: str
    reward: Reward | None
    returned: Amount


class Returned(TypedDict):
    """Tradesmen kept from a created route went to the stock."""

    event: Literal["returned"]
    seat: int
    traders: int
    merchants: int


class NeutralCreated(TypedDict):
    """A route full of neutral traders was created; its marker left the game."""

    event: Literal["neutral-created"]
    route: str
    marker: Marker | None
    stays: int


class Prestige(TypedDict):
    """Points on the prestige track."""

    event: Literal["prestige"]
    seat: SeatOrNeutral
    points: int
    why: Literal["control", "coin", "east-west"]
    city: str


class MarkerTaken(TypedDict):
    """The marker of a created route was won."""

    event: Literal["marker-taken"]
    seat: int
    route: str
    marker: Marker


class MarkerPlaced(TypedDict):
    """A marker was placed on a route; the seat is null for a start marker."""

    event: Literal["marker-placed"]
    seat: int | None
    route: str
    marker: Marker


class MarkerDrawn(TypedDict):
    """A replacement was drawn face down onto a plate; `left` is how many are in the supply."""

    event: Literal["marker-drawn"]
    seat: int
    left: int


class MarkerUsed(TypedDict):
    """A marker was used; the other fields depend on its kind."""

    event: Literal["marker-used"]
    seat: int
    marker: Marker
    additional: NotRequired[str]
    tradesman: NotRequired[Kind]
    ability: NotRequired[Ability]
    city: NotRequired[str]
    spaces: NotRequired[list[int]]
    owner: NotRequired[int]
    takes: NotRequired[Marker]
    route: NotRequired[str]


class ActionsGained(TypedDict):
    """More actions this turn, from a marker or from the ability."""

    event: Literal["actions-gained"]
    seat: int
    actions: int
    why: Literal["actions", "plus-3-actions", "plus-4-actions"]


class Post(TypedDict):
    """A tradesman became a trading post."""

    event: Literal["post"]
    seat: SeatOrNeutral
    city: str
    where: Literal["space", "additional", "green"]
    space: int | None
    tradesman: Kind


class CityCompleted(TypedDict):
    """The completed-cities counter rose to `count`."""

    event: Literal["city-completed"]
    city: str
    count: int


class Developed(TypedDict):
    """An ability was developed; `steps` is how many steps it has now."""

    event: Literal["developed"]
    seat: int
    ability: Ability
    steps: int


class SpecialTaken(TypedDict):
    """A space of special prestige was taken."""

    event: Literal["special-prestige"]
    seat: int
    points: int


class Exchanged(TypedDict):
    """Two neighbouring posts changed places."""

    event: Literal["exchanged"]
    seat: int
    city: str
    spaces: list[int]


class FavourTaken(TypedDict):
    """A favour tile was taken for two markers."""

    event: Literal["favour-taken"]
    seat: int
    tile: Favour
    markers: list[Marker]


class PermitUsed(TypedDict):
    """A city's permit was spent, or one was bought for a marker."""

    event: Literal["permit"]
    seat: int
    city: NotRequired[str]
    bought: NotRequired[Marker]


class Disqualified(TypedDict):
    """A seat was disqualified: the referee chooses for it."""

    event: Literal["disqualified"]
    seat: int
    fault: Fault
    id: int


class GameOver(TypedDict):
    """The game ended; if there are several reasons, `reason` is the first."""

    event: Literal["game-over"]
    reason: EndReason


class Scored(TypedDict):
    """A seat's final total and its parts."""

    event: Literal["scored"]
    seat: int
    total: int
    track: int
    abilities: int
    markers: int
    special: int
    cities: int
    network: int
    missions: int
    countries: dict[str, int]


Event: TypeAlias = (
    Turn
    | Action
    | ToSupply
    | Placed
    | Displaced
    | Paid
    | Relocated
    | Carried
    | Created
    | Returned
    | NeutralCreated
    | Prestige
    | MarkerTaken
    | MarkerPlaced
    | MarkerDrawn
    | MarkerUsed
    | ActionsGained
    | Post
    | CityCompleted
    | Developed
    | SpecialTaken
    | Exchanged
    | FavourTaken
    | PermitUsed
    | Disqualified
    | GameOver
    | Scored
)
EVENTS: tuple[type, ...] = get_args(Event)

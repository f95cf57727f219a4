"""Types of choices in words; every choice has `do`."""

# No postponed annotations: TypedDict needs the real types to know which keys are required.

from typing import Literal, NotRequired, TypeAlias, TypedDict, get_args

from .words import Ability, Amount, Favour, Kind, Marker, Source


class Reward(TypedDict, total=False):
    """The reward of a created route: one of four; an additional post names its tradesman."""

    post: str
    additional: str
    tradesman: Kind
    develop: Ability
    special: int


class Income(TypedDict):
    """Take tradesmen from the stock into the supply."""

    do: Literal["income"]
    traders: int
    merchants: int


PlaceChoice = TypedDict(
    "PlaceChoice",
    {
        "do": Literal["place"],
        "route": str,
        "point": int,
        "tradesman": Kind,
        "from": NotRequired[Source],
        "from_route": NotRequired[str],
        "from_point": NotRequired[int],
    },
)
"""Place a tradesman on a free point; with `from` it is placed by a permanent marker."""


class Displace(TypedDict):
    """Displace another seat's tradesman, and pay for it."""

    do: Literal["displace"]
    route: str
    point: int
    tradesman: Kind
    pay: Amount


class Create(TypedDict):
    """Create a trade route, with its reward."""

    do: Literal["create"]
    route: str
    reward: Reward | None


class Use(TypedDict):
    """Use a bonus marker, with the fields that its kind needs."""

    do: Literal["use"]
    marker: Marker
    ability: NotRequired[Ability]
    city: NotRequired[str]
    spaces: NotRequired[list[int]]
    owner: NotRequired[int]
    takes: NotRequired[Marker]
    route: NotRequired[str]


class TakeFavour(TypedDict):
    """Take a favour tile for two markers and the whole turn."""

    do: Literal["favour"]
    tile: Favour
    markers: list[Marker]


class Permit(TypedDict):
    """Buy a permit for a marker."""

    do: Literal["permit"]
    marker: Marker


class Plain(TypedDict):
    """A choice without further fields."""

    do: Literal["move", "end-turn", "stop", "decline"]


class AtPoint(TypedDict):
    """Lift the tradesman of a point, or put one there."""

    do: Literal["lift", "put"]
    route: str
    point: int


Relocate = TypedDict(
    "Relocate",
    {
        "do": Literal["relocate"],
        "tradesman": Kind,
        "from": Source,
        "from_route": NotRequired[str],
        "from_point": NotRequired[int],
        "route": str,
        "point": int,
    },
)
"""Put a displaced tradesman, or an extra one, on a point."""


class Levy(TypedDict):
    """Take a tradesman from the stock into the supply."""

    do: Literal["levy"]
    tradesman: Kind


class GreenPost(TypedDict):
    """Put a post into a green city."""

    do: Literal["green-post"]
    city: str
    tradesman: Kind


class Develop(TypedDict):
    """Develop an ability by one step, with a permanent marker."""

    do: Literal["develop"]
    ability: Ability


class PlaceMarker(TypedDict):
    """Place a marker from the plate on a route."""

    do: Literal["place-marker"]
    marker: Marker
    route: str


class NeutralPost(TypedDict):
    """Choose the city where the neutral trader becomes a post."""

    do: Literal["neutral-post"]
    city: str


ChoiceWords: TypeAlias = (
    Income
    | PlaceChoice
    | Displace
    | Create
    | Use
    | TakeFavour
    | Permit
    | Plain
    | AtPoint
    | Relocate
    | Levy
    | GreenPost
    | Develop
    | PlaceMarker
    | NeutralPost
)
CHOICES: tuple[type, ...] = get_args(ChoiceWords)

Doing: TypeAlias = Literal[
    "income",
    "place",
    "displace",
    "create",
    "use",
    "favour",
    "permit",
    "move",
    "end-turn",
    "stop",
    "decline",
    "lift",
    "put",
    "relocate",
    "levy",
    "green-post",
    "develop",
    "place-marker",
    "neutral-post",
]
ChoiceValue: TypeAlias = int | str | Amount | Reward | list[int] | list[Marker] | None

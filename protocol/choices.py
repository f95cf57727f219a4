"""Choices in words, as types: every one has `do`."""

# No postponed annotations: TypedDict tells required keys from others by what it is given.

from typing import Literal, NotRequired, TypedDict

from .words import Ability, Amount, Favour, Kind, Marker, Source


class Reward(TypedDict, total=False):
    """What a creation earns beside points and marker: one of four, the additional one with its kind."""

    post: str
    additional: str
    tradesman: Kind
    develop: Ability
    special: int


class Income(TypedDict):
    """Tradesmen from the stock into the supply."""

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
"""A tradesman on a free point; with `from` it is the place of a permanent marker."""


class Displace(TypedDict):
    """An opponent's point, at a price."""

    do: Literal["displace"]
    route: str
    point: int
    tradesman: Kind
    pay: Amount


class Create(TypedDict):
    """A trade route that one holds, and its reward."""

    do: Literal["create"]
    route: str
    reward: Reward | None


class Use(TypedDict):
    """A bonus marker, with what its kind needs."""

    do: Literal["use"]
    marker: Marker
    ability: NotRequired[Ability]
    city: NotRequired[str]
    spaces: NotRequired[list[int]]
    owner: NotRequired[int]
    takes: NotRequired[Marker]
    route: NotRequired[str]


class TakeFavour(TypedDict):
    """A tile for two markers and the whole turn."""

    do: Literal["favour"]
    tile: Favour
    markers: list[Marker]


class Permit(TypedDict):
    """A permit for a marker."""

    do: Literal["permit"]
    marker: Marker


class Plain(TypedDict):
    """Nothing more to say."""

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
"""A displaced tradesman, or an extra one, finds its point."""


class Levy(TypedDict):
    """A tradesman of the stock."""

    do: Literal["levy"]
    tradesman: Kind


class GreenPost(TypedDict):
    """A post in a green city."""

    do: Literal["green-post"]
    city: str
    tradesman: Kind


class Develop(TypedDict):
    """A step of an ability, by a permanent marker."""

    do: Literal["develop"]
    ability: Ability


class PlaceMarker(TypedDict):
    """A marker of the plate onto a route."""

    do: Literal["place-marker"]
    marker: Marker
    route: str


class NeutralPost(TypedDict):
    """Where the neutral trader becomes a post."""

    do: Literal["neutral-post"]
    city: str


CHOICES = (
    Income,
    PlaceChoice,
    Displace,
    Create,
    Use,
    TakeFavour,
    Permit,
    Plain,
    AtPoint,
    Relocate,
    Levy,
    GreenPost,
    Develop,
    PlaceMarker,
    NeutralPost,
)

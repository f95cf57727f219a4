"""Types of the parts of messages that stay the same during a game: board, rules, clock, standings.

They are dicts, in the messages of bots as in the Python API.
"""

# No postponed annotations: TypedDict needs the real types to know which keys are required.

from typing import Literal, NotRequired, TypedDict

from .words import Ability, Colour, Fault, PermanentMarker

# -- the board


class Space(TypedDict):
    """A space for a trading post: its privilege, shape and coin."""

    privilege: Colour
    shape: Literal["square", "round"]
    coin: int


class City(TypedDict):
    """A city; its spaces from left to right."""

    id: str
    name: str
    x: int
    y: int
    banner: str
    abilities: list[Ability]
    countries: list[str]
    green: bool
    spaces: list[Space]
    aliases: NotRequired[list[str]]


class Point(TypedDict):
    """A connection point of a route: a house or a ship."""

    type: Literal["house", "ship"]
    x: int
    y: int


class Route(TypedDict):
    """A trade route; its points are counted from the end that is named first."""

    id: str
    ends: tuple[str, str]
    points: list[Point]
    country: str | None
    tavern: bool
    permanent: PermanentMarker | None
    marker_at: tuple[int, int]


class Players(TypedDict):
    """The fewest and the most players of a board."""

    min: int
    max: int


class EastWest(TypedDict):
    """The two red-bannered cities, and what linking them gives to the first, second, third."""

    ends: tuple[str, str]
    prestige: list[int]


class SpecialSpace(TypedDict):
    """A space of special prestige and what it is worth."""

    points: int
    privilege: Colour
    x: int
    y: int


class SpecialPrestige(TypedDict):
    """Which city and routes give special prestige."""

    city: str
    routes: list[str]
    spaces: list[SpecialSpace]


class Country(TypedDict):
    """A country: whether it needs no permit, and what its majority gives."""

    home: bool
    prestige: list[int]


class CompletedTrack(TypedDict):
    """Where the track of completed cities is drawn, from its first field to its last."""

    first: tuple[int, int]
    last: tuple[int, int]


class Board(TypedDict):
    """A board, as in the map files."""

    id: str
    title: str
    players: Players
    aspect: float
    cities: list[City]
    routes: list[Route]
    east_west: EastWest
    special_prestige: SpecialPrestige
    completed_cities_limit: int
    countries: dict[str, Country]
    permits: dict[str, list[str]]
    neutral_start: list[str]
    side: NotRequired[str]
    missions: NotRequired[list[list[str]]]
    favours: NotRequired[bool]
    replaces: NotRequired[dict[str, str]]
    completed_track: NotRequired[CompletedTrack | None]


# -- parts of messages


class Seated(TypedDict):
    """A seat and the name of its bot."""

    seat: int
    name: str


class Rules(TypedDict):
    """The options that a game is played with."""

    edition: str
    board: str
    players: int
    missions: bool
    favours: bool
    neutral: str | None
    permits: bool
    promos: bool
    max_turns: int
    rules_version: int


class Clock(TypedDict):
    """The time allowed, in milliseconds; null is without limit."""

    start_ms: int | None
    bank_ms: int | None
    increment_ms: int | None
    move_ms: int | None


class Standing(TypedDict):
    """A seat's rank and the parts of its total."""

    seat: int
    name: str
    rank: int
    total: int
    track: int
    abilities: int
    markers: int
    special: int
    cities: int
    network: int
    missions: int
    countries: dict[str, int]
    disqualified: Fault | None

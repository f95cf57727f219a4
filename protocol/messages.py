"""The messages between referee and bot as types; the field `type` distinguishes them.

Unknown fields are ignored. The types of choices, events, states and `about` are in `choices`, `events`
and `words`; with the detail `codes` these are numbers, and everything else stays the same.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from . import PROTOCOL_VERSION
from .words import Ability, Colour, EndReason, Fault, Favour, Marker, PermanentMarker

__all__ = [
    "PROTOCOL_VERSION",
    "Board",
    "BotHello",
    "Choose",
    "Clock",
    "Decide",
    "End",
    "Error",
    "FromBot",
    "FromReferee",
    "Hello",
    "Quit",
    "Ready",
    "Rules",
    "Seated",
    "Standing",
    "Start",
]

Encoding: TypeAlias = Literal["json", "msgpack"]
StateOption: TypeAlias = Literal["full", "none"]
Detail: TypeAlias = Literal["words", "codes"]
Words: TypeAlias = dict[str, Any]
Code: TypeAlias = list[int]
Int64: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


# -- the board


class Space(msgspec.Struct):
    """A space for a trading post: its privilege, shape and coin."""

    privilege: Colour
    shape: Literal["square", "round"]
    coin: int


class City(msgspec.Struct):
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
    aliases: list[str] = msgspec.field(default_factory=list)


class Point(msgspec.Struct):
    """A connection point of a route: a house or a ship."""

    type: Literal["house", "ship"]
    x: int
    y: int


class Route(msgspec.Struct):
    """A trade route; its points are counted from the end that is named first."""

    id: str
    ends: tuple[str, str]
    points: list[Point]
    country: str | None
    tavern: bool
    permanent: PermanentMarker | None
    marker_at: tuple[int, int]


class Players(msgspec.Struct):
    """The fewest and the most players of a board."""

    min: int
    max: int


class EastWest(msgspec.Struct):
    """The two red-bannered cities, and what linking them gives to the first, second, third."""

    ends: tuple[str, str]
    prestige: list[int]


class SpecialSpace(msgspec.Struct):
    """A space of special prestige and what it is worth."""

    points: int
    privilege: Colour
    x: int
    y: int


class SpecialPrestige(msgspec.Struct):
    """Which city and routes give special prestige."""

    city: str
    routes: list[str]
    spaces: list[SpecialSpace]


class Country(msgspec.Struct):
    """A country: whether it needs no permit, and what its majority gives."""

    home: bool
    prestige: list[int]


class CompletedTrack(msgspec.Struct):
    """Where the track of completed cities is drawn, from its first field to its last."""

    first: tuple[int, int]
    last: tuple[int, int]


class Board(msgspec.Struct):
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
    side: str = ""
    missions: list[list[str]] = msgspec.field(default_factory=list)
    favours: bool = False
    replaces: dict[str, str] = msgspec.field(default_factory=dict)
    completed_track: CompletedTrack | None = None
    neutral_start_britannia: list[str] | msgspec.UnsetType = msgspec.UNSET


# -- parts of messages


class Seated(msgspec.Struct):
    """A seat and the name of its bot."""

    seat: int
    name: str


class Rules(msgspec.Struct):
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
    promo_markers: list[Marker] | None = None
    country_ties: str | None = None
    permanent_markers: str | None = None


class Clock(msgspec.Struct):
    """The time allowed, in milliseconds; null is without limit."""

    start_ms: int | None
    bank_ms: int | None
    increment_ms: int | None
    move_ms: int | None


class Standing(msgspec.Struct):
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


# -- from the referee


class Hello(msgspec.Struct, tag="hello", tag_field="type"):
    """The first message of all, always in JSON."""

    protocol: int
    referee: str
    game: str
    encodings: list[str]


class Start(msgspec.Struct, tag="start", tag_field="type"):
    """A game begins; the bot answers `ready`."""

    game: str
    seat: int
    players: list[Seated]
    rules: Rules
    board: Board
    favours: list[Favour]
    mission: list[str] | None
    clock: Clock


class Decide(msgspec.Struct, tag="decide", tag_field="type", omit_defaults=True):
    """A decision with all its legal choices; the bot answers `choose`."""

    id: int
    decision: str
    choices: list[Words | Code]
    events: list[Words | Code]
    clock_ms: float | None
    about: Words | None = None
    state: Words | None = None


class Error(msgspec.Struct, tag="error", tag_field="type"):
    """The last answer was refused: the referee chose for the bot, and the game continues."""

    id: int | None
    fault: Fault
    message: str
    strikes: int
    allowed: int


class End(msgspec.Struct, tag="end", tag_field="type"):
    """The game is over; the bot does not answer."""

    events: list[Words | Code]
    state: Words
    missions: list[list[str] | None]
    standings: list[Standing]
    reason: EndReason


class Quit(msgspec.Struct, tag="quit", tag_field="type"):
    """There are no more games: the bot must exit."""


# -- from a bot


class BotHello(msgspec.Struct, tag="hello", tag_field="type", omit_defaults=True):
    """Who the bot is, and which messages it wants."""

    name: str
    version: str | None = None
    author: str | None = None
    protocol: int = PROTOCOL_VERSION
    encoding: Encoding = "json"
    state: StateOption = "full"
    detail: Detail = "words"


class Ready(msgspec.Struct, tag="ready", tag_field="type"):
    """The answer to `start`: the bot is ready."""


class Choose(msgspec.Struct, tag="choose", tag_field="type", omit_defaults=True):
    """The answer to `decide`: the index of a choice."""

    id: Int64
    choice: Int64
    say: str | None = None


FromReferee: TypeAlias = Hello | Start | Decide | Error | End | Quit
FromBot: TypeAlias = BotHello | Ready | Choose

"""The messages between referee and bot as types; the field `type` distinguishes them.

Unknown fields are ignored. The types of choices, events, states and `about` are in `choices`, `events`
and `words`; with the detail `codes` these are numbers, and everything else stays the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec

from . import PROTOCOL_VERSION
from .parts import Board, Clock, Rules, Seated, Standing
from .words import Code, EndReason, Fault, Favour

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
Int64: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
if TYPE_CHECKING:
    Words: TypeAlias = dict[str, object]
else:
    Words = dict[str, Any]  # to msgspec, `object` is not any value, but a class that it cannot read


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

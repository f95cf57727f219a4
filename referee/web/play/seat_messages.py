"""The messages between a game and the server of its pages: JSON lines over a pair of sockets."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec


class Ask(msgspec.Struct, tag="ask", tag_field="type"):
    """The game asks a seat; the server keeps the question until the answer comes."""

    seat: int
    id: int  # of the decision
    choices: int  # how many there are
    question: msgspec.Raw  # AskedChoices, as the page gets it
    left_ms: float | None = None  # the time for the answer; None without a clock


class Withdraw(msgspec.Struct, tag="withdraw", tag_field="type"):
    """The question of a seat is closed: it was answered, or the time is up."""

    seat: int
    id: int


class Notice(msgspec.Struct, tag="notice", tag_field="type"):
    """Something that only this seat is told, such as its own fault."""

    seat: int
    text: str


class HintText(msgspec.Struct, tag="hint", tag_field="type"):
    """The hint that a seat asked for."""

    seat: int
    id: int  # of the decision
    text: str  # sentences, one a line


class End(msgspec.Struct, tag="end", tag_field="type"):
    """Nothing more is asked of a seat."""

    seat: int


class NewCode(msgspec.Struct, tag="new_code", tag_field="type"):
    """One more code that takes a seat, for example because the browser that held it has lost its secret."""

    seat: int
    code: str


class Began(msgspec.Struct, tag="began", tag_field="type"):
    """The record of the game is written; before that, there may be an old one in its place."""


class Over(msgspec.Struct, tag="over", tag_field="type"):
    """The game is over; the server goes on for as long as pages are open."""


class Chosen(msgspec.Struct, tag="chosen", tag_field="type"):
    """A seat has chosen one of the choices that it was asked about."""

    seat: int
    id: int
    choice: int


class AskHint(msgspec.Struct, tag="ask_hint", tag_field="type"):
    """A person asks for a hint for the open question."""

    seat: int
    id: int


class Left(msgspec.Struct, tag="left", tag_field="type"):
    """A person leaves the game."""

    seat: int


class Closed(msgspec.Struct, tag="closed", tag_field="type"):
    """After the end of the game: no page is open any more."""


FromGame: TypeAlias = Began | Ask | Withdraw | Notice | HintText | End | NewCode | Over
ToGame: TypeAlias = Chosen | AskHint | Left | Closed

_encoder: Final = msgspec.json.Encoder()
_from_game: Final[msgspec.json.Decoder[FromGame]] = msgspec.json.Decoder(FromGame)
_to_game: Final[msgspec.json.Decoder[ToGame]] = msgspec.json.Decoder(ToGame)


def encoded(message: FromGame | ToGame) -> bytes:
    """A message as a line of JSON."""
    return _encoder.encode(message) + b"\n"


def decoded_from_game(line: bytes) -> FromGame:
    """The message of the game in a line."""
    return _from_game.decode(line)


def decoded_to_game(line: bytes) -> ToGame:
    """The message of the server in a line."""
    return _to_game.decode(line)

"""Messages of real games: a few that every kit carries, and as many as it takes to have every field."""

from __future__ import annotations

from collections.abc import Iterator

from support.combinations import BOARDS, combinations
from support.dialogue import HELLO, QUIT, Told, Words, conversation, parsed
from support.random_games import decisions, played

SMALL = "hanse-2-3:3:bigbox"
KEPT = ("turn", "place-marker", "relocate")  # the first decision of each kind


def few() -> str:
    """The conversation that every kit carries, a line a message."""
    told: dict[str, bytes] = {}
    for data, _ in conversation(played(SMALL), 1):
        message = parsed(data)
        told.setdefault(message.get("decision") or message["type"], data)
    error = Told(next(decisions(played(SMALL))), 1).error()
    asked = [told[kind] for kind in KEPT]
    return b"".join([HELLO, told["start"], *asked, error, told["end"], QUIT]).decode()


def many() -> Iterator[Words]:
    """Every type of message, every decision and kind of choice on every board, with all options."""
    yield parsed(HELLO)
    yield parsed(QUIT)
    yield parsed(Told(next(decisions(played(SMALL))), 0).error())
    for board in BOARDS:
        met: set[tuple[str, ...]] = set()
        for name in [one for one in combinations() if one.startswith(f"{board}:")][::5]:
            yield from _new(name, met)


def _new(name: str, met: set[tuple[str, ...]]) -> Iterator[Words]:
    """The start and end of a game, and its decisions with a shape of choice not met before."""
    for data, _ in conversation(played(name), 0):
        message = parsed(data)
        shapes = {tuple(sorted(_shape(choice))) for choice in message.get("choices", ())}
        if message["type"] in ("start", "end") or not shapes <= met:
            met |= shapes
            yield message


def _shape(choice: Words) -> Iterator[str]:
    """What a choice does, with which fields, and what its reward has."""
    yield f"={choice['do']}"
    yield from choice
    yield from (f"reward.{field}" for field in choice.get("reward") or ())

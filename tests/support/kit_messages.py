"""Messages of real games: the few in every starter kit, and a set that has every field."""

from __future__ import annotations

from collections.abc import Iterator

from support.combinations import BOARDS, WITH_VALUES, combinations
from support.dialogue import HELLO, QUIT, SeatMessages, Words, conversation, parsed
from support.random_games import decisions, played

SMALL = "hanse-2-3:3:bigbox"
KEPT = ("turn", "place-marker", "relocate")  # the first decision of each kind


def few() -> str:
    """Return the conversation in every starter kit, one message a line."""
    found: dict[str, bytes] = {}
    for data, _ in conversation(played(SMALL), 1):
        message = parsed(data)
        found.setdefault(message.get("decision") or message["type"], data)
    error = SeatMessages(next(decisions(played(SMALL))), 1).error()
    asked = [found[kind] for kind in KEPT]
    return b"".join([HELLO, found["start"], *asked, error, found["end"], QUIT]).decode()


def many() -> Iterator[Words]:
    """Yield every type of message, decision and choice, on every board, with all options."""
    yield parsed(HELLO)
    yield parsed(QUIT)
    yield parsed(SeatMessages(next(decisions(played(SMALL))), 0).error())
    for board in BOARDS:
        met: set[tuple[str, ...]] = set()
        names = [one for one in combinations() if one.startswith(f"{board}:")]
        for name in dict.fromkeys((*names[::5], *(one for one in names if one in WITH_VALUES))):
            yield from _new(name, met)


def _new(name: str, met: set[tuple[str, ...]]) -> Iterator[Words]:
    """Yield the start and end of a game, and the decisions with a shape of choice that is new."""
    for data, _ in conversation(played(name), 0):
        message = parsed(data)
        shapes = {tuple(sorted(_shape(choice))) for choice in message.get("choices", ())}
        if message["type"] in ("start", "end") or not shapes <= met:
            met |= shapes
            yield message


def _shape(choice: Words) -> Iterator[str]:
    """Yield the kind of a choice, its fields and those of its reward."""
    yield f"={choice['do']}"
    yield from choice
    yield from (f"reward.{field}" for field in choice.get("reward") or ())

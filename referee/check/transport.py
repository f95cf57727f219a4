"""Changes to a message that a bot must cope with: unknown fields, padding, pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from referee.encoder import Encoding, plain_message

PADDING: Final = 600_000  # bytes
_UNKNOWN: Final = {
    "x_unknown": {"nested": [1, -2.5, None, True, {"deeper": "\u00fc \u2693"}], "text": "later"}
}
_OBJECTS: Final = ("rules", "clock", "state", "about")
_LISTS: Final = ("players", "choices", "events", "standings")
_READ: Final[dict[Encoding, Callable[[bytes], Any]]] = {
    "json": msgspec.json.decode,
    "msgpack": msgspec.msgpack.decode,
}


def unknown_fields(encoding: Encoding, data: bytes) -> Sequence[bytes]:
    """Add an unknown field to the message and to the objects in it."""
    message = _READ[encoding](data)
    for key in _OBJECTS:
        if isinstance(message.get(key), dict):
            message[key] |= _UNKNOWN
    for key in _LISTS:
        for item in message.get(key, ()):
            if isinstance(item, dict):
                item.update(_UNKNOWN)
    return (_encode(encoding, message | _UNKNOWN),)


def padded(encoding: Encoding, data: bytes) -> Sequence[bytes]:
    """Add an unknown field of several hundred kilobytes."""
    return (_encode(encoding, _READ[encoding](data) | {"x_padding": "x" * PADDING}),)


def _encode(encoding: Encoding, message: dict[str, object]) -> bytes:
    kind = str(message.pop("type"))
    return plain_message(encoding, kind, **message)


def unknown_messages(encoding: Encoding, data: bytes) -> Sequence[bytes]:
    """Put a message of an unknown type before the message."""
    return (plain_message(encoding, "x-unknown", id=1, **_UNKNOWN), data)


def in_pieces(_: Encoding, data: bytes) -> Sequence[bytes]:
    """Cut the message where readers often fail: after its first bytes, in the middle, before its last."""
    length = len(data)
    places = sorted({min(place, length) for place in (1, 2, 9, length // 2, length - 1)})
    return [data[begin:end] for begin, end in pairwise([0, *places, length]) if end > begin]

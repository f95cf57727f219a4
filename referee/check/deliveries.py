"""Ways to deliver a message that a bot must put up with: with more in it, among others, in pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from referee.speech import Encoding, plain

PADDING: Final = 600_000  # bytes
_UNKNOWN: Final = {
    "x_unknown": {"nested": [1, -2.5, None, True, {"deeper": "\u00fc \u2693"}], "text": "later"}
}
_OBJECTS: Final = ("rules", "clock", "state", "about")
_LISTS: Final = ("players", "choices", "events", "standings")
_CUTS: Final = (1, 2, 9, 0.5, -1)  # bytes from the beginning, a part of it, bytes from the end
_READ: Final[dict[Encoding, Callable[[bytes], Any]]] = {
    "json": msgspec.json.decode,
    "msgpack": msgspec.msgpack.decode,
}


def unknown_fields(encoding: Encoding, data: bytes) -> Sequence[bytes]:
    """A field that no version of the protocol has, in the message and in the objects inside it."""
    message = _READ[encoding](data)
    for key in _OBJECTS:
        if isinstance(message.get(key), dict):
            message[key] |= _UNKNOWN
    for key in _LISTS:
        for item in message.get(key, ()):
            if isinstance(item, dict):
                item |= _UNKNOWN
    return (_said(encoding, message | _UNKNOWN),)


def padded(encoding: Encoding, data: bytes) -> Sequence[bytes]:
    """An unknown field of several hundred kilobytes."""
    return (_said(encoding, _READ[encoding](data) | {"x_padding": "x" * PADDING}),)


def _said(encoding: Encoding, message: dict[str, object]) -> bytes:
    kind = str(message.pop("type"))
    return plain(encoding, kind, **message)


def unknown_messages(encoding: Encoding, data: bytes) -> Sequence[bytes]:
    """A message of a type that no version of the protocol has, before each that is meant."""
    return (plain(encoding, "x-unknown", id=1, **_UNKNOWN), data)


def in_pieces(_: Encoding, data: bytes) -> Sequence[bytes]:
    """Cut where a reader is likely to stumble: after the first bytes, and before the last one."""
    places = sorted({_place(cut, len(data)) for cut in _CUTS})
    begins, ends = [0, *places], [*places, len(data)]
    return [data[begin:end] for begin, end in zip(begins, ends, strict=True) if end > begin]


def _place(cut: float, length: int) -> int:
    if isinstance(cut, float):
        return int(cut * length)
    return min(length, cut) if cut > 0 else max(0, length + cut)

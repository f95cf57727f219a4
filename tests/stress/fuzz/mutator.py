"""Makes bytes that are almost right, and values of every type; the same seed gives the same results.

It needs only msgpack and the standard library, so that a bot can use it as well.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import msgpack

NUMBERS: Final = (
    0, 1, -1, 255, 256, 2**31, -(2**31) - 1, 2**53, 2**63, 2**64 - 1, -(2**63), 10**25, 10**400,
    0.5, -0.0, 1e308, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
TEXTS: Final = (
    "", "choose", "ready", "hello", "0", "\0", "\x1b[2J\x07", "\ufeff", "\u202e", "é" * 40, "\U0001f600",
    "[bold]", "x" * 600, "../../etc", "\u2028", "\r\n",
)  # fmt: skip
KEYS: Final = ("type", "id", "choice", "say", "name", "encoding", "protocol", "x", "", "\0")
DEEPEST: Final = 3000
INTERESTING: Final = (
    b"\x00", b"\xff", b"\n", b"\r\n", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\\ud800", b"\xc3",
    b"\xed\xa0\x80", b"null", b"true", b"NaN", b"-", b"1e999", b"\xc1", b"\xdf\xff\xff\xff\xff",
    b"\xdd\xff\xff\xff\xff", b"\xc9\x00\x00\x00\x04\x01abcd", b"\xd6\xff\x00\x00\x00\x00",
    b"\xc6\x00\x10\x00\x00", b"=", b"#", b"'''", b"9" * 30, b"\xef\xbb\xbf",
)  # fmt: skip

Change = Callable[[bytes, Random], bytes]


def below(rng: Random, bound: int) -> int:
    """Return a random number from 0 to bound - 1, several times as fast as randrange."""
    return int(rng.random() * bound)


# -- changes of bytes


def flip(data: bytes, rng: Random) -> bytes:
    """Flip one bit at random."""
    at = below(rng, len(data))
    return data[:at] + bytes((data[at] ^ (1 << below(rng, 8)),)) + data[at + 1 :]


def put(data: bytes, rng: Random) -> bytes:
    """Replace one byte by a random one."""
    at = below(rng, len(data))
    return data[:at] + bytes((below(rng, 256),)) + data[at + 1 :]


def insert(data: bytes, rng: Random) -> bytes:
    """Insert bytes that often have a special meaning."""
    at = below(rng, len(data) + 1)
    return data[:at] + INTERESTING[below(rng, len(INTERESTING))] + data[at:]


def cut(data: bytes, rng: Random) -> bytes:
    """Cut the end off at a random byte."""
    return data[: below(rng, len(data))]


def drop(data: bytes, rng: Random) -> bytes:
    """Delete up to 16 bytes in the middle."""
    at = below(rng, len(data))
    return data[:at] + data[at + 1 + below(rng, 16) :]


def repeat(data: bytes, rng: Random) -> bytes:
    """Repeat a part several times."""
    at = below(rng, len(data))
    end = at + 1 + below(rng, 32)
    return data[:end] + data[at:end] * (1 + below(rng, 4)) + data[end:]


def swap(data: bytes, rng: Random) -> bytes:
    """Swap the first part and the rest."""
    middle = below(rng, len(data))
    return data[middle:] + data[:middle]


CHANGES: Final[tuple[Change, ...]] = (flip, put, insert, cut, drop, repeat, swap)


def changed(data: bytes, rng: Random, corpus: Sequence[bytes] = (), most: int = 3) -> bytes:
    """Make a few random changes; sometimes also append the end of another file of the corpus."""
    if corpus and rng.random() < 0.15:
        other = corpus[below(rng, len(corpus))]
        data = data[: below(rng, len(data) + 1)] + other[below(rng, len(other) + 1) :]
    for _ in range(1 + below(rng, most)):
        data = CHANGES[below(rng, len(CHANGES))](data or b"{", rng)
    return data


# -- values


def value(rng: Random, depth: int = 3) -> object:
    """Return a random value of any type that JSON and MessagePack have."""
    kind = below(rng, 8 if depth else 5)
    if kind == 0:
        return NUMBERS[below(rng, len(NUMBERS))]
    if kind == 1:
        return TEXTS[below(rng, len(TEXTS))]
    if kind == 2:
        return below(rng, 1000) - 20
    if kind < 5:
        return (None, True, False)[below(rng, 3)]
    if kind == 5:
        return [value(rng, depth - 1) for _ in range(below(rng, 4))]
    return {KEYS[below(rng, len(KEYS))]: value(rng, depth - 1) for _ in range(below(rng, 4))}


def as_json(anything: object) -> bytes:
    """Return the value as a line of JSON; as in Python, it may be NaN or infinite."""
    return json.dumps(anything, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def as_msgpack(anything: object) -> bytes:
    """Return the value as MessagePack; unknown types become text."""
    packed: bytes = msgpack.packb(anything, default=str, use_bin_type=True)
    return packed


def packable(anything: object) -> object:
    """Return the value without the integers that are too large for MessagePack."""
    if isinstance(anything, int) and not -(2**63) <= anything < 2**64:
        return float(2**64)
    if isinstance(anything, list):
        return [packable(one) for one in anything]
    if isinstance(anything, dict):
        return {key: packable(one) for key, one in anything.items()}
    return anything


def nested_json(rng: Random) -> bytes:
    """Return deeply nested JSON, whose brackets are closed or not."""
    depth = 1 + below(rng, DEEPEST)
    opened, closed = ((b"[", b"]"), (b'{"x":', b"}"))[below(rng, 2)]
    inner = opened * depth + (b"0" + closed * depth if rng.random() < 0.7 else b"")
    return b'{"type":"choose","x":' + inner + b"}\n" if rng.random() < 0.5 else inner + b"\n"


def nested_msgpack(rng: Random) -> bytes:
    """Return deeply nested MessagePack."""
    depth = 1 + below(rng, DEEPEST)
    return (b"\x91", b"\x81\xa1x")[below(rng, 2)] * depth + b"\x00"


def extension(rng: Random) -> bytes:
    """Return a MessagePack extension type, perhaps a timestamp, complete or not."""
    body = rng.randbytes(below(rng, 20))
    return b"\xc7" + struct.pack("Bb", below(rng, 24), below(rng, 256) - 128) + body

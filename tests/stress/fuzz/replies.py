"""Fuzzed replies to a request, from the right answer to random bytes."""

from __future__ import annotations

from random import Random
from typing import Final, Literal

from stress.fuzz.mutator import (
    as_json,
    as_msgpack,
    below,
    changed,
    extension,
    nested_json,
    nested_msgpack,
    packable,
    value,
)

Encoding = Literal["json", "msgpack"]

CORPUS: Final = (
    b'{"type":"choose","id":7,"choice":3}\n',
    b'{"type":"choose","id":7,"choice":3,"say":"a \\"good\\" \\u00e9 plan"}\n',
    b' {"choice" : 0 , "x" : [1, {"y" : null}, 2.5e3], "id" : 12, "type" : "choose"} \r\n',
    b'{"type":"ready"}\n',
    b'{"type":"hello","name":"fuzz","version":"1","author":"x","protocol":1,"detail":"codes"}\n',
    b'{"type":"hello","name":"fuzz","encoding":"msgpack","state":"none"}\n',
    b"\n\n",
)
PACKED: Final = tuple(
    as_msgpack(one)
    for one in (
        {"type": "choose", "id": 7, "choice": 3},
        {"type": "choose", "id": 700, "choice": 3, "say": "a plan", "x": [1, {"y": None}, 2.5e3]},
        {"type": "ready"},
        {"type": "hello", "name": "fuzz", "protocol": 1},
        [1, 2, b"\xff"],
        -1,
    )
)


class Replies:
    """A stream of fuzzed replies, the same for the same seed."""

    def __init__(self, seed: str, encoding: Encoding) -> None:
        self._rng = Random(seed)
        self._json = encoding == "json"
        self._corpus = CORPUS if self._json else PACKED
        self._nested = nested_json if self._json else nested_msgpack

    def plain(self, decision_id: int, index: int) -> bytes:
        """Return the right answer, with this choice."""
        if self._json:
            return b'{"type":"choose","id":%d,"choice":%d}\n' % (decision_id, index)
        return as_msgpack({"type": "choose", "id": decision_id, "choice": index})

    def next(self, decision_id: int, count: int) -> bytes:
        """Return a fuzzed answer to a request with this many choices."""
        rng = self._rng
        draw = rng.random()
        plain = self.plain(decision_id, below(rng, count))
        if draw < 0.2:
            return plain
        if draw < 0.55:
            return self._ended(changed(plain, rng, self._corpus))
        if draw < 0.65:
            return self._ended(changed(self._one(), rng, self._corpus))
        if draw < 0.85:
            return self._odd(decision_id, count)
        if draw < 0.95:
            return self._several(plain)
        if draw < 0.99:
            return self._packed(value(rng))
        return self._ended(self._noise())

    def _one(self) -> bytes:
        return self._corpus[below(self._rng, len(self._corpus))]

    def _ended(self, data: bytes) -> bytes:
        """Mostly with the end of a line, so that it is judged now and not with the next one."""
        return data + b"\n" if self._json and self._rng.random() < 0.9 else data

    def _packed(self, anything: object) -> bytes:
        return as_json(anything) if self._json else as_msgpack(packable(anything))

    def _odd(self, decision_id: int, count: int) -> bytes:
        """A message whose fields are near the right ones, or of any type."""
        rng = self._rng
        words: dict[str, object] = {"type": "choose", "id": decision_id, "choice": 0}
        draw = below(rng, 4)
        if draw == 0:
            words["choice"] = (-1, count, count - 1, count + 1, 2**31, 2**63)[below(rng, 6)]
        elif draw == 1:
            words["id"] = decision_id + (-2, -1, 1, 2)[below(rng, 4)]
        elif draw == 2:
            words[("type", "id", "choice", "say")[below(rng, 4)]] = value(rng, 2)
        else:
            return self._doubled(decision_id, count)
        return self._packed(words)

    def _doubled(self, decision_id: int, count: int) -> bytes:
        """A key that comes twice."""
        other = below(self._rng, 2 * count)
        if self._json:
            return b'{"type":"choose","id":%d,"choice":0,"choice":%d}\n' % (decision_id, other)
        body = as_msgpack({"type": "choose", "id": decision_id, "choice": 0})
        return b"\x84" + body[1:] + as_msgpack("choice") + as_msgpack(other)

    def _several(self, plain: bytes) -> bytes:
        """More than one message at once."""
        rng = self._rng
        parts = [plain if rng.random() < 0.5 else self._one() for _ in range(2 + below(rng, 4))]
        return b"".join(parts)

    def _noise(self) -> bytes:
        rng = self._rng
        draw = below(rng, 4)
        if draw == 0:
            return self._nested(rng)
        if draw == 1:
            return rng.randbytes(below(rng, 200))
        if draw == 2:
            return extension(rng)
        return self._one()[:-1] + b" " * below(rng, 9000)

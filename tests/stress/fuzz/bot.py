"""A bot whose answers are fuzzed: `python -m stress.fuzz.bot ENCODING SEED`.

Its handshake is valid, so that a game begins.
"""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO, cast

import msgpack

from stress.fuzz.replies import Encoding, Replies


def main() -> None:
    """Answer until the referee sends quit."""
    encoding = cast("Encoding", sys.argv[1])
    Bot(encoding, sys.argv[2], sys.stdin.buffer, sys.stdout.buffer).run()


class Bot:
    """Reads requests, writes fuzzed replies."""

    def __init__(self, encoding: Encoding, seed: str, hears: BinaryIO, says: BinaryIO) -> None:
        self._encoding = encoding
        self._replies = Replies(seed, encoding)
        self._hears = hears
        self._says = says

    def run(self) -> None:
        """Make the handshake in JSON, then play games."""
        self._hears.readline()
        self._say_words({"type": "hello", "name": "fuzz", "detail": "codes", "state": "none",
                         "encoding": self._encoding}, "json")  # fmt: skip
        for message in self._messages():
            self._hear(message)

    def _messages(self) -> Any:
        if self._encoding == "json":
            return map(json.loads, self._hears)
        return msgpack.Unpacker(self._hears, read_size=1)

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "start":
            self._say_words({"type": "ready"}, self._encoding)
        elif message["type"] == "decide":
            self._say(self._replies.next(message["id"], len(message["choices"])))
        elif message["type"] == "quit":
            sys.exit()

    def _say_words(self, words: dict[str, object], encoding: Encoding) -> None:
        data = json.dumps(words).encode() + b"\n"
        self._say(data if encoding == "json" else cast("bytes", msgpack.packb(words)))

    def _say(self, data: bytes) -> None:
        self._says.write(data)
        self._says.flush()


if __name__ == "__main__":
    main()

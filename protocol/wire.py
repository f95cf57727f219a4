"""The bot's end of the pipe: reads and writes messages as dicts, directly on file descriptors.

Used after the hello. JSON needs only the standard library, MessagePack needs msgpack. When a second
game begins, msgspec is loaded if it is installed: it is faster, but takes time to load.
"""

from __future__ import annotations

import os
import time
from json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CHUNK = 1 << 16
_END = object()  # of input; None will not do, because null is a valid value
_JSON_BEGINS = b"{ \t\r\n"  # no MessagePack map begins with one of these


class Gone(Exception):
    """The referee has closed its end of the pipe."""


class Wire:
    """A connection to the referee. Reads either encoding; answers in the given one."""

    def __init__(self, incoming: int, outgoing: int, encoding: str) -> None:
        self.received = 0.0  # when the last message was complete, by time.monotonic
        self._incoming = incoming
        self._outgoing = outgoing
        self._buffer = b""
        self._games = 0
        self._loads: Callable[[Any], Any] = _plain_loads
        self._msgpack: Any = None
        self._packed = False  # whether the referee has sent MessagePack
        self._fed = 0  # bytes given to the unpacker
        self._unpack: Callable[[Any], Any] | None = None
        if encoding == "msgpack":
            import msgpack  # noqa: PLC0415  only for this encoding

            self._msgpack = msgpack
            self._unpacker = msgpack.Unpacker()

    def read(self) -> dict[str, Any] | None:
        """The next message; None at the end of input."""
        while True:
            message = self._read_line() if self._msgpack is None else self._read_any()
            if message is _END:
                return None
            if isinstance(message, dict):
                if message.get("type") == "start":
                    self._begin_game()
                return message

    def _read_line(self) -> object:
        line = self._take_line()
        while line is not None:
            if line := line.strip():
                self.received = time.monotonic()
                return self._loads(line)
            line = self._take_line()
        return _END

    def _take_line(self) -> bytes | None:
        """Up to the next newline; None at the end of input."""
        buffer, parts = self._buffer, []
        while (end := buffer.find(b"\n")) < 0:
            parts.append(buffer)
            buffer = self._receive()
            if not buffer:
                return None
        self._buffer = buffer[end + 1 :]
        parts.append(buffer[:end])
        return b"".join(parts)

    def _read_any(self) -> object:
        """Read a line of JSON (the hello of the referee) or, after that, a MessagePack map."""
        while True:
            if self._buffer:
                if not self._packed and self._buffer[0] in _JSON_BEGINS:
                    return self._read_line()
                self._packed = True
                message = self._read_whole()
                if message is not _END:
                    return message
                self._unpacker.feed(self._buffer)
                self._fed += len(self._buffer)
                self._buffer = b""
            message = next(self._unpacker, _END)
            if message is not _END:
                self.received = time.monotonic()
                return message
            self._buffer = self._receive()
            if not self._buffer:
                return _END

    def _read_whole(self) -> object:
        """What was received, if it is exactly one message: that is decoded faster."""
        if self._unpack is None or self._fed != self._unpacker.tell():
            return _END
        try:
            message: object = self._unpack(self._buffer)
        except ValueError:
            return _END
        self.received = time.monotonic()
        self._buffer = b""
        return message

    def _receive(self) -> bytes:
        while True:
            try:
                return os.read(self._incoming, _CHUNK)
            except BlockingIOError:
                _wait(self._incoming, for_reading=True)

    def _begin_game(self) -> None:
        self._games += 1
        if self._games == 2:
            self._load_msgspec()

    def _load_msgspec(self) -> None:
        try:
            import msgspec  # noqa: PLC0415  takes time to load
        except ImportError:
            return
        self._loads = msgspec.json.Decoder().decode
        self._unpack = msgspec.msgpack.Decoder().decode

    # -- answers

    def write_ready(self) -> None:
        """Send the answer to `start`."""
        self._write(b'{"type":"ready"}\n' if self._msgpack is None else b"\x81\xa4type\xa5ready")

    def write_choice(self, number: int, choice: int, remark: str | None) -> None:
        """Send the answer to `decide`."""
        if self._msgpack is None and not remark:
            self._write(b'{"type":"choose","id":%d,"choice":%d}\n' % (number, choice))
            return
        words: dict[str, object] = {"type": "choose", "id": number, "choice": choice}
        if remark:
            words["say"] = remark
        if self._msgpack is None:
            self._write(f"{dumps(words)}\n".encode())
        else:
            self._write(self._msgpack.packb(words))

    def _write(self, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(self._outgoing, data) :]
            except BlockingIOError:
                _wait(self._outgoing, for_reading=False)
            except BrokenPipeError:
                raise Gone from None


def _plain_loads(line: bytes) -> object:
    found: object = loads(line.decode())
    return found


def _wait(descriptor: int, *, for_reading: bool) -> None:
    """Wait until a non-blocking pipe is ready; some launchers make pipes non-blocking."""
    from select import select  # noqa: PLC0415  hardly ever needed

    select([descriptor] if for_reading else [], [] if for_reading else [descriptor], [])

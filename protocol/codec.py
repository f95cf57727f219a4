"""Encodes and decodes messages: JSON lines and MessagePack, with a limit on size. For referees and tools.

A bot written with `protocol.bot` needs none of this. Only this module needs msgspec and msgpack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, get_args

import msgpack
import msgspec

from . import PROTOCOL_VERSION
from .messages import BotHello, Choose, Detail, Encoding, FromBot, FromReferee, StateOption

LIMIT: Final = 1 << 20  # most bytes of a message
LONGEST_REMARK: Final = 500  # characters of a remark
LONGEST_NAME: Final = 100  # characters of name, version and author of a bot
MOST_SHOWN: Final = 80  # bytes shown in an error message
MOST_KEPT: Final = 1024  # bytes kept with an error

_PIECE: Final = 1 << 16

_to_json = msgspec.json.Encoder().encode
_to_msgpack = msgspec.msgpack.Encoder().encode
_FROM_BOT: Final[dict[Encoding, Callable[[bytes], FromBot]]] = {
    "json": msgspec.json.Decoder(FromBot).decode,
    "msgpack": msgspec.msgpack.Decoder(FromBot).decode,
}
_FROM_REFEREE: Final[dict[Encoding, Callable[[bytes], FromReferee]]] = {
    "json": msgspec.json.Decoder(FromReferee).decode,
    "msgpack": msgspec.msgpack.Decoder(FromReferee).decode,
}


_FROM_ANYBODY: Final[dict[Encoding, Callable[[bytes], Any]]] = {
    "json": msgspec.json.Decoder().decode,
    "msgpack": msgspec.msgpack.Decoder().decode,
}
_BOT_TYPES: Final = ("hello", "ready", "choose")
_HELLO_VALUES: Final[dict[str, tuple[str, ...]]] = {
    "encoding": get_args(Encoding),
    "detail": get_args(Detail),
    "state": get_args(StateOption),
}


class WireError(Exception):
    """Bytes that are not a valid message; the text explains why, `data` is the start of the bytes."""

    def __init__(self, sentence: str, data: bytes | bytearray = b"") -> None:
        super().__init__(sentence)
        self.data: bytes = bytes(data[:MOST_KEPT])


class Overflow(WireError):
    """More bytes than the limit without a complete message."""


def shown(data: bytes | bytearray) -> str:
    """Bytes as printable text, shortened."""
    text = repr(bytes(data[:MOST_SHOWN]))
    return f"{text}... ({len(data)} bytes)" if len(data) > MOST_SHOWN else text


def encode(message: FromBot | FromReferee, encoding: Encoding = "json") -> bytes:
    """A message as bytes; in JSON they end with a newline."""
    if encoding == "json":
        return _to_json(message) + b"\n"
    return _to_msgpack(message)


def decode(data: bytes, encoding: Encoding = "json") -> FromReferee:
    """Decode a message of the referee. Raises WireError if the bytes are not one."""
    try:
        return _FROM_REFEREE[encoding](data)
    except (ValueError, RecursionError) as error:
        raise WireError(_reason(data, encoding, error), data) from None


def decode_reply(data: bytes, encoding: Encoding = "json") -> FromBot:
    """Decode a message of a bot, with long texts shortened. Raises WireError if the bytes are not one."""
    try:
        if encoding == "json" and not data.isascii():
            data.decode()  # the decoder does not check the text of unknown fields
        reply = _FROM_BOT[encoding](data)
    except msgspec.ValidationError as error:
        raise WireError(
            _unknown_value(data, encoding) or _reason(data, encoding, error), data
        ) from None
    except (ValueError, RecursionError) as error:
        raise WireError(_reason(data, encoding, error), data) from None
    if type(reply) is Choose:
        if reply.say is not None:
            reply.say = reply.say[:LONGEST_REMARK]
    elif type(reply) is BotHello:
        _check_hello(reply, data)
    return reply


def _check_hello(hello: BotHello, data: bytes) -> None:
    if hello.protocol != PROTOCOL_VERSION:
        theirs = f"the bot uses protocol {hello.protocol}"
        raise WireError(f"{theirs}, this referee uses protocol {PROTOCOL_VERSION}", data)
    hello.name = hello.name[:LONGEST_NAME]
    hello.version = hello.version and hello.version[:LONGEST_NAME]
    hello.author = hello.author and hello.author[:LONGEST_NAME]


def _unknown_value(data: bytes, encoding: Encoding) -> str:
    """Which value of a bot's message is unknown, with the valid ones; empty if it is something else."""
    try:
        message = _FROM_ANYBODY[encoding](data)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(message, dict):
        return ""
    known: dict[str, tuple[str, ...]] = {"type": _BOT_TYPES}
    if message.get("type") == "hello":
        known |= _HELLO_VALUES
    for field, values in known.items():
        if field in message and message[field] not in values:
            unknown = f"unknown {field} {repr(message[field])[:MOST_SHOWN]}"
            valid = f"it must be {', '.join(values[:-1])} or {values[-1]}"
            return f"not a message: {unknown}, {valid}: {shown(data)}"
    return ""


def wrong_encoding(data: bytes | bytearray, encoding: Encoding) -> str:
    """Why these bytes look like the other encoding than the agreed one; empty if they do not."""
    if encoding == "msgpack" and data[:1] in (b"{", b"["):
        return "this is JSON, and hello asked for msgpack"
    if encoding == "json" and data and (0x80 <= data[0] <= 0x8F or data[0] in (0xDE, 0xDF)):
        return "this is MessagePack, and messages are JSON unless hello asked for msgpack"
    return ""


def _reason(data: bytes, encoding: Encoding, error: Exception) -> str:
    other = wrong_encoding(data, encoding)
    if other:
        return f"{other}: {shown(data)}"
    if isinstance(error, RecursionError):
        return f"nested too deeply: {shown(data)}"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8: {shown(data)}"
    if isinstance(error, msgspec.ValidationError):
        return f"not a message: {error}: {shown(data)}"
    return f"not readable: {error}: {shown(data)}"


class Splitter:
    """Splits a stream of bytes into complete messages.

    The result does not depend on how the bytes were split when they arrived. JSON may have blank
    lines, and blanks around a message. There may be at most `limit` bytes from the end of one
    message to the end of the next.
    """

    def __init__(self, encoding: Encoding = "json", limit: int = LIMIT) -> None:
        self._limit = limit
        self._buffer: bytes | bytearray = b""
        self._at = 0  # the end of the last message in the buffer
        self.switch(encoding)

    def switch(self, encoding: Encoding) -> None:
        """Use this encoding from the next message on, also for bytes that were already received."""
        self.encoding: Encoding = encoding
        self._searched = (
            self._at
        )  # JSON: no newline before this; MessagePack: end of what was unpacked
        self._blank = 0  # JSON: bytes of blank lines since the last message
        self._unpacker = msgpack.Unpacker(max_buffer_size=_PIECE + self._limit)
        self._unpacked_to = 0  # MessagePack: where the last message ended in the unpacker's count

    def feed(self, data: bytes) -> None:
        """Add bytes that were received."""
        if self._at == len(self._buffer):
            self._buffer = data  # without a copy: it is mostly exactly one message
        elif isinstance(self._buffer, bytearray):
            del self._buffer[: self._at]
            self._buffer += data
        else:
            self._buffer = bytearray(self._buffer[self._at :]) + data
        self._searched -= self._at
        self._at = 0

    def rest(self) -> bytes:
        """The bytes after the last complete message."""
        return bytes(self._buffer[self._at :])

    def next(self) -> bytes | None:
        """The next complete message, or None. Raises WireError if the bytes cannot become one.

        After an error the received bytes are dropped, because the start of the next message is
        unknown.
        """
        if self._at == len(self._buffer):
            return None
        return self._next_line() if self.encoding == "json" else self._next_map()

    def __iter__(self) -> Iterator[bytes]:
        while (message := self.next()) is not None:
            yield message

    def _next_line(self) -> bytes | None:
        buffer = self._buffer
        while (newline := buffer.find(b"\n", self._searched)) >= 0:
            line = buffer[self._at : newline].strip()
            length = newline + 1 - self._at
            self._at = self._searched = newline + 1
            if self._blank + length > self._limit:
                raise self._overflow(line)
            if line:
                self._blank = 0
                return bytes(line)
            self._blank += length
        self._searched = len(buffer)
        if self._blank + self._searched - self._at > self._limit:
            raise self._overflow(buffer)
        return None

    def _next_map(self) -> bytes | None:
        if self._searched == self._at:
            self._feed_unpacker()
        while not self._unpacked():
            if self._searched - self._at > self._limit:
                raise self._overflow(self._buffer)
            if self._searched == len(self._buffer):
                return None
            self._feed_unpacker()
        length = self._unpacker.tell() - self._unpacked_to
        message = self._buffer[self._at : self._at + length]
        self._unpacked_to += length
        self._at += length
        if length > self._limit:
            raise self._overflow(message)
        return bytes(message)

    def _unpacked(self) -> bool:
        """Whether another message is complete."""
        try:
            self._unpacker.skip()
        except msgpack.OutOfData:
            return False
        except ValueError as error:
            raise self._unreadable(error) from None
        return True

    def _feed_unpacker(self) -> None:
        piece = self._buffer[self._searched : self._searched + _PIECE]
        self._unpacker.feed(piece)
        self._searched += len(piece)

    def _unreadable(self, error: ValueError) -> WireError:
        data = self._drop_buffer()
        what = "nested too deeply" if isinstance(error, msgpack.StackError) else "not MessagePack"
        return WireError(f"{wrong_encoding(data, 'msgpack') or what}: {shown(data)}", data)

    def _overflow(self, data: bytes | bytearray) -> Overflow:
        self._drop_buffer()
        return Overflow(f"{self._limit} bytes without a complete message: {shown(data)}", data)

    def _drop_buffer(self) -> bytes | bytearray:
        data = self._buffer[self._at :]
        self._buffer, self._at = b"", 0
        self.switch(self.encoding)
        return data

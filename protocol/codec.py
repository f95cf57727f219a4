"""Messages as bytes and back: JSON lines and MessagePack, with a cap on size. For referees and tools.

A bot written with `protocol.bot` needs none of this; it is where msgspec and msgpack are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgpack
import msgspec

from . import PROTOCOL_VERSION
from .messages import BotHello, Choose, Encoding, FromBot, FromReferee

LIMIT: Final = 1 << 20  # bytes in which a message must come to its end
MOST_SAID: Final = 500  # characters of a remark
MOST_NAME: Final = 100  # characters of what a bot says about itself
MOST_SHOWN: Final = 80  # bytes shown in a sentence
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


class WireError(Exception):
    """Bytes that are not a valid message; the text explains why, `data` is the start of the bytes."""

    def __init__(self, sentence: str, data: bytes | bytearray = b"") -> None:
        super().__init__(sentence)
        self.data = bytes(data[:MOST_KEPT])


class Overflow(WireError):
    """More bytes than the limit without a complete message."""


def shown(data: bytes | bytearray) -> str:
    """Bytes made safe to print, and cut."""
    text = repr(bytes(data[:MOST_SHOWN]))
    return f"{text}... ({len(data)} bytes)" if len(data) > MOST_SHOWN else text


def encode(message: FromBot | FromReferee, encoding: Encoding = "json") -> bytes:
    """A message as the bytes that go through the pipe; a JSON line has its newline."""
    if encoding == "json":
        return _to_json(message) + b"\n"
    return _to_msgpack(message)


def decode(data: bytes, encoding: Encoding = "json") -> FromReferee:
    """A message of the referee; WireError if the bytes are not one."""
    try:
        return _FROM_REFEREE[encoding](data)
    except (ValueError, RecursionError) as error:
        raise WireError(_complaint(data, error), data) from None


def decode_reply(data: bytes, encoding: Encoding = "json") -> FromBot:
    """A message of a bot; WireError explains why the bytes are not one."""
    try:
        if encoding == "json" and not data.isascii():
            data.decode()  # also what is in unknown fields, which is not looked at below
        reply = _FROM_BOT[encoding](data)
    except (ValueError, RecursionError) as error:
        raise WireError(_complaint(data, error), data) from None
    if type(reply) is Choose:
        if reply.say is not None:
            reply.say = reply.say[:MOST_SAID]
    elif type(reply) is BotHello:
        _tidy(reply, data)
    return reply


def _tidy(hello: BotHello, data: bytes) -> None:
    if hello.protocol != PROTOCOL_VERSION:
        theirs = f"the bot speaks protocol {hello.protocol}"
        raise WireError(f"{theirs}, and this referee speaks {PROTOCOL_VERSION}", data)
    hello.name = hello.name[:MOST_NAME]
    hello.version = hello.version and hello.version[:MOST_NAME]
    hello.author = hello.author and hello.author[:MOST_NAME]


def _complaint(data: bytes, error: Exception) -> str:
    if isinstance(error, RecursionError):
        return f"nested too deeply: {shown(data)}"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8: {shown(data)}"
    if isinstance(error, msgspec.ValidationError):
        return f"not a message: {error}: {shown(data)}"
    return f"not readable: {error}: {shown(data)}"


class Splitter:
    """Splits a stream of bytes into complete messages.

    The result does not depend on how the bytes were cut on their way. Blank lines, and blanks
    around a message, are fine in JSON. From the end of one message to the end of the next there
    may be `limit` bytes.
    """

    def __init__(self, encoding: Encoding = "json", limit: int = LIMIT) -> None:
        self._limit = limit
        self._buffer: bytes | bytearray = b""
        self._at = 0  # the end of the last message in the buffer
        self.switch(encoding)

    def switch(self, encoding: Encoding) -> None:
        """Use this encoding from the next message on; bytes received already are kept."""
        self.encoding: Encoding = encoding
        self._searched = self._at  # JSON: no newline before this; MessagePack: what was unpacked
        self._blank = 0  # JSON: bytes of blank lines since the last message
        self._unpacker = msgpack.Unpacker(max_buffer_size=_PIECE + self._limit)
        self._unpacked_to = 0  # MessagePack: where the last message ended in the unpacker's count

    def feed(self, data: bytes) -> None:
        """Add bytes that were received."""
        if self._at == len(self._buffer):
            self._buffer = data  # as it is: mostly it is just one message
        elif isinstance(self._buffer, bytearray):
            del self._buffer[: self._at]
            self._buffer += data
        else:
            self._buffer = bytearray(self._buffer[self._at :]) + data
        self._searched -= self._at
        self._at = 0

    def next(self) -> bytes | None:
        """The next complete message, or None; WireError if there cannot be one.

        After an error the received bytes are dropped, as the next message's start is unknown.
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
        data = self._forget()
        what = "nested too deeply" if isinstance(error, msgpack.StackError) else "not MessagePack"
        return WireError(f"{what}: {shown(data)}", data)

    def _overflow(self, data: bytes | bytearray) -> Overflow:
        self._forget()
        return Overflow(f"{self._limit} bytes without a complete message: {shown(data)}", data)

    def _forget(self) -> bytes | bytearray:
        data = self._buffer[self._at :]
        self._buffer, self._at = b"", 0
        self.switch(self.encoding)
        return data

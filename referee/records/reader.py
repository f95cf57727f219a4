"""Reads records: packed or not, complete or still growing, up to a largest size."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from referee.errors import LineRefused
from referee.records.lines import Line
from referee.text import reason_of

LARGEST_LINE = 4 * 1024 * 1024
LARGEST_RECORD = 512 * 1024 * 1024  # unpacked
_BLOCK: Final = 1 << 16
_PACKED_BLOCK: Final = 1 << 14
_GZIP: Final = 16 + zlib.MAX_WBITS

_decode = msgspec.json.Decoder(Line).decode


class RecordReader:
    """The complete lines of one record; the file is open only while they are read.

    `lines`, `lines_with_bytes` and `batches` yield the lines that were not yielded yet, so each can be
    called again after the file has grown. All raise LineRefused for a line that cannot be in a record.
    """

    def __init__(self, path: Path) -> None:
        self.number = 0  # of the line that was yielded last
        self.tail = b""  # the beginning of an incomplete last line
        self._size = 0  # bytes read so far, unpacked
        self._checksum = 0  # of these bytes
        self._known = 0  # bytes that were read from another file, see `continue_in`
        self._known_checksum = 0  # of those of them that this file has so far
        self._open(path)

    def _open(self, path: Path) -> None:
        self.path = path
        self._offset = 0  # bytes read so far, as they are in the file
        self._unpacker = _Unpacker() if path.suffix == ".gz" else None

    def continue_in(self, path: Path) -> None:
        """Read on in a file that has the same bytes and more, such as the record when it is packed.

        LineRefused is raised, when it is read, if it begins with other bytes.
        """
        self._known, self._known_checksum, self._size = self._size, 0, 0
        self._open(path)

    @property
    def is_cut(self) -> bool:
        """Whether the file is packed and its packed data is incomplete."""
        return self._unpacker is not None and self._unpacker.is_cut

    def lines(self) -> Iterator[Line]:
        """Yield every complete line that was not yielded yet."""
        for batch in self.batches():
            for line in batch:
                self.number += 1
                yield line

    def lines_with_bytes(self) -> Iterator[tuple[Line, bytes]]:
        """Yield the same lines, each with its bytes in the file."""
        for block in self._blocks():
            for raw in block.split(b"\n"):
                line = self._decoded(raw)
                self.number += 1
                yield line, raw

    def batches(self) -> Iterator[list[Line]]:
        """Yield the same lines in lists, which is faster; the caller must count them in `number`."""
        for block in self._blocks():
            raw = block.split(b"\n")
            try:
                batch: list[Line] = list(map(_decode, raw)) if len(block) <= LARGEST_LINE else []
            except (ValueError, RecursionError):
                batch = []
            if batch:
                yield batch
                continue
            for raw_line in raw:  # the lines before the wrong one still count
                yield [self._decoded(raw_line)]

    def check_tail(self, *, is_over: bool) -> None:
        """Raise LineRefused if the incomplete last line cannot become a line that is valid there."""
        if self.tail and is_over:
            raise self._next_refused("there is a line after the end")
        if self.tail and not self.tail.lstrip().startswith(b"{"):
            raise self._next_refused("this is not a line of a record")

    def refused(self, why: str) -> LineRefused:
        """Return the error for the line that was yielded last."""
        return LineRefused(self.path, self.number or None, why)

    def _next_refused(self, why: str) -> LineRefused:
        return LineRefused(self.path, self.number + 1, why)

    def _decoded(self, raw: bytes) -> Line:
        if len(raw) > LARGEST_LINE:
            raise self._line_too_long()
        try:
            line: Line = _decode(raw)
        except (ValueError, RecursionError) as error:
            raise self._next_refused(f"this is not a line of a record: {error}") from error
        return line

    def _line_too_long(self) -> LineRefused:
        return self._next_refused(f"the line is longer than {LARGEST_LINE >> 20} MiB")

    def _blocks(self) -> Iterator[bytes]:
        """Yield some complete lines at a time, as bytes without the last newline."""
        try:
            with self.path.open("rb") as file:
                self._skip_known(file)
                for added in self._added(file):
                    data = self._unknown(added)
                    if self._size > LARGEST_RECORD:
                        why = f"the record is larger than {LARGEST_RECORD >> 20} MiB"
                        raise self._next_refused(why)
                    block, newline, self.tail = (self.tail + data).rpartition(b"\n")
                    if newline:
                        yield block
                    if len(self.tail) > LARGEST_LINE:
                        raise self._line_too_long()
        except (OSError, zlib.error, ValueError) as error:  # ValueError: a NUL in the path
            number = self.number + 1 if self.number else None
            raise LineRefused(
                self.path, number, f"it cannot be read: {reason_of(error)}"
            ) from error

    def _unknown(self, data: bytes) -> bytes:
        """The bytes that were not read from another file before."""
        known = data[: max(self._known - self._size, 0)]
        self._size += len(data)
        if known:
            self._known_checksum = zlib.crc32(known, self._known_checksum)
            if self._size >= self._known and self._known_checksum != self._checksum:
                raise self._next_refused("the file is not the record that was read before")
        unknown = data[len(known) :]
        self._checksum = zlib.crc32(unknown, self._checksum)
        return unknown

    def _skip_known(self, file: BinaryIO) -> None:
        """Go to the first byte that was not read yet; a record can only grow."""
        if not self._offset:
            return
        if os.fstat(file.fileno()).st_size < self._offset:
            raise self.refused("the file became shorter while it was read")
        file.seek(self._offset)

    def _added(self, file: BinaryIO) -> Iterator[bytes]:
        """Yield the new bytes of the file, unpacked, a limited amount at a time."""
        while data := file.read(_BLOCK if self._unpacker is None else _PACKED_BLOCK):
            self._offset += len(data)
            if self._unpacker is None:
                yield data
            else:
                yield from self._unpacker.unpack(data)


class _Unpacker:
    """Unpacks gzip data in steps; the data may be several gzip files in a row."""

    def __init__(self) -> None:
        self.is_cut = False  # a packed file has begun and not ended
        self._has_ended = False  # at least one packed file
        self._inflater = zlib.decompressobj(_GZIP)

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        """Yield the unpacked bytes, a limited amount at a time; zlib.error if the data is damaged."""
        is_full = False  # the inflater may have more output without further input
        while packed or is_full:
            if self._has_ended and not self.is_cut:
                packed = packed.lstrip(b"\0")  # padding between packed files and at the end
                if not packed:
                    return
            self.is_cut = True
            data = self._inflater.decompress(packed, _BLOCK)
            is_full = len(data) == _BLOCK
            packed = self._inflater.unconsumed_tail
            if self._inflater.eof:
                packed, is_full = self._inflater.unused_data, False
                self._inflater = zlib.decompressobj(_GZIP)
                self.is_cut, self._has_ended = False, True
            yield data

"""A record as it is written: the lines that are complete so far, and later those that were added."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from referee.errors import RecordRefused
from referee.records.lines import Line, LineRefused, printable
from referee.records.resume import LARGEST_LINE, LARGEST_RECORD

AT_ONCE: Final = 1 << 18
GZIP: Final = 16 + zlib.MAX_WBITS

_decode = msgspec.json.Decoder(Line).decode


class Source:
    """One record; `lines` can be asked again and again. The file is open only meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rest = b""  # the beginning of a line that is not complete
        self._number = 0  # of the line that was given last
        self._total = 0  # bytes, unpacked
        self._offset = 0  # of what was not read yet
        self._unpacker = zlib.decompressobj(GZIP) if path.suffix == ".gz" else None

    def lines(self) -> Iterator[Line]:
        """Every complete line that was not given yet; LineRefused for one that is none."""
        try:
            with self.path.open("rb") as file:
                for raw in self._complete(file):
                    self._number += 1
                    yield self._parsed(raw)
        except (OSError, zlib.error, ValueError) as error:  # ValueError: a NUL in the path
            raise self._unreadable(error) from error

    def refused(self, why: str) -> LineRefused:
        """What is wrong with the line that was given last."""
        return LineRefused(self.path, self._number or None, why)

    def _parsed(self, raw: bytes) -> Line:
        try:
            line: Line = _decode(raw)
        except (ValueError, RecursionError) as error:
            raise self.refused(f"this is no line of a record: {error}") from error
        return line

    def _complete(self, file: BinaryIO) -> Iterator[bytes]:
        for some in self._added(file):
            self._count(len(some))
            *whole, self._rest = (self._rest + some).split(b"\n")
            yield from whole
            if len(self._rest) > LARGEST_LINE:
                raise self._too_large(f"a line is longer than {LARGEST_LINE >> 20} MiB")

    def _count(self, added: int) -> None:
        self._total += added
        if self._total > LARGEST_RECORD:
            raise self._too_large(f"it is larger than {LARGEST_RECORD >> 20} MiB")

    def _added(self, file: BinaryIO) -> Iterator[bytes]:
        """What was added to the file, unpacked, never more than some at once."""
        if self._offset:
            self._go_on(file)
        while some := file.read(AT_ONCE):
            self._offset += len(some)
            if self._unpacker is None:
                yield some
            else:
                yield from self._unpacked(some)

    def _go_on(self, file: BinaryIO) -> None:
        """A record grows; one that is shorter than what was read of it was begun anew."""
        if os.fstat(file.fileno()).st_size < self._offset:
            raise RecordRefused(f"{printable(str(self.path))} was begun anew")
        file.seek(self._offset)

    def _unpacked(self, packed: bytes) -> Iterator[bytes]:
        while packed:
            assert self._unpacker is not None
            yield self._unpacker.decompress(packed, AT_ONCE)
            packed = self._unpacker.unconsumed_tail
            if self._unpacker.eof:  # packed files may follow each other
                packed = self._unpacker.unused_data.lstrip(b"\0")
                self._unpacker = zlib.decompressobj(GZIP)

    def _too_large(self, why: str) -> RecordRefused:
        return RecordRefused(f"{printable(str(self.path))} is no record: {why}")

    def _unreadable(self, error: Exception) -> RecordRefused:
        what = getattr(error, "strerror", None) or str(error)
        return RecordRefused(f"cannot read the record {printable(str(self.path))}: {what}")

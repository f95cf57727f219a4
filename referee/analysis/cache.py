"""The cache of an analysis, a file beside its record: a header, then a line for each turn.

A line is written as soon as its turn is judged, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
from io import FileIO
from pathlib import Path
from typing import Final

import msgspec

from referee.analysis.lines import FORMAT, CacheHeader, GameAnalysis, TurnAnalysis
from referee.errors import OutputRefused
from referee.records.find import analysis_path
from referee.text import printable, reason_of

LARGEST_CACHE: Final = 64 * 1024 * 1024

_header = msgspec.json.Decoder(CacheHeader).decode
_turn = msgspec.json.Decoder(TurnAnalysis).decode
_encode = msgspec.json.Encoder().encode


def record_digest(record: Path) -> str:
    """The digest of the bytes of a record."""
    with record.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_analysis(record: Path) -> GameAnalysis | None:
    """What the cache beside a record says; None if there is none, or if it is not of this record.

    The turns of a run that was stopped are among them. The settings may be any.
    """
    try:
        found = _read(analysis_path(record))
        if found is None or found[0].record != record_digest(record):
            return None
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return None
    return found[0].analysis(found[1])


def _read(path: Path) -> tuple[CacheHeader, list[TurnAnalysis]] | None:
    """The header and the turns, each once; None if the file has no valid header."""
    if path.stat().st_size > LARGEST_CACHE:
        return None
    first, *rest = path.read_bytes().split(b"\n")[:-1] or [b""]
    try:
        header = _header(first)
        if header.format != FORMAT:
            return None
        turns = {turn.turn: turn for turn in map(_turn, rest)}
    except (msgspec.DecodeError, RecursionError):
        return None
    return header, list(turns.values())


class AnalysisCache:
    """The turns of one record that are judged already, and the file that new ones are added to."""

    def __init__(self, record: Path, header: CacheHeader) -> None:
        self.path = analysis_path(record)
        self.header = header
        self.turns: dict[int, TurnAnalysis] = {}
        self._file: FileIO | None = None

    def open(self) -> None:
        """Read the turns with the same header, and prepare the file for more of them.

        Raises OutputRefused if the file cannot be written. A file with another header is replaced.
        """
        try:
            self._load()
            self._file = self._rewritten()
        except OSError as error:
            raise self._refused(error) from error

    def _load(self) -> None:
        found = _read(self.path) if self.path.exists() else None
        if found is not None and found[0] == self.header:
            self.turns = {turn.turn: turn for turn in found[1]}

    def _rewritten(self) -> FileIO:
        """The file with the header and the known turns; the rest of a torn line is gone."""
        lines = [_encode(self.header), *map(_encode, self.turns.values())]
        new = self.path.with_name(f"{self.path.name}.new")
        new.write_bytes(b"".join(line + b"\n" for line in lines))
        new.replace(self.path)
        return self.path.open("ab", buffering=0)

    def _refused(self, error: OSError) -> OutputRefused:
        return OutputRefused(f"cannot write {printable(str(self.path))}: {reason_of(error)}")

    def add(self, turn: TurnAnalysis) -> None:
        """Keep a turn, here and in the file.

        Raises OutputRefused if the file cannot be written; then it gets no more turns.
        """
        self.turns[turn.turn] = turn
        if self._file is None:
            return
        try:
            self._file.write(_encode(turn) + b"\n")
        except OSError as error:
            self._file = None
            raise self._refused(error) from error

    def analysis(self) -> GameAnalysis:
        """The analysis with all turns that are known so far."""
        return self.header.analysis(list(self.turns.values()))

    def close(self) -> None:
        """Close the file; what was added stays in it."""
        if self._file is not None:
            self._file.close()
            self._file = None

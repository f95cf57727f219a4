"""The lines of a record: what each kind has, and how a file is cut into them, with caps on size.

Everything is strict: a field that is missing, unknown or of another type is refused. A record comes
from anybody, so that what is wrong is told in words that can be printed.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, Literal, TypeAlias, cast

import msgspec

from referee.atlas.shape import visible
from referee.errors import RecordRefused
from referee.records.read import LARGEST_LINE, LARGEST_RECORD, ClockLine, RulesLine, SeatLine

LONGEST_SENTENCE: Final = 400
_BLOCK: Final = 1 << 16

Natural = Annotated[int, msgspec.Meta(ge=0)]
Milliseconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]


class Rules(RulesLine, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was played by."""

    rules_version: Natural


class Clock(ClockLine, frozen=True, forbid_unknown_fields=True):
    """The time that bots had."""


class Seated(SeatLine, forbid_unknown_fields=True):
    """Who sat where."""


class Origin(msgspec.Struct, forbid_unknown_fields=True):
    """The game and the decision that this one goes on from."""

    game: str
    at: Annotated[int, msgspec.Meta(ge=1)]


class GameLine(msgspec.Struct, tag_field="line", tag="game", forbid_unknown_fields=True):
    """The first line: all that the game was played by."""

    format: int
    rules_version: Natural
    protocol: Natural
    referee: str
    rules: Rules
    ruleset: str
    board: msgspec.Raw
    board_digest: str
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    game: str
    players: list[Seated]
    clock: Clock
    strikes: Natural
    origin: Origin | None = msgspec.field(default=None, name="from")


class DecisionLine(
    msgspec.Struct, tag_field="line", tag="decision", forbid_unknown_fields=True, gc=False
):
    """A decision, and how it was taken."""

    id: int
    seat: int
    decision: str
    choice: int
    do: msgspec.Raw
    by: Literal["bot", "single", "referee"]
    ms: Milliseconds
    lag_ms: Milliseconds
    say: Annotated[str, msgspec.Meta(max_length=500)] | None = None


class FaultLine(msgspec.Struct, tag_field="line", tag="fault", forbid_unknown_fields=True):
    """What a bot did wrong."""

    seat: Natural
    id: int | None
    fault: str
    message: str
    bytes_base64: str
    stderr: Annotated[str, msgspec.Meta(max_length=4096)]
    strikes: int
    ms: Milliseconds


class TurnLine(msgspec.Struct, tag_field="line", tag="turn", forbid_unknown_fields=True, gc=False):
    """A turn is over."""

    turn: int
    digest: str


class EndLine(msgspec.Struct, tag_field="line", tag="end", forbid_unknown_fields=True):
    """The game is over."""

    standings: list[dict[str, Any]]
    missions: list[list[str] | None]
    reason: str
    digest: str


class VoidLine(msgspec.Struct, tag_field="line", tag="void", forbid_unknown_fields=True):
    """The referee itself failed."""

    message: str


Line: TypeAlias = GameLine | DecisionLine | FaultLine | TurnLine | EndLine | VoidLine

_decode = msgspec.json.Decoder(Line).decode


class LineRefused(RecordRefused):
    """A line of a record that is not what it must be: which, and why."""

    def __init__(self, path: Path, number: int | None, why: str) -> None:
        self.number = number
        self.why = printable(why)
        where = printable(str(path))
        if number is not None:
            where += f", line {number}"
        super().__init__(f"{where}: {self.why}")


def printable(text: str) -> str:
    """A stranger's words: everything in them visible, and not too many of them."""
    short = text if len(text) <= LONGEST_SENTENCE else f"{text[:LONGEST_SENTENCE]}…"
    return visible(short)


class Lines:
    """The complete lines of a file, one after the other; then `tail` is what is left of one more."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done = 0  # how many have been dealt with
        self.tail = b""
        self.is_cut = False  # packed, and the end of the packing is missing

    def __iter__(self) -> Iterator[Line]:
        for some in self.some_at_a_time():
            for line in some:
                yield line
                self.done += 1

    def some_at_a_time(self) -> Iterator[list[Line]]:
        """The same in lists, for those who count `done` themselves."""
        for block in self._blocks():
            raw = block.split(b"\n")
            try:
                lines: list[Line] = list(map(_decode, raw))
            except (ValueError, RecursionError):
                for one in raw:
                    yield [self._decoded(one)]
            else:
                yield lines

    def _decoded(self, raw: bytes) -> Line:
        try:
            line: Line = _decode(raw)
        except (ValueError, RecursionError) as error:
            raise self.refused(f"this is no line of a record: {error}") from error
        return line

    def refused(self, why: str) -> LineRefused:
        """What is wrong with the line that is being dealt with."""
        return LineRefused(self.path, self.done + 1, why)

    def _blocks(self) -> Iterator[bytes]:
        """Some complete lines at a time, without the last newline."""
        total = 0
        try:
            with _open(self.path) as file:
                while data := file.read(_BLOCK):
                    total += len(data)
                    if total > LARGEST_RECORD:
                        raise self.refused(f"the record is larger than {LARGEST_RECORD >> 20} MiB")
                    lines, newline, rest = (self.tail + data).rpartition(b"\n")
                    self.tail = rest
                    if newline:
                        yield lines
                    if len(rest) > LARGEST_LINE:
                        raise self.refused(f"it is longer than {LARGEST_LINE >> 20} MiB")
        except EOFError:
            self.is_cut = True
        except gzip.BadGzipFile as error:
            if self.path.stat().st_size > 1:
                raise self._unreadable(error) from error
            self.is_cut = True  # not even the mark of a packed file was written
        except (OSError, zlib.error, ValueError) as error:  # ValueError: a NUL in the path
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> LineRefused:
        what = getattr(error, "strerror", None) or str(error)
        number = self.done + 1 if self.done else None
        return LineRefused(self.path, number, f"it cannot be read: {what}")


def _open(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")

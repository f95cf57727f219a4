"""Data sets on disk: shards of arrays, an index, and the games that the decisions come from.

A data set is a folder with `index.json`, `games.jsonl` (a line for each game) and one `.npz` file
for each shard. All decisions of a shard have the same layout, that is, the same board and rules.
"""

from __future__ import annotations

import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.errors import DatasetRefused, OutputRefused
from referee.text import printable, reason_of
from referee.version import __version__

FORMAT: Final = 1
INDEX: Final = "index.json"
GAMES: Final = "games.jsonl"
_LEVEL: Final = 1  # of the compression: rows are mostly zeros, so a fast level is enough

Array: TypeAlias = NDArray[np.generic]
ARRAYS: Final[Mapping[str, type[np.generic]]] = {
    "observation": np.uint8,
    "mask": np.uint8,
    "action": np.uint16,
    "outcome": np.float32,
    "total": np.int16,
    "game": np.uint32,
    "seat": np.uint8,
    "turn": np.uint16,
    "decision": np.uint32,
}


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all decisions of a shard have in common."""

    board: str
    board_digest: str
    ruleset: str  # the name of the rules, with all options
    players: int
    row: int  # numbers of an observation
    actions: int

    @property
    def mask_bytes(self) -> int:
        """The bytes of a packed mask."""
        return -(-self.actions // 8)


class DatasetGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that decisions come from; `index` is its number in the arrays `game`."""

    index: int
    record: str
    game: str
    ruleset: str
    seed: int
    players: list[str]  # names, by seat
    ranks: list[int]
    totals: list[int]
    reason: str  # why the game ended
    decisions: int  # in the data set


@dataclass(frozen=True, slots=True)
class Shard:
    """Decisions of one layout; each array has one entry for each decision."""

    layout: Layout
    observation: NDArray[np.uint8]  # what the seat saw, one row for each decision
    mask: NDArray[np.uint8]  # packed, see `masks`
    action: NDArray[np.uint16]  # the number that was chosen
    outcome: NDArray[np.float32]  # of the seat: from 1 for the first to -1 for the last
    total: NDArray[np.int16]  # the final prestige of the seat
    game: NDArray[np.uint32]  # the index of the game
    seat: NDArray[np.uint8]
    turn: NDArray[np.uint16]  # at most 65,535
    decision: NDArray[np.uint32]  # the id in the record

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.action)

    def masks(self) -> NDArray[np.int8]:
        """Return the masks of legal choices, unpacked: one row of 0 and 1 for each decision."""
        bits = np.unpackbits(self.mask, axis=1, count=self.layout.actions)
        return bits.view(np.int8)

    @property
    def arrays(self) -> dict[str, Array]:
        """All arrays, by their names in the files."""
        return {name: getattr(self, name) for name in ARRAYS}


class ShardEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entry of a shard in the index."""

    file: str
    layout: int
    decisions: int


class Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `index.json`."""

    format: int
    referee: str
    games: int
    decisions: int
    layouts: list[Layout]
    shards: list[ShardEntry]


class _FormatOnly(msgspec.Struct, frozen=True):
    format: int


class Dataset:
    """A data set in a folder; iterating over it reads one shard at a time.

    Raises DatasetRefused if the folder has no data set, or one of another format.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.index: Index = self._read_index()

    def __len__(self) -> int:
        """Return the number of decisions."""
        return self.index.decisions

    def __iter__(self) -> Iterator[Shard]:
        """Read every shard in order; DatasetRefused for a file that is missing or damaged."""
        return map(self.read, self.index.shards)

    def read(self, entry: ShardEntry) -> Shard:
        """Read one shard of the index; DatasetRefused if its file is missing or damaged."""
        path = self.folder / entry.file
        layout = self.index.layouts[entry.layout]
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                arrays: dict[str, Any] = {name: stored[name] for name in ARRAYS}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise DatasetRefused(
                f"{printable(str(path))} cannot be read as a shard: {reason_of(error)}"
            ) from error
        for name, array in arrays.items():
            expected = (entry.decisions, *_width(name, layout))
            if array.shape != expected or array.dtype != ARRAYS[name]:
                raise DatasetRefused(
                    f"{printable(str(path))}: the array {name} has shape {array.shape} and type"
                    f" {array.dtype}, but must have {expected} and {np.dtype(ARRAYS[name])}"
                )
        return Shard(layout, **arrays)

    def games(self) -> Iterator[DatasetGame]:
        """Read the games one by one; DatasetRefused if the file is missing or damaged."""
        decoder = msgspec.json.Decoder(DatasetGame)
        try:
            with (self.folder / GAMES).open("rb") as file:
                yield from map(decoder.decode, file)
        except (OSError, msgspec.DecodeError) as error:
            raise self._refused(GAMES, error) from error

    def _read_index(self) -> Index:
        try:
            raw = (self.folder / INDEX).read_bytes()
            version = msgspec.json.decode(raw, type=_FormatOnly).format
            if version != FORMAT:
                raise DatasetRefused(
                    f"{printable(str(self.folder))} is a data set of format {version}; this version"
                    f" reads format {FORMAT}: make it again with `referee dataset`"
                )
            return msgspec.json.decode(raw, type=Index)
        except (OSError, msgspec.DecodeError) as error:
            raise self._refused(INDEX, error) from error

    def _refused(self, name: str, error: Exception) -> DatasetRefused:
        where = printable(str(self.folder / name))
        return DatasetRefused(f"{where} cannot be read: {reason_of(error)}")


def _width(name: str, layout: Layout) -> tuple[int, ...]:
    """The shape of one decision in an array."""
    widths = {"observation": (layout.row,), "mask": (layout.mask_bytes,)}
    return widths.get(name, ())


class DatasetWriter:
    """Writes a data set into a new or empty folder, which gets its name when it is complete.

    Use it in a `with` statement: an exception removes everything that was written. Raises
    OutputRefused if the folder is not empty, or cannot be written. A thread compresses one shard
    while the next one is made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unfinished = folder.parent / f".{folder.name}.{os.getpid()}.unfinished"
        self._layouts: dict[Layout, int] = {}
        self._shards: list[ShardEntry] = []
        self._games = 0
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._written: Future[None] | None = None  # of the last shard

    def __enter__(self) -> DatasetWriter:
        """Create the unfinished folder beside the one that is wanted."""
        try:
            if self._folder.exists() and any(self._folder.iterdir()):
                raise OutputRefused(
                    f"the folder {printable(str(self._folder))} is not empty; name a new one"
                )
            self._unfinished.mkdir(parents=True)
            self._games_file = (self._unfinished / GAMES).open("wb")
        except OSError as error:
            raise self._refused(error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        """Write the index and give the folder its name; after an exception, remove it instead."""
        try:
            self._games_file.close()
            self._thread.shutdown()
            if kind is None:
                self._finish_shard()
                (self._unfinished / INDEX).write_bytes(self._index_bytes())
                if self._folder.exists():
                    self._folder.rmdir()
                self._unfinished.rename(self._folder)
        except OSError as error:
            raise self._refused(error) from error
        finally:
            shutil.rmtree(self._unfinished, ignore_errors=True)

    @property
    def decisions(self) -> int:
        """The number of decisions that were written."""
        return sum(shard.decisions for shard in self._shards)

    @property
    def index(self) -> Index:
        """What the index says about all that was written."""
        return Index(
            FORMAT, __version__, self._games, self.decisions, list(self._layouts), self._shards
        )

    def add_game(self, game: DatasetGame) -> None:
        """Write the line of a game."""
        try:
            self._games_file.write(msgspec.json.encode(game) + b"\n")
        except OSError as error:
            raise self._refused(error) from error
        self._games += 1

    def add_shard(self, shard: Shard) -> None:
        """Write the file of a shard, after the file of the shard before it is complete."""
        number = self._layouts.setdefault(shard.layout, len(self._layouts))
        entry = ShardEntry(f"shard-{len(self._shards):05}.npz", number, len(shard))
        try:
            self._finish_shard()
        except OSError as error:
            raise self._refused(error) from error
        path = self._unfinished / entry.file
        self._written = self._thread.submit(_write_arrays, path, shard.arrays)
        self._shards.append(entry)

    def _finish_shard(self) -> None:
        """Wait until the last shard is written; OSError if that failed."""
        if self._written is not None:
            self._written.result()

    def _index_bytes(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self.index), indent=1) + b"\n"

    def _refused(self, error: OSError) -> OutputRefused:
        where = printable(str(self._folder))
        return OutputRefused(f"cannot write the data set {where}: {reason_of(error)}")


def _write_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write a file as `numpy.savez_compressed` does, but faster and without copies of the arrays."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as packed:
        for name, array in arrays.items():
            with packed.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array_header_1_0(
                    file, np.lib.format.header_data_from_array_1_0(array)
                )
                file.write(array.data)

"""A tournament as its store has it at one moment, also while it goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.errors import StoreRefused
from referee.tournament.definition import (
    Definition,
    RunOptions,
    stored_definition,
    stored_run_options,
)
from referee.tournament.results import BlockResult
from referee.tournament.store.store import RECORDS, Store, StoredBot, StoredFault

_GAMES: Final = """
    SELECT blocks.id, games.number, game, table_name, stage, finished, reason, turns, decisions,
           seconds, record, games.void, blocks.void, bot, seats.name, rank, total, faults, out
    FROM games JOIN blocks ON blocks.number = games.block
    LEFT JOIN seats ON seats.block = games.block AND seats.number = games.number
    ORDER BY games.block, games.number, seat
"""
_OF_GAME: Final = 13  # the number of columns of the game; the rest are of a seat


class Sat(NamedTuple):
    """One seat at the end of a game."""

    bot: str
    name: str
    rank: int
    total: int
    faults: int
    out: str | None


class OneGame(NamedTuple):
    """One game that was played, whether it counts or not."""

    block: str
    number: int
    game: str  # its public id
    table: str
    stage: int
    finished: str
    reason: str
    turns: int
    decisions: int
    seconds: float
    record: str | None
    void: str | None  # why it does not count
    seats: tuple[Sat, ...]

    @property
    def place(self) -> tuple[str, int]:
        """The block and the number that identify the game."""
        return self.block, self.number

    @property
    def faults(self) -> int:
        """The number of faults in the game."""
        return sum(seat.faults for seat in self.seats)

    def record_in(self, folder: Path) -> Path | None:
        """Where its record should be; never outside the folder of records."""
        if self.record is None:
            return None
        return folder / RECORDS / Path(self.block).name / Path(self.record).name


@dataclass(frozen=True)
class Source:
    """All that a site is made from."""

    folder: Path
    definition: Definition
    options: RunOptions | None  # of the last run; None before the first one
    bots: list[StoredBot]
    results: list[BlockResult]  # those that count, in the order in which they were finished
    games: list[OneGame]  # in the same order, with those that do not count
    faults: list[StoredFault]  # in the same order

    @property
    def names(self) -> list[str]:
        """The names of all bots, in order."""
        return [bot.name for bot in self.bots]

    @property
    def tables(self) -> list[str]:
        """The names of the kinds of table."""
        return [table.name for table in self.definition.tables]


def read_source(folder: Path) -> Source:
    """Read what is finished now in the tournament of a folder."""
    with open_snapshot(folder) as store:
        return source_of(store)


@contextmanager
def open_snapshot(folder: Path) -> Iterator[Store]:
    """Open the store of a folder as it is now; StoreRefused if it cannot be read."""
    try:
        with Store.read(folder) as store, store.snapshot():
            yield store
    except sqlite3.Error as error:
        raise StoreRefused(f"the store in {folder} cannot be read: {error}") from error


def source_of(store: Store) -> Source:
    """Return all that a site is made from; the store must be in a snapshot."""
    return Source(
        folder=store.folder,
        definition=stored_definition(store),
        options=stored_run_options(store),
        bots=store.bots(),
        results=list(store.results()),
        games=list(_games(store)),
        faults=list(store.faults()),
    )


def _games(store: Store) -> Iterator[OneGame]:
    _, rows = store.rows(_GAMES)
    for game, seats in groupby(rows, key=lambda row: row[:_OF_GAME]):
        yield _game(game, [row[_OF_GAME:] for row in seats])


def _game(columns: Sequence[Any], seats: Sequence[Sequence[Any]]) -> OneGame:
    *facts, own_void, block_void = columns
    void = own_void if own_void is not None else block_void
    sat = tuple(Sat(*seat) for seat in seats if seat[0] is not None)
    return OneGame._make([*facts, void, sat])

"""A tournament as its store has it at one moment, also while it goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from referee.tournament.definition import Charter, Programme
from referee.tournament.opening import charter_in
from referee.tournament.results import BlockResult
from referee.tournament.run import PROGRAMME
from referee.tournament.store import RECORDS, Store, StoredBot, StoredFault
from referee.tournament.store.database import StoreRefused

_GAMES: Final = """
    SELECT blocks.id, games.number, game, table_name, stage, finished, reason, turns, decisions,
           seconds, record, games.void, blocks.void, bot, seats.name, rank, total, faults, out
    FROM games JOIN blocks ON blocks.number = games.block
    LEFT JOIN seats ON seats.block = games.block AND seats.number = games.number
    ORDER BY games.block, games.number, seat
"""
_OF_GAME: Final = 13  # so many columns are of the game, the rest of a seat


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
        """Which game it is."""
        return self.block, self.number

    @property
    def faults(self) -> int:
        """How many there were."""
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
    charter: Charter
    programme: Programme | None  # of the last run; None before the first one
    bots: list[StoredBot]
    results: list[BlockResult]  # those that count, in the order in which they were finished
    games: list[OneGame]  # in the same order, with those that do not count
    faults: list[StoredFault]  # in the same order

    @property
    def names(self) -> list[str]:
        """Everybody who takes part."""
        return [bot.name for bot in self.bots]

    @property
    def tables(self) -> list[str]:
        """The names of the kinds of table."""
        return [table.name for table in self.charter.tables]


def read_source(folder: Path) -> Source:
    """What is finished now; blocks that are finished while it is read are left for the next time."""
    with _told(folder), Store.read(folder) as store:
        _, rows = store.rows("SELECT id FROM blocks")
        known = {row[0] for row in rows}
        programme = store.get(PROGRAMME)
        return Source(
            folder=folder,
            charter=charter_in(store),
            programme=None if programme is None else msgspec.convert(programme, Programme),
            bots=store.bots(),
            results=[result for result in store.results() if result.block.id in known],
            games=[game for game in _games(store) if game.block in known],
            faults=[fault for fault in store.faults() if fault.block in known],
        )


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """What SQLite finds wrong while it reads, as a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreRefused(f"the store in {folder} cannot be read: {error}") from error


def _games(store: Store) -> Iterator[OneGame]:
    _, rows = store.rows(_GAMES)
    for game, seats in groupby(rows, key=lambda row: row[:_OF_GAME]):
        yield _game(game, [row[_OF_GAME:] for row in seats])


def _game(columns: Sequence[Any], seats: Sequence[Sequence[Any]]) -> OneGame:
    *told, own_void, block_void = columns
    void = own_void if own_void is not None else block_void
    sat = tuple(Sat(*seat) for seat in seats if seat[0] is not None)
    return OneGame._make([*told, void, sat])

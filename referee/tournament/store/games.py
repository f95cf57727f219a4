"""The games in a store, with the results of their seats and the names of their records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.tournament.store.store import RECORDS, Store

_GAMES: Final = """
    SELECT blocks.id, games.number, game, table_name, stage, finished, reason, turns, decisions,
           seconds, record, games.void, blocks.void, bot, seats.name, rank, total, faults, out
    FROM games JOIN blocks ON blocks.number = games.block
    LEFT JOIN seats ON seats.block = games.block AND seats.number = games.number
    ORDER BY games.block, games.number, seat
"""
_GAME_COLUMNS: Final = 13  # the first columns are those of the game, the others those of a seat


class StoredSeat(NamedTuple):
    """The result of one seat in a game."""

    bot: str
    name: str
    rank: int
    total: int
    faults: int
    out: str | None  # why it was disqualified


class StoredGame(NamedTuple):
    """One game that was played, even if it does not count."""

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
    seats: tuple[StoredSeat, ...]

    @property
    def key(self) -> tuple[str, int]:
        """The block and the number, which identify the game."""
        return self.block, self.number

    @property
    def faults(self) -> int:
        """The number of faults of all seats."""
        return sum(seat.faults for seat in self.seats)

    def record_in(self, folder: Path) -> Path | None:
        """The path of its record in the folder of a tournament; never outside the folder of records."""
        if self.record is None:
            return None
        return folder / RECORDS / Path(self.block).name / Path(self.record).name


def stored_games(store: Store) -> Iterator[StoredGame]:
    """Yield every game in the order in which they finished, also those that do not count."""
    _, rows = store.rows(_GAMES)
    for game, seats in groupby(rows, key=lambda row: row[:_GAME_COLUMNS]):
        yield _game(game, [row[_GAME_COLUMNS:] for row in seats])


def _game(columns: Sequence[Any], seats: Sequence[Sequence[Any]]) -> StoredGame:
    *facts, own_void, block_void = columns
    void = own_void if own_void is not None else block_void
    sat = tuple(StoredSeat(*seat) for seat in seats if seat[0] is not None)
    return StoredGame._make([*facts, void, sat])

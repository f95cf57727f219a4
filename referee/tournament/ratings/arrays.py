"""Results as arrays of numbers, in a canonical order that does not depend on the order of the input."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.tournament.results import BlockResult, GameResult

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]


class Sheet(NamedTuple):
    """All games with the same number of seats: a row is a game, a column is a seat."""

    block: Ints  # by game
    table: Ints  # by game
    bots: Ints
    ranks: Ints
    totals: Ints
    faults: Ints
    out: Ints


class Games(NamedTuple):
    """All games of a selection; bots and tables are numbers, which are indices of these tuples."""

    bots: tuple[str, ...]  # in alphabetical order
    tables: tuple[str, ...]  # in alphabetical order
    seats: tuple[int, ...]  # how many, by table
    blocks: int  # how many
    sheets: tuple[Sheet, ...]


def gather(results: Iterable[BlockResult], bots: Sequence[str] = ()) -> Games:
    """Return the games of these results as arrays; `bots` may add bots that have not played."""
    names = _Numbers(bots)
    tables = _Numbers()
    blocks = _Numbers()
    rows: dict[int, array[int]] = {}
    for result in results:
        for game in result.games:
            row = rows.setdefault(len(game.bots), array("q"))
            row.append(blocks[result.block.id])
            row.append(tables[game.table])
            row.extend([names[bot] for bot in game.bots])
            row.extend(_figures(game))
    sheets = {
        seats: _sheet(rows[seats], seats, names.in_order(), tables.in_order(), blocks.in_order())
        for seats in sorted(rows)
    }
    return Games(
        bots=tuple(sorted(names)),
        tables=tuple(sorted(tables)),
        seats=_most_seats(sheets, len(tables)),
        blocks=len(blocks),
        sheets=tuple(sheets.values()),
    )


def blocks_by_bot(games: Games) -> Ints:
    """Return the number of blocks in which each bot played."""
    blocks = np.zeros(len(games.bots), np.int64)
    for sheet in games.sheets:
        blocks += _blocks_with(sheet.block, sheet.bots, len(blocks))
    return blocks


def blocks_by_table(games: Games) -> Ints:
    """Return the number of blocks that were played at each table."""
    blocks = np.zeros(len(games.tables), np.int64)
    for sheet in games.sheets:
        blocks += _blocks_with(sheet.block, sheet.table[:, None], len(blocks))
    return blocks


class _Numbers(dict[str, int]):
    """Numbers names from 0, in the order in which they are first used."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__((name, number) for number, name in enumerate(dict.fromkeys(names)))

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]

    def in_order(self) -> Ints:
        """Return for each number the place of its name in alphabetical order."""
        places = {name: place for place, name in enumerate(sorted(self))}
        return np.array([places[name] for name in self], dtype=np.int64)


def _figures(game: GameResult) -> Iterable[int]:
    return (*game.ranks, *game.totals, *game.faults, *game.out)


def _sheet(rows: array[int], seats: int, names: Ints, tables: Ints, blocks: Ints) -> Sheet:
    """Return the rows in canonical order: rows that compare equal are equal in every column."""
    found = np.frombuffer(rows, dtype=np.int64).reshape(-1, 2 + 5 * seats).copy()
    found[:, 0] = blocks[found[:, 0]]
    found[:, 1] = tables[found[:, 1]]
    found[:, 2 : 2 + seats] = names[found[:, 2 : 2 + seats]]
    found = found[np.lexsort(found.T[::-1])]
    block, table, *rest = np.split(found, [1, 2, *range(2 + seats, 2 + 5 * seats, seats)], axis=1)
    return Sheet(block[:, 0], table[:, 0], *rest)


def _most_seats(sheets: Mapping[int, Sheet], tables: int) -> tuple[int, ...]:
    most = [0] * tables
    for seats, sheet in sheets.items():  # from few seats to many
        for table in np.unique(sheet.table).tolist():
            most[table] = seats
    return tuple(most)


def _blocks_with(block: Ints, numbers: Ints, count: int) -> Ints:
    """Return the number of blocks in which each number occurs."""
    pairs = np.unique(block[:, None] * count + numbers)
    return np.bincount(pairs % count, minlength=count)

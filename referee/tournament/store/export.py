"""The export of a tournament: CSV tables, and one JSON document with everything.

`referee standings --export` and `referee report` write the same files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TextIO

from referee.errors import OutputRefused
from referee.text import write_csv
from referee.tournament.ratings import Entry, Ratings, SeatEffect
from referee.tournament.standings import StandingsReport
from referee.tournament.store.store import Store

DOCUMENT: Final = "tournament.json"
EXPORTED: Final = {  # every file, and its content
    "standings.csv": "a row for each bot",
    "seat_effects.csv": "a row for each seat of each table: what it is worth",
    "superiority.csv": "how likely the bot of the row is stronger than the bot of the column",
    "blocks.csv": "a row for each block",
    "games.csv": "a row for each game",
    "seats.csv": "a row for each seat of each game; seats count from 0 in all files",
    "faults.csv": "a row for each fault",
    DOCUMENT: "ratings, blocks, games, seats and faults in one object",
}
_QUERIES: Final = {
    "blocks.csv": """
        SELECT id AS block, stage, table_name, bots, seed, all_orders, finished, void
        FROM blocks ORDER BY number
    """,
    "games.csv": """
        SELECT blocks.id AS block, table_name, games.number, game, reason, turns, decisions, seconds,
               record, games.void
        FROM games JOIN blocks ON blocks.number = games.block ORDER BY games.block, games.number
    """,
    "seats.csv": """
        SELECT blocks.id AS block, table_name, seats.number, game, seat, bot, name, rank, total,
               faults, out
        FROM seats JOIN blocks ON blocks.number = seats.block
        JOIN games ON games.block = seats.block AND games.number = seats.number
        ORDER BY seats.block, seats.number, seat
    """,
    "faults.csv": """
        SELECT blocks.id AS block, faults.number, game, faults.seat, bot, decision, fault, message,
               strikes, disqualified, data, stderr
        FROM faults JOIN blocks ON blocks.number = faults.block
        JOIN games ON games.block = faults.block AND games.number = faults.number
        LEFT JOIN seats ON seats.block = faults.block AND seats.number = faults.number
            AND seats.seat = faults.seat
        ORDER BY faults.block, faults.number, decision, faults.rowid
    """,
}


def export(store: Store, standings: StandingsReport, folder: Path) -> list[Path]:
    """Write every file, and return their paths in the order of EXPORTED.

    Call it in a snapshot of the store, so that all files show the same data. Raises OutputRefused
    if a file cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [*_tables(store, standings, folder), _document(store, standings, folder)]
    except OSError as error:
        raise OutputRefused(f"cannot write {error.filename}: {error.strerror}") from error


def _tables(store: Store, standings: StandingsReport, folder: Path) -> Iterator[Path]:
    ratings = standings.ratings
    yield _table(folder / "standings.csv", *standings_rows(ratings))
    yield _table(folder / "seat_effects.csv", *_rows_of(SeatEffect, ratings.seats))
    yield _table(folder / "superiority.csv", *_superiority_rows(ratings))
    for name, query in _QUERIES.items():
        yield _table(folder / name, *store.rows(query))


def _table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv(file, columns, rows)
    return path


def standings_rows(ratings: Ratings) -> tuple[list[str], Iterator[list[object]]]:
    """Return the standings as columns and rows, the best bot first."""
    columns, rows = _rows_of(Entry, ratings.entries)
    return ["rank", *columns], ([place, *row] for place, row in enumerate(rows, start=1))


def _rows_of(
    kind: type[Entry | SeatEffect], entries: Sequence[Entry | SeatEffect]
) -> tuple[list[str], Iterator[list[object]]]:
    columns = [field.name for field in fields(kind)]
    return columns, ([getattr(entry, column) for column in columns] for entry in entries)


def _superiority_rows(ratings: Ratings) -> tuple[list[str], Iterator[list[object]]]:
    """Return columns and rows: how likely the bot of the row is stronger than the bot of the column."""
    names = [entry.bot for entry in ratings.entries]
    rows = zip(names, ratings.superiority, strict=True)
    return ["bot", *names], ([name, *chances] for name, chances in rows)


def _document(store: Store, standings: StandingsReport, folder: Path) -> Path:
    """Write one JSON object piece by piece, so that a large tournament does not fill the memory."""
    path = folder / DOCUMENT
    with path.open("w", encoding="utf-8") as file:
        file.write(f'{{"ratings": {json.dumps(standings.to_dict())}')
        for name, query in _QUERIES.items():
            file.write(f', "{name.removesuffix(".csv")}": [')
            _write_objects(file, *store.rows(query))
            file.write("]")
        file.write("}\n")
    return path


def _write_objects(file: TextIO, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    before = "\n"
    for row in rows:
        file.write(before + json.dumps(dict(zip(columns, map(_json_value, row), strict=True))))
        before = ",\n"


def _json_value(value: object) -> Any:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value

"""The store of a tournament: one SQLite file with one writer; each finished block is a transaction."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from referee.adjudication.faults import FaultRecord
from referee.bots.parameters import Value, values_of
from referee.bots.profile import NO_PROFILE, Profile
from referee.errors import StoreRefused
from referee.tournament.results import Block, BlockResult, GameResult
from referee.tournament.store import database
from referee.tournament.store.database import FILE, Database, exists
from referee.tournament.workers.messages import GameReport, Played

__all__ = ["FILE", "Judgement", "Store", "StoreRefused", "StoredBot", "StoredFault", "exists"]

RECORDS: Final = "records"
STDERR: Final = "stderr"
# The names of settings.
_AHEAD: Final = "ahead"
_PROFILES: Final = "profiles"  # by the name of the bot
_RETIRED: Final = "retired"
_WITH_STDERR_FILES: Final = 3  # the first version of the store whose faults name a file


class StoredBot(NamedTuple):
    """A bot of the tournament; `out` is the reason if it is disqualified."""

    name: str
    word: str  # its name, folder or command, as it was given
    content: str
    folder: str
    out: str | None = None
    profile: Profile = NO_PROFILE

    @property
    def values(self) -> dict[str, Value]:
        """The values of its parameters that are not the defaults."""
        return values_of(self.content)


class StoredFault(NamedTuple):
    """A fault of a bot, and the game in which it happened."""

    block: str
    number: int
    game: str
    record: str | None
    seat: int
    bot: str
    decision: int
    fault: str
    message: str
    strikes: int
    disqualified: bool
    data: bytes
    stderr: bytes  # an excerpt
    stderr_file: str = ""  # its name in the folder `stderr`; empty if it is not known


class Judgement(NamedTuple):
    """What is stored about disqualifications, together with a finished block."""

    ahead: Sequence[str]  # finished blocks that do not count for disqualifications yet
    out: Mapping[str, str] = {}  # bots to disqualify, and why
    dropped: Sequence[str] = ()  # blocks to delete: they do not belong to the plan any more


class Store:
    """An open store; as a context manager it closes itself."""

    def __init__(self, database: Database) -> None:
        self.folder = database.folder
        self._database = database
        self._sql = database.sql
        self._rows = database.rows

    @classmethod
    def create(cls, folder: Path) -> Store:
        """Create a store; StoreRefused if the folder has one."""
        return cls(database.create(folder))

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """Open the store of an earlier run for writing."""
        return cls(database.resume(folder))

    @classmethod
    def read(cls, folder: Path) -> Store:
        """Open a store for reading, even while another process writes to it."""
        return cls(database.read(folder))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store, so that another process may write to it."""
        self._database.close()

    def snapshot(self) -> AbstractContextManager[None]:
        """Let all queries in this context see the same data, even while another process writes."""
        return self._database.snapshot()

    # -- settings and bots

    def begin(self, settings: Mapping[str, object], bots: Iterable[StoredBot]) -> None:
        """Store the settings and the bots of a new tournament in one transaction."""
        with self._database.transaction():
            for name, value in settings.items():
                self._put(name, value)
            self._enter(bots)

    def put(self, name: str, value: object) -> None:
        """Store a setting; an earlier value is replaced."""
        with self._database.transaction():
            self._put(name, value)

    def _put(self, name: str, value: object) -> None:
        self._sql.execute(
            "INSERT OR REPLACE INTO settings VALUES (?, ?)",
            (name, msgspec.json.encode(value).decode()),
        )

    def get(self, name: str) -> Any:
        """Return the value of a setting, or None."""
        with self._database.checked_rows():
            for (value,) in self._rows("SELECT value FROM settings WHERE name = ?", name):
                return json.loads(value)
        return None

    def enter(self, bots: Iterable[StoredBot]) -> None:
        """Add bots; the content, the disqualification and the profile of known bots are replaced."""
        with self._database.transaction():
            self._enter(bots)

    def _enter(self, bots: Iterable[StoredBot]) -> None:
        entered = list(bots)
        self._sql.executemany(
            "INSERT INTO bots (name, word, content, folder, out) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET content = excluded.content, out = excluded.out",
            [(bot.name, bot.word, bot.content, bot.folder, bot.out) for bot in entered],
        )
        before = self._profiles()
        profiles = before | {bot.name: bot.profile for bot in entered}
        profiles = {name: said for name, said in profiles.items() if said != NO_PROFILE}
        if profiles != before:
            self._put(_PROFILES, profiles)

    def _profiles(self) -> dict[str, Profile]:
        with self._database.checked_rows():
            return msgspec.convert(self.get(_PROFILES) or {}, dict[str, Profile])

    def bots(self) -> list[StoredBot]:
        """Return all bots, in the order in which they were entered."""
        rows = self._rows("SELECT name, word, content, folder, out FROM bots ORDER BY number")
        profiles = self._profiles()
        with self._database.checked_rows():
            stored = msgspec.convert(list(rows), list[StoredBot])
        return [bot._replace(profile=profiles.get(bot.name, NO_PROFILE)) for bot in stored]

    def values(self) -> dict[str, dict[str, Value]]:
        """Return the values of each bot that has others than the defaults, by its name."""
        return {bot.name: bot.values for bot in self.bots() if bot.values}

    def retire(self, names: Iterable[str], entered: Iterable[StoredBot] = ()) -> None:
        """Store which bots play no more, and enter others, in one transaction."""
        with self._database.transaction():
            self._put(_RETIRED, sorted(names))
            self._enter(entered)

    def retired(self) -> list[str]:
        """Return the names of the bots that play no more."""
        return msgspec.convert(self.get(_RETIRED) or [], list[str])

    def judge(self, judgement: Judgement) -> None:
        """Disqualify bots, and delete the blocks that do not belong to the plan any more."""
        with self._database.transaction():
            self._judge(judgement)
        self.remove_records(judgement.dropped)

    def _judge(self, judgement: Judgement) -> None:
        self._sql.executemany(
            "UPDATE bots SET out = ? WHERE name = ?",
            [(why, bot) for bot, why in judgement.out.items()],
        )
        self._sql.executemany(
            "DELETE FROM blocks WHERE id = ?", [(block,) for block in judgement.dropped]
        )
        if self.ahead() != list(judgement.ahead):
            self._put(_AHEAD, judgement.ahead)

    def ahead(self) -> list[str]:
        """Return the finished blocks that do not count for disqualifications yet, by their ids."""
        return msgspec.convert(self.get(_AHEAD) or [], list[str])

    def remove_records(self, blocks: Iterable[str]) -> None:
        """Delete the records of these blocks, if there are any."""
        for block in blocks:
            shutil.rmtree(self.folder / RECORDS / block, ignore_errors=True)

    def forget(self, name: str) -> int:
        """Delete every block with this bot, so that it is played again; return their number."""
        with self._database.transaction():
            return self._sql.execute(
                "DELETE FROM blocks WHERE ? IN (SELECT value FROM json_each(bots))", (name,)
            ).rowcount

    # -- finished blocks

    def finish(self, played: Played, judgement: Judgement | None = None) -> None:
        """Store a finished block in one transaction; StoreRefused if it is there already."""
        block = played.block
        with self._database.transaction():
            cursor = self._sql.execute(
                "INSERT INTO blocks (id, stage, table_name, bots, seed, all_orders, finished, void)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    block.id,
                    block.stage,
                    block.table,
                    json.dumps(block.bots),
                    block.seed,
                    block.all_orders,
                    now(),
                    played.void,
                ),
            )
            assert cursor.lastrowid is not None
            for game in played.games:
                self._add_game(cursor.lastrowid, game)
            if judgement is not None:
                self._judge(judgement)
        if judgement is not None:
            self.remove_records(judgement.dropped)

    def _add_game(self, block: int, game: GameReport) -> None:
        place = (block, game.number)
        self._sql.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *place,
                game.game,
                game.reason,
                game.turns,
                game.decisions,
                game.seconds,
                game.record,
                game.void,
            ),
        )
        self._sql.executemany(
            "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (*place, number, seat.bot, seat.name, seat.rank, seat.total, seat.faults, seat.out)
                for number, seat in enumerate(game.seats)
            ],
        )
        self._sql.executemany(
            "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(*place, *_fault_row(fault)) for fault in game.faults],
        )

    def has(self, block: str) -> bool:
        """Return whether a block is finished."""
        return any(self._rows("SELECT 1 FROM blocks WHERE id = ?", block))

    def count(self, what: str = "blocks") -> int:
        """Return the number of blocks, games or faults."""
        assert what in ("blocks", "games", "faults")
        return sum(row[0] for row in self._rows(f"SELECT count(*) FROM {what}"))  # noqa: S608

    def results(self) -> Iterator[BlockResult]:
        """Yield every block that counts, in the order in which they finished."""
        with self._database.checked_rows():
            for block, games in _grouped(self._rows(_RESULTS)):
                yield _result(block, games)

    def seeds(self) -> dict[str, int]:
        """Return the seed of every finished block, by its id."""
        return dict(self._rows("SELECT id, seed FROM blocks ORDER BY number"))

    def seconds_per_game(self) -> dict[str, float]:
        """Return how long a game took on average at each table that has games."""
        return dict(
            self._rows(
                "SELECT table_name, avg(seconds) FROM games JOIN blocks"
                " ON blocks.number = games.block GROUP BY table_name"
            )
        )

    def void_blocks(self) -> set[str]:
        """Return the ids of blocks that do not count."""
        return {row[0] for row in self._rows("SELECT id FROM blocks WHERE void IS NOT NULL")}

    def faults(self) -> Iterator[StoredFault]:
        """Yield every fault, in the order in which their blocks finished."""
        has_files = self._database.version() >= _WITH_STDERR_FILES
        query = _FAULTS.format(stderr_file="stderr_file" if has_files else "''")
        with self._database.checked_rows():
            for *row, disqualified, data, stderr, file in self._rows(query):
                yield msgspec.convert((*row, bool(disqualified), data, stderr, file), StoredFault)

    def rows(self, query: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """Run a query, and return the names of its columns and its rows."""
        return self._database.table(query)


# One query, so that all rows show the same data.
_RESULTS: Final = """
    SELECT blocks.number, id, table_name, bots, seed, stage, all_orders,
           seats.number, bot, rank, total, faults, out
    FROM blocks JOIN seats ON seats.block = blocks.number
    WHERE blocks.void IS NULL ORDER BY blocks.number, seats.number, seat
"""
_FAULTS: Final = """
    SELECT blocks.id, games.number, game, record, faults.seat, coalesce(bot, ''), decision, fault,
           message, strikes, disqualified, data, stderr, {stderr_file}
    FROM faults JOIN blocks ON blocks.number = faults.block
    JOIN games ON games.block = faults.block AND games.number = faults.number
    LEFT JOIN seats ON seats.block = faults.block AND seats.number = faults.number
        AND seats.seat = faults.seat
    ORDER BY faults.block, faults.number, decision, faults.rowid
"""


def now() -> str:
    """Return the time for people to read, such as 2026-05-17T20:15:00+00:00."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _fault_row(fault: FaultRecord) -> tuple[object, ...]:
    """Return a fault as a row of the table `faults`."""
    return (
        fault.seat,
        fault.decision_id,
        fault.fault,
        fault.message,
        fault.strikes,
        fault.disqualified,
        fault.cause.data,
        fault.stderr_excerpt,
        fault.stderr_file,
    )


def _grouped(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Block, list[list[Any]]]]:
    """Group rows of seats by block and game."""
    for _, in_block in groupby(rows, key=itemgetter(0)):
        games: list[list[Any]] = []
        for row in in_block:
            if row[7] == len(games):
                games.append([])
            games[-1].append(row[8:])
        yield _block(row[1:7]), games


def _result(block: Block, games: list[list[Any]]) -> BlockResult:
    """Return a finished block; ValueError if its games do not match its seatings."""
    results = tuple(_game_result(block.table, seats) for seats in games)
    if [game.bots for game in results] != block.seatings():
        raise ValueError(f"the games of block {block.id} do not match its bots")
    return BlockResult(block, results)


def _game_result(table: str, seats: list[Any]) -> GameResult:
    bots, ranks, totals, faults, outs = zip(*seats, strict=True)
    out = tuple(out is not None for out in outs)
    if not set(ranks) <= set(range(1, len(bots) + 1)):
        raise ValueError(f"{ranks} are not valid ranks of {len(bots)} seats")
    return msgspec.convert((table, bots, ranks, totals, faults, out), GameResult)


def _block(fields: Sequence[Any]) -> Block:
    name, table, bots, seed, stage, all_orders = fields
    return msgspec.convert((name, table, json.loads(bots), seed, stage, bool(all_orders)), Block)

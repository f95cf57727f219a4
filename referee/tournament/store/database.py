"""The database of a tournament: one SQLite file with a versioned schema and one writer at a time."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final

from referee.errors import StoreRefused
from referee.text import visible

FILE: Final = "tournament.sqlite"
LOCK: Final = "tournament.lock"
LONGEST: Final = 200  # characters of an SQLite error message
# An error message of SQLite may not be valid text.
_SQL_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)

# Script N migrates a store from version N to version N + 1.
SCRIPTS: Final = (
    """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE bots (
        number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, word TEXT NOT NULL,
        content TEXT NOT NULL, folder TEXT NOT NULL, out TEXT
    );
    CREATE TABLE blocks (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, stage INTEGER NOT NULL,
        table_name TEXT NOT NULL, bots TEXT NOT NULL, seed INTEGER NOT NULL,
        all_orders INTEGER NOT NULL, finished TEXT NOT NULL, void TEXT
    );
    CREATE TABLE games (
        block INTEGER NOT NULL REFERENCES blocks(number) ON DELETE CASCADE, number INTEGER NOT NULL,
        game TEXT NOT NULL, reason TEXT NOT NULL, turns INTEGER NOT NULL,
        decisions INTEGER NOT NULL, seconds REAL NOT NULL, record TEXT, void TEXT,
        PRIMARY KEY (block, number)
    ) WITHOUT ROWID;
    CREATE TABLE seats (
        block INTEGER NOT NULL REFERENCES blocks(number) ON DELETE CASCADE, number INTEGER NOT NULL,
        seat INTEGER NOT NULL, bot TEXT NOT NULL, name TEXT NOT NULL, rank INTEGER NOT NULL,
        total INTEGER NOT NULL, faults INTEGER NOT NULL, out TEXT,
        PRIMARY KEY (block, number, seat)
    ) WITHOUT ROWID;
    CREATE TABLE faults (
        block INTEGER NOT NULL REFERENCES blocks(number) ON DELETE CASCADE, number INTEGER NOT NULL,
        seat INTEGER NOT NULL, decision INTEGER NOT NULL, fault TEXT NOT NULL,
        message TEXT NOT NULL, strikes INTEGER NOT NULL, disqualified INTEGER NOT NULL,
        data BLOB NOT NULL, stderr BLOB NOT NULL
    );
    CREATE INDEX faults_of_games ON faults (block, number);
    """,
    """
    -- No table changes. From version 2 on, the settings may hold a secret and the time of closing,
    -- which a referee of version 1 would ignore.
    """,
    """
    -- The name of the file with the stderr of the bot; empty if it is not known.
    ALTER TABLE faults ADD COLUMN stderr_file TEXT NOT NULL DEFAULT '';
    """,
)


class Database:
    """The open database of a tournament."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, lock: int | None) -> None:
        self.folder = folder
        self.sql = connection
        self._lock = lock

    def close(self) -> None:
        """Close the database, so that another process may write to it."""
        self.sql.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything that is written in this context, or nothing if it raises."""
        with _store_errors(self.folder):
            self.sql.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self.sql.in_transaction:  # not if a full disk has ended it already
                    self.sql.execute("ROLLBACK")
                raise
            self.sql.execute("COMMIT")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all queries in this context see the data as of the first query."""
        with _store_errors(self.folder):
            self.sql.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):  # a damaged file has ended the transaction already
                self.sql.execute("ROLLBACK")

    def rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Run a query, and return its rows."""
        return self.table(query, *values)[1]

    def table(self, query: str, *values: object) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """Run a query, and return the names of its columns and its rows."""
        with _store_errors(self.folder):
            cursor = self.sql.execute(query, values)
        return [column[0] for column in cursor.description], self._rest(cursor)

    def _rest(self, cursor: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
        with _store_errors(self.folder):
            # `yield from` would close the cursor, also when the database is closed already.
            for row in cursor:  # noqa: UP028
                yield row

    @contextmanager
    def checked_rows(self) -> Iterator[None]:
        """Raise StoreRefused for rows that this program never writes: the file is damaged."""
        try:
            yield
        except (IndexError, RecursionError, TypeError, ValueError) as error:
            why = visible(str(error))[:LONGEST]
            raise StoreRefused(f"the store in {self.folder} is damaged: {why}") from error

    def check_version(self, known: int) -> None:
        """Raise StoreRefused for a version of the schema that this referee does not know."""
        version = self.version()
        if version > known:
            raise StoreRefused(
                f"the store in {self.folder} has version {version}, and this referee knows"
                f" versions up to {known}: a newer referee wrote it"
            )
        if version < 1:
            raise StoreRefused(f"{self.folder / FILE} is not the store of a tournament")

    def version(self) -> int:
        """Return the version of the schema; 0 if there are no tables."""
        return int(self.sql.execute("PRAGMA user_version").fetchone()[0])

    def migrate(self, scripts: Sequence[str]) -> None:
        """Migrate the schema to the current version; each step is a transaction."""
        for version in range(self.version(), len(scripts)):
            self.sql.executescript(
                f"BEGIN IMMEDIATE; {scripts[version]}; PRAGMA user_version = {version + 1}; COMMIT;"
            )
        self.check_version(len(scripts))


def create(folder: Path) -> Database:
    """Create a database; StoreRefused if the folder has one or cannot be written."""
    if exists(folder):
        raise StoreRefused(f"{folder} already holds a tournament; --resume continues it")
    check_free(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreRefused(f"cannot make the folder {folder}: {error.strerror}") from error
    _make_private(folder)
    return _open_to_write(folder)


def _make_private(folder: Path) -> None:
    """Create the file so that only its owner can read it: it will hold a secret."""
    try:
        file = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.fchmod(file, 0o600)  # a killed process may have left an empty file
        os.close(file)
    except OSError as error:
        raise StoreRefused(f"cannot write to {folder}: {error.strerror}") from error


def resume(folder: Path) -> Database:
    """Open the database of an earlier run for writing; StoreRefused if there is none."""
    _must_exist(folder)
    return _open_to_write(folder)


def read(folder: Path) -> Database:
    """Open a database for reading, even while another process writes; StoreRefused if there is none."""
    _must_exist(folder)
    connection = _connect(folder, _mode_to_read(folder))
    with _store_errors(folder), _close_on_error(Database(folder, connection, None)) as database:
        database.sql.execute("PRAGMA query_only = 1")
        database.check_version(len(SCRIPTS))
        return database


def _open_to_write(folder: Path) -> Database:
    lock = _take_lock(folder)
    with (
        _store_errors(folder),
        _close_on_error(Database(folder, _connect(folder, "rwc"), lock)) as database,
    ):
        if not _is_blank(database.sql):
            database.check_version(len(SCRIPTS))  # write nothing to a file of another program
        database.sql.execute("PRAGMA journal_mode = WAL")
        database.sql.execute("PRAGMA synchronous = FULL")
        database.sql.execute("PRAGMA foreign_keys = 1")
        database.migrate(SCRIPTS)
        return database


@contextmanager
def _close_on_error(database: Database) -> Iterator[Database]:
    """Close the database if the context raises."""
    try:
        yield database
    except BaseException:
        database.close()
        raise


def exists(folder: Path) -> bool:
    """Return whether there is a store in a folder.

    A file without tables does not count: a killed process left it. Raises StoreRefused if the folder
    cannot be read.
    """
    try:
        if not S_ISREG((folder / FILE).stat().st_mode):
            return False
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StoreRefused(f"cannot read the folder {folder}: {error.strerror}") from error
    try:
        with closing(_connect(folder, _mode_to_read(folder))) as sql:
            return not _is_blank(sql)
    except _SQL_ERRORS:
        return True  # opening it will report why it cannot be read


def check_free(folder: Path) -> None:
    """Raise StoreRefused if a folder without a store holds anything else.

    What a killed process may have left there does not count.
    """
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:  # there is no such folder, or it is a file: making it will tell
        return
    others = [name for name in names if name != LOCK and not name.startswith(FILE)]
    if others:
        raise StoreRefused(
            f"{folder} is not empty and not the folder of a tournament: it contains"
            f" {visible(others[0])}; choose another folder"
        )


def _is_blank(sql: sqlite3.Connection) -> bool:
    return sql.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def _must_exist(folder: Path) -> None:
    if not exists(folder):
        raise StoreRefused(f"{folder} is not the folder of a tournament: it contains no {FILE}")


def _mode_to_read(folder: Path) -> str:
    """Return the mode for reading.

    It is `rw`, because a reader needs the shared memory of the write-ahead log. If we may not write
    and there is no log, the file cannot change.
    """
    if os.access(folder, os.W_OK):
        return "rw"
    return "ro" if (folder / f"{FILE}-wal").exists() else "ro&immutable=1"


def _connect(folder: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{(folder / FILE).resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None
    )


def _take_lock(folder: Path) -> int:
    """Take the lock of the only writer; the system releases it when the process ends."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreRefused(f"cannot write to {folder}: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise StoreRefused(f"the tournament in {folder} is in use by another process") from None
    return lock


@contextmanager
def _store_errors(folder: Path) -> Iterator[None]:
    """Raise StoreRefused for errors of SQLite."""
    try:
        yield
    except _SQL_ERRORS as error:
        why = visible(str(error))[:LONGEST]
        raise StoreRefused(f"the store in {folder} cannot be used: {why}") from error

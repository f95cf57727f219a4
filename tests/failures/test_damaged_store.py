"""A damaged store: every reader reports it in one sentence."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.tournament.store.store import FILE
from support.sample_store import blocks_with_faults, write_store

DAMAGE = {
    "text that is not UTF-8": "UPDATE seats SET bot = CAST(x'ff' AS TEXT) WHERE seat = 0",
    "a bot that took no part in the block": "UPDATE seats SET bot = 'z' WHERE seat = 0",
    "a rank that is not possible": "UPDATE seats SET rank = 9 WHERE seat = 1",
    "a number that is text": "UPDATE seats SET total = 'many'",
    "bots that are not a list": "UPDATE blocks SET bots = '{'",
    "a seat without its game": "DELETE FROM seats WHERE number = 0",
    "a table that is gone": "DROP TABLE games",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_store(tmp_path / "t", blocks_with_faults())


def standings(folder: Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["standings", str(folder)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stderr


def test_an_undamaged_store_is_read(folder: Path) -> None:
    assert standings(folder) == (0, "")


@pytest.mark.parametrize("what", DAMAGE)
def test_invalid_rows_are_reported_in_one_sentence(folder: Path, what: str) -> None:
    connection = sqlite3.connect(folder / FILE)
    with connection:
        connection.execute(DAMAGE[what])
    connection.close()
    status, message = standings(folder)
    assert status == 2
    assert message.startswith(f"referee: the store in {folder} ")
    assert message.count("\n") == 1
    assert message[:-1].isprintable()


def test_lost_pages_are_reported_in_one_sentence(folder: Path) -> None:
    whole = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(whole[:8192] + bytes(len(whole) - 8192))
    status, message = standings(folder)
    assert status == 2
    assert "cannot be used: database disk image is malformed" in message

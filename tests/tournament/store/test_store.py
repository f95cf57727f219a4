"""The store: one writer stores each finished block once and completely; others may read."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.bots.profile import NO_PROFILE, Profile
from referee.tournament.results import GameResult
from referee.tournament.store import database as module
from referee.tournament.store.store import FILE, Judgement, Store, StoredBot, StoreRefused
from support.blocks import TABLE, block, fault, finished_block

BOTS = [StoredBot(name, name, "c" * 64, "here") for name in "abcd"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "t") as store:
        store.enter(BOTS)
        yield store


def test_a_finished_block_is_read_as_it_was_played(store: Store) -> None:
    done = finished_block(block(3), [fault(1)])
    store.finish(done)
    assert list(store.results()) == [done.result()]
    first = done.result().games[0]
    assert first == GameResult(
        TABLE, ("a", "b", "c", "d"), (1, 2, 3, 4), (40, 39, 38, 37), (0, 1, 0, 0), (False,) * 4
    )


def test_results_come_in_the_order_in_which_they_were_finished(store: Store) -> None:
    for number in (2, 0, 1):
        store.finish(finished_block(block(number)))
    assert [result.block.id for result in store.results()] == ["b-0002", "b-0000", "b-0001"]


def test_a_block_cannot_be_finished_twice(store: Store) -> None:
    store.finish(finished_block())
    with pytest.raises(StoreRefused, match="UNIQUE"):
        store.finish(finished_block())
    assert (store.count(), store.count("games")) == (1, 4)


def test_a_block_is_stored_completely_or_not_at_all(store: Store) -> None:
    done = finished_block()
    twice = type(done)(done.block, (*done.games, done.games[0]))
    with pytest.raises(StoreRefused):
        store.finish(twice)
    assert (store.count(), store.count("games"), store.has(done.block.id)) == (0, 0, False)


def test_a_void_block_is_finished_but_does_not_count(store: Store) -> None:
    store.finish(finished_block(block(0), void="ZeroDivisionError: oh"))
    store.finish(finished_block(block(1)))
    assert store.has("b-0000")
    assert [result.block.id for result in store.results()] == ["b-0001"]


def test_faults_have_their_game_and_seat(store: Store) -> None:
    store.finish(finished_block(block(5), [fault(2, disqualified=True)]))
    (found,) = store.faults()
    assert (found.block, found.number, found.seat, found.bot) == ("b-0005", 0, 2, "c")
    assert (found.decision, found.fault, found.data) == (7, "illegal", b"\xff{}")
    assert (found.record, found.stderr, bool(found.disqualified)) == ("0.jsonl.gz", b"oops\n", True)


def test_a_judgement_is_stored_with_its_block(store: Store) -> None:
    store.finish(finished_block(block(1)), Judgement(["b-0001"]))
    store.finish(finished_block(block(2)), Judgement(["b-0001", "b-0002"]))
    records = store.folder / "records" / "b-0002"
    records.mkdir(parents=True)
    store.finish(finished_block(block(0)), Judgement(["b-0001"], {"b": "at fault"}, ["b-0002"]))
    assert [result.block.id for result in store.results()] == ["b-0001", "b-0000"]
    assert store.ahead() == ["b-0001"]
    assert [bot.name for bot in store.bots() if bot.out == "at fault"] == ["b"]
    assert not records.exists()


def test_forgetting_a_bot_deletes_its_blocks(store: Store) -> None:
    store.finish(finished_block(block(0), [fault()]))
    store.finish(finished_block(block(1, ("b", "c", "d", "e"))))
    assert store.forget("a") == 1
    assert [result.block.id for result in store.results()] == ["b-0001"]
    assert (store.count("games"), store.count("faults")) == (4, 0)


def test_forgetting_a_bot_deletes_its_void_blocks_too(store: Store) -> None:
    store.finish(finished_block(block(0), void="ZeroDivisionError: oh"))
    assert store.forget("a") == 1
    assert not store.has("b-0000")


def test_settings_and_bots_are_stored(store: Store) -> None:
    store.put("charter", {"seed": 5})
    store.judge(Judgement((), {"b": "at fault"}))
    with Store.read(store.folder) as reader:
        assert reader.get("charter") == {"seed": 5}
        assert reader.get("nothing") is None
        assert [bot.out for bot in reader.bots()] == [None, "at fault", None, None]


def test_what_authors_say_is_stored_with_their_bots(store: Store) -> None:
    said = Profile("Ada", "A bot.", "https://example.org")
    store.enter([BOTS[0]._replace(profile=said)])
    store.enter([BOTS[1]])
    assert [bot.profile for bot in store.bots()] == [said, *[NO_PROFILE] * (len(BOTS) - 1)]
    store.enter([BOTS[0]])
    assert store.bots()[0].profile == NO_PROFILE


def test_a_store_can_be_read_while_it_is_written(store: Store) -> None:
    with Store.read(store.folder) as reader:
        store.finish(finished_block())
        assert reader.count() == 1


def test_a_reader_cannot_write(store: Store) -> None:
    with Store.read(store.folder) as reader, pytest.raises(StoreRefused, match="readonly"):
        reader.finish(finished_block())


def test_a_second_writer_is_refused(store: Store) -> None:
    with pytest.raises(StoreRefused, match="in use by another process"):
        Store.resume(store.folder)


def test_a_killed_writer_releases_the_store(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib, time\n"
        "from referee.tournament.store import Store\n"
        "Store.create(pathlib.Path(sys.argv[1])); print('open', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "t")], stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"open\n"
        with pytest.raises(StoreRefused, match="in use"):
            Store.resume(tmp_path / "t")
        child.kill()
        child.wait()
        Store.resume(tmp_path / "t").close()


def test_a_second_store_in_a_folder_is_refused(store: Store) -> None:
    with pytest.raises(StoreRefused, match="already holds a tournament"):
        Store.create(store.folder)


@pytest.mark.parametrize("open_store", [Store.resume, Store.read])
def test_a_folder_without_a_store_is_refused(tmp_path: Path, open_store: object) -> None:
    with pytest.raises(StoreRefused, match="is not the folder of a tournament"):
        open_store(tmp_path)  # type: ignore[operator]


@pytest.mark.parametrize("open_store", [Store.resume, Store.read])
def test_a_store_of_a_newer_referee_is_refused(tmp_path: Path, open_store: object) -> None:
    Store.create(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as sql, sql:
        sql.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreRefused, match=r"version 99.*a newer referee wrote it"):
        open_store(tmp_path)  # type: ignore[operator]


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("this is not a database, only some text of some length" * 100)
    with pytest.raises(StoreRefused, match="not a database"):
        Store.resume(tmp_path)
    with pytest.raises(StoreRefused, match="not a database"):
        Store.read(tmp_path)


def test_an_older_store_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.create(tmp_path) as store:
        store.finish(finished_block())
    later = (*module.SCRIPTS, "ALTER TABLE bots ADD COLUMN country TEXT")
    monkeypatch.setattr(module, "SCRIPTS", later)
    with Store.resume(tmp_path) as store:
        columns, _ = store.rows("SELECT * FROM bots")
        assert columns[-1] == "country"
        assert store.count() == 1


def test_a_migration_step_is_complete_or_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.create(tmp_path).close()
    broken = (*module.SCRIPTS, "CREATE TABLE half (x INTEGER); CREATE TABLE half (x INTEGER)")
    monkeypatch.setattr(module, "SCRIPTS", broken)
    with pytest.raises(StoreRefused, match="half"):
        Store.resume(tmp_path)
    monkeypatch.undo()
    with Store.resume(tmp_path) as store:
        assert store.rows("SELECT count(*) FROM sqlite_master WHERE name = 'half'")[
            1
        ].__next__() == (0,)


def test_a_full_disk_is_an_error_and_loses_no_stored_block(store: Store) -> None:
    store.finish(finished_block(block(0)))
    store.rows(f"PRAGMA max_page_count = {_pages(store)}")
    with pytest.raises(StoreRefused, match="database or disk is full"):
        _fill(store)
    kept = store.count()
    assert kept == sum(1 for _ in store.results())
    assert store.count("games") == 4 * kept
    store.rows("PRAGMA max_page_count = 1000000")
    store.finish(finished_block(block(2000)))


def _fill(store: Store) -> None:
    for number in range(1, 1000):
        store.finish(finished_block(block(number)))


def _pages(store: Store) -> int:
    return int(next(store.rows("PRAGMA page_count")[1])[0])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreRefused, match="cannot"):
        Store.create(tmp_path / "t")


def test_a_file_instead_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("")
    with pytest.raises(StoreRefused, match="cannot make the folder"):
        Store.create(tmp_path / "t")

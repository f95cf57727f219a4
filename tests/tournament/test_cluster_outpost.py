"""A post of an outpost: its process plays, is replaced when it dies, and leaves nothing."""

from __future__ import annotations

import os
import signal
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from referee.bots.find import find_bots
from referee.tournament.opening import bot_job
from referee.tournament.request import Wishes, charter_of
from referee.tournament.results import Block
from referee.tournament.workers import messages as jobs
from referee.tournament.workers.messages import Conditions, Job, Played, Playing
from support.dask_cluster import needs_dask
from support.waiting import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from referee.tournament.workers.dask_worker import Parcel, Post

pytestmark = needs_dask


CHARTER = charter_of(Wishes(max_turns=12), 3, seed=1)
BLOCK = Block("b-1", CHARTER.tables[0].name, ("random", "random#2", "random#3"), seed=3)


def job() -> Job:
    bots = tuple(map(bot_job, find_bots(["random"] * 3)))
    return Job(CHARTER.tables, bots, CHARTER.conditions, "the organiser's folder", "another")


def endless() -> Job:
    """Bots that never say anything, and all the time in the world for them."""
    silent = tuple(replace(bot, command=("sleep", "1000")) for bot in job().bots)
    return replace(job(), bots=silent, conditions=Conditions(None, None, 0, None))


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    from referee.tournament.workers.dask_worker import Post

    post = Post(job(), tmp_path)
    yield post
    post.close()
    assert list(tmp_path.iterdir()) == []


def ignore(_: Playing) -> None:
    """What is told is not what this test is about."""


def pids_of(post: Post) -> list[int]:
    return [] if post._pool is None else post._pool.pids()


def played(parcel: Parcel) -> Played:
    told = jobs.decode_told(parcel[0])
    assert isinstance(told, Played)
    return told


def test_a_block_comes_back_with_its_records_and_none_stays(post: Post, tmp_path: Path) -> None:
    told: list[Playing] = []
    parcel = post.play(BLOCK, told.append)
    assert [game.number for game in told] == [0, 1, 2]
    assert [game.record for game in played(parcel).games] == sorted(parcel[1])
    assert all(data.startswith(b"\x1f\x8b") for data in parcel[1].values())
    assert [path for path in tmp_path.rglob("*.gz") if path.is_file()] == []


def test_the_process_stays_for_the_next_block(post: Post) -> None:
    first = post.play(BLOCK, ignore)
    (before,) = pids_of(post)
    again = post.play(BLOCK, ignore)
    assert pids_of(post) == [before]
    assert played(first).result() == played(again).result()


def test_a_process_that_is_killed_breaks_its_block_and_has_a_successor(post: Post) -> None:
    from referee.tournament.workers.dask_worker import BlockBroken

    def kill(_: Playing) -> None:
        os.kill(pids_of(post)[0], signal.SIGKILL)

    with pytest.raises(BlockBroken, match="a worker ended with signal 9"):
        post.play(BLOCK, kill)
    assert len(played(post.play(BLOCK, ignore)).games) == 3


def test_an_idle_process_ends_and_the_next_block_has_another(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.tournament.workers.dask_worker.IDLE_S", 0.05)
    post.play(BLOCK, ignore)
    wait_until(lambda: not pids_of(post), "the process is dismissed")
    assert len(played(post.play(BLOCK, ignore)).games) == 3


def test_closing_breaks_off_a_block_at_once(tmp_path: Path) -> None:
    from referee.tournament.workers.dask_worker import BlockBroken, Post

    post = Post(endless(), tmp_path)
    begun = threading.Event()

    def close() -> None:
        begun.wait(PATIENCE_S)
        post.close()

    closing = threading.Thread(target=close)
    closing.start()
    with pytest.raises(BlockBroken, match="was told to end"):
        post.play(BLOCK, lambda _: begun.set())
    closing.join()
    assert pids_of(post) == []
    with pytest.raises(BlockBroken, match="was told to end"):
        post.play(BLOCK, ignore)


def test_each_post_has_a_core_of_its_own_while_there_are_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from referee.tournament.workers import dask_worker as outpost

    monkeypatch.setattr(outpost, "_CLAIM", f"\0{uuid.uuid4()}/")  # no other run has these
    cores = os.sched_getaffinity(0)
    full = threading.Barrier(len(cores))

    def core() -> set[int]:
        with outpost._on_a_core():
            full.wait(PATIENCE_S)
            return os.sched_getaffinity(0)

    with ThreadPoolExecutor(len(cores)) as threads:
        taken = [thread.result() for thread in [threads.submit(core) for _ in cores]]
    assert sorted(taken, key=min) == [{core} for core in sorted(cores)]

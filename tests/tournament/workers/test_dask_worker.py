"""The block runner of the Dask plugin: its process plays, is replaced when it dies, and cleans up."""

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
from referee.tournament.request import TournamentRequest, make_definition
from referee.tournament.results import Block
from referee.tournament.workers import messages
from referee.tournament.workers.messages import Conditions, Job, Played, Playing
from support.command_runs import PLAIN
from support.waiting import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from referee.tournament.workers.dask_worker import BlockRunner, PackedResult


DEFINITION = make_definition(TournamentRequest(max_turns=6), 3, seed=1)
BLOCK = Block("b-1", DEFINITION.tables[0].name, ("plain", "plain#2", "plain#3"), seed=3)


def job() -> Job:
    bots = tuple(map(bot_job, find_bots([PLAIN] * 3)))
    return Job(DEFINITION.tables, bots, DEFINITION.conditions, "the organiser's folder", "another")


def endless() -> Job:
    """A job with bots that never answer, and without clocks."""
    silent = tuple(replace(bot, command=("sleep", "1000")) for bot in job().bots)
    return replace(job(), bots=silent, conditions=Conditions(None, None, 0, None))


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[BlockRunner]:
    from referee.tournament.workers.dask_worker import BlockRunner

    runner = BlockRunner(job(), tmp_path)
    yield runner
    runner.close()
    assert list(tmp_path.iterdir()) == []


def ignore(_: Playing) -> None:
    """Take a message and do nothing."""


def pids_of(runner: BlockRunner) -> list[int]:
    return [] if runner._pool is None else runner._pool.pids()


def played(packed: PackedResult) -> Played:
    message = messages.decode_message(packed[0])
    assert isinstance(message, Played)
    return message


def test_a_block_returns_its_records_and_its_process_stays(
    runner: BlockRunner, tmp_path: Path
) -> None:
    begun: list[Playing] = []
    packed = runner.play(BLOCK, begun.append)
    assert [game.number for game in begun] == [0, 1, 2]
    assert [game.record for game in played(packed).games] == sorted(packed[1])
    assert all(data.startswith(b"\x1f\x8b") for data in packed[1].values())
    assert [path for path in tmp_path.rglob("*.gz") if path.is_file()] == []
    (before,) = pids_of(runner)
    again = runner.play(BLOCK, ignore)
    assert pids_of(runner) == [before]
    assert played(packed).result() == played(again).result()


def test_a_killed_process_breaks_its_block_and_is_replaced(runner: BlockRunner) -> None:
    from referee.tournament.workers.dask_worker import BlockBroken

    def kill(_: Playing) -> None:
        os.kill(pids_of(runner)[0], signal.SIGKILL)

    with pytest.raises(BlockBroken, match="a worker ended with signal 9"):
        runner.play(BLOCK, kill)
    assert len(played(runner.play(BLOCK, ignore)).games) == 3


def test_an_idle_process_ends_and_the_next_block_starts_another(
    runner: BlockRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.tournament.workers.dask_worker.IDLE_S", 0.05)
    runner.play(BLOCK, ignore)
    wait_until(lambda: not pids_of(runner), "the process is ended")
    assert len(played(runner.play(BLOCK, ignore)).games) == 3


def test_closing_aborts_a_block_at_once(tmp_path: Path) -> None:
    from referee.tournament.workers.dask_worker import BlockBroken, BlockRunner

    runner = BlockRunner(endless(), tmp_path)
    begun = threading.Event()

    def close() -> None:
        begun.wait(PATIENCE_S)
        runner.close()

    closing = threading.Thread(target=close)
    closing.start()
    with pytest.raises(BlockBroken, match="was asked to end"):
        runner.play(BLOCK, lambda _: begun.set())
    closing.join()
    assert pids_of(runner) == []
    with pytest.raises(BlockBroken, match="was asked to end"):
        runner.play(BLOCK, ignore)


def test_each_runner_has_its_own_core_while_there_are_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from referee.tournament.workers import dask_worker as plugin

    monkeypatch.setattr(plugin, "_CLAIM", f"\0{uuid.uuid4()}/")  # names that no other run uses
    cores = os.sched_getaffinity(0)
    full = threading.Barrier(len(cores))

    def core() -> set[int]:
        with plugin._pinned_to_core():
            full.wait(PATIENCE_S)
            return os.sched_getaffinity(0)

    with ThreadPoolExecutor(len(cores)) as threads:
        taken = [thread.result() for thread in [threads.submit(core) for _ in cores]]
    assert sorted(taken, key=min) == [{core} for core in sorted(cores)]

"""A tournament on a Dask cluster: a real scheduler and several real workers on this machine."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from referee.bots.find import BUNDLED
from referee.tournament.coordinator import Progress, Watch
from referee.tournament.definition import Programme
from referee.tournament.opening import Entered, enter
from referee.tournament.ratings import rate
from referee.tournament.request import Wishes
from referee.tournament.results import BlockResult
from referee.tournament.run import run
from referee.tournament.store.store import RECORDS
from referee.tournament.workers import dask_cluster as module
from referee.tournament.workers.dask_cluster import Cluster, ClusterLost, ClusterRefused
from referee.tournament.workers.messages import Played
from referee.tournament.workers.pool import Lost, Pool
from support.dask_cluster import Camp, needs_dask
from support.waiting import PATIENCE_S, wait_until

BOTS = ("random", "random", "random", "random")
ALL_BLOCKS = 12


@pytest.fixture(scope="module")
def camp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Camp]:
    with Camp(tmp_path_factory.mktemp("camp")) as camp:
        camp.hire("anna", "bert", "victim")  # who is killed in the first test
        yield camp


def entered(folder: Path, bots: tuple[str, ...] = BOTS) -> Entered:
    return enter(folder, Wishes(bots=bots, seed=7, max_turns=20))


def play(
    tournament: Entered,
    camp: Camp,
    blocks: int,
    watch: Watch | None = None,
    crew: type[Cluster] = Cluster,
) -> str:
    """A run on the cluster."""
    folder = tournament.store.folder
    return run(
        tournament,
        Programme(blocks=blocks),
        lambda: crew(tournament.job(), camp.address, folder=folder),
        watch or Watch(),
    ).ending


def play_here(tournament: Entered, blocks: int) -> str:
    crew = partial(Pool, tournament.job(), 2)
    return run(tournament, Programme(blocks=blocks), crew, Watch()).ending


def results(tournament: Entered) -> list[BlockResult]:
    return sorted(tournament.store.results())


def record_names(tournament: Entered) -> set[str]:
    folder = tournament.store.folder / RECORDS
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.gz")}


def is_worker(pid: int) -> bool:
    return b"referee.tournament.workers.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()


@needs_dask
def test_a_killed_worker_costs_its_block_only_and_the_standings_are_those_of_one_machine(
    camp: Camp, tmp_path: Path
) -> None:
    seen: set[str] = set()

    class Deadly(Cluster):
        """Whoever is the victim dies as soon as it is heard of, in its first game."""

        def _see(self, event: tuple[float, tuple[str, bytes]]) -> None:
            super()._see(event)
            seen.update(sight.worker for sight in self.sights())
            if "victim" in seen:
                camp.workers["victim"].kill()

    far, near = entered(tmp_path / "far"), entered(tmp_path / "near")
    with far.store, near.store:
        assert play(far, camp, ALL_BLOCKS, crew=Deadly) == "done"
        assert camp.workers["victim"].wait(PATIENCE_S) == -signal.SIGKILL
        assert seen == {"anna", "bert", "victim"}
        assert play_here(near, ALL_BLOCKS) == "done"
        assert results(far) == results(near)
        assert rate(results(far)) == rate(results(near))
        assert record_names(far) == record_names(near)
        assert len(record_names(far)) == far.store.count("games") == 4 * ALL_BLOCKS
    wait_until(
        lambda: not camp.beyond_dask(), "all bots and their processes end with the tournament"
    )


@needs_dask
def test_a_block_whose_process_dies_is_played_again(camp: Camp, tmp_path: Path) -> None:
    killed: list[int] = []
    lost: list[Lost] = []

    class Deadly(Cluster):
        """The first process that is heard of dies, and the Dask worker lives."""

        def _see(self, event: tuple[float, tuple[str, bytes]]) -> None:
            super()._see(event)
            if not killed:
                killed.extend(pid for pid in camp.beyond_dask() if is_worker(pid))
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)

    tournament = entered(tmp_path / "out")
    with tournament.store:
        assert play(tournament, camp, 4, Watch(lost=lost.append), Deadly) == "done"
        assert tournament.store.count("blocks") == 4
    assert lost
    assert "a worker ended with signal 9" in lost[0].message


@needs_dask
def test_a_bot_is_sent_along(camp: Camp, tmp_path: Path) -> None:
    bot = tmp_path / "traveller"
    shutil.copytree(BUNDLED / "random", bot)
    (bot / "bot.toml").write_text(
        'name = "traveller"\ncommand = ["python", "bot.py"]\n'
        'build = ["python", "-c", "open(\'built\', \'w\').close()"]\n'
    )
    tournament = entered(tmp_path / "out", (str(bot), "random", "random", "random"))

    def crew() -> Cluster:
        cluster = Cluster(tournament.job(), camp.address, folder=tmp_path)
        bot.rename(tmp_path / "elsewhere")  # it cannot be found at its path any more
        return cluster

    with tournament.store:
        assert run(tournament, Programme(blocks=3), crew, Watch()).ending == "done"
        assert tournament.store.count("faults") == 0
    (unpacked,) = camp.folder.rglob("built")
    assert unpacked.parent.name == tournament.bots[0].content


@needs_dask
def test_an_interrupt_lets_running_blocks_finish(camp: Camp, tmp_path: Path) -> None:
    tournament = entered(tmp_path / "out")
    finished: list[str] = []

    def interrupt(_: Progress, played: Played) -> None:
        if not finished:
            signal.raise_signal(signal.SIGINT)
        finished.append(played.block.id)

    with tournament.store:
        assert play(tournament, camp, 50, Watch(finished=interrupt)) == "stopped"
        assert 1 <= tournament.store.count("blocks") == len(set(finished)) < 10
    wait_until(lambda: not camp.beyond_dask(), "no bot is left")


@needs_dask
def test_a_worker_with_another_referee_is_refused(
    camp: Camp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "COUNT_S", 0.0)
    (tmp_path / "sitecustomize.py").write_text("import referee\nreferee.__version__ = '0.0.old'\n")
    tournament = entered(tmp_path / "out")
    with tournament.store:
        early = Cluster(tournament.job(), camp.address, folder=tmp_path)
        before = early.slots
        try:
            camp.hire("late", path=tmp_path)
            assert camp.workers["late"].wait(60) != 0
            assert "has referee 0.0.old" in camp.log("late")
            wait_until(
                lambda: early.wait(0.1) == [] and early.slots == before, "only the others play"
            )
        finally:
            early.kill()
        camp.hire("odd", path=tmp_path)
        with pytest.raises(ClusterRefused, match=r"has referee 0\.0\.old .* install the same on"):
            Cluster(tournament.job(), camp.address, folder=tmp_path)
    camp.workers["odd"].kill()


@needs_dask
def test_without_workers_or_a_scheduler_it_ends_in_a_sentence_and_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in {"WORKERS_S": 0.2, "LONELY_S": 0.2, "COUNT_S": 0.1}.items():
        monkeypatch.setattr(module, name, seconds)
    tournament = entered(tmp_path / "out")
    with tournament.store, Camp(tmp_path) as camp:
        with pytest.raises(ClusterRefused, match="has no workers; start some: dask worker tcp://"):
            play(tournament, camp, ALL_BLOCKS)

        camp.hire("anna")
        killing = Watch(finished=lambda *_: camp.workers["anna"].kill())
        with pytest.raises(ClusterLost, match="has had no worker for 0 s; what is finished is kep"):
            play(tournament, camp, ALL_BLOCKS, killing)

        camp.hire("bert")
        killing = Watch(finished=lambda *_: camp.scheduler.kill())
        with pytest.raises(ClusterLost, match=r"the scheduler at tcp://\S+ is gone; what is"):
            play(tournament, camp, ALL_BLOCKS, killing)
        wait_until(lambda: not camp.beyond_dask(), "the worker ends its processes")

        assert 2 <= tournament.store.count("blocks") < ALL_BLOCKS
        assert play_here(tournament, ALL_BLOCKS) == "done"
        assert tournament.store.count("blocks") == ALL_BLOCKS


@needs_dask
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "tcp://127.0.0.1:x", ""])
def test_an_address_without_a_scheduler_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_S", 0.2)
    tournament = entered(tmp_path / "out")
    with tournament.store, pytest.raises(ClusterRefused) as refused:
        Cluster(tournament.job(), address, folder=tmp_path)
    assert str(refused.value) == f"no Dask scheduler answers at {address!r}"


def test_without_dask_the_refusal_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    tournament = entered(tmp_path / "out")
    with tournament.store, pytest.raises(ClusterRefused, match=r"needs Dask, .*: pip install 'di"):
        Cluster(tournament.job(), "tcp://127.0.0.1:1", folder=tmp_path)

"""A tournament on a Dask cluster: a real scheduler and several real workers on this machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from referee import tune
from referee.errors import ClusterLost, ClusterRefused
from referee.tournament.coordinator import Progress, RunListener
from referee.tournament.opening import OpenTournament, open_tournament
from referee.tournament.ratings import rate
from referee.tournament.request import TournamentRequest
from referee.tournament.results import BlockResult
from referee.tournament.run import play
from referee.tournament.store.store import RECORDS
from referee.tournament.workers import dask_cluster as module
from referee.tournament.workers.dask_cluster import Cluster
from referee.tournament.workers.messages import Played
from referee.tournament.workers.pool import Lost, Pool
from support.command_runs import PLAIN
from support.dask_cluster import Forks, LocalCluster
from support.git_bots import write_bot
from support.tuned_bot import write_tuned_bot
from support.waiting import wait_until

BOTS = (PLAIN, PLAIN)
ALL_BLOCKS = 6


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    with Forks() as forks:
        yield forks


@pytest.fixture(scope="module")
def local_cluster(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    with LocalCluster(tmp_path_factory.mktemp("cluster"), forks) as local_cluster:
        local_cluster.start_workers("anna", "bert")
        yield local_cluster


def opened(folder: Path, blocks: int = ALL_BLOCKS, bots: tuple[str, ...] = BOTS) -> OpenTournament:
    request = TournamentRequest(bots=bots, seed=7, max_turns=6, blocks=blocks)
    return open_tournament(folder, request, secret="5a" * 16)


def play_on_cluster(
    tournament: OpenTournament,
    local_cluster: LocalCluster,
    listener: RunListener | None = None,
    cluster: type[Cluster] = Cluster,
) -> str:
    """Run the tournament on the cluster."""
    folder = tournament.store.folder
    return play(
        tournament,
        lambda: cluster(tournament.job(), local_cluster.address, folder=folder),
        listener,
    ).ending


def play_locally(tournament: OpenTournament) -> str:
    return play(tournament, partial(Pool, tournament.job(), 2)).ending


def results(tournament: OpenTournament) -> list[BlockResult]:
    return sorted(tournament.store.results())


def record_names(tournament: OpenTournament) -> set[str]:
    folder = tournament.store.folder / RECORDS
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.gz")}


def is_worker(pid: int) -> bool:
    return b"referee.tournament.workers.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()


def test_a_cluster_tunes_to_the_same_values(local_cluster: LocalCluster, tmp_path: Path) -> None:
    bot = str(write_tuned_bot(tmp_path / "tuned"))
    short = partial(tune, bot, seats=3, max_turns=12, iterations=2, blocks=2, clock="cpu")
    on_cluster = short(cluster=local_cluster.address)
    assert on_cluster.games == 18
    assert on_cluster.values == short(workers=1).values != on_cluster.path[0]


def test_a_killed_worker_does_not_change_the_standings(
    local_cluster: LocalCluster, tmp_path: Path
) -> None:
    local_cluster.start_workers("victim")
    seen: set[str] = set()

    class Killing(Cluster):
        """Kills the worker `victim` when its first game is reported."""

        def _note_game(self, event: tuple[float, tuple[str, bytes]]) -> None:
            super()._note_game(event)
            seen.update(status.worker for status in self.statuses())
            if "victim" in seen:
                local_cluster.workers["victim"].kill()

    on_cluster, local = opened(tmp_path / "on_cluster"), opened(tmp_path / "local")
    with on_cluster.store, local.store:
        assert play_on_cluster(on_cluster, local_cluster, cluster=Killing) == "done"
        assert local_cluster.workers["victim"].wait() == -signal.SIGKILL
        assert seen == {"anna", "bert", "victim"}
        assert play_locally(local) == "done"
        assert results(on_cluster) == results(local)
        assert rate(results(on_cluster)) == rate(results(local))
        assert record_names(on_cluster) == record_names(local)
        assert len(record_names(on_cluster)) == on_cluster.store.count("games") == 2 * ALL_BLOCKS
    wait_until(
        lambda: not local_cluster.started(), "all bots and their processes end with the tournament"
    )


def test_a_block_whose_process_dies_is_played_again(
    local_cluster: LocalCluster, tmp_path: Path
) -> None:
    killed: list[int] = []
    lost: list[Lost] = []

    class Killing(Cluster):
        """Kills the worker processes of the first reported game, but not the Dask worker."""

        def _note_game(self, event: tuple[float, tuple[str, bytes]]) -> None:
            super()._note_game(event)
            if not killed:
                killed.extend(pid for pid in local_cluster.started() if is_worker(pid))
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)

    tournament = opened(tmp_path / "out", 4)
    with tournament.store:
        assert (
            play_on_cluster(tournament, local_cluster, RunListener(lost=lost.append), Killing)
            == "done"
        )
        assert tournament.store.count("blocks") == 4
    assert lost
    assert "a worker ended with signal 9" in lost[0].message


def test_a_bot_is_sent_to_the_workers(local_cluster: LocalCluster, tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "sent_bot", 1, build="touch built")
    tournament = opened(tmp_path / "out", 3, (str(bot), PLAIN))

    def workers() -> Cluster:
        cluster = Cluster(tournament.job(), local_cluster.address, folder=tmp_path)
        bot.rename(tmp_path / "elsewhere")  # it cannot be found at its path any more
        return cluster

    with tournament.store:
        assert play(tournament, workers).ending == "done"
        assert tournament.store.count("faults") == 0
    (unpacked,) = local_cluster.folder.rglob("built")
    assert unpacked.parent.name == tournament.bots[0].content


def test_an_interrupt_lets_running_blocks_finish(
    local_cluster: LocalCluster, tmp_path: Path
) -> None:
    tournament = opened(tmp_path / "out", 50)
    finished: list[str] = []

    def interrupt(_: Progress, played: Played) -> None:
        if not finished:
            signal.raise_signal(signal.SIGINT)
        finished.append(played.block.id)

    with tournament.store:
        assert (
            play_on_cluster(tournament, local_cluster, RunListener(finished=interrupt)) == "stopped"
        )
        assert 1 <= tournament.store.count("blocks") == len(set(finished)) < 10
    wait_until(lambda: not local_cluster.started(), "no bot is left")


def test_a_worker_with_another_referee_is_refused(
    local_cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "COUNT_S", 0.0)
    older = "import referee\nreferee.__version__ = '0.0.old'"
    tournament = opened(tmp_path / "out")
    with tournament.store:
        cluster = Cluster(tournament.job(), local_cluster.address, folder=tmp_path)
        before = cluster.slots
        try:
            local_cluster.start_workers("late", first=older)
            assert local_cluster.workers["late"].wait() != 0
            assert "has referee 0.0.old" in local_cluster.log("late")
            wait_until(
                lambda: cluster.wait(0.1) == [] and cluster.slots == before, "only the others play"
            )
        finally:
            cluster.kill()
        local_cluster.start_workers("odd", first=older)
        with pytest.raises(ClusterRefused, match=r"has referee 0\.0\.old .* install the same on"):
            Cluster(tournament.job(), local_cluster.address, folder=tmp_path)
    local_cluster.workers["odd"].kill()


def test_without_workers_or_a_scheduler_a_run_ends_and_can_resume(
    forks: Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in {"NO_WORKER_S": 0.2, "COUNT_S": 0.1, "CLOSE_S": 0.5}.items():
        monkeypatch.setattr(module, name, seconds)
    tournament = opened(tmp_path / "out")
    with tournament.store, LocalCluster(tmp_path, forks) as local_cluster:
        with monkeypatch.context() as impatient:
            impatient.setattr(module, "WORKERS_S", 0.2)
            with pytest.raises(ClusterRefused, match="has no workers; start some: dask worker tc"):
                play_on_cluster(tournament, local_cluster)

        local_cluster.start_workers("anna")
        killing = RunListener(finished=lambda *_: local_cluster.workers["anna"].kill())
        with pytest.raises(ClusterLost, match="has had no worker for 0 s; finished blocks are kep"):
            play_on_cluster(tournament, local_cluster, killing)

        local_cluster.start_workers("bert")
        killing = RunListener(finished=lambda *_: local_cluster.scheduler.kill())
        with pytest.raises(ClusterLost, match=r"the scheduler at tcp://\S+ is gone; finished"):
            play_on_cluster(tournament, local_cluster, killing)
        wait_until(lambda: not local_cluster.started(), "the worker ends its processes")

        assert 2 <= tournament.store.count("blocks") < ALL_BLOCKS
        assert play_locally(tournament) == "done"
        assert tournament.store.count("blocks") == ALL_BLOCKS


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "tcp://127.0.0.1:x", ""])
def test_an_address_without_a_scheduler_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_S", 0.2)
    tournament = opened(tmp_path / "out")
    with tournament.store, pytest.raises(ClusterRefused) as refused:
        Cluster(tournament.job(), address, folder=tmp_path)
    assert str(refused.value) == f"no Dask scheduler answers at {address!r}"


def test_without_dask_the_refusal_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    tournament = opened(tmp_path / "out")
    with tournament.store, pytest.raises(ClusterRefused, match=r"needs Dask, .*: pip install 'di"):
        Cluster(tournament.job(), "tcp://127.0.0.1:1", folder=tmp_path)

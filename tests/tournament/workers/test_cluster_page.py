"""docs/cluster.md: its commands run, with this machine instead of all three."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from referee.tournament.store import Store
from support.dask_cluster import Forks, LocalCluster
from support.parts import only_in
from support.paths import ROOT
from support.waiting import wait_until

DOC = (ROOT / "docs" / "cluster.md").read_text("utf-8")
ADDRESS = "tcp://10.0.0.1:8786"
# The last of two equal options counts. Thinking bots use all the time that they have.
QUICK = shlex.split("--blocks 1 --max-turns 8 --bank-ms 2000 --increment-ms 10")


def commands(marker: str) -> list[str]:
    (found,) = re.findall(rf"<!-- run: {marker} -->\n```sh\n(.*?)\n```\n", DOC, re.DOTALL)
    return str(found).splitlines()


def referee(command: str, folder: Path, *more: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command), *more],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


@only_in("docs")
def test_the_commands_run_a_whole_tournament(tmp_path: Path) -> None:
    (scheduler,), (worker,) = commands("scheduler"), commands("worker")
    tournament, standings = commands("tournament")
    resume_on_cluster, resume_here = commands("resume")
    with Forks() as forks, LocalCluster(tmp_path, forks, scheduler) as local_cluster:
        local_cluster.start_workers(
            "all cores", command=worker.replace(ADDRESS, local_cluster.address)
        )
        worker_of_nanny = local_cluster.started()
        referee(tournament.replace(ADDRESS, local_cluster.address), tmp_path, *QUICK)
        table = referee(standings, tmp_path)
        assert all(name in table for name in ("greedy", "merchant", "navigator", "random"))
        referee(
            resume_on_cluster.replace(ADDRESS, local_cluster.address), tmp_path, "--blocks", "2"
        )
        wait_until(lambda: local_cluster.started() == worker_of_nanny, "no bot is left")
        referee(resume_here, tmp_path, "--blocks", "3")
        local_cluster.workers["all cores"].kill(signal.SIGTERM)
        assert local_cluster.workers["all cores"].wait() == 0
    with Store.read(tmp_path / "spring") as store:
        assert not {fault.fault for fault in store.faults()} & {"start", "crash"}
    assert len(list((tmp_path / "spring" / "records").rglob("*.jsonl.gz"))) == 3 * 4


def test_every_command_except_the_installation_is_run() -> None:
    blocks = re.findall(r"^```sh\n(.*?)\n```$", DOC, re.DOTALL | re.MULTILINE)
    run = re.findall(r"<!-- run: \w+ -->\n```sh\n(.*?)\n```$", DOC, re.DOTALL | re.MULTILINE)
    (left_out,) = set(blocks) - set(run)
    assert "pip install '.[cluster]'" in left_out

"""A Dask cluster on this machine: a real scheduler and real workers, started by Dask's commands.

    with LocalCluster(tmp_path) as cluster:
        cluster.start_workers("anna", "bert")
        Cluster(job, cluster.address, folder=...)

Every process has an environment variable that marks it, so that those left over can be found.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from support.waiting import wait_until

MARK = "REFEREE_TEST_CLUSTER"

IS_THERE = importlib.util.find_spec("distributed") is not None
if os.environ.get("REFEREE_NEED_CLUSTER") == "1" and not IS_THERE:
    raise pytest.UsageError("REFEREE_NEED_CLUSTER is set, and Dask (distributed) is not installed")
needs_dask = pytest.mark.skipif(not IS_THERE, reason="Dask (distributed) is not installed")


class LocalCluster:
    """A scheduler and its workers by name; the commands are Dask's, plus addresses and folders."""

    def __init__(self, folder: Path, command: str = "dask scheduler --no-dashboard") -> None:
        self.folder = folder
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self._command = command
        self._mark = f"{MARK}={uuid.uuid4()}"
        self._file = folder / "scheduler.json"

    def __enter__(self) -> LocalCluster:
        place = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self._file))
        self.scheduler = self._start("scheduler", self._command, *place)
        try:
            wait_until(self._finds_address, "the scheduler answers")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers.values(), self.scheduler):
            process.kill()
            process.wait()
        wait_until(lambda: not self.running(), "all processes of the cluster end")

    def start_workers(
        self, *names: str, command: str | None = None, path: Path | None = None
    ) -> None:
        """Start workers; `path` comes first where their Python looks for modules."""
        default = f"dask worker {self.address} --no-nanny --no-dashboard --nthreads 1"
        place = ("--host", "127.0.0.1", "--local-directory", str(self.folder))
        for name in names:
            words = ("--name", name, *place)
            self.workers[name] = self._start(name, command or default, *words, path=path)
        wait_until(lambda: all(map(self._is_registered, names)), "the workers register")

    def log(self, name: str) -> str:
        """Return the output of a worker or of the scheduler."""
        return (self.folder / f"{name}.log").read_text()

    def beyond_dask(self) -> list[int]:
        """Return our processes that are neither the scheduler nor a Dask worker."""
        dask = {self.scheduler.pid, *(worker.pid for worker in self.workers.values())}
        return [pid for pid in self.running() if pid not in dask]

    def running(self) -> list[int]:
        """Return all processes that this cluster started, and those that they started."""
        return [int(entry.name) for entry in Path("/proc").glob("[0-9]*") if self._is_ours(entry)]

    def _is_ours(self, entry: Path) -> bool:
        try:
            environment = (entry / "environ").read_bytes()  # empty for the dead
        except OSError:
            return False
        return self._mark.encode() in environment.split(b"\0")

    def _finds_address(self) -> bool:
        """Return whether the scheduler's file has an address; it may be half written."""
        try:
            self.address = str(json.loads(self._file.read_text())["address"])
        except (FileNotFoundError, ValueError):
            return False
        return True

    def _is_registered(self, name: str) -> bool:
        return "Registered to" in self.log(name) or self.workers[name].poll() is not None

    def _start(
        self, name: str, command: str, *more: str, path: Path | None = None
    ) -> subprocess.Popen[bytes]:
        mark, _, value = self._mark.partition("=")
        environment = {**os.environ, mark: value}
        if path is not None:
            environment["PYTHONPATH"] = f"{path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", *shlex.split(command), *more],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
            )

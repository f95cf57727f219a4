"""A Dask cluster on this machine: a real scheduler and real workers, which run Dask's commands.

    with Forks() as forks, LocalCluster(tmp_path, forks) as cluster:
        cluster.start_workers("anna", "bert")
        Cluster(job, cluster.address, folder=...)

What the scheduler and the workers start has an environment variable that marks it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.paths import TESTS
from support.waiting import wait_until

MARK = "REFEREE_TEST_CLUSTER"
# Dask measures itself all the time, which costs CPU time even if nothing is played.
UNMEASURED = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}


class Forks:
    """A process that imports Dask once, which takes long, and runs Dask's commands in forks."""

    def __enter__(self) -> Forks:
        self._lock = threading.Lock()
        self._server = subprocess.Popen(
            [sys.executable, "-P", str(TESTS / "support" / "dask_fork_server.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **UNMEASURED},
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._server.communicate()

    def start(self, command: str, log: Path, environment: dict[str, str], first: str) -> Fork:
        """Run a command such as "dask worker ..."; the code `first` runs before it."""
        request = {
            "command": command,
            "log": str(log),
            "environment": environment,
            "first": first,
        }
        return Fork(self, self.ask(request))

    def ask(self, request: object) -> Any:
        """Return the answer of the process to a request."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        with self._lock:
            self._server.stdin.write(json.dumps(request).encode() + b"\n")
            self._server.stdin.flush()
            return json.loads(self._server.stdout.readline())


@dataclass
class Fork:
    """A running Dask command."""

    forks: Forks
    pid: int
    status: int | None = None  # after its end

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        if not self.has_ended():
            os.kill(self.pid, number)

    def has_ended(self) -> bool:
        if self.status is None:
            self.status = self.forks.ask(self.pid)
        return self.status is not None

    def wait(self) -> int | None:
        """Wait for its end, and return its exit status."""
        wait_until(self.has_ended, "the Dask command ends")
        return self.status


class LocalCluster:
    """A scheduler and its workers by name; the commands are Dask's, plus addresses and folders."""

    def __init__(
        self, folder: Path, forks: Forks, command: str = "dask scheduler --no-dashboard"
    ) -> None:
        self.folder = folder
        self.workers: dict[str, Fork] = {}
        self._forks = forks
        self._command = command
        self._mark = str(uuid.uuid4())
        self._file = folder / "scheduler.json"

    def __enter__(self) -> LocalCluster:
        place = f"--host 127.0.0.1 --port 0 --scheduler-file '{self._file}'"
        self.scheduler = self._start("scheduler", f"{self._command} {place}")
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
        wait_until(lambda: not self.started(), "all processes of the cluster end")

    def start_workers(self, *names: str, command: str | None = None, first: str = "") -> None:
        """Start workers; the code `first` runs in each of them before Dask's."""
        command = command or f"dask worker {self.address} --no-nanny --no-dashboard --nthreads 1"
        place = f"--host 127.0.0.1 --local-directory '{self.folder}'"
        for name in names:
            self.workers[name] = self._start(name, f"{command} --name '{name}' {place}", first)
        wait_until(lambda: all(map(self._is_registered, names)), "the workers register")

    def log(self, name: str) -> str:
        """Return the output of a worker or of the scheduler."""
        file = self.folder / f"{name}.log"
        return file.read_text() if file.exists() else ""

    def started(self) -> list[int]:
        """Return the processes that the scheduler and the workers have started, and so on."""
        return [int(entry.name) for entry in Path("/proc").glob("[0-9]*") if self._is_ours(entry)]

    def _is_ours(self, entry: Path) -> bool:
        try:
            environment = (entry / "environ").read_bytes()  # empty for the dead
        except OSError:
            return False
        return f"{MARK}={self._mark}".encode() in environment.split(b"\0")

    def _finds_address(self) -> bool:
        """Return whether the scheduler's file has an address; it may be half written."""
        try:
            self.address = str(json.loads(self._file.read_text())["address"])
        except (FileNotFoundError, ValueError):
            return False
        return True

    def _is_registered(self, name: str) -> bool:
        return "Registered to" in self.log(name) or self.workers[name].has_ended()

    def _start(self, name: str, command: str, first: str = "") -> Fork:
        return self._forks.start(command, self.folder / f"{name}.log", {MARK: self._mark}, first)

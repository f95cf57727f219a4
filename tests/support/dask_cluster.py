"""A Dask cluster on this machine: a real scheduler and real workers, by the commands of Dask.

    with Camp(tmp_path) as camp:
        camp.hire("anna", "bert")
        Cluster(job, camp.address, folder=...)

All that it starts carries a mark, so that whatever is left of it can be found.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

MARK = "REFEREE_TEST_CAMP"
PATIENCE_S = 60.0

IS_THERE = importlib.util.find_spec("distributed") is not None
if os.environ.get("REFEREE_NEED_CLUSTER") == "1" and not IS_THERE:
    raise pytest.UsageError("REFEREE_NEED_CLUSTER is set, and Dask (distributed) is not installed")
needs_dask = pytest.mark.skipif(not IS_THERE, reason="Dask (distributed) is not installed")


def until(is_so: Callable[[], object], what: str) -> None:
    """Wait for something that must come soon."""
    give_up = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < give_up, f"{what}: not within {PATIENCE_S:.0f} s"
        time.sleep(0.05)


class Camp:
    """A scheduler, and workers by name. Commands are Dask's own; where all is, we add."""

    def __init__(self, folder: Path, command: str = "dask scheduler --no-dashboard") -> None:
        self.folder = folder
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self._command = command
        self._mark = f"{MARK}={uuid.uuid4()}"
        self._file = folder / "scheduler.json"

    def __enter__(self) -> Camp:
        place = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self._file))
        self.scheduler = self._start("scheduler", self._command, *place)
        try:
            until(self._finds_address, "the scheduler answers")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers.values(), self.scheduler):
            process.kill()
            process.wait()
        until(lambda: not self.running(), "nothing of the camp is left running")

    def hire(self, *names: str, command: str | None = None, path: Path | None = None) -> None:
        """Start workers; `path` is where their Python looks for modules first."""
        usual = f"dask worker {self.address} --no-nanny --no-dashboard --nthreads 1"
        place = ("--host", "127.0.0.1", "--local-directory", str(self.folder))
        for name in names:
            words = ("--name", name, *place)
            self.workers[name] = self._start(name, command or usual, *words, path=path)
        until(lambda: all(map(self._has_come, names)), "the workers come")

    def log(self, name: str) -> str:
        """What a worker or the scheduler has said."""
        return (self.folder / f"{name}.log").read_text()

    def beyond_dask(self) -> list[int]:
        """Processes of ours that are neither the scheduler nor a worker of Dask's."""
        dask = {self.scheduler.pid, *(worker.pid for worker in self.workers.values())}
        return [pid for pid in self.running() if pid not in dask]

    def running(self) -> list[int]:
        """All processes that began here, or in what began here."""
        return [int(entry.name) for entry in Path("/proc").glob("[0-9]*") if self._is_ours(entry)]

    def _is_ours(self, entry: Path) -> bool:
        try:
            environment = (entry / "environ").read_bytes()  # empty for the dead
        except OSError:
            return False
        return self._mark.encode() in environment.split(b"\0")

    def _finds_address(self) -> bool:
        """Whether the scheduler has said where it is; Dask writes the file while others look."""
        try:
            self.address = str(json.loads(self._file.read_text())["address"])
        except (FileNotFoundError, ValueError):
            return False
        return True

    def _has_come(self, name: str) -> bool:
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

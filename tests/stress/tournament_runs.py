"""Runs of real tournaments and tunings that play the same games, to finish or to disturb."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import Final

from referee.system import SECRET_VARIABLE, descendants, has_process_files, is_running
from referee.tournament.results import BlockResult
from referee.tournament.store import Store
from stress.program import StressRefused

ENVIRONMENT: Final = {**os.environ, SECRET_VARIABLE: "5a" * 16}  # the same games in all tournaments
MOST_SECONDS: Final = 600.0


def finish(
    words: Sequence[str], command: str = "tournament", most_seconds: float = MOST_SECONDS
) -> float:
    """Run a command with these arguments to its end; return the seconds that it took."""
    began = time.monotonic()
    line = _command(words, command)
    with Popen(line, env=ENVIRONMENT, stdout=DEVNULL, stderr=PIPE, text=True) as process:
        _, errors = process.communicate(timeout=most_seconds)
    if process.returncode:
        raise StressRefused(f"a {command} could not be played: {errors.strip()}")
    return time.monotonic() - began


def disturb(
    words: Sequence[str],
    seconds: float,
    how: int = signal.SIGKILL,
    *,
    command: str = "tournament",
) -> int:
    """Start or resume a tournament or a tuning, and end it after some seconds; count the processes left.

    SIGKILL kills all its processes at once. Another signal goes to the referee only, which then has
    time to finish the running blocks.
    """
    if not has_process_files():
        raise StressRefused("processes are found in /proc, which this system does not have")
    with _running(_command(words, command)) as (child, tree), suppress(TimeoutExpired):
        child.wait(seconds)
        if how != signal.SIGKILL:
            child.send_signal(how)
            child.wait(MOST_SECONDS)
    return sum(_outlives(pid) for pid in tree)


def results_of(folder: Path) -> list[BlockResult]:
    """Return the results of a tournament."""
    with Store.read(folder) as store:
        return list(store.results())


def _command(words: Sequence[str], command: str) -> list[str]:
    return [sys.executable, "-P", "-m", "referee", command, *words]


@contextmanager
def _running(command: Sequence[str]) -> Iterator[tuple[Popen[bytes], list[int]]]:
    """Run a tournament and kill it at the end of the block, also at Ctrl-C.

    Yield its process and a list, which gets all its descendants at the end.
    """
    child = Popen(command, env=ENVIRONMENT, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)
    tree: list[int] = []
    try:
        yield child, tree
    finally:
        tree += descendants(child.pid)
        for pid in (child.pid, *tree):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        child.wait()


def _outlives(pid: int, seconds: float = 2.0) -> bool:
    """Whether a killed process still runs after this many seconds."""
    end = time.monotonic() + seconds
    while is_running(pid):
        if time.monotonic() > end:
            return True
        time.sleep(0.01)
    return False

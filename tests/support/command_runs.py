"""The referee's own command in a process of its own, with quick bots, for runs that go wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.tournament.results import BlockResult
from referee.tournament.store import Store
from support.paths import TROUBLE

PLAIN = f"plain={sys.executable} -I -S {TROUBLE} plain"
BLOCKS = 6
PATIENCE_S = 60.0


def words(folder: Path, *more: object) -> list[str]:
    """A tournament of three bots that always plays the same games."""
    usual = (
        PLAIN, PLAIN, PLAIN, "--max-turns", 6, "--seed", 7, "--workers", 1, "--blocks", BLOCKS,
        "--quiet", "--sandbox", "off", "--out", folder,
    )  # fmt: skip
    return ["tournament", *map(str, usual), *map(str, more)]


def referee(
    *arguments: object, limit: Callable[[], None] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; `limit` is called in the new process before it."""
    return subprocess.run(
        [sys.executable, "-m", "referee", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        preexec_fn=limit,
        env={**os.environ, "COLUMNS": "200"},
        **options,
    )


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What a refused command says: one sentence, after the way to go on."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    *before, last = done.stderr.splitlines()
    assert all(line.startswith("To go on with it:") for line in before), before
    return last.removeprefix("referee: ")


def results(folder: Path) -> list[BlockResult]:
    """What a store has, in the order of the blocks' names."""
    with Store.read(folder) as store:
        return sorted(store.results())


def undisturbed(folder: Path) -> list[BlockResult]:
    """The same tournament, when nothing goes wrong."""
    done = referee(*words(folder))
    assert done.returncode == 0, done.stderr
    return results(folder)


def until(is_so: Callable[[], object], what: str) -> None:
    """Wait for something that comes soon."""
    give_up = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < give_up, what
        time.sleep(0.01)

"""The command `referee` in a process of its own or in this one, for tests of runs that fail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.system import SECRET_VARIABLE
from referee.tournament.results import BlockResult
from referee.tournament.store import Store
from support import forks, paths
from support.paths import REFEREE, TROUBLE

PLAIN = f"plain={sys.executable} -I -S {paths.PLAIN}"
BLOCKS = 6
SECRET = "c0ffee" * 8


def trouble(kind: str) -> str:
    """Return the words for a bot that makes this kind of trouble, and has its name."""
    return PLAIN if kind == "plain" else f"{kind}={sys.executable} -I -S {TROUBLE} {kind}"


def tournament_arguments(folder: Path, *more: object) -> list[str]:
    """Return the arguments of a tournament of three bots that always plays the same games."""
    arguments = (
        PLAIN, PLAIN, PLAIN, "--max-turns", 6, "--seed", 7, "--workers", 1, "--blocks", BLOCKS,
        "--quiet", "--sandbox", "off", "--out", folder,
    )  # fmt: skip
    return ["tournament", *map(str, arguments), *map(str, more)]


def referee(
    *arguments: object, limit: Callable[[], None] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in a process of its own, which calls `limit` first."""
    command = [*REFEREE, *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "200", SECRET_VARIABLE: SECRET}
    return forks.run(command, limit=limit, env=environment, **options)


def referee_here(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in this process, which is faster; it must be in charge of its children."""
    words = list(map(str, arguments))
    done = CliRunner().invoke(main, words, env={"COLUMNS": "1000", SECRET_VARIABLE: SECRET})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


@contextmanager
def interrupted(monkeypatch: pytest.MonkeyPatch, display: type) -> Iterator[None]:
    """Inside the block, Ctrl-C is pressed when a run in this process first shows its progress."""
    show: Callable[..., None] = display.progressed  # type: ignore[attr-defined]
    pressed: list[int] = []

    def progressed(*arguments: Any) -> None:
        if not pressed:
            pressed.append(signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
        show(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(display, "progressed", progressed)
        yield
    assert pressed


def error_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """Return the error message of a refused command: its last line on stderr."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    *before, last = done.stderr.splitlines()
    assert all(line.startswith("To continue it:") for line in before), before
    return last.removeprefix("referee: ")


def results(folder: Path) -> list[BlockResult]:
    """Return the results in a store, sorted by block."""
    with Store.read(folder) as store:
        return sorted(store.results())


def play_undisturbed(folder: Path) -> list[BlockResult]:
    """Play the same tournament without a failure, and return its results."""
    done = referee_here(*tournament_arguments(folder))
    assert done.returncode == 0, done.stderr
    return results(folder)

"""Processes of the referee as forks of this one, which has imported everything already.

A process that starts Python and imports the referee takes ten times as long to start. A fork runs
the same module as `__main__`, with its own streams, arguments and environment:

    Fork([*REFEREE, "tournament", ...], stdout=subprocess.PIPE)

A test about the start itself, about memory or with other settings of Python (except
PYTHONIOENCODING) needs a process of its own: `subprocess.Popen`.
"""

from __future__ import annotations

import gc
import importlib
import os
import runpy
import signal
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from referee.bots.reaper import REAPER, Reaper
from referee.tournament.workers import pool, worker
from support.paths import REFEREE
from support.waiting import PATIENCE_S

WORKER = (*REFEREE[:-1], worker.__name__)
MODULES: dict[tuple[str, ...], str] = {REFEREE: "referee", WORKER: worker.__name__}
_take_charge = Reaper.take_charge  # some tests replace it in the test process


class Fork(subprocess.Popen[Any]):
    """A process of `referee` or of one of its workers; it calls `limit` before it begins."""

    def __init__(
        self, command: Sequence[str], limit: Callable[[], None] | None = None, **options: Any
    ) -> None:
        size = len(REFEREE)
        module, arguments = MODULES[tuple(command[:size])], command[size:]
        importlib.import_module("referee.cli")
        environment = options.get("env")

        def run() -> NoReturn:
            _run(module, arguments, os.environ if environment is None else environment, limit)

        with warnings.catch_warnings():  # the other threads of a test process are those of xdist
            warnings.filterwarnings("ignore", ".*multi-threaded", DeprecationWarning)
            super().__init__(command, preexec_fn=run, **options)


def run(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end in a fork, and return its status and its output, which is text."""
    defaults = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with Fork(command, **{**defaults, **options}) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


@contextmanager
def forked_workers() -> Iterator[None]:
    """Inside the block, the workers of all tournaments are forks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "subprocess", SimpleNamespace(Popen=Fork, PIPE=subprocess.PIPE))
        yield


def _run(
    module: str,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    limit: Callable[[], None] | None,
) -> NoReturn:
    """Run a module as `python -m` does, and end with its exit status."""
    status: object = 1
    try:
        _clean_up(environment)
        if limit is not None:
            limit()
        sys.argv = [module, *arguments]
        sys.modules.pop(module if module != "referee" else "referee.__main__", None)
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        status = end.code
    except BaseException:  # noqa: BLE001  what Python prints before it ends
        traceback.print_exc()
    finally:
        os._exit(_end(status))


def _clean_up(environment: Mapping[str, str]) -> None:
    """Undo what belongs to the test process: its files, settings and children."""
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # also tells Popen that the process has started
    encoding = environment.get("PYTHONIOENCODING")
    new = {key for key, value in environment.items() if os.environ.get(key) != value}
    python = {key for key in new if key.startswith("PYTHON")} - {"PYTHONIOENCODING"}
    assert not python, "a fork cannot change settings of Python"
    os.environ.clear()
    os.environ.update(environment)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # as Python does; Popen undoes it
        signal.signal(ignored, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdin = sys.__stdin__ = _stream(0, "r", encoding)  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _stream(1, "w", encoding)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, "w", encoding)  # type: ignore[misc]
    Reaper.take_charge = _take_charge  # type: ignore[method-assign]
    REAPER.__init__()  # type: ignore[misc]  # its bots are those of the test process
    gc.freeze()  # nothing of the test process is ever finalized here
    gc.enable()


def _stream(descriptor: int, mode: str, encoding: str | None) -> Any:
    errors = "backslashreplace" if descriptor == 2 else "strict"
    buffering = 1 if descriptor == 2 or os.isatty(descriptor) else -1
    return open(descriptor, mode, buffering, encoding, errors, closefd=False)


def _end(status: object) -> int:
    """Wait for the threads and write what is left, as Python does at its end."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    try:
        sys.stdout.flush()
    except OSError:
        traceback.print_exc()
        return 120
    if status is None:
        return 0
    return status & 0xFF if isinstance(status, int) else 1

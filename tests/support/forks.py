"""Processes of the referee as forks of this one, which has imported everything already.

A process that starts Python and imports the referee takes ten times as long to start. A fork runs
the same module as `__main__`, with its own streams, arguments and environment:

    Fork([*REFEREE, "tournament", ...], stdout=subprocess.PIPE)

What a command imports is imported in this process first, so that the next fork has it already.
A test about the start itself, about memory or with other settings of Python (except those in ALLOWED)
needs a process of its own: `subprocess.Popen`.
"""

from __future__ import annotations

import gc
import importlib
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn

import click
import pytest

from referee.bots.reaper import REAPER, Reaper
from referee.cli import main
from referee.web.live import process as server_process
from support.waiting import PATIENCE_S

SERVER_IMPORTS = ("uvicorn", *(f"referee.web.live.{name}" for name in ("app", "parts", "security")))
_take_charge = Reaper.take_charge  # some tests replace it in the test process

# Settings of Python that a fork may change; the last two say only where bytecode is kept.
ALLOWED = {"PYTHONIOENCODING", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}


class Fork(subprocess.Popen[Any]):
    """A process of `python -m MODULE ...`; it calls `limit` before it begins."""

    def __init__(
        self, command: Sequence[str], limit: Callable[[], None] | None = None, **options: Any
    ) -> None:
        words = command.index("-m") + 1
        module, arguments = command[words], command[words + 1 :]
        if module == "referee" and arguments:
            main.get_command(click.Context(main), arguments[0])  # imports it
        environment = options.get("env")
        kept = options.get("pass_fds", ())

        def run() -> NoReturn:
            _close_files(kept)
            _run(module, arguments, os.environ if environment is None else environment, limit)

        with warnings.catch_warnings():  # the other threads of a test process are those of xdist
            warnings.filterwarnings("ignore", ".*multi-threaded", DeprecationWarning)
            super().__init__(command, preexec_fn=run, **options)


FORKING = SimpleNamespace(**{**vars(subprocess), "Popen": Fork})


def run(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end in a fork, and return its status and its output, which is text."""
    defaults = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with Fork(command, **{**defaults, **options}) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


@contextmanager
def forked(*modules: ModuleType) -> Iterator[None]:
    """Inside the block, the processes that these modules start are forks."""
    with pytest.MonkeyPatch.context() as patch:
        for module in modules:
            patch.setattr(module, "subprocess", FORKING)
        yield


@contextmanager
def forked_servers() -> Iterator[None]:
    """Inside the block, the servers of this process and of its forks are forks.

    A process with an open store must not fork: SQLite would wait for itself.
    """
    for name in SERVER_IMPORTS:
        importlib.import_module(name)
    with forked(server_process):
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


def _close_files(kept: Sequence[int]) -> None:
    """Close the files of the test process, which also tells Popen that the process has started."""
    first = 3
    for descriptor in sorted(kept):
        os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def _clean_up(environment: Mapping[str, str]) -> None:
    """Undo what belongs to the test process: its settings and children."""
    encoding = environment.get("PYTHONIOENCODING")
    new = {key for key, value in environment.items() if os.environ.get(key) != value}
    python = {key for key in new if key.startswith("PYTHON")} - ALLOWED
    assert not python, "a fork cannot change settings of Python"
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # the environment may name another folder
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

"""Imports Dask once, and runs its commands in forks: a program for `dask_cluster.Forks`.

Reads a request per line from stdin and answers each with a line on stdout. Its forks die with it.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import shlex
import signal
import sys

import click

PR_SET_PDEATHSIG = 1
COMMANDS = {
    name: importlib.import_module(f"distributed.cli.dask_{name}").main
    for name in ("scheduler", "worker")
}
for module in ("bundle", "pool"):  # what the plugin of the referee imports
    importlib.import_module(f"referee.tournament.workers.{module}")


def start(command: str, log: str, environment: dict[str, str], first: str) -> int:
    """Run a command such as "dask worker ..." in a fork, after the code `first`; return its id."""
    if pid := os.fork():
        return pid
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        _redirect(log)
        os.environ.update(environment)
        exec(first, {})
        _run(*shlex.split(command))
    finally:
        os._exit(1)


def _redirect(log: str) -> None:
    for file, descriptor, flags in (
        (os.devnull, 0, os.O_RDONLY),
        (log, 1, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        (log, 2, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
    ):
        opened = os.open(file, flags, 0o644)
        os.dup2(opened, descriptor)
        os.close(opened)


def _run(dask: str, name: str, *arguments: str) -> None:
    """Run the command as Dask's command line does, and end with its exit status."""
    status: object = 1
    command: click.Command = COMMANDS[name]
    try:
        command.main(arguments, f"{dask} {name}")
    except SystemExit as end:
        status = end.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 1)


def status_of(pid: int) -> int | None:
    """Return the exit status of a fork, or None while it runs; ask no more after an exit status."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        answer = status_of(request) if isinstance(request, int) else start(**request)
        print(json.dumps(answer), flush=True)  # noqa: T201  the answer


if __name__ == "__main__":
    main()

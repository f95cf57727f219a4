"""Worker processes on this machine, one per core, each with its bots on that core."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, BinaryIO, NamedTuple, Protocol, TypeAlias

from referee.bots.reaper import REAPER
from referee.errors import WorkerRefused
from referee.system import usable_cores
from referee.tournament.results import Block
from referee.tournament.workers import messages
from referee.tournament.workers.messages import Job, Playing, WorkerMessage

_CHUNK_BYTES = 1 << 16
_TAIL_BYTES = 2000


class Lost(NamedTuple):
    """A worker ended before its block did."""

    block: Block
    message: str


WorkerEvent: TypeAlias = WorkerMessage | Lost


class Workers(Protocol):
    """Anything that plays blocks: processes on this machine, this process, or a cluster."""

    @property
    def slots(self) -> int:
        """The number of blocks that can be played at once."""

    @property
    def free(self) -> int:
        """The number of blocks that can be submitted now."""

    def submit(self, block: Block) -> None:
        """Start playing a block; there must be a free slot."""

    def wait(self, seconds: float) -> list[WorkerEvent]:
        """Return the next events, or none after this time."""

    def statuses(self) -> Sequence[messages.WorkerStatus]:
        """Return the current game of each worker."""

    def close(self) -> None:
        """End all workers after their last block."""

    def kill(self) -> None:
        """End all workers now; running blocks are lost."""


@dataclass
class _Process:
    """One worker process and what it is doing."""

    number: int
    process: subprocess.Popen[bytes]
    log: BinaryIO
    block: Block | None = None
    game: Playing | None = None
    unread: bytearray = field(default_factory=bytearray)


class Pool:
    """Up to this many worker processes, which start with their first blocks.

    If a process ends, its block is reported as lost, and the next block starts another process.
    Raises WorkerRefused if a process cannot be started.
    """

    def __init__(self, job: Job, workers: int) -> None:
        self._job = messages.encode(job) + b"\n"
        self._cores = usable_cores()
        self._workers = workers
        self._processes: list[_Process] = []
        with _start_errors():
            self._selector = selectors.DefaultSelector()

    @property
    def slots(self) -> int:
        """The number of blocks that can be played at once."""
        return self._workers

    @property
    def free(self) -> int:
        """The number of blocks that can be submitted now."""
        return self._workers - sum(worker.block is not None for worker in self._processes)

    def submit(self, block: Block) -> None:
        """Send a block to an idle worker; start a worker if none is idle."""
        idle = (worker for worker in self._processes if worker.block is None)
        worker = next(idle, None) or self._start()
        worker.block = block
        self._send(worker, messages.encode(block) + b"\n")

    def wait(self, seconds: float) -> list[WorkerEvent]:
        """Return the next events of the workers, or none after this time."""
        events: list[WorkerEvent] = []
        for key, _ in self._selector.select(seconds):
            events += self._receive(key.data)
        return events

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.process.pid for worker in self._processes]

    def statuses(self) -> Sequence[messages.WorkerStatus]:
        """Return the current game of each worker that runs."""
        return [
            messages.WorkerStatus(f"worker {worker.number + 1}", worker.game)
            for worker in sorted(self._processes, key=lambda worker: worker.number)
        ]

    def close(self) -> None:
        """Wait until each worker has finished its block, and end them."""
        for worker in self._processes:
            _close(worker.process.stdin)
        for worker in self._processes:
            worker.process.wait()
        self.kill()

    def kill(self) -> None:
        """End all workers now; their bots end with them."""
        for worker in self._processes:
            self._end(worker)
        self._processes = []
        self._selector.close()

    def _start(self) -> _Process:
        number = min(set(range(self._workers)) - {worker.number for worker in self._processes})
        core = [str(self._cores[number % len(self._cores)])] if self._cores else []
        try:
            with _start_errors():
                process, log = _start_worker(core)
        except WorkerRefused:
            self.kill()
            raise
        REAPER.enter(process.pid)
        worker = _Process(number, process, log)
        self._processes.append(worker)
        assert process.stdout is not None
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)
        self._send(worker, self._job)
        return worker

    def _send(self, worker: _Process, line: bytes) -> None:
        assert worker.process.stdin is not None
        try:
            while line:
                line = line[worker.process.stdin.write(line) or 0 :]
        except BrokenPipeError:
            pass  # it has ended, which `wait` reports

    def _receive(self, worker: _Process) -> list[WorkerEvent]:
        assert worker.process.stdout is not None
        data = os.read(worker.process.stdout.fileno(), _CHUNK_BYTES)
        if not data:
            return self._remove(worker)
        worker.unread += data
        *lines, rest = worker.unread.split(b"\n")
        worker.unread = rest
        return [self._note(worker, messages.decode_message(line)) for line in lines]

    @staticmethod
    def _note(worker: _Process, message: WorkerMessage) -> WorkerMessage:
        if isinstance(message, Playing):
            worker.game = message
        else:
            worker.block = worker.game = None
        return message

    def _remove(self, worker: _Process) -> list[WorkerEvent]:
        """Report the block of a worker that has ended as lost."""
        status = worker.process.wait()
        how = f"exit status {status}" if status >= 0 else f"signal {-status}"
        block, tail = worker.block, _tail(worker.log)
        self._processes.remove(worker)
        self._end(worker)
        if block is None:
            return []
        return [Lost(block, f"a worker ended with {how}{tail}")]

    def _end(self, worker: _Process) -> None:
        assert worker.process.stdout is not None
        self._selector.unregister(worker.process.stdout)
        _close(worker.process.stdin)
        REAPER.end(worker.process.pid)
        worker.process.wait()
        worker.process.stdout.close()
        worker.log.close()


@contextmanager
def _start_errors() -> Iterator[None]:
    """Raise WorkerRefused for an error of the system, such as too many processes."""
    try:
        yield
    except OSError as error:
        raise WorkerRefused(f"a worker cannot be started: {error.strerror}") from error


def _start_worker(arguments: Sequence[str]) -> tuple[subprocess.Popen[bytes], BinaryIO]:
    """Start a worker; return its process and the file of its stderr."""
    with ExitStack() as stack:
        log = stack.enter_context(tempfile.TemporaryFile())
        process = subprocess.Popen(  # noqa: S603  our own module
            # -P: no modules from the current folder, which may contain bots of strangers.
            [sys.executable, "-P", "-m", "referee.tournament.workers.worker", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is handled by the parent only
        )
        stack.pop_all()  # the file stays open as long as the worker runs
    return process, log


def _close(pipe: IO[bytes] | None) -> None:
    assert pipe is not None
    with suppress(BrokenPipeError):
        pipe.close()


def _tail(log: BinaryIO) -> str:
    """Return the last part of a worker's stderr."""
    log.seek(0, os.SEEK_END)
    log.seek(max(0, log.tell() - _TAIL_BYTES))
    text = log.read().decode(errors="replace").strip()
    return f":\n{text}" if text else ""

"""Workers on this machine: one process a core, each with its bots on that core."""

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
from referee.errors import RefereeError
from referee.system import usable_cores
from referee.tournament.results import Block
from referee.tournament.workers import messages as jobs
from referee.tournament.workers.messages import Job, Playing, WorkerMessage

_CHUNK = 1 << 16
_TAIL = 2000


class Lost(NamedTuple):
    """A worker ended before its block did."""

    block: Block
    message: str


WorkerEvent: TypeAlias = WorkerMessage | Lost


class WorkerRefused(RefereeError):
    """A worker that cannot be started."""


class Workers(Protocol):
    """Whoever plays blocks: processes here, or machines elsewhere."""

    @property
    def slots(self) -> int:
        """How many blocks are played at once."""

    @property
    def free(self) -> int:
        """How many more can be taken now."""

    def submit(self, block: Block) -> None:
        """Have a block played."""

    def wait(self, seconds: float) -> list[WorkerEvent]:
        """What has happened, or nothing after this time."""

    def statuses(self) -> Sequence[jobs.WorkerStatus]:
        """What everybody does now."""

    def close(self) -> None:
        """All is played: end everybody in good order."""

    def kill(self) -> None:
        """End everybody now."""


@dataclass
class _Hand:
    """One worker process."""

    number: int
    process: subprocess.Popen[bytes]
    log: BinaryIO
    block: Block | None = None
    game: Playing | None = None
    unread: bytearray = field(default_factory=bytearray)


class Pool:
    """A fixed number of workers; one that ends is replaced, and its block is told as lost."""

    def __init__(self, job: Job, workers: int) -> None:
        self._job = jobs.encode(job) + b"\n"
        self._cores = usable_cores()
        self._hands: list[_Hand] = []
        with _told():
            self._selector = selectors.DefaultSelector()
        for number in range(workers):
            self._hands.append(self._hire(number))

    @property
    def slots(self) -> int:
        """How many blocks are played at once."""
        return len(self._hands)

    @property
    def free(self) -> int:
        """How many more can be taken now."""
        return sum(hand.block is None for hand in self._hands)

    def submit(self, block: Block) -> None:
        """Hand a block to a worker that has none."""
        hand = next(hand for hand in self._hands if hand.block is None)
        hand.block = block
        self._say(hand, jobs.encode(block) + b"\n")

    def wait(self, seconds: float) -> list[WorkerEvent]:
        """What the workers tell, or nothing after this time."""
        news: list[WorkerEvent] = []
        for key, _ in self._selector.select(seconds):
            news += self._hear(key.data)
        return news

    def pids(self) -> list[int]:
        """The processes of the workers."""
        return [hand.process.pid for hand in self._hands]

    def statuses(self) -> Sequence[jobs.WorkerStatus]:
        """What everybody does now."""
        return [jobs.WorkerStatus(f"worker {hand.number + 1}", hand.game) for hand in self._hands]

    def close(self) -> None:
        """The end of their input lets them go; a worker in mid-block plays it to its end first."""
        for hand in self._hands:
            _close(hand.process.stdin)
        for hand in self._hands:
            hand.process.wait()
        self.kill()

    def kill(self) -> None:
        """End everybody now; their bots end with them."""
        for hand in self._hands:
            self._end(hand)
        self._hands = []
        self._selector.close()

    def _hire(self, number: int) -> _Hand:
        core = [str(self._cores[number % len(self._cores)])] if self._cores else []
        try:
            with _told():
                process, log = _start_worker(core)
        except WorkerRefused:
            self.kill()
            raise
        REAPER.enter(process.pid)
        hand = _Hand(number, process, log)
        assert process.stdout is not None
        self._selector.register(process.stdout, selectors.EVENT_READ, hand)
        self._say(hand, self._job)
        return hand

    def _say(self, hand: _Hand, line: bytes) -> None:
        assert hand.process.stdin is not None
        try:
            while line:
                line = line[hand.process.stdin.write(line) or 0 :]
        except BrokenPipeError:
            pass  # it has ended, as we shall hear

    def _hear(self, hand: _Hand) -> list[WorkerEvent]:
        assert hand.process.stdout is not None
        data = os.read(hand.process.stdout.fileno(), _CHUNK)
        if not data:
            return self._replace(hand)
        hand.unread += data
        *lines, rest = hand.unread.split(b"\n")
        hand.unread = rest
        return [self._note(hand, jobs.decode_message(line)) for line in lines]

    @staticmethod
    def _note(hand: _Hand, told: WorkerMessage) -> WorkerMessage:
        if isinstance(told, Playing):
            hand.game = told
        else:
            hand.block = hand.game = None
        return told

    def _replace(self, hand: _Hand) -> list[WorkerEvent]:
        """A new worker for one that has ended."""
        status = hand.process.wait()
        how = f"exit status {status}" if status >= 0 else f"signal {-status}"
        block, tail = hand.block, _tail(hand.log)
        self._hands.remove(hand)
        self._end(hand)
        self._hands.insert(hand.number, self._hire(hand.number))
        if block is None:
            return []
        return [Lost(block, f"a worker ended with {how}{tail}")]

    def _end(self, hand: _Hand) -> None:
        assert hand.process.stdout is not None
        self._selector.unregister(hand.process.stdout)
        _close(hand.process.stdin)
        REAPER.end(hand.process.pid)
        hand.process.wait()
        hand.process.stdout.close()
        hand.log.close()


@contextmanager
def _told() -> Iterator[None]:
    """What the system refuses, as files or processes when there are too many, as a sentence."""
    try:
        yield
    except OSError as error:
        raise WorkerRefused(f"a worker cannot be started: {error.strerror}") from error


def _start_worker(words: Sequence[str]) -> tuple[subprocess.Popen[bytes], BinaryIO]:
    """A worker, and the file for what it may say of its own end."""
    with ExitStack() as stack:
        log = stack.enter_context(tempfile.TemporaryFile())
        process = subprocess.Popen(  # noqa: S603  our own module
            # The present folder is no place for modules (-P): bots of strangers may lie there.
            [sys.executable, "-P", "-m", "referee.tournament.workers.worker", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for us alone
        )
        stack.pop_all()  # it stays open as long as the worker is there
    return process, log


def _close(pipe: IO[bytes] | None) -> None:
    assert pipe is not None
    with suppress(BrokenPipeError):
        pipe.close()


def _tail(log: BinaryIO) -> str:
    """The end of what a worker said of its own end."""
    log.seek(0, os.SEEK_END)
    log.seek(max(0, log.tell() - _TAIL))
    said = log.read().decode(errors="replace").strip()
    return f":\n{said}" if said else ""

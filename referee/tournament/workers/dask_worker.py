"""The plugin that plays blocks of a tournament inside a Dask worker."""

from __future__ import annotations

import asyncio
import random
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple, TypeAlias

import msgspec
from distributed import Worker, WorkerPlugin, get_worker

import referee
from referee.engine.ruleset import RULES_VERSION
from referee.errors import RefereeError, VersionRefused
from referee.system import pin, usable_cores
from referee.tournament.results import Block
from referee.tournament.workers import bundle as bundles
from referee.tournament.workers import messages
from referee.tournament.workers.messages import BlockFailed, Job, Playing
from referee.tournament.workers.pool import Lost, Pool

CACHE: Final = "referee-bots"  # beside the folders of the Dask workers, which share it
IDLE_S: Final = 60.0  # then an idle process and its bots end; the next block starts new ones
POLL_S: Final = 0.1  # seconds between checks of the stop flag

# A Played or a Failed message, and records by name.
PackedResult: TypeAlias = tuple[bytes, dict[str, bytes]]
Report: TypeAlias = Callable[[Playing], None]


class BlockBroken(Exception):
    """The process that played a block ended before the block did."""


class Versions(NamedTuple):
    """The versions that must be the same on all machines of a tournament."""

    referee: str
    rules: int


OWN_VERSIONS: Final = Versions(referee.__version__, RULES_VERSION)


def play_block(tournament: str, block: bytes) -> PackedResult:
    """Play a block on this Dask worker; this is the task that Dask runs."""
    worker = get_worker()
    name = str(worker.name).rpartition("://")[2]  # a worker without a name is named by its address

    def report(game: Playing) -> None:
        worker.log_event(tournament, [name, messages.encode(game)])

    plugin: DaskPlugin = worker.plugins[tournament]
    return plugin.play(messages.decode_block(block), report)


def unpickle_plugin(versions: tuple[str, int], bundle: bytes) -> DaskPlugin:
    """Make the plugin on the machine that received it; VersionRefused for another referee there.

    A Dask worker that joins later and raises this error does not start.
    """
    wanted = Versions(*versions)
    if wanted != OWN_VERSIONS:
        raise VersionRefused(
            f"{socket.gethostname()} has referee {OWN_VERSIONS.referee} with version {OWN_VERSIONS.rules} of the"
            f" rules, and the tournament is played by referee {wanted.referee} with version"
            f" {wanted.rules}: install the same on all machines"
        )
    return DaskPlugin(bundle)


class DaskPlugin(WorkerPlugin):  # type: ignore[misc]  # Dask need not be installed
    """Holds the job bundle of a tournament, and a runner for each block that is played at once."""

    def __init__(self, bundle: bytes) -> None:
        self._bundle = bundle
        self._lock = threading.Lock()
        self._job: Job | None = None
        self._runners: list[BlockRunner] = []
        self._free: list[BlockRunner] = []
        self._is_over = False

    def __reduce__(self) -> tuple[Callable[..., DaskPlugin], tuple[tuple[str, int], bytes]]:
        return unpickle_plugin, ((OWN_VERSIONS.referee, OWN_VERSIONS.rules), self._bundle)

    def setup(self, worker: Worker) -> None:
        """Note the scratch folder; the first block unpacks the bots, because that may take long."""
        self._scratch = Path(worker.local_directory)

    async def teardown(self, worker: Worker) -> None:  # noqa: ARG002  Dask's signature
        """End all processes, because the tournament or the Dask worker ends."""
        self._is_over = True
        await asyncio.gather(*(asyncio.to_thread(runner.close) for runner in self._runners))

    def play(self, block: Block, report: Report) -> PackedResult:
        """Play a block; all threads of the Dask worker may call this at once."""
        try:
            runner = self._take()
        except RefereeError as error:
            return messages.encode(BlockFailed(block.id, str(error))), {}
        try:
            return runner.play(block, report)
        finally:
            self._free.append(runner)

    def _take(self) -> BlockRunner:
        """Return the runner that became free last, because its bots still run, or a new one."""
        with self._lock:
            if self._is_over:
                raise BlockBroken(_OVER)
            if self._job is None:
                cache = self._scratch.parent / CACHE
                self._job = bundles.unpack(bundles.decode(self._bundle), cache)
            if self._free:
                return self._free.pop()
            self._runners.append(BlockRunner(self._job, self._scratch))
            return self._runners[-1]


class BlockRunner:
    """A thread and a worker process, both on the same core, that play one block at a time.

    The thread lives as long as the process: a process that asked to die with its parent dies with
    the thread that started it.
    """

    def __init__(self, job: Job, scratch: Path) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="referee-", dir=scratch))
        self._job = msgspec.structs.replace(
            job,
            records=None if job.records is None else str(self._folder / "records"),
            stderr=str(self._folder / "stderr"),
        )
        self._pool: Pool | None = None
        self._requests: SimpleQueue[tuple[Block, Report, Future[PackedResult]] | None] = (
            SimpleQueue()
        )
        self._lock = threading.Lock()
        self._is_over = False
        self._thread = threading.Thread(
            target=self._serve, name="referee-block-runner", daemon=True
        )
        self._thread.start()

    def play(self, block: Block, report: Report) -> PackedResult:
        """Play a block, and return its result; BlockBroken if the process ends before the block."""
        answer: Future[PackedResult] = Future()
        with self._lock:
            if self._is_over:
                raise BlockBroken(_OVER)
            self._requests.put((block, report, answer))
        return answer.result()

    def close(self) -> None:
        """End the process; a block that it is playing is lost."""
        with self._lock:
            self._is_over = True
            self._requests.put(None)
        self._thread.join()

    def _serve(self) -> None:
        with _pinned_to_core():
            while self._serve_one():
                pass
            self._end_pool()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _serve_one(self) -> bool:
        """Play the next block, or end an idle process; return False after the last block."""
        try:
            request = self._requests.get(timeout=IDLE_S if self._pool else None)
        except Empty:
            self._end_pool()
            return True
        if request is None:
            return False
        block, report, answer = request
        try:
            answer.set_result(self._play(block, report))
        except Exception as error:  # noqa: BLE001  the waiting thread raises it
            answer.set_exception(error)
        return True

    def _play(self, block: Block, report: Report) -> PackedResult:
        self._pool = pool = self._pool or Pool(self._job, 1)
        pool.submit(block)
        while not self._is_over:
            for event in pool.wait(POLL_S):
                if isinstance(event, Lost):
                    raise BlockBroken(event.message)
                if not isinstance(event, Playing):
                    return messages.encode(event), self._collect(block)
                report(event)
        raise BlockBroken(_OVER)

    def _collect(self, block: Block) -> dict[str, bytes]:
        """Return the records of a block, and remove them here."""
        folder = self._folder / "records" / block.id
        records = {path.name: path.read_bytes() for path in sorted(folder.glob("*"))}
        shutil.rmtree(folder, ignore_errors=True)
        return records

    def _end_pool(self) -> None:
        if self._pool is not None:
            if self._pool.free:
                self._pool.close()
            self._pool.kill()
            self._pool = None


_OVER: Final = "the tournament or its Dask worker was asked to end"
# The name of a socket without a file: the system frees it when the process ends.
_CLAIM: Final = "\0hansa-teutonica-referee/core/"


@contextmanager
def _pinned_to_core() -> Iterator[None]:
    """Pin this thread and its child processes to a core; if possible, one without another runner."""
    cores = usable_cores()
    for core in cores:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as claim:
            try:
                claim.bind(f"{_CLAIM}{core}")
            except OSError:
                continue
            pin(core)
            yield
            return
    if cores:
        pin(random.choice(cores))
    yield

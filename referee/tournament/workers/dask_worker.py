"""An plugin: what plays blocks of a tournament inside a Dask worker; loaded there and by `cluster`."""

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
from referee.errors import RefereeError
from referee.system import pin, usable_cores
from referee.tournament.results import Block
from referee.tournament.workers import bundle as bundles
from referee.tournament.workers import messages as jobs
from referee.tournament.workers.messages import Failed, Job, Playing
from referee.tournament.workers.pool import Lost, Pool

CACHE: Final = "referee-bots"  # beside the folders of all Dask workers of a machine
IDLE_S: Final = 60.0  # then a process and its bots end; a later block has new ones
LOOK_S: Final = 0.1  # how long nobody looks whether it is over

PackedResult: TypeAlias = tuple[
    bytes, dict[str, bytes]
]  # a Played or a Failed, and records by name
Tell: TypeAlias = Callable[[Playing], None]


class VersionRefused(RefereeError):
    """A machine whose referee is another one."""


class BlockBroken(Exception):
    """The process that played a block ended before the block did."""


class Versions(NamedTuple):
    """What machines must have in common for their results to be of one tournament."""

    referee: str
    rules: int


HERE: Final = Versions(referee.__version__, RULES_VERSION)


def play_block(tournament: str, block: bytes) -> PackedResult:
    """The task: a block, played by the plugin of this Dask worker."""
    worker = get_worker()
    name = str(worker.name).rpartition("://")[2]  # one without a name is called by its address

    def tell(game: Playing) -> None:
        worker.log_event(tournament, [name, jobs.encode(game)])

    plugin: DaskPlugin = worker.plugins[tournament]
    return plugin.play(jobs.decode_block(block), tell)


def arrive(versions: tuple[str, int], bundle: bytes) -> DaskPlugin:
    """An plugin where it was sent to. A Dask worker that comes later and must refuse it does not start."""
    theirs = Versions(*versions)
    if theirs != HERE:
        raise VersionRefused(
            f"{socket.gethostname()} has referee {HERE.referee} with version {HERE.rules} of the"
            f" rules, and the tournament is played by referee {theirs.referee} with version"
            f" {theirs.rules}: install the same on all machines"
        )
    return DaskPlugin(bundle)


class DaskPlugin(WorkerPlugin):  # type: ignore[misc]  # Dask need not be installed
    """The bundle of a tournament, and a post for each block that is played at once."""

    def __init__(self, bundle: bytes) -> None:
        self._bundle = bundle
        self._lock = threading.Lock()
        self._job: Job | None = None
        self._posts: list[BlockRunner] = []
        self._free: list[BlockRunner] = []
        self._over = False

    def __reduce__(self) -> tuple[Callable[..., DaskPlugin], tuple[tuple[str, int], bytes]]:
        return arrive, ((HERE.referee, HERE.rules), self._bundle)

    def setup(self, worker: Worker) -> None:
        """It is on a Dask worker. Bots are unpacked for the first block, as that may take long."""
        self._scratch = Path(worker.local_directory)

    async def teardown(self, worker: Worker) -> None:  # noqa: ARG002  Dask's signature
        """The tournament is over, or the Dask worker ends: so do the processes."""
        self._over = True
        await asyncio.gather(*(asyncio.to_thread(post.close) for post in self._posts))

    def play(self, block: Block, tell: Tell) -> PackedResult:
        """Play a block; called by as many threads at once as the Dask worker has."""
        try:
            post = self._take()
        except RefereeError as error:
            return jobs.encode(Failed(block.id, str(error))), {}
        try:
            return post.play(block, tell)
        finally:
            self._free.append(post)

    def _take(self) -> BlockRunner:
        """The post that became free last, whose bots are warm, or a new one."""
        with self._lock:
            if self._over:
                raise BlockBroken(_OVER)
            if self._job is None:
                cache = self._scratch.parent / CACHE
                self._job = bundles.unpack(bundles.decode(self._bundle), cache)
            if self._free:
                return self._free.pop()
            self._posts.append(BlockRunner(self._job, self._scratch))
            return self._posts[-1]


class BlockRunner:
    """A thread with a process that plays, both on one core.

    The thread stays for as long as the process does, as the end of the one that starts a process
    is the end of that process.
    """

    def __init__(self, job: Job, scratch: Path) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="referee-", dir=scratch))
        self._job = msgspec.structs.replace(
            job,
            records=None if job.records is None else str(self._folder / "records"),
            stderr=str(self._folder / "stderr"),
        )
        self._pool: Pool | None = None
        self._orders: SimpleQueue[tuple[Block, Tell, Future[PackedResult]] | None] = SimpleQueue()
        self._door = threading.Lock()
        self._over = False
        self._thread = threading.Thread(target=self._serve, name="referee-post", daemon=True)
        self._thread.start()

    def play(self, block: Block, tell: Tell) -> PackedResult:
        """Have a block played, and wait for it."""
        answer: Future[PackedResult] = Future()
        with self._door:
            if self._over:
                raise BlockBroken(_OVER)
            self._orders.put((block, tell, answer))
        return answer.result()

    def close(self) -> None:
        """End the process: an idle one in good order, one that plays at once."""
        with self._door:
            self._over = True
            self._orders.put(None)
        self._thread.join()

    def _serve(self) -> None:
        with _on_a_core():
            while self._attend():
                pass
            self._dismiss()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _attend(self) -> bool:
        """Play the next block, or dismiss a process that is idle; whether there may be more."""
        try:
            order = self._orders.get(timeout=IDLE_S if self._pool else None)
        except Empty:
            self._dismiss()
            return True
        if order is None:
            return False
        block, tell, answer = order
        try:
            answer.set_result(self._play(block, tell))
        except Exception as error:  # noqa: BLE001  it is told to the one who waits
            answer.set_exception(error)
        return True

    def _play(self, block: Block, tell: Tell) -> PackedResult:
        self._pool = pool = self._pool or Pool(self._job, 1)
        pool.submit(block)
        while not self._over:
            for news in pool.wait(LOOK_S):
                if isinstance(news, Lost):
                    raise BlockBroken(news.message)
                if not isinstance(news, Playing):
                    return jobs.encode(news), self._collect(block)
                tell(news)
        raise BlockBroken(_OVER)

    def _collect(self, block: Block) -> dict[str, bytes]:
        """The records of a block; they are kept elsewhere."""
        folder = self._folder / "records" / block.id
        records = {path.name: path.read_bytes() for path in sorted(folder.glob("*"))}
        shutil.rmtree(folder, ignore_errors=True)
        return records

    def _dismiss(self) -> None:
        if self._pool is not None:
            if self._pool.free:
                self._pool.close()
            self._pool.kill()
            self._pool = None


_OVER: Final = "the tournament or its Dask worker was told to end"
# A socket's name without a file: it is free again with the process, however that ends.
_CLAIM: Final = "\0hansa-teutonica-referee/core/"


@contextmanager
def _on_a_core() -> Iterator[None]:
    """This thread and what it starts are on a core: one that no other post has, while there are any."""
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

"""Workers on many machines: blocks are tasks of a Dask cluster, and this process stores the results."""

from __future__ import annotations

import gc
import logging
import re
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from referee.errors import ClusterLost, ClusterRefused, RecordRefused
from referee.tournament.results import Block
from referee.tournament.workers import bundle as bundles
from referee.tournament.workers import messages
from referee.tournament.workers.messages import Job, Playing, WorkerStatus
from referee.tournament.workers.pool import Lost, WorkerEvent

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as Task

    from referee.tournament.workers.dask_worker import PackedResult

CONNECT_S: Final = 10.0
WORKERS_S: Final = 30.0  # to wait for the first Dask worker
NO_WORKER_S: Final = 120.0  # without any worker during a run: a machine may be restarting
COUNT_S: Final = 1.0
CLOSE_S: Final = 10.0
_WRAPPED: Final = re.compile(r"""\w+\((["'])(.*)\1\)""")  # how Dask passes on an error of a worker
KEPT: Final = "finished blocks are kept, and --resume continues with the rest"


class Cluster:
    """The threads of all Dask workers of a scheduler; each plays one block at a time.

    A block is a task, and its id is the key. If the worker dies, Dask gives the task to another one,
    so a block is lost only if several workers die. Raises ClusterRefused if there is no scheduler,
    no worker, or a worker that cannot take part.
    """

    def __init__(self, job: Job, address: str, *, folder: Path) -> None:
        self._address = address
        self._records = None if job.records is None else Path(job.records)
        self._name = f"{folder.resolve().name}-{secrets.token_hex(4)}"
        self._tasks: dict[str, Task] = {}  # by block
        self._tries: Counter[str] = Counter()
        self._arrived: SimpleQueue[tuple[Block, PackedResult | Exception]] = SimpleQueue()
        self._statuses: dict[str, WorkerStatus] = {}  # by block
        self._threads = 0
        self._counted = self._last_worker = time.monotonic()
        self._client = _connect(address)
        try:
            self._send_job(job)
        except BaseException:
            self.kill()
            raise

    def _send_job(self, job: Job) -> None:
        """Send the job and its bots to all workers, and to those that join later."""
        from referee.tournament.workers.dask_worker import DaskPlugin  # noqa: PLC0415  needs Dask

        _wait_for_workers(self._client, self._address)
        plugin = DaskPlugin(bundles.encode(bundles.pack(job)))
        try:
            self._client.register_plugin(plugin, name=self._name)
        except Exception as error:
            why = _WRAPPED.sub(r"\2", str(error))
            raise ClusterRefused(f"a worker of {self._address} cannot take part: {why}") from error
        self._client.subscribe_topic(self._name, self._note_game)
        self._count()

    @property
    def slots(self) -> int:
        """The number of blocks that can be played at once."""
        return self._threads

    @property
    def free(self) -> int:
        """The number of blocks that can be submitted now; at least one may wait for a worker."""
        return max(0, max(1, self._threads) - len(self._tasks))

    def submit(self, block: Block) -> None:
        """Submit a block as a task of Dask."""
        from referee.tournament.workers.dask_worker import play_block  # noqa: PLC0415  needs Dask

        self._tries[block.id] += 1
        again = f"-{self._tries[block.id]}" if self._tries[block.id] > 1 else ""
        with self._connected():
            task = self._client.submit(
                play_block,
                self._name,
                messages.encode(block),
                key=f"{self._name}-{block.id}{again}",
                pure=False,
            )
        self._tasks[block.id] = task
        task.add_done_callback(lambda done: self._arrived.put((block, _outcome(done))))

    def wait(self, seconds: float) -> list[WorkerEvent]:
        """Return the next events, or none after this time; ClusterLost if the cluster is gone."""
        if self._arrived.empty():  # results that have arrived count, even if the cluster is lost
            self._check_cluster()
        try:
            return self._receive(*self._arrived.get(timeout=seconds))
        except Empty:
            return []

    def statuses(self) -> Sequence[WorkerStatus]:
        """Return the game of each worker, as far as the workers have reported it."""
        return sorted(self._statuses.values(), key=lambda status: status.worker)

    def close(self) -> None:
        """End the processes of this tournament; the Dask workers keep running."""
        self.kill()

    def kill(self) -> None:
        """End everything of this tournament on the cluster now, if the cluster is still there."""
        # ValueError and KeyError: no worker or not every worker has the plugin yet.
        with suppress(OSError, ValueError, KeyError):
            if self._is_connected():
                self._client.cancel(list(self._tasks.values()), force=True)
                self._client.unregister_worker_plugin(self._name)
        self._tasks.clear()
        with suppress(OSError):
            self._client.close(timeout=CLOSE_S)

    # -- results

    def _receive(self, block: Block, outcome: PackedResult | Exception) -> list[WorkerEvent]:
        """Handle the outcome of a block; its records are written before it counts as finished."""
        if self._tasks.pop(block.id, None) is None:
            return []
        self._statuses.pop(block.id, None)
        if isinstance(outcome, tuple):
            message, records = outcome
            del self._tries[block.id]
            self._keep(block, records)
            return [messages.decode_message(message)]
        if not self._is_connected():
            return []  # not the block's fault; the next `wait` raises ClusterLost
        return [Lost(block, f"it was aborted ({outcome})")]

    def _keep(self, block: Block, records: dict[str, bytes]) -> None:
        if self._records is None:
            return
        folder = self._records / block.id
        try:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for name, data in records.items():
                (folder / name).write_bytes(data)
        except OSError as error:
            raise RecordRefused(f"cannot write records to {folder}: {error.strerror}") from error

    def _note_game(self, event: tuple[float, tuple[str, bytes]]) -> None:
        """Note that a worker begins a game; called by a thread of Dask."""
        _, (worker, data) = event
        game = messages.decode_message(data)
        assert isinstance(game, Playing)
        if game.block in self._tasks:
            self._statuses[game.block] = WorkerStatus(worker, game)

    # -- the connection

    def _check_cluster(self) -> None:
        """Count the workers from time to time; ClusterLost if they or the scheduler are gone."""
        if not self._is_connected():
            raise ClusterLost(f"the scheduler at {self._address} is gone; {KEPT}")
        now = time.monotonic()
        if now < self._counted + COUNT_S:
            return
        self._count()
        self._counted = now
        if self._threads:
            self._last_worker = now
        elif now > self._last_worker + NO_WORKER_S:
            raise ClusterLost(
                f"the cluster at {self._address} has had no worker for {NO_WORKER_S:.0f} s; {KEPT}"
            )

    def _count(self) -> None:
        with self._connected():
            self._threads = sum(self._client.nthreads().values())

    def _is_connected(self) -> bool:
        """Return whether the scheduler is connected; even a short break loses all tasks."""
        return bool(self._client.status == "running")

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Raise ClusterLost for an error of the connection to the scheduler."""
        try:
            yield
        except OSError as error:
            raise ClusterLost(f"the scheduler at {self._address} is gone; {KEPT}") from error


def _connect(address: str) -> Client:
    try:
        from distributed import Client  # noqa: PLC0415  Dask is optional
    except ImportError as error:
        raise ClusterRefused(
            "a cluster needs Dask, which is not installed: pip install 'distributed>=2025.1'"
        ) from error
    for name in ("distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report errors ourselves
    with suppress(OSError, ValueError):
        if address:  # without an address, Dask would start its own cluster
            return Client(address, timeout=CONNECT_S, set_as_default=False, name="referee")
    # The next Dask client would hang if its new thread collected the failed one.
    gc.collect()
    raise ClusterRefused(f"no Dask scheduler answers at {address!r}")


def _wait_for_workers(client: Client, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKERS_S)
    except TimeoutError as error:
        raise ClusterRefused(
            f"the scheduler at {address} has no workers; start some: dask worker {address}"
        ) from error


def _outcome(task: Task) -> PackedResult | Exception:
    """Return the result of a task or its error; called by a thread of Dask."""
    try:
        packed: PackedResult = task.result()
    except Exception as error:  # noqa: BLE001  it is reported as a lost block
        return error
    return packed

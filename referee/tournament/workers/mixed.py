"""This process plays the blocks with bots that exist only in it; a pool of workers plays all others.

Such bots are lambdas, functions inside functions, objects, and functions of the main program: workers
cannot import them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from referee.bots.find import Bot
from referee.errors import RefereeError
from referee.tournament.results import Block
from referee.tournament.workers.messages import (
    BlockFailed,
    Job,
    Played,
    Playing,
    WorkerMessage,
    WorkerStatus,
)
from referee.tournament.workers.pool import Pool, WorkerEvent
from referee.tournament.workers.worker import Worker


class MixedWorkers:
    """This process, and a pool of workers, which start with their first blocks."""

    def __init__(self, job: Job, in_process: Sequence[Bot], workers: int) -> None:
        self._names = {bot.name for bot in in_process}
        self._worker = Worker(job, in_process)
        self._pool = Pool(job, workers)
        self._blocks_here: deque[Block] = deque()
        self._blocks_for_pool: deque[Block] = deque()
        self._in_pool = 0  # blocks that the pool is playing
        self._game: Playing | None = None

    @property
    def slots(self) -> int:
        """The number of blocks that can be played at once."""
        return self._pool.slots + 1

    @property
    def free(self) -> int:
        """The number of blocks that can be submitted now."""
        return self.slots - len(self._blocks_here) - len(self._blocks_for_pool) - self._in_pool

    def submit(self, block: Block) -> None:
        """Queue a block: for this process if one of its bots is here, else for the pool."""
        is_here = not self._names.isdisjoint(block.bots)
        (self._blocks_here if is_here else self._blocks_for_pool).append(block)

    def wait(self, seconds: float) -> list[WorkerEvent]:
        """Play a block in this process, if there is one, and return the events of all workers."""
        self._fill_pool()
        events: list[WorkerEvent] = []
        if self._blocks_here:
            events.append(self._play(self._blocks_here.popleft()))
            seconds = 0
        return [*events, *self._pool_events(seconds)]

    def _fill_pool(self) -> None:
        while self._blocks_for_pool and self._pool.free:
            self._pool.submit(self._blocks_for_pool.popleft())
            self._in_pool += 1

    def _pool_events(self, seconds: float) -> list[WorkerEvent]:
        events = self._pool.wait(seconds)
        self._in_pool -= sum(not isinstance(event, Playing) for event in events)
        return events

    def _play(self, block: Block) -> Played | BlockFailed:
        try:
            return self._worker.play(block, self._note)
        except RefereeError as error:
            return BlockFailed(block.id, str(error))
        finally:
            self._game = None

    def _note(self, message: WorkerMessage) -> None:
        if isinstance(message, Playing):
            self._game = message

    def statuses(self) -> list[WorkerStatus]:
        """Return the current game of each worker."""
        return [WorkerStatus("this process", self._game), *self._pool.statuses()]

    def close(self) -> None:
        """End all workers after their last block."""
        self._worker.close()
        self._pool.close()

    def kill(self) -> None:
        """End all workers now; running blocks are lost."""
        self._worker.close()
        self._pool.kill()

"""Blocks with bots that are in this very process are played here; all others by workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from referee.bots.find import Bot
from referee.errors import RefereeError
from referee.tournament.results import Block
from referee.tournament.workers.messages import (
    Failed,
    Job,
    Played,
    Playing,
    WorkerMessage,
    WorkerStatus,
)
from referee.tournament.workers.pool import Pool, WorkerEvent
from referee.tournament.workers.worker import Worker


class MixedWorkers:
    """A crew of workers, which are not started before there is a block for them, and of ourselves."""

    def __init__(self, job: Job, in_process: Sequence[Bot], workers: int) -> None:
        self._job = job
        self._names = {bot.name for bot in in_process}
        self._worker = Worker(job, in_process)
        self._workers = workers
        self._pool: Pool | None = None
        self._for_us: deque[Block] = deque()
        self._for_them: deque[Block] = deque()
        self._theirs = 0  # how many blocks they have at work
        self._game: Playing | None = None

    @property
    def slots(self) -> int:
        """How many blocks are played at once."""
        return self._workers + 1

    @property
    def free(self) -> int:
        """How many more can be taken now."""
        return self.slots - len(self._for_us) - len(self._for_them) - self._theirs

    def submit(self, block: Block) -> None:
        """Have a block played, by whoever can."""
        ours = not self._names.isdisjoint(block.bots)
        (self._for_us if ours else self._for_them).append(block)

    def wait(self, seconds: float) -> list[WorkerEvent]:
        """What the workers tell; and a block of our own, if there is one, is played meanwhile."""
        self._hand_out()
        told: list[WorkerEvent] = []
        if self._for_us:
            told.append(self._play(self._for_us.popleft()))
            seconds = 0
        return [*told, *self._hear(seconds)]

    def _hand_out(self) -> None:
        if self._pool is None and self._for_them:
            self._pool = Pool(self._job, self._workers)
        while self._pool is not None and self._for_them and self._pool.free:
            self._pool.submit(self._for_them.popleft())
            self._theirs += 1

    def _hear(self, seconds: float) -> list[WorkerEvent]:
        news = [] if self._pool is None else self._pool.wait(seconds)
        self._theirs -= sum(not isinstance(told, Playing) for told in news)
        return news

    def _play(self, block: Block) -> Played | Failed:
        try:
            return self._worker.play(block, self._note)
        except RefereeError as error:
            return Failed(block.id, str(error))
        finally:
            self._game = None

    def _note(self, told: WorkerMessage) -> None:
        if isinstance(told, Playing):
            self._game = told

    def statuses(self) -> list[WorkerStatus]:
        """What everybody does now."""
        workers = [] if self._pool is None else self._pool.statuses()
        return [WorkerStatus("this process", self._game), *workers]

    def close(self) -> None:
        """All is played: end everybody in good order."""
        self._worker.close()
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def kill(self) -> None:
        """End everybody now."""
        self._worker.close()
        if self._pool is not None:
            self._pool.kill()
            self._pool = None

"""Two workers of a tournament that play nothing: a function decides the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.tournament.results import Block
from referee.tournament.workers.messages import WorkerStatus
from referee.tournament.workers.pool import WorkerEvent
from support.blocks import finished_block


class TwoWorkers:
    """Two workers; `play` decides the result of a block."""

    slots = 2

    def __init__(self, play: Callable[[Block], WorkerEvent] = finished_block) -> None:
        self.play = play
        self.taken: list[Block] = []
        self.submitted: list[str] = []

    @property
    def free(self) -> int:
        return self.slots - len(self.taken)

    def submit(self, block: Block) -> None:
        assert self.free
        self.taken.append(block)
        self.submitted.append(block.id)

    def wait(self, seconds: float) -> list[WorkerEvent]:
        return [self.play(self.taken.pop(0))]

    def statuses(self) -> Sequence[WorkerStatus]:
        return []

    def close(self) -> None: ...

    def kill(self) -> None: ...

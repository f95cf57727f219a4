"""The coordinator gives the blocks of a plan to workers, stores results and disqualifies bots."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from referee.errors import BlockLost
from referee.tournament.definition import RunOptions
from referee.tournament.results import Block, BlockResult
from referee.tournament.schedule import Outline, Plan, Stage, describe
from referee.tournament.secret import BlockSeeds
from referee.tournament.sprt import SprtState
from referee.tournament.store import Store
from referee.tournament.workers.messages import BlockFailed, Played, Playing, WorkerStatus
from referee.tournament.workers.pool import Lost, WorkerEvent, Workers

MOST_TRIES: Final = 3  # then a block whose workers keep dying ends the run
POLL_S: Final = 0.2  # seconds between checks of the stop flag

Ending: TypeAlias = Literal["done", "settled", "tested", "stopped"]


class Goal(Protocol):
    """A condition that ends a run before the end of its plan."""

    ending: Ending

    @property
    def test(self) -> SprtState | None:
        """The state of the sequential test, if there is one."""

    def scheduled(self, block: Block) -> None:
        """Note the next block of the plan; it may be finished already."""

    def finished(self, result: BlockResult) -> None:
        """Note a block that was finished in this run; a void block has no games."""

    def is_reached(self, *, at_stage_end: bool) -> bool:
        """Return whether the run may end now."""


@dataclass
class Progress:
    """The progress of a run, for listeners."""

    outline: Outline
    began: float
    latest: float = 0.0  # when the latest block of this run was finished
    blocks: int = 0  # finished, including those of earlier runs and other plans
    games: int = 0
    new_games: int = 0  # of this run
    decisions: int = 0  # of this run
    faults: int = 0
    stage: int = 0
    done: int = 0  # blocks of this plan that are finished
    new_blocks: int = 0  # of this run
    out: dict[str, str] = field(default_factory=dict)  # the disqualified bots, and why
    stopping: bool = False
    test: SprtState | None = None
    statuses: list[WorkerStatus] = field(default_factory=list)

    def seconds_left(self, now: float) -> float | None:
        """Estimate the remaining time from the time per block so far; None if it is unknown."""
        if self.outline.blocks is None or not self.new_blocks:
            return None
        left = max(0, self.outline.blocks - self.done)
        per_block = (self.latest - self.began) / self.new_blocks
        return max(0.0, left * per_block - (now - self.latest))


@dataclass
class RunListener:
    """Callbacks for a running tournament; each defaults to a no-op."""

    progressed: Callable[[Progress], None] = lambda _: None  # several times a second
    finished: Callable[[Progress, Played], None] = lambda _, __: None
    lost: Callable[[Lost], None] = lambda _: None
    disqualified: Callable[[str, str], None] = lambda _, __: None


class Coordinator:
    """Plays one run of a tournament with the workers that it is given."""

    def __init__(
        self,
        store: Store,
        plan: Plan,
        options: RunOptions,
        workers: Workers,
        *,
        goal: Goal | None = None,
        listener: RunListener | None = None,
    ) -> None:
        self._store = store
        self._plan = plan
        self._options = options
        self._workers = workers
        self._goal = goal
        self._listener = listener or RunListener()
        self._in_flight: dict[str, Block] = {}
        self._tries: Counter[str] = Counter()
        self._fault_counts = _FaultCounts(store)
        self._seeds = BlockSeeds(store)
        out = {bot.name: bot.out for bot in store.bots() if bot.out is not None}
        self.progress = Progress(
            describe(plan),
            time.monotonic(),
            blocks=store.count("blocks"),
            games=store.count("games"),
            faults=store.count("faults"),
            out=out,
        )

    def stop(self) -> None:
        """Start no more blocks; those that are being played are still finished."""
        self.progress.stopping = True

    def run(self) -> Ending:
        """Play until the plan ends, the goal is reached or `stop` is called; return which it was.

        Raises BlockLost if a block cannot be played.
        """
        # The last run may have been killed before it could disqualify a bot.
        self._disqualify(bot.name for bot in self._store.bots())
        number = 0
        while True:
            out = frozenset(self.progress.out)
            stage = self._plan.stage(number, list(self._store.results()), out)
            if stage is None:
                return "done"
            if self.progress.stopping:
                return "stopped"
            self._announce(number, stage)
            done = self.progress.done
            is_complete = self._play(stage, out)
            if self._goal is not None and self._goal.is_reached(at_stage_end=is_complete):
                return self._goal.ending
            if len(self.progress.out) > len(out):
                self.progress.done = done  # the same stage is planned again
            elif is_complete:
                number += 1

    def _announce(self, number: int, stage: Stage) -> None:
        """Note that a stage begins; if it is the only one, its size may have changed."""
        self.progress.stage = number
        if self.progress.outline.stages == 1:
            self.progress.outline = self.progress.outline._replace(
                blocks=stage.length, games=stage.games
            )

    def _play(self, stage: Stage, out: frozenset[str]) -> bool:
        """Play the missing blocks of a stage; return whether all of them were played."""
        queue = self._missing(stage)
        has_more = True
        while True:
            while has_more and self._workers.free and not self._must_pause(out):
                block = next(queue, None)
                has_more = block is not None
                if block is not None:
                    self._submit(block)
            if not self._in_flight and (not has_more or self._must_pause(out)):
                return not has_more
            self._handle(self._workers.wait(POLL_S))

    def _must_pause(self, out: frozenset[str]) -> bool:
        """Return whether no more blocks may start; `out` was disqualified when the stage was planned."""
        return (
            self.progress.stopping
            or len(self.progress.out) > len(out)
            or (self._goal is not None and self._goal.is_reached(at_stage_end=False))
        )

    def _missing(self, stage: Stage) -> Iterator[Block]:
        for block in stage:
            if self._goal is not None:
                self._goal.scheduled(block)
            if self._store.has(block.id):
                self.progress.done += 1
            else:
                yield self._seeds.seeded(block)

    def _submit(self, block: Block) -> None:
        self._in_flight[block.id] = block
        self._tries[block.id] += 1
        self._workers.submit(block)

    def _handle(self, events: list[WorkerEvent]) -> None:
        for event in events:
            if isinstance(event, Played):
                self._keep(event)
            elif isinstance(event, Lost):
                self._play_again(event)
            elif isinstance(event, BlockFailed):
                raise BlockLost(event.message)
            else:
                assert isinstance(event, Playing)
        self.progress.statuses = list(self._workers.statuses())
        self._listener.progressed(self.progress)

    def _keep(self, played: Played) -> None:
        """Store a finished block; a block that a cluster returns twice counts once."""
        if self._in_flight.pop(played.block.id, None) is None:
            return
        del self._tries[played.block.id]
        self._store.finish(played)
        progress = self.progress
        progress.latest = time.monotonic()
        progress.blocks += 1
        progress.done += 1
        progress.new_blocks += 1
        progress.games += len(played.games)
        progress.new_games += len(played.games)
        progress.decisions += sum(game.decisions for game in played.games)
        progress.faults += sum(len(game.faults) for game in played.games)
        self._fault_counts.note(played)
        if self._goal is not None:
            self._goal.finished(played.result())
            progress.test = self._goal.test
        self._listener.finished(progress, played)
        self._disqualify(played.block.bots)

    def _play_again(self, lost: Lost) -> None:
        self._listener.lost(lost)
        if self._tries[lost.block.id] >= MOST_TRIES:
            raise BlockLost(
                f"block {lost.block.id} was started {MOST_TRIES} times, and each time {lost.message}"
            )
        self._submit(lost.block)

    def _disqualify(self, bots: Iterable[str]) -> None:
        """Disqualify those of the bots that were at fault too often."""
        for bot in sorted(set(bots) - set(self.progress.out)):
            why = self._fault_counts.verdict(bot, self._options)
            if why is not None:
                self._store.disqualify(bot, why)
                self.progress.out[bot] = why
                self._listener.disqualified(bot, why)


class _FaultCounts:
    """Counts each bot's games, and the games in which it was at fault."""

    def __init__(self, store: Store) -> None:
        self._games: Counter[str] = Counter()
        self._faulted: Counter[str] = Counter()
        for bot, games, faulted in store.fault_counts():
            self._games[bot], self._faulted[bot] = games, faulted

    def note(self, played: Played) -> None:
        for game in played.games:
            for bot in {seat.bot for seat in game.seats}:
                self._games[bot] += 1
                self._faulted[bot] += any(seat.faults for seat in game.seats if seat.bot == bot)

    def verdict(self, bot: str, options: RunOptions) -> str | None:
        """Return the reason to disqualify the bot; None if there is none."""
        games, faulted = self._games[bot], self._faulted[bot]
        if not faulted or games < options.out_after or faulted / games < options.out_at:
            return None
        return f"at fault in {faulted} of {games} games"

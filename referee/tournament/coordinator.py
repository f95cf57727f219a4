"""The coordinator gives the blocks of a plan to workers, stores results and disqualifies bots."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from referee.errors import BlockLost
from referee.text import plural
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

Ending: TypeAlias = Literal["done", "settled", "tested", "budget", "too-few-bots", "stopped"]


@dataclass(frozen=True)
class Budget:
    """When a run starts no more blocks; None means that there is no limit.

    A run plays only whole blocks within the first `games` games of its plan, including those that
    earlier runs have played. So it does not matter how many workers there are.
    """

    games: int | None = None
    hours: float | None = None  # since the run began

    def outline(self, outline: Outline) -> Outline:
        """Return the size of the part of a plan that fits; the number of blocks is rounded down."""
        if self.games is None or outline.games is None or outline.games <= self.games:
            return outline
        blocks = None if outline.blocks is None else outline.blocks * self.games // outline.games
        return outline._replace(blocks=blocks, games=self.games)


NO_BUDGET: Final = Budget()


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
    lack: str | None = None  # why no more games are possible, if bots are missing
    ends: float | None = None  # when no more blocks start
    stopping: bool = False
    test: SprtState | None = None
    statuses: list[WorkerStatus] = field(default_factory=list)

    def seconds_left(self, now: float) -> float | None:
        """Estimate the remaining time from the time per block so far; None if it is unknown."""
        most = None if self.ends is None else max(0.0, self.ends - now)
        if self.outline.blocks is None or not self.new_blocks:
            return most
        left = max(0, self.outline.blocks - self.done)
        per_block = (self.latest - self.began) / self.new_blocks
        needed = max(0.0, left * per_block - (now - self.latest))
        return needed if most is None else min(needed, most)


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
        budget: Budget = NO_BUDGET,
        listener: RunListener | None = None,
    ) -> None:
        self._store = store
        self._plan = plan
        self._options = options
        self._workers = workers
        self._goal = goal
        self._budget = budget
        self._games_of_plan = 0  # up to the last block that was started, in the plan's order
        self._is_spent = False
        self._listener = listener or RunListener()
        self._in_flight: dict[str, Block] = {}
        self._tries: Counter[str] = Counter()
        self._fault_counts = _FaultCounts(store)
        self._seeds = BlockSeeds(store)
        out = {bot.name: bot.out for bot in store.bots() if bot.out is not None}
        began = time.monotonic()
        self.progress = Progress(
            budget.outline(describe(plan)),
            began,
            ends=None if budget.hours is None else began + 3600 * budget.hours,
            blocks=store.count("blocks"),
            games=store.count("games"),
            faults=store.count("faults"),
            out=out,
        )

    def stop(self) -> None:
        """Start no more blocks; those that are being played are still finished."""
        self.progress.stopping = True

    def run(self) -> Ending:
        """Play until the plan ends, the goal is reached, the budget is spent or `stop` is called.

        Return which it was. Raises BlockLost if a block cannot be played.
        """
        # The last run may have been killed before it could disqualify a bot.
        self._disqualify(bot.name for bot in self._store.bots())
        number = 0
        while True:
            out = frozenset(self.progress.out)
            stage = self._plan.stage(number, list(self._store.results()), out)
            if stage is None:
                return self._ending_of_plan(number, out)
            if self.progress.stopping:
                return "stopped"
            self._announce(number, stage)
            done, games = self.progress.done, self._games_of_plan
            is_complete = self._play(stage, out)
            if self._goal is not None and self._goal.is_reached(at_stage_end=is_complete):
                return self._goal.ending
            if len(self.progress.out) > len(out):
                self.progress.done, self._games_of_plan = done, games  # it is planned again
            elif self._is_spent:
                return "budget"
            elif is_complete:
                number += 1

    def _ending_of_plan(self, number: int, out: frozenset[str]) -> Ending:
        """Return why a plan ends before stage `number`."""
        lack = self._plan.lacks_bots(out)
        if lack is None or self._is_finished_from(number):
            return "done"
        self.progress.lack = lack
        return "too-few-bots"

    def _is_finished_from(self, number: int) -> bool:
        """Return whether all blocks are finished that were planned before bots were disqualified."""
        results = list(self._store.results())
        while number < self._plan.stages:
            stage = self._plan.stage(number, results, frozenset())
            if stage is None:
                return True
            if stage.length is None or not all(self._store.has(block.id) for block in stage):
                return False
            number += 1
        return True

    def _announce(self, number: int, stage: Stage) -> None:
        """Note that a stage begins; if it is the only one, its size may have changed."""
        self.progress.stage = number
        if self.progress.outline.stages == 1:
            self.progress.outline = self._budget.outline(Outline(1, stage.length, stage.games))

    def _play(self, stage: Stage, out: frozenset[str]) -> bool:
        """Play the missing blocks of a stage; return whether all of them were played."""
        self._is_spent = False
        queue = self._missing(stage)
        has_more = True
        while True:
            while has_more and self._workers.free and not self._must_pause(out):
                block = next(queue, None)
                has_more = block is not None
                if block is not None:
                    self._submit(block)
            if not self._in_flight and (not has_more or self._must_pause(out)):
                if has_more and self._is_out_of_time():
                    self._is_spent = next(queue, None) is not None
                    has_more = self._is_spent
                return not has_more and not self._is_spent
            self._handle(self._workers.wait(POLL_S))

    def _must_pause(self, out: frozenset[str]) -> bool:
        """Return whether no more blocks may start; `out` was disqualified when the stage was planned."""
        return (
            self.progress.stopping
            or self._is_out_of_time()
            or len(self.progress.out) > len(out)
            or (self._goal is not None and self._goal.is_reached(at_stage_end=False))
        )

    def _is_out_of_time(self) -> bool:
        return self.progress.ends is not None and time.monotonic() >= self.progress.ends

    def _missing(self, stage: Stage) -> Iterator[Block]:
        """Yield the blocks that are not finished, until the games of the budget are used up."""
        for block in stage:
            games = self._games_of_plan + len(block.seatings())
            if self._budget.games is not None and games > self._budget.games:
                self._is_spent = True
                return
            self._games_of_plan = games
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
        return f"at fault in {faulted:,} of {plural(games, 'game')}"

"""The coordinator gives the blocks of a plan to workers, stores results and disqualifies bots."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from referee.errors import BlockLost
from referee.tournament.definition import RunOptions
from referee.tournament.disqualification import Judge
from referee.tournament.results import Block, BlockResult
from referee.tournament.schedule import Outline, Plan, Stage, describe
from referee.tournament.secret import BlockSeeds
from referee.tournament.sprt import SprtState, Verdict
from referee.tournament.store import Judgement, Store
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
    def verdict(self) -> Verdict | None:
        """What the sequential test says so far, if there is one."""

    def scheduled(self, block: Block) -> None:
        """Note the next block of the plan; it may be finished already."""

    def planned_again(self) -> None:
        """Note that bots are disqualified, so the stage is planned again from its first block."""

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
    dropped: Callable[[Collection[str]], None] = lambda _: None  # finished blocks that do not count


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
        self._stage = 0  # the number of the stage that is being played
        self._dropped: set[str] = set()  # running blocks that do not belong to the plan any more
        self._seeds = BlockSeeds(store)
        self._known: list[BlockResult] | None = None  # the results in the store, once they are read
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
        self._judge = Judge(options, self.progress.out)
        self._note_test()

    def stop(self) -> None:
        """Start no more blocks; those that are being played are still finished."""
        self.progress.stopping = True

    def run(self) -> Ending:
        """Play until the plan ends, the goal is reached, the budget is spent or `stop` is called.

        Return which it was. Raises BlockLost if a block cannot be played.
        """
        is_planned_again = False
        while True:
            results = self._begin_judging()
            out = frozenset(self.progress.out)
            stage = self._plan.stage(self._stage, results, out)
            if stage is None:
                return self._ending_of_plan(out)
            if self.progress.stopping:
                return "stopped"
            if self._goal is not None and is_planned_again:
                self._goal.planned_again()
            is_planned_again = False
            self._announce(stage)
            done, games = self.progress.done, self._games_of_plan
            is_complete = self._play(stage, out)
            if self._goal is not None and self._goal.is_reached(at_stage_end=is_complete):
                return self._goal.ending
            if self._is_changed(out):
                self.progress.done, self._games_of_plan = done, games
                is_planned_again = True
            elif self._is_spent:
                return "budget"
            elif is_complete:
                self._stage += 1
                if self._judge.ahead:  # blocks of another plan
                    self._store.judge(Judgement(()))

    def _begin_judging(self) -> list[BlockResult]:
        """Judge the bots by the blocks of earlier runs and stages; return the results that count."""
        self._judge.begin(self._results(), self._store.ahead())
        found = self._judge.verdicts(bot.name for bot in self._store.bots())
        self._disqualify(found)
        return self._results()

    def _results(self) -> list[BlockResult]:
        """Return the results that count; a plan of many stages needs them often."""
        if self._known is None:
            self._known = list(self._store.results())
        return list(self._known)

    def _ending_of_plan(self, out: frozenset[str]) -> Ending:
        """Return why a plan has no stage with the current number."""
        lack = self._plan.lacks_bots(out)
        if lack is None or self._is_finished_from(self._stage):
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

    def _announce(self, stage: Stage) -> None:
        """Note that a stage begins; if it is the only one, its size may have changed."""
        self.progress.stage = self._stage
        if self.progress.outline.stages == 1:
            self.progress.outline = self._budget.outline(Outline(1, stage.length, stage.games))

    def _play(self, stage: Stage, out: frozenset[str]) -> bool:
        """Play the missing blocks of a stage; return whether all of them were played.

        `out` are the bots that were disqualified when the stage was planned.
        """
        self._is_spent = False
        self._dropped.clear()
        queue = self._missing(stage)
        has_more = True
        while True:
            while has_more and self._workers.free and not self._must_pause(out):
                block = next(queue, None)
                has_more = block is not None
                if block is not None:
                    self._submit(block)
            if not self._in_flight and (not has_more or self._must_pause(out)):
                if has_more and (self.progress.stopping or self._is_out_of_time()):
                    has_more = next(queue, None) is not None
                    self._is_spent |= has_more and self._is_out_of_time()
                return not (has_more or self._is_spent or self._is_changed(out))
            self._handle(self._workers.wait(POLL_S))

    def _must_pause(self, out: frozenset[str]) -> bool:
        """Return whether no more blocks may start; `out` was disqualified when the stage was planned."""
        return (
            self.progress.stopping
            or self._is_out_of_time()
            or self._is_changed(out)
            or (self._goal is not None and self._goal.is_reached(at_stage_end=False))
        )

    def _is_changed(self, out: frozenset[str]) -> bool:
        """Return whether more bots are disqualified now, so that the stage must be planned again."""
        return len(self.progress.out) > len(out)

    def _is_out_of_time(self) -> bool:
        return self.progress.ends is not None and time.monotonic() >= self.progress.ends

    def _missing(self, stage: Stage) -> Iterator[Block]:
        """Yield the blocks that are not finished, until the games of the budget are used up.

        It also ends when a bot is disqualified: then the stage is planned again.
        """
        out = len(self.progress.out)
        for block in stage:
            games = self._games_of_plan + len(block.seatings())
            if self._budget.games is not None and games > self._budget.games:
                self._is_spent = True
                return
            self._games_of_plan = games
            if self._goal is not None:
                self._goal.scheduled(block)
                self._note_test()
                if self._goal.is_reached(at_stage_end=False):
                    return  # by blocks of an earlier run
            if block.id in self._judge.ahead:
                self._disqualify(self._judge.scheduled(block))
                if len(self.progress.out) > out:
                    return
            if self._store.has(block.id):
                self.progress.done += 1
            else:
                self._judge.scheduled(block)
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
        if played.block.id in self._dropped:
            self._store.remove_records([played.block.id])
            return
        result = played.result()
        found = self._judge.finished(result)
        dropped = self._no_longer_planned(found, result)
        self._store.finish(played, Judgement([*self._judge.ahead], found, dropped))
        if dropped:
            self._known = None
        elif self._known is not None and result.games:
            self._known.append(result._replace(block=result.block._replace(settings=())))
        progress = self.progress
        progress.latest = time.monotonic()
        progress.blocks += 1
        progress.done += 1
        progress.new_blocks += 1
        progress.games += len(played.games)
        progress.new_games += len(played.games)
        progress.decisions += sum(game.decisions for game in played.games)
        progress.faults += sum(len(game.faults) for game in played.games)
        if self._goal is not None:
            self._goal.finished(result)
            self._note_test()
        self._listener.finished(progress, played)
        self._announce_disqualified(found, dropped)

    def _disqualify(self, found: Mapping[str, str]) -> None:
        """Disqualify bots, each for its reason."""
        if found:
            dropped = self._no_longer_planned(found)
            self._store.judge(Judgement([*self._judge.ahead], found, dropped))
            self._known = None
            self._announce_disqualified(found, dropped)

    def _no_longer_planned(
        self, found: Mapping[str, str], latest: BlockResult | None = None
    ) -> list[str]:
        """Take the bots in `found` out; return the finished blocks that do not count without them.

        Blocks that were finished or started ahead of the plan's order count only if the new plan
        contains them. So the results do not depend on the speed of the workers. `latest` is a
        finished block that is not in the store yet.
        """
        if not found:
            return []
        self.progress.out.update(found)
        ahead = {name: result.block for name, result in self._judge.ahead.items()}
        judged = [result for result in self._store.results() if result.block.id not in ahead]
        stage = self._plan.stage(
            self._stage,
            [*judged, latest] if latest is not None and latest.games else judged,
            frozenset(self.progress.out),
        )
        is_finite = stage is not None and stage.length is not None
        planned = {(block.id, block.stage) for block in stage or ()} if is_finite else set()
        dropped = {
            name
            for name, block in {**ahead, **self._in_flight}.items()
            if (name, block.stage) not in planned
        }
        self._dropped = dropped.intersection(self._in_flight)
        return [name for name in ahead if name in dropped and self._judge.ahead.pop(name)]

    def _announce_disqualified(self, found: Mapping[str, str], dropped: Collection[str]) -> None:
        for bot, why in found.items():
            self._listener.disqualified(bot, why)
        if dropped:
            self.progress.blocks = self._store.count("blocks")
            self.progress.games = self._store.count("games")
            self.progress.faults = self._store.count("faults")
            self._listener.dropped(dropped)

    def _note_test(self) -> None:
        """Show listeners the state of the sequential test, if there is one."""
        verdict = None if self._goal is None else self._goal.verdict
        self.progress.test = None if verdict is None else verdict.state

    def _play_again(self, lost: Lost) -> None:
        if lost.block.id in self._dropped:
            del self._in_flight[lost.block.id]
            return
        self._listener.lost(lost)
        if self._tries[lost.block.id] >= MOST_TRIES:
            raise BlockLost(
                f"block {lost.block.id} was started {MOST_TRIES} times, and each time {lost.message}"
            )
        self._submit(lost.block)

"""The conductor: hands out the blocks of a plan, keeps what comes back, and knows when it is over."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from referee.errors import RefereeError
from referee.tournament.definition import Programme
from referee.tournament.results import Block, BlockResult
from referee.tournament.schedule import Outline, Plan, Stage, describe
from referee.tournament.sprt import SprtState
from referee.tournament.store import Store
from referee.tournament.workers.messages import Failed, Played, Playing, Sight
from referee.tournament.workers.pool import Crew, Lost, News

MOST_TRIES: Final = 3  # of a block whose workers keep dying
LOOK_S: Final = 0.2  # how long nobody looks whether it was asked to stop

Ending: TypeAlias = Literal["done", "settled", "tested", "stopped"]


class BlockLost(RefereeError):
    """A block that no worker survives, or that cannot be kept."""


class Goal(Protocol):
    """What may end a tournament before its plan does."""

    ending: Ending

    @property
    def test(self) -> SprtState | None:
        """Where a sequential test stands, if it is one."""

    def scheduled(self, block: Block) -> None:
        """This is the next block of the plan, whether it is finished already or not."""

    def finished(self, result: BlockResult) -> None:
        """A block was finished in this run; one that is void has no games."""

    def is_reached(self, *, at_stage_end: bool) -> bool:
        """Whether enough is known."""


@dataclass
class Progress:
    """Where a tournament stands, for those who look on."""

    outline: Outline
    began: float
    latest: float = 0.0  # when the latest block of this run was finished
    blocks: int = 0  # finished, those of earlier runs and of other plans included
    games: int = 0
    new_games: int = 0  # of this run
    decisions: int = 0  # of this run
    faults: int = 0
    stage: int = 0
    done: int = 0  # blocks of this plan that are finished
    new_blocks: int = 0  # of this run
    out: dict[str, str] = field(default_factory=dict)
    stopping: bool = False
    test: SprtState | None = None
    sights: list[Sight] = field(default_factory=list)

    def seconds_left(self, now: float) -> float | None:
        """How long it will take, by what it took so far."""
        if self.outline.blocks is None or not self.new_blocks:
            return None
        left = max(0, self.outline.blocks - self.done)
        for_each = (self.latest - self.began) / self.new_blocks
        return max(0.0, left * for_each - (now - self.latest))


@dataclass
class Watch:
    """Who looks on: called as things happen; does nothing unless told."""

    looked: Callable[[Progress], None] = lambda _: None  # several times a second
    finished: Callable[[Progress, Played], None] = lambda _, __: None
    lost: Callable[[Lost], None] = lambda _: None
    disqualified: Callable[[str, str], None] = lambda _, __: None


class Conductor:
    """One run of a tournament."""

    def __init__(
        self,
        store: Store,
        plan: Plan,
        programme: Programme,
        crew: Crew,
        *,
        goal: Goal | None = None,
        watch: Watch | None = None,
    ) -> None:
        self._store = store
        self._plan = plan
        self._programme = programme
        self._crew = crew
        self._goal = goal
        self._watch = watch or Watch()
        self._in_flight: dict[str, Block] = {}
        self._tries: Counter[str] = Counter()
        self._record = _Conduct(store)
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
        """Hand out no more; what is being played is played to its end."""
        self.progress.stopping = True

    def run(self) -> Ending:
        """Play until the plan ends, the goal is reached, or it is stopped."""
        self._judge(bot.name for bot in self._store.bots())  # it may have been killed before that
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
            whole = self._play(stage, out)
            if self._goal is not None and self._goal.is_reached(at_stage_end=whole):
                return self._goal.ending
            if len(self.progress.out) > len(out):
                self.progress.done = done  # the same stage is planned anew
            elif whole:
                number += 1

    def _announce(self, number: int, stage: Stage) -> None:
        """A stage begins; where it is the only one, how large it is may be new."""
        self.progress.stage = number
        if self.progress.outline.stages == 1:
            self.progress.outline = self.progress.outline._replace(
                blocks=stage.length, games=stage.games
            )

    def _play(self, stage: Stage, out: frozenset[str]) -> bool:
        """Play what is missing of a stage; whether all of it was, and nothing came between."""
        queue = self._missing(stage)
        more = True
        while True:
            while more and self._crew.free and not self._is_enough(out):
                block = next(queue, None)
                more = block is not None
                if block is not None:
                    self._submit(block)
            if not self._in_flight and (not more or self._is_enough(out)):
                return not more
            self._hear(self._crew.wait(LOOK_S))

    def _is_enough(self, out: frozenset[str]) -> bool:
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
                yield block

    def _submit(self, block: Block) -> None:
        self._in_flight[block.id] = block
        self._tries[block.id] += 1
        self._crew.submit(block)

    def _hear(self, news: list[News]) -> None:
        for told in news:
            if isinstance(told, Played):
                self._keep(told)
            elif isinstance(told, Lost):
                self._again(told)
            elif isinstance(told, Failed):
                raise BlockLost(told.message)
            else:
                assert isinstance(told, Playing)
        self.progress.sights = list(self._crew.sights())
        self._watch.looked(self.progress)

    def _keep(self, played: Played) -> None:
        """A block is finished; one that comes twice, as from a cluster, counts once."""
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
        self._record.note(played)
        if self._goal is not None:
            self._goal.finished(played.result())
            progress.test = self._goal.test
        self._watch.finished(progress, played)
        self._judge(played.block.bots)

    def _again(self, lost: Lost) -> None:
        self._watch.lost(lost)
        if self._tries[lost.block.id] >= MOST_TRIES:
            raise BlockLost(
                f"block {lost.block.id} was begun {MOST_TRIES} times, and each time {lost.message}"
            )
        self._submit(lost.block)

    def _judge(self, bots: Iterable[str]) -> None:
        """Who is at fault too often is out of the tournament."""
        for bot in sorted(set(bots) - set(self.progress.out)):
            why = self._record.verdict(bot, self._programme)
            if why is not None:
                self._store.disqualify(bot, why)
                self.progress.out[bot] = why
                self._watch.disqualified(bot, why)


class _Conduct:
    """In how many games each bot was, and in how many of them at fault."""

    def __init__(self, store: Store) -> None:
        self._games: Counter[str] = Counter()
        self._faulted: Counter[str] = Counter()
        for bot, games, faulted in store.conduct():
            self._games[bot], self._faulted[bot] = games, faulted

    def note(self, played: Played) -> None:
        for game in played.games:
            for bot in {seat.bot for seat in game.seats}:
                self._games[bot] += 1
                self._faulted[bot] += any(seat.faults for seat in game.seats if seat.bot == bot)

    def verdict(self, bot: str, programme: Programme) -> str | None:
        """Why the bot is out, if it is."""
        games, faulted = self._games[bot], self._faulted[bot]
        if not faulted or games < programme.out_after or faulted / games < programme.out_at:
            return None
        return f"at fault in {faulted} of {games} games"

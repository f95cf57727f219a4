"""How fast tournaments are: games per second with one and more workers, and the overhead."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import msgspec

from referee.bench.c_programs import compile_program, compiler
from referee.bench.common import heading, rounded
from referee.bench.schedule import PlanFigures
from referee.bots.find import Bot, find_bot, with_unique_names
from referee.bots.reaper import REAPER
from referee.system import cpu_seconds, ended_children_cpu_seconds, resident_mib
from referee.tournament.coordinator import Coordinator, Progress, RunListener
from referee.tournament.definition import RunOptions
from referee.tournament.opening import OpenTournament, plan_run
from referee.tournament.request import TournamentRequest, make_definition
from referee.tournament.results import Block, BlockResult
from referee.tournament.schedule import Plan, Stage
from referee.tournament.store.store import Judgement, Store, StoredBot
from referee.tournament.workers.messages import Played
from referee.tournament.workers.pool import Pool

SEATS: Final = 4
SEED: Final = 1
MAX_TURNS: Final = 150


@dataclass(frozen=True)
class Throughput:
    """The figures of one tournament with one kind of bot."""

    bots: str
    workers: int
    games: int
    games_per_s: float
    decisions_per_s: float
    referee_share: float  # of all CPU time; the rest is the bots'
    store_share: float  # of the elapsed time: writing to the store
    schedule_share: float  # of the elapsed time: planning blocks
    memory_early_mib: float  # of the largest of our processes, after a tenth of the games
    memory_late_mib: float


def kinds() -> list[str]:
    """Return the kinds of bot that this machine can measure."""
    return ["quick", "random"] if compiler() else ["random"]


def measure(kind: str, workers: int, games: int) -> Throughput:
    """Play a tournament with this many games in a temporary folder, and measure it."""
    REAPER.take_charge()
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as name:
        folder = Path(name)
        bots = _bots(kind, folder)
        request = TournamentRequest(seats=SEATS, max_turns=MAX_TURNS, start_ms="off", bank_ms="off")
        definition = make_definition(request, len(bots), SEED)
        with Store.create(folder / "tournament") as store:
            store.enter(StoredBot(bot.name, bot.name, bot.content, "") for bot in bots)
            options = RunOptions(blocks=max(1, games // SEATS))
            planned = plan_run(request, definition, [bot.name for bot in bots], options)
            return _Measured(OpenTournament(store, bots, planned), kind, workers).run()


def _bots(kind: str, folder: Path) -> list[Bot]:
    if kind == "quick":
        program = compile_program("quick", folder)
        bot = Bot("quick", (str(program), "codes", "none"), folder, "bench")
    else:
        bot = find_bot(kind)
    return with_unique_names([bot] * SEATS)


class _Measured:
    """One tournament whose store and plan are timed."""

    def __init__(self, entered: OpenTournament, kind: str, workers: int) -> None:
        self._entered = entered
        self._kind = kind
        self._workers = workers
        self._options = entered.planned.options
        self._watch = _Stopwatch()
        self._early = self._late = 0.0

    def run(self) -> Throughput:
        store, plan = self._entered.store, self._entered.planned.plan
        before = ended_children_cpu_seconds()
        pool = Pool(self._entered.job(), self._workers)
        self._pool = pool
        coordinator = Coordinator(
            _TimedStore(store, self._watch),  # type: ignore[arg-type]  # it has the methods that are called
            _TimedPlan(plan, self._watch),
            self._options,
            pool,
            listener=RunListener(finished=self._measure_memory),
        )
        began, own = time.perf_counter(), time.process_time()
        coordinator.run()
        took = time.perf_counter() - began
        referee_s = time.process_time() - own + sum(map(cpu_seconds, pool.pids()))
        pool.close()
        all_s = time.process_time() - own + ended_children_cpu_seconds() - before
        progress = coordinator.progress
        return Throughput(
            bots=self._kind,
            workers=self._workers,
            games=progress.new_games,
            games_per_s=progress.new_games / took,
            decisions_per_s=progress.decisions / took,
            referee_share=referee_s / all_s,
            store_share=self._watch.store_s / took,
            schedule_share=self._watch.schedule_s / took,
            memory_early_mib=self._early,
            memory_late_mib=self._late,
        )

    def _measure_memory(self, progress: Progress, _: Played) -> None:
        assert self._options.blocks is not None
        if progress.done == max(1, self._options.blocks // 10):
            self._early = self._largest_mib()
        if progress.done == self._options.blocks:
            self._late = self._largest_mib()

    def _largest_mib(self) -> float:
        return max(map(resident_mib, [os.getpid(), *self._pool.pids()]))


@dataclass
class _Stopwatch:
    """Seconds that were spent on the store and on the plan."""

    store_s: float = 0.0
    schedule_s: float = 0.0


class _TimedStore:
    """A store whose calls are timed."""

    def __init__(self, store: Store, watch: _Stopwatch) -> None:
        self._store = store
        self._watch = watch
        self.bots, self.count, self.get = store.bots, store.count, store.get
        self.ahead, self.judge, self.results = store.ahead, store.judge, store.results

    def has(self, block: str) -> bool:
        with self._timed():
            return self._store.has(block)

    def finish(self, played: Played, judgement: Judgement) -> None:
        with self._timed():
            self._store.finish(played, judgement)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self._watch.store_s += time.perf_counter() - began


class _TimedPlan:
    """A plan whose stages and blocks are timed."""

    def __init__(self, plan: Plan, watch: _Stopwatch) -> None:
        self._plan = plan
        self._watch = watch
        self.stages, self.spread = plan.stages, plan.spread
        self.lacks_bots = plan.lacks_bots

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        began = time.perf_counter()
        stage = self._plan.stage(number, finished, out)
        self._watch.schedule_s += time.perf_counter() - began
        if stage is None:
            return None
        return Stage(stage.length, stage.games, lambda: self._timed(iter(stage)))

    def _timed(self, blocks: Iterator[Block]) -> Iterator[Block]:
        while True:
            began = time.perf_counter()
            block = next(blocks, None)
            self._watch.schedule_s += time.perf_counter() - began
            if block is None:
                return
            yield block


def to_dict(
    measured: Sequence[Throughput], plan: PlanFigures, machine: float | None
) -> dict[str, object]:
    """Return every figure for JSON; `machine` is how much faster all cores are than one."""
    return {
        **heading("tournament"),
        "tournaments": [_rounded(asdict(throughput)) for throughput in measured],
        "scaling": {kind: round(value, 2) for kind, value in scaling(measured).items()},
        "machine_scaling": None if machine is None else round(machine, 2),
        "plan": _rounded(msgspec.to_builtins(plan)),
    }


def scaling(measured: Sequence[Throughput]) -> dict[str, float]:
    """Return games per second with the most workers divided by those with one, by kind of bot."""
    found: dict[str, float] = {}
    for kind in dict.fromkeys(throughput.bots for throughput in measured):
        speeds = {
            throughput.workers: throughput.games_per_s
            for throughput in measured
            if throughput.bots == kind
        }
        if len(speeds) > 1 and 1 in speeds:
            found[kind] = speeds[max(speeds)] / speeds[1]
    return found


def _rounded(figures: dict[str, object]) -> dict[str, object]:
    return {key: rounded(value, 4) for key, value in figures.items()}

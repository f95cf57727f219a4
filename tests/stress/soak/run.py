"""A soak test: one tournament for hours with good and bad bots; nothing may leak or be lost."""

from __future__ import annotations

import math
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from referee.bench.c_programs import compile_program, compiler
from referee.bench.common import rounded
from referee.bots.find import Bot, find_bot, with_unique_names
from referee.bots.process import MOST_STDERR
from referee.bots.reaper import REAPER
from referee.bots.sandbox.levels import put_in_sandbox
from referee.bots.sandbox.limits import Level
from referee.system import descendants, has_process_files, open_descriptors, resident_mib
from referee.tournament.coordinator import Coordinator, Progress, RunListener
from referee.tournament.definition import RunOptions
from referee.tournament.opening import OpenTournament, plan_run
from referee.tournament.request import TournamentRequest, make_definition
from referee.tournament.store.store import FILE, RECORDS, Store, StoredBot
from referee.tournament.workers.messages import Played
from referee.tournament.workers.pool import Pool
from stress.program import StressRefused, heading
from stress.soak import bad_bot
from stress.soak.leaks import Trend, folder_mib, trend
from stress.soak.records import Lags, read_records

SEATS: Final = 4
MAX_TURNS: Final = 150
MOVE_MS: Final = 1000  # a game waits this long for each decision of the bot that sleeps
BLOCKS: Final = 20_000  # for each bot and hour: more than there is time for
MEASUREMENTS: Final = 240  # over the whole time
LEAST_S: Final = 0.5  # between two measurements


@dataclass(frozen=True)
class Measurement:
    """What the processes of the tournament use at one moment."""

    seconds: float
    games: int
    own_mib: float  # of this process, which writes the store
    workers_mib: float
    descriptors: int  # ours and the workers'
    processes: int  # all descendants of this process
    rest_mib: float  # on disk, without records and store


@dataclass
class Soaked:
    """The result of a soak test: what was played, what went wrong, and every measurement."""

    hours: float
    sandbox: Level
    bots: int
    bad: int
    workers: int
    games: int = 0
    blocks: int = 0
    decisions: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    innocent: int = 0  # faults of good bots, for example because the machine was too slow
    lost: int = 0  # blocks that were skipped, or played but not stored
    doubled: int = 0
    void: int = 0
    broken_records: int = 0
    verified_records: int = 0
    lags: Lags = field(default_factory=Lags)
    left_running: int = 0
    left_open: int = 0  # descriptors more than at the beginning
    store_mib: float = 0.0
    measurements: list[Measurement] = field(default_factory=list)

    def trends(self) -> list[Trend]:
        """Return the trends of the figures that must not grow."""
        measurements = self.measurements
        # The stderr of each process is limited, and those of one of the bad bots reach the limit.
        logs = self.workers * SEATS * MOST_STDERR / (1 << 20)
        return [
            trend("own memory, MiB", [one.own_mib for one in measurements], share=0.05, least=2),
            trend(
                "workers' memory, MiB",
                [one.workers_mib for one in measurements],
                share=0.05,
                least=4,
            ),
            trend("descriptors", [one.descriptors for one in measurements], share=0.1, least=8),
            trend("processes", [one.processes for one in measurements], share=0.1, least=4),
            trend(
                "disk without records, MiB",
                [one.rest_mib for one in measurements],
                share=0,
                least=logs,
            ),
        ]

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost and nothing leaks."""
        wrong = (self.lost, self.doubled, self.void, self.broken_records, self.left_running)
        return not any(wrong) and self.left_open <= 0 and all(one.is_flat for one in self.trends())


def soak(
    folder: Path,
    hours: float,
    workers: int,
    sandbox: Level | None = None,
    on_progress: Callable[[Soaked], None] = lambda _: None,
    seed: int = 1,
) -> Soaked:
    """Play for this many hours; `on_progress` is called after each measurement.

    Without a sandbox level, the bots are in the default sandbox of a tournament.
    """
    if not has_process_files():
        raise StressRefused("leaks are measured in /proc, which this system does not have")
    REAPER.take_charge()
    tournament_folder = folder / "tournament"
    found = with_unique_names([*_good(folder), *_bad()])
    bots, level, _ = put_in_sandbox(found, sandbox, "strict", apart=[tournament_folder])
    open_before, running_before = open_descriptors([os.getpid()]), set(descendants(os.getpid()))
    request = TournamentRequest(seats=SEATS, max_turns=MAX_TURNS, move_ms=MOVE_MS)
    definition = make_definition(request, len(bots), seed)
    with Store.create(tournament_folder) as store:
        store.enter(StoredBot(bot.name, bot.name, bot.content, "") for bot in bots)
        soaked = Soaked(hours, level, len(bots), len(bad_bot.KINDS), workers)
        # Bad bots stay to the end.
        options = RunOptions(blocks_per_bot=math.ceil(BLOCKS * hours), out_at=2.0)
        planned = plan_run(request, definition, [bot.name for bot in bots], options)
        run = _Run(OpenTournament(store, bots, planned), soaked, on_progress)
        run.play()
        run.check()
    soaked.left_running = len(set(descendants(os.getpid())) - running_before)
    soaked.left_open = open_descriptors([os.getpid()]) - open_before
    return soaked


def _good(folder: Path) -> Iterable[Bot]:
    """Yield two good bots for each bad one: one in Python, and one in C if there is a compiler."""
    count = len(bad_bot.KINDS)
    yield from [find_bot("random")] * count
    if compiler() is None:
        yield from [find_bot("greedy")] * count
        return
    program = compile_program("quick", folder)
    yield from [Bot("quick", (str(program), "codes", "none"), folder, "bench")] * count


def _bad() -> Iterable[Bot]:
    program = Path(bad_bot.__file__)
    for kind in bad_bot.KINDS:
        command = (sys.executable, "-I", "-S", str(program), kind)
        yield Bot(f"bad-{kind}", command, program.parent, "bench")


class _Run:
    def __init__(
        self, entered: OpenTournament, soaked: Soaked, on_progress: Callable[[Soaked], None]
    ) -> None:
        self._entered = entered
        self._folder = entered.store.folder
        self._on_progress = on_progress
        self._bad = frozenset(bot.name for bot in entered.bots if bot.name.startswith("bad-"))
        self.soaked = soaked
        self._every_s = max(LEAST_S, soaked.hours * 3600 / MEASUREMENTS)
        self._planned = entered.planned
        self._seen: Counter[str] = Counter()

    def play(self) -> None:
        """Play until the time is over, and then finish the running games."""
        self._began = time.monotonic()
        self._pool = Pool(self._entered.job(), self.soaked.workers)
        listener = RunListener(progressed=self._measure, finished=self._finished)
        planned = self._planned
        self._coordinator = Coordinator(
            self._entered.store, planned.plan, planned.options, self._pool, listener=listener
        )
        try:
            self._coordinator.run()
            self._pool.close()
        finally:
            self._pool.kill()

    def _measure(self, progress: Progress) -> None:
        soaked, now = self.soaked, time.monotonic() - self._began
        if now >= soaked.hours * 3600:
            self._coordinator.stop()
        if now < self._every_s * (len(soaked.measurements) + 1):
            return
        ours = [os.getpid(), *self._pool.pids()]
        soaked.measurements.append(
            Measurement(
                round(now, 1),
                progress.new_games,
                resident_mib(ours[0]),
                sum(map(resident_mib, ours[1:])),
                open_descriptors(ours),
                len(descendants(ours[0])),
                folder_mib(self._folder, (RECORDS, FILE)),
            )
        )
        self._on_progress(soaked)

    def _finished(self, progress: Progress, played: Played) -> None:
        soaked = self.soaked
        soaked.games, soaked.blocks = progress.new_games, progress.new_blocks
        soaked.decisions = progress.decisions
        soaked.void += played.void is not None
        self._seen[played.block.id] += 1
        for game in played.games:
            soaked.faults.update(fault.fault for fault in game.faults)
            soaked.innocent += sum(seat.faults for seat in game.seats if seat.name not in self._bad)
        self._read_records(played)

    def _read_records(self, played: Played) -> None:
        """Read the records and delete them, so that the disk does not fill up in days of play."""
        folder = self._folder / RECORDS / played.block.id
        verified, broken = read_records(folder, played, self.soaked.lags)
        self.soaked.verified_records += verified
        self.soaked.broken_records += broken
        shutil.rmtree(folder, ignore_errors=True)

    def check(self) -> None:
        """Count lost and doubled blocks: the store must have exactly the first blocks of the plan."""
        soaked = self.soaked
        soaked.store_mib = folder_mib(self._folder) - folder_mib(self._folder, (FILE,))
        kept = Counter(result.block.id for result in self._entered.store.results())
        stage = self._planned.plan.stage(0, (), frozenset())
        assert stage is not None
        planned = {block.id for block in islice(stage, sum(self._seen.values()))}
        soaked.lost = len(planned - kept.keys()) + len(self._seen.keys() - kept.keys())
        soaked.doubled = kept.total() - len(kept) + self._seen.total() - len(self._seen)


def to_dict(soaked: Soaked) -> dict[str, object]:
    """Return every figure for JSON, with all measurements."""
    figures = asdict(soaked)
    figures["measurements"] = [
        [rounded(value, 3) for value in asdict(one).values()] for one in soaked.measurements
    ]
    figures["faults"] = dict(sorted(soaked.faults.items()))
    figures["lags"] = soaked.lags.to_dict()
    figures["store_mib"] = rounded(soaked.store_mib, 3)
    return {
        **heading("soak"),
        **figures,
        "trends": [
            {**{key: rounded(value, 3) for key, value in asdict(one).items()}, "flat": one.is_flat}
            for one in soaked.trends()
        ],
        "clean": soaked.is_clean,
    }

"""What the sandbox costs: the time of a start and of a decision at each level."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Final

from referee.adjudication.clock import NO_CLOCK
from referee.bench.c_programs import compile_program, compiler
from referee.bench.common import heading
from referee.bots.find import Bot
from referee.bots.process import BotProcess
from referee.bots.sandbox.levels import missing_for_strict
from referee.bots.sandbox.limits import LEVELS, Level
from referee.errors import BenchRefused
from referee.match.players import BotPlayer

REQUEST: Final = (
    b'{"type":"decide","choices":[' + b"1," * 200 + b"1]}\n"
)  # as long as a typical one
_TRIPS: Final = 200  # requests in one measurement
_US: Final = 1e6


@dataclass(frozen=True)
class Price:
    """What one level costs (medians), and how much more than no sandbox."""

    level: Level
    start_ms: float
    more_start_ms: float
    least_start_ms: float  # the fastest start, which a busy machine has not delayed
    decision_us: float
    more_decision_us: float


def levels() -> list[Level]:
    """Return the levels that work on this machine."""
    return [level for level in LEVELS if level != "strict" or missing_for_strict() is None]


def measure(starts: int, rounds: int, folder: Path) -> list[Price]:
    """Measure all levels alternately, so that a busy machine slows all of them equally.

    Raise BenchRefused without a C compiler, or if a bot cannot be started.
    """
    if compiler() is None:
        raise BenchRefused(
            "a C compiler is needed: the start of an interpreter takes longer than the sandbox"
        )
    quick = compile_program("quick", folder)
    echo = compile_program("echo", folder)
    started = _starts(quick, starts, folder)
    decided = _decisions(echo, rounds, folder)
    return [
        Price(
            level,
            median(started[level]),
            _more(started[level], started["off"]),
            min(started[level]),
            median(decided[level]),
            _more(decided[level], decided["off"]),
        )
        for level in levels()
    ]


def _more(times: Sequence[float], times_off: Sequence[float]) -> float:
    """Return the median difference to the times without a sandbox, measured at the same moments."""
    return median(inside - off for inside, off in zip(times, times_off, strict=True))


def _bot(program: Path, level: Level, folder: Path) -> Bot:
    return Bot(program.name, (str(program),), folder, "bench", level=level)


def _starts(program: Path, count: int, folder: Path) -> dict[Level, list[float]]:
    """Return the milliseconds from the start of a bot to its hello, by level."""
    times: dict[Level, list[float]] = {level: [] for level in levels()}
    for _ in range(count):
        for level, found in times.items():
            player = BotPlayer(_bot(program, level, folder), folder / f"{level}.txt")
            begin = time.perf_counter()
            fault = player.open(NO_CLOCK)
            found.append((time.perf_counter() - begin) * 1000)
            player.close()
            if fault is not None:
                raise BenchRefused(f"a bot could not be started in the sandbox: {fault.message}")
    return times


def _decisions(program: Path, rounds: int, folder: Path) -> dict[Level, list[float]]:
    """Return the microseconds of a request and its answer, with two readings of the CPU clock."""
    times: dict[Level, list[float]] = {level: [] for level in levels()}
    with ExitStack() as ending:
        processes: dict[Level, BotProcess] = {}
        for level in times:
            bot = _bot(program, level, folder)
            processes[level] = BotProcess(bot, folder / f"{level}.txt")
            ending.callback(processes[level].kill)
            _trips(processes[level])
        for _ in range(rounds):
            for level, process in processes.items():
                times[level].append(_trips(process))
    return times


def _trips(process: BotProcess) -> float:
    begin = time.perf_counter()
    for _ in range(_TRIPS):
        process.cpu_ms()
        process.say(REQUEST)
        process.hear(None)
        process.cpu_ms()
    return (time.perf_counter() - begin) / _TRIPS * _US


def to_dict(prices: list[Price]) -> dict[str, object]:
    """Every figure, for JSON."""
    return {
        **heading("sandbox"),
        "platform": sys.platform,
        "levels": [asdict(price) for price in prices],
    }

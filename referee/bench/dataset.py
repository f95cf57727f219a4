"""How fast records become data to learn from, and how much memory that needs.

Each data set is made in a process of its own, so that its peak memory contains nothing else. The time
is that of the wall clock, which is what a user waits for, and CPU time as well: a thread compresses the
files, so the first is shorter if a second core is free.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from referee.bench.common import heading, rounded
from referee.bench.engine import MAX_TURNS
from referee.bench.verify import write_record
from referee.options import GameOptions, load_game
from referee.random_play import play_game
from referee.rl.dataset_making import write_dataset
from referee.system import peak_mib

GAMES: Final = 12  # that are different; a data set of more records contains them several times


@dataclass(frozen=True, slots=True)
class DatasetSpeed:
    """The figures of the data sets of one board; speeds are medians of all rounds."""

    board: str
    seats: int
    records: int  # of each data set
    decisions: int  # the same
    per_s: float  # decisions per second of the wall clock
    per_cpu_s: float  # decisions per second of CPU time, including the thread that compresses
    bytes_per_decision: float  # in the files
    peak_mib: float  # of the process that made the data sets; 0 where the system does not tell
    rounds: int


class _Round(NamedTuple):
    decisions: int
    seconds: float
    cpu_seconds: float
    bytes: int


def measure_dataset(
    board: str, seats: int, records: int, seconds: float, folder: Path
) -> DatasetSpeed:
    """Make data sets of so many records for about this many seconds, at least one; all files go into `folder`."""
    loaded = load_game(GameOptions(board=board, max_turns=MAX_TURNS), seats)
    games = [
        write_record(folder / f"{loaded.board.id}-{seed}.jsonl", play_game(*loaded, seed))
        for seed in range(min(GAMES, records))
    ]
    paths = list(islice(cycle(games), records))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        rounds, peak = process.submit(_make_datasets, paths, seconds, folder / "data").result()
    return DatasetSpeed(
        board=loaded.board.id,
        seats=seats,
        records=records,
        decisions=rounds[0].decisions,
        per_s=median(one.decisions / one.seconds for one in rounds),
        per_cpu_s=median(one.decisions / one.cpu_seconds for one in rounds),
        bytes_per_decision=rounds[0].bytes / rounds[0].decisions,
        peak_mib=peak,
        rounds=len(rounds),
    )


def to_dict(speeds: Sequence[DatasetSpeed]) -> dict[str, object]:
    """Return every figure by board, for JSON."""
    rows = {speed.board: asdict(speed) for speed in speeds}
    names = [name for name in DatasetSpeed.__slots__ if name != "board"]
    return {
        **heading("dataset"),
        **{name: {board: rounded(row[name]) for board, row in rows.items()} for name in names},
    }


def _make_datasets(
    paths: Sequence[Path], seconds: float, folder: Path
) -> tuple[list[_Round], float]:
    """Make the same data set again and again; return what each took, and the peak memory of this process."""
    rounds = [_make_dataset(paths, folder)]
    while sum(one.seconds for one in rounds) < seconds:
        rounds.append(_make_dataset(paths, folder))
    return rounds, peak_mib(os.getpid())


def _make_dataset(paths: Sequence[Path], folder: Path) -> _Round:
    began, cpu_before = time.perf_counter(), time.process_time()
    decisions = write_dataset(paths, folder).decisions
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu_before
    size = sum(path.stat().st_size for path in folder.iterdir())
    shutil.rmtree(folder)
    return _Round(decisions, seconds, cpu_seconds, size)

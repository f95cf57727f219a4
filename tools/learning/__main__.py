"""Learn the networks of all boards from nothing: `python -m learning FOLDER` in the folder tools.

In each round, the planner plays some games on each board with the network of the round before, and the
network goes on learning from the games of the last rounds. Every part is a file in FOLDER, and is not
made again: a run that was interrupted goes on where it was. The networks are in FOLDER/values; copy them
to referee/thinking/values.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from learning.calibration import Calibration, calibrate, held_out_chances
from learning.fitting import Data, Learner
from learning.self_play import BOARDS, Sample, play
from referee.atlas import load_board
from referee.thinking.features import FEATURES
from referee.thinking.learnt_value import ANY_BOARD, LearntValue
from referee.thinking.places import place_names

CHUNK: Final = 25  # games in a file
REMEMBERED: Final = 20  # rounds, from whose games a network learns
EPOCHS: Final = 0.5  # how often it sees each of their positions in a round, ...
FIRST_EPOCHS: Final = 6.0  # ... and in the first one
RATE: Final = 1e-3  # of its steps; ...
SLOWER: Final = 5  # ... it falls in so many rounds at the end
LATE_ROUNDS: Final = 5  # the network for any board learns from the games of the last rounds, ...
ANY_EPOCHS: Final = 4.0  # ... whose positions it sees so often
SELDOM: Final = 50_000  # new objects, after which garbage is collected: there is hardly any

Job: TypeAlias = partial[str]  # makes a file, and says what is worth saying
Jobs: TypeAlias = Iterator[list[Job]]  # those of a list can be done at the same time


def main() -> None:
    """Play and learn, round by round, all boards at the same time."""
    options = _options()
    began = time.monotonic()
    with ProcessPoolExecutor(
        options.workers, initializer=gc.set_threshold, initargs=(SELDOM,)
    ) as pool:
        for said in _done(pool, [_jobs_of_board(options, board) for board in options.boards]):
            _say(f"{time.monotonic() - began:5.0f} s  {said}")
    for finish in (_learn_any, _how_true):
        _say(finish(options.folder, options.boards, options.rounds))
    (options.folder / "values").mkdir(exist_ok=True)
    for name in (*options.boards, ANY_BOARD):
        learnt = LearntValue.load(_network(options.folder, name, options.rounds - 1))
        learnt.save(options.folder / "values" / f"{name}.npz")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m learning", description=__doc__)
    parser.add_argument("folder", type=Path, help="where everything is written")
    parser.add_argument("--boards", nargs="+", default=BOARDS, choices=BOARDS)
    parser.add_argument("--games", type=int, default=200, help="per board and round")
    parser.add_argument("--rounds", type=int, default=22)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


# -- what is to be done


def _jobs_of_board(options: argparse.Namespace, board: str) -> Jobs:
    """Round by round the games, and then the network that learns from them; without what is done."""
    for number in range(options.rounds):
        chunks = range(-(-options.games // CHUNK))
        yield [
            partial(_play_chunk, options.folder, board, number, chunk)
            for chunk in chunks
            if not _games(options.folder, board, number, chunk).exists()
        ]
        if not _network(options.folder, board, number).exists():
            yield [partial(_learn, options.folder, board, number, options.rounds)]


def _done(pool: ProcessPoolExecutor, several: Sequence[Jobs]) -> Iterator[str]:
    """Do all jobs, each list after the one before it, and yield what they say."""
    left: dict[int, int] = {}  # by the number of the iterator: the jobs that are not done yet
    running: dict[Future[str], int] = {}

    def begin(which: int) -> None:
        for jobs in several[which]:
            if jobs:
                left[which] = len(jobs)
                running.update({pool.submit(job): which for job in jobs})
                return

    for which in range(len(several)):
        begin(which)
    while running:
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            which = running.pop(future)
            left[which] -= 1
            if said := future.result():
                yield said
            if not left[which]:
                begin(which)


# -- games


def _games(folder: Path, board: str, number: int, chunk: int) -> Path:
    return folder / f"games-{board}-{number:02}-{chunk:02}.npz"


def _play_chunk(folder: Path, board: str, number: int, chunk: int) -> str:
    learnt = LearntValue.load(_network(folder, board, number - 1)) if number else None
    first = (1_000_000 * number) + CHUNK * chunk
    samples = [play(board, seed, learnt) for seed in range(first, first + CHUNK)]
    arrays = {
        f"{name}_{index}": array
        for index, sample in enumerate(samples)
        for name, array in asdict(sample).items()
    }
    path = _games(folder, board, number, chunk)
    partly = path.with_suffix(f".{os.getpid()}")
    with partly.open("wb") as file:
        np.savez_compressed(file, **arrays)
    partly.replace(path)
    return ""


def _read(folder: Path, board: str, rounds: range) -> list[Sample]:
    """The games of some rounds."""
    return [
        sample
        for number in rounds
        for path in sorted(folder.glob(f"games-{board}-{number:02}-*.npz"))
        for sample in _read_chunk(path)
    ]


def _read_chunk(path: Path) -> list[Sample]:
    with np.load(path, allow_pickle=False) as file:
        return [
            Sample(
                file[f"rows_{index}"],
                file[f"ranks_{index}"],
                file[f"parts_{index}"],
            )
            for index in range(CHUNK)
        ]


# -- networks


def _network(folder: Path, name: str, number: int) -> Path:
    return folder / f"network-{name}-{number:02}.npz"


def _learner(folder: Path, board: str, number: int) -> Path:
    return folder / f"learner-{board}-{number:02}.npz"


def _learn(folder: Path, board: str, number: int, rounds: int) -> str:
    """Go on learning from the games of the last rounds; in the last round, say how good it became."""
    data = Data.of(_read(folder, board, range(max(0, number - REMEMBERED + 1), number + 1)))
    if number:
        learner = Learner.load(_learner(folder, board, number - 1))
        rate = RATE * min(1.0, (rounds - number) / SLOWER)
        learner.learn(data, epochs=EPOCHS, rate=rate, seed=number)
    else:
        learner = Learner.new(data)
        learner.learn(data, epochs=FIRST_EPOCHS, rate=RATE, from_ends=True)
    _write(_learner(folder, board, number), learner.save)
    learnt = learner.value(place_names(load_board(board)))
    _write(_network(folder, board, number), learnt.save)
    points = float(data.parts.sum(axis=2)[data.present].mean())
    said = f"{board}, round {number}: {data.games[-1] + 1} games, {points:.1f} points on average"
    return said if number < rounds - 1 else f"{said}\n{_table(calibrate(learnt, data))}"


def _learn_any(folder: Path, boards: Sequence[str], rounds: int) -> str:
    """Learn a network for any board, from the games of all boards without their places."""
    path = _network(folder, ANY_BOARD, rounds - 1)
    if path.exists():
        return f"{ANY_BOARD}: is done"
    games = {board: _read(folder, board, _last(rounds)) for board in boards}
    data = Data.of([sample for board in boards for sample in games[board]], len(FEATURES))
    learner = Learner.new(data)
    learner.learn(data, epochs=ANY_EPOCHS, rate=RATE, from_ends=True)
    learnt = learner.value()
    _write(path, learnt.save)
    return f"{ANY_BOARD}: {data.games[-1] + 1} games\n{_table(calibrate(learnt, data))}"


def _last(rounds: int) -> range:
    return range(max(0, rounds - LATE_ROUNDS), rounds)


def _how_true(folder: Path, boards: Sequence[str], rounds: int) -> str:
    """How often the chances of all networks came true, in the last rounds."""
    chances = held_out_chances(
        [
            (
                LearntValue.load(_network(folder, board, rounds - 1)),
                Data.of(_read(folder, board, _last(rounds))),
            )
            for board in boards
        ]
    )
    lines = ["all boards; predicted and true chances to come first:"]
    for number in range(3):
        bins = ", ".join(f"{b.predicted:.2f} {b.came_true:.2f}" for b in chances.bins(number))
        lines.append(f"  third {number + 1}: {bins}")
    return "\n".join(lines)


def _write(path: Path, save: Callable[[Path], None]) -> None:
    """Write a file as a whole."""
    partly = path.with_suffix(f".{os.getpid()}")
    save(partly)
    partly.replace(path)


def _table(figures: Calibration) -> str:
    lines = [f"  {figures.games} games held out; log loss of the chance to come first:"]
    lines += [
        f"  third {number}: {phase.learnt:.3f} learnt, {phase.by_score:.3f} by score,"
        f" {phase.uniform:.3f} uniform, {phase.positions} positions"
        for number, phase in enumerate(figures.phases, 1)
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()

"""Learn the networks of all boards from nothing: `python -m learning FOLDER` in the folder tools.

Every part is a file in FOLDER, and is not made again: a run that was interrupted goes on where it was.
The networks are in FOLDER/values; copy them to referee/thinking/values.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np

from learning.calibration import Calibration, calibrate
from learning.fitting import Data, fit
from learning.self_play import BOARDS, Sample, play
from referee.atlas import load_board
from referee.thinking.features import FEATURES
from referee.thinking.learnt_value import ANY_BOARD, LearntValue
from referee.thinking.places import place_names

CHUNK: Final = 25  # games in a file


def main() -> None:
    """Play and learn, round by round."""
    options = _options()
    for number in range(options.rounds):
        _play_round(options, number)
        for board in options.boards:
            _fit(options.folder, (board,), number, board)
    last = options.rounds - 1
    _fit(options.folder, options.boards, last, ANY_BOARD)
    (options.folder / "values").mkdir(exist_ok=True)
    for name in (*options.boards, ANY_BOARD):
        learnt = LearntValue.load(_network(options.folder, name, last))
        learnt.save(options.folder / "values" / f"{name}.npz")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m learning", description=__doc__)
    parser.add_argument("folder", type=Path, help="where everything is written")
    parser.add_argument("--boards", nargs="+", default=BOARDS, choices=BOARDS)
    parser.add_argument("--games", type=int, default=1000, help="per board and round")
    parser.add_argument("--rounds", type=int, default=2, help="each learns from all games so far")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


# -- games


def _play_round(options: argparse.Namespace, number: int) -> None:
    """Play the games of one round that are not played yet."""
    chunks = [
        (options.folder, board, number, chunk)
        for chunk in range(-(-options.games // CHUNK))
        for board in options.boards
        if not _games(options.folder, board, number, chunk).exists()
    ]
    began = time.monotonic()
    with ProcessPoolExecutor(options.workers) as pool:
        for done, _ in enumerate(pool.map(_play_chunk, chunks), 1):
            _say(
                f"round {number}: {done} of {len(chunks)} files with {CHUNK} games,"
                f" {time.monotonic() - began:.0f} s"
            )


def _games(folder: Path, board: str, number: int, chunk: int) -> Path:
    return folder / f"games-{board}-{number}-{chunk:03}.npz"


def _network(folder: Path, board: str, number: int) -> Path:
    return folder / f"network-{board}-{number}.npz"


def _play_chunk(chunk: tuple[Path, str, int, int]) -> None:
    folder, board, number, which = chunk
    learnt = LearntValue.load(_network(folder, board, number - 1)) if number else None
    first = (1_000_000 * number) + CHUNK * which
    samples = [play(board, seed, learnt) for seed in range(first, first + CHUNK)]
    arrays = {
        f"{name}_{index}": array
        for index, sample in enumerate(samples)
        for name, array in asdict(sample).items()
    }
    path = _games(*chunk)
    partial = path.with_suffix(f".{os.getpid()}")
    with partial.open("wb") as file:
        np.savez_compressed(file, **arrays)
    partial.replace(path)


def _read(path: Path) -> list[Sample]:
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


def _fit(folder: Path, boards: Sequence[str], number: int, name: str) -> None:
    """Learn from all games of these boards up to a round, and say how good the network is."""
    path = _network(folder, name, number)
    if path.exists():
        return
    paths = [
        path
        for board in boards
        for earlier in range(number + 1)
        for path in sorted(folder.glob(f"games-{board}-{earlier}-*.npz"))
    ]
    samples = [sample for one in paths for sample in _read(one)]
    is_any = name == ANY_BOARD
    data = Data.of(samples, len(FEATURES) if is_any else None)
    began = time.monotonic()
    learnt = fit(data, () if is_any else place_names(load_board(name)))
    partial = path.with_suffix(f".{os.getpid()}")
    learnt.save(partial)
    partial.replace(path)
    _say(
        f"{name}, round {number}: {len(data.rows)} positions of {data.games[-1] + 1} games,"
        f" {time.monotonic() - began:.0f} s\n{_table(calibrate(learnt, data))}"
    )


def _table(figures: Calibration) -> str:
    lines = [f"  {figures.games} games held out; log loss of the chance to come first:"]
    lines += [
        f"  third {number}: {phase.learnt:.3f} learnt, {phase.by_score:.3f} by score,"
        f" {phase.uniform:.3f} uniform"
        for number, phase in enumerate(figures.phases, 1)
    ]
    lines.append(
        "  predicted and true: "
        + ", ".join(f"{one.predicted:.2f} {one.came_true:.2f}" for one in figures.bins)
    )
    return "\n".join(lines)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()

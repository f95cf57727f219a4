"""Tune the weights of the evaluation by games: `python -m learning.weights FOLDER` in the folder tools.

Each board has weights of its own; another board gets their geometric mean. A file in FOLDER says how
far each tuning is: a run that was interrupted goes on where it was. The result is FOLDER/weights.json;
copy it to referee/thinking/values.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from learning.self_play import BOARDS
from learning.tuning import Floats, point_of, step, weights_at, without_chance
from referee.thinking.tuned_weights import ANY_BOARD, read_weights, write_weights
from referee.thinking.weights import DEFAULT_WEIGHTS, Weights

SAVED: Final = 50  # iterations from one saved state to the next
AVERAGED: Final = 0.5  # of the iterations: the result is the mean of the last ones
BACK: Final = 3e-4  # of the way, by which each iteration draws back to the start


def main() -> None:
    """Tune the weights of each board, and make those for any other board."""
    options = _options()
    one_board = partial(tune, options.folder, options.iterations, options.start)
    with ProcessPoolExecutor(options.workers) as pool:
        points = dict(zip(options.boards, pool.map(one_board, options.boards), strict=True))
    points[ANY_BOARD] = np.mean(list(points.values()), axis=0)
    weights = {board: weights_at(point) for board, point in points.items()}
    write_weights(options.folder / "weights.json", weights)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m learning.weights", description=__doc__)
    parser.add_argument("folder", type=Path, help="where everything is written")
    parser.add_argument("--boards", nargs="+", default=BOARDS, choices=BOARDS)
    parser.add_argument("--iterations", type=int, default=1200, help="per board")
    parser.add_argument("--start", type=Path, help="begin with the weights of this file")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


def tune(folder: Path, iterations: int, first: Path | None, board: str) -> Floats:
    """The tuned point of a board; goes on from its last saved state. Every iteration is two games."""
    start = point_of(_first_weights(first, board))
    path = folder / f"tuning-{board}.json"
    state = _State.read(path) if path.exists() else _State(start)
    averaged = iterations - int((1 - AVERAGED) * iterations)
    while state.number < iterations:
        state.move(step(state.point, board, state.number, state.number / iterations), start)
        if state.number > iterations - averaged:
            state.mean += state.point / averaged
        if state.number % SAVED == 0 or state.number == iterations:
            state.write(path)
            sys.stderr.write(f"{board}: {state.number} of {iterations} iterations\n")
    return start + without_chance(state.mean - start, state.variance)


def _first_weights(path: Path | None, board: str) -> Weights:
    if path is None:
        return DEFAULT_WEIGHTS
    known = read_weights(path)
    return known.get(board, known[ANY_BOARD])


class _State:
    """What a stopped tuning needs to go on: iterations, the point, and the mean of the last ones."""

    def __init__(self, point: Floats) -> None:
        self.number, self.point, self.mean = 0, point, np.zeros_like(point)
        self.variance = 0.0  # of each number of the point, if only chance moved it

    def move(self, moved: Floats, start: Floats) -> None:
        """Count one more iteration; each draws a little back to the start."""
        self.number += 1
        self.point = start + (1 - BACK) * (self.point + moved - start)
        self.variance = (1 - BACK) ** 2 * (self.variance + float(np.mean(moved * moved)))

    def write(self, path: Path) -> None:
        """Write a file that `read` reads."""
        state = [self.number, self.variance, list(self.point), list(self.mean)]
        partial_file = path.with_suffix(".partial")
        partial_file.write_text(json.dumps(state), "utf-8")
        partial_file.replace(path)

    @classmethod
    def read(cls, path: Path) -> _State:
        """Read what `write` wrote, to go on from there."""
        number, variance, point, mean = json.loads(path.read_text("utf-8"))
        state = cls(np.array(point))
        state.number, state.variance, state.mean = number, variance, np.array(mean)
        return state


if __name__ == "__main__":
    main()

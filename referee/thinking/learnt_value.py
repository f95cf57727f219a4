"""The learnt value: how a game will probably end for every seat, by a small network for each board.

`tools/learning` makes the networks from games of the planner with itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads only slow such small networks down

import numpy as np
import numpy.typing as npt

from referee.engine import game
from referee.engine.board import Board
from referee.engine.ending import PARTS, Standing
from referee.engine.state import GameState
from referee.thinking.features import FEATURES, features
from referee.thinking.places import place_names

Floats: TypeAlias = npt.NDArray[np.float32]

FORMAT: Final = 2
OUTPUTS: Final = ("strength", *PARTS, "countries")  # of each seat: first its strength, then points
ANY_BOARD: Final = "any"  # the network for boards without one of their own
_FOLDER: Final = Path(__file__).with_name("values")
_CERTAIN: Final = 30.0  # the difference in strength between two ranks when a game is over


class Outcomes(NamedTuple):
    """How games will probably end, for several positions at once."""

    strengths: Floats  # by position and seat; their differences are log odds
    parts: Floats  # by position, seat and part of the final score: expected points

    def first(self) -> Floats:
        """By position and seat: the chance to come first."""
        powers = np.exp(self.strengths - self.strengths.max(axis=1, keepdims=True))
        chances: Floats = powers / powers.sum(axis=1, keepdims=True)
        return chances

    def beaten(self, seat: int) -> Floats:
        """By position: the share of the other seats that a seat will leave behind."""
        own = self.strengths[:, seat : seat + 1]
        ahead = 1 / (1 + np.exp(np.clip(self.strengths - own, -80, 80)))
        others = self.strengths.shape[1] - 1
        shares: Floats = (ahead.sum(axis=1) - 0.5) / others
        return shares

    def ranks(self) -> Floats:
        """By position and seat: the expected rank."""
        others = self.strengths.shape[1] - 1
        beaten = [self.beaten(seat) for seat in range(others + 1)]
        ranks: Floats = 1 + others * (1 - np.stack(beaten, axis=1))
        return ranks

    def totals(self) -> Floats:
        """By position and seat: the expected final score."""
        totals: Floats = self.parts.sum(axis=2)
        return totals


class Layer(NamedTuple):
    """One layer of a network."""

    weights: Floats
    bias: Floats


class LearntValue:
    """A network from the features of a seat to its `OUTPUTS`.

    `places` are the names of the places that it knows; without any, it is for every board.
    """

    def __init__(self, layers: Sequence[Layer], places: Sequence[str] = ()) -> None:
        self.layers, self.places = tuple(layers), tuple(places)

    def run(self, rows: Floats) -> Floats:
        """The outputs for rows of features, which may have any number of further dimensions."""
        values = rows
        for layer in self.layers[:-1]:
            values = np.maximum(values @ layer.weights + layer.bias, 0)
        return values @ self.layers[-1].weights + self.layers[-1].bias

    def outcomes(self, states: Sequence[GameState], *, is_turn_over: bool = False) -> Outcomes:
        """How games with these positions will end; with `is_turn_over` as if the turn had ended."""
        with_places = bool(self.places)
        rows = [
            features(state, is_turn_over=is_turn_over, with_places=with_places) for state in states
        ]
        outputs = self.run(np.array(rows, np.float32))
        for number, state in enumerate(states):
            if state.over:
                outputs[number] = [
                    [-_CERTAIN * one.rank, *points_by_part(one)] for one in game.standings(state)
                ]
        return Outcomes(outputs[:, :, 0], outputs[:, :, 1:])

    def save(self, path: Path) -> None:
        """Write a file that `load` reads."""
        arrays: dict[str, Any] = {f"weights_{n}": one.weights for n, one in enumerate(self.layers)}
        arrays |= {f"bias_{n}": one.bias for n, one in enumerate(self.layers)}
        arrays |= {"format": FORMAT, "features": FEATURES, "outputs": OUTPUTS}
        arrays["places"] = np.array(self.places, np.str_)
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)

    @classmethod
    def load(cls, path: Path) -> LearntValue:
        """Read a network; ValueError if it was made for other features or outputs."""
        with np.load(path, allow_pickle=False) as file:
            if int(file["format"]) != FORMAT:
                raise ValueError(f"{path.name} has format {file['format']}, not {FORMAT}")
            if (*file["features"],) != FEATURES or (*file["outputs"],) != OUTPUTS:
                raise ValueError(f"{path.name} was made for other features; learn it again")
            count = sum(name.startswith("bias_") for name in file.files)
            return cls(
                [
                    Layer(file[f"weights_{number}"], file[f"bias_{number}"])
                    for number in range(count)
                ],
                [str(name) for name in file["places"]],
            )


def points_by_part(standing: Standing) -> list[float]:
    """The points of a seat, in the order of `OUTPUTS`."""
    parts = [float(points) for points in standing.parts[1 : 1 + len(PARTS)]]
    return [*parts, float(sum(standing.countries))]


@lru_cache(maxsize=8)
def learnt_value(board: Board) -> LearntValue:
    """The network for a board."""
    return LearntValue.load(value_file(board))


@lru_cache(maxsize=8)
def value_file(board: Board) -> Path:
    """The file of the network for a board: that of its places, or else the one for any board."""
    path = _FOLDER / f"{board.id}.npz"
    if path.is_file() and LearntValue.load(path).places == place_names(board):
        return path
    return _FOLDER / f"{ANY_BOARD}.npz"

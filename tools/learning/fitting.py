"""Fits a network to games, by gradient descent on the order of the seats and on their final scores.

A network learns from the ends of games, and from what it expected later in the same game: the targets
are the returns of TD(lambda). So it learns more from a game than its end, which chance decides as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from learning.self_play import Floats, Sample, SmallFloats
from referee.thinking.learnt_value import OUTPUTS, Layer, LearntValue

HIDDEN: Final = (64, 32)
LAMBDA: Final = 0.96  # how much the end of the game counts, compared with the next position
_BATCH: Final = 512
_AT_ONCE: Final = 4096  # positions that a network looks at in one step when it predicts
_DECAY: Final = 5.0  # by which each step shrinks the weights, times the rate
_POINTS: Final = 5.0  # a usual spread of a part of the final score
_PARTS_COUNT: Final = 0.3  # of the loss of scores, compared with that of the order
_HELD_OUT: Final = 25  # every so many games are not learnt from: one of each file
_SPREAD_OF: Final = (
    40_000  # positions, about: from them come the mean and the spread of each feature
)
_SMALL_SPREAD: Final = 0.05  # added: a feature that hardly ever differs says little
_MOST: Final = 60.0  # a difference in strength; a larger one says no more

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Data:
    """The positions of many games, those of each game in their order."""

    rows: SmallFloats  # by position, seat and feature
    ranks: Floats  # by position and seat
    parts: Floats  # by position, seat and part
    games: npt.NDArray[np.int64]  # by position: the number of its game

    @classmethod
    def of(cls, samples: Sequence[Sample], features: int | None = None) -> Data:
        """All positions of these games, with so many features; None for all of them."""
        lengths = [len(sample.rows) for sample in samples]
        return cls(
            np.concatenate([sample.rows[:, :, :features] for sample in samples]),
            np.repeat(np.stack([sample.ranks for sample in samples]), lengths, axis=0),
            np.repeat(np.stack([sample.parts for sample in samples]), lengths, axis=0),
            np.repeat(np.arange(len(samples)), lengths),
        )

    def only(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Data:
        """The chosen positions, in their order."""
        return Data(self.rows[chosen], self.ranks[chosen], self.parts[chosen], self.games[chosen])

    @property
    def held_out(self) -> Bools:
        """By position: whether its game is one that networks do not learn from."""
        held: Bools = self.games % _HELD_OUT == 0
        return held

    @property
    def present(self) -> Bools:
        """By position and seat: whether there is such a seat."""
        return self.ranks > 0


@dataclass(frozen=True)
class Targets:
    """What a network should say of each position."""

    ahead: Floats  # by position, seat and other seat: the chance to come before it
    first: Floats  # by position and seat: the chance to come first
    parts: Floats  # by position, seat and part of the final score, in units of `_POINTS`

    @classmethod
    def ends(cls, data: Data) -> Targets:
        """How the games of all positions ended."""
        ranks = data.ranks
        before = (ranks[:, :, None] < ranks[:, None, :]).astype(np.float32)
        ties = (ranks[:, :, None] == ranks[:, None, :]).astype(np.float32)
        won = (ranks == 1).astype(np.float32)
        return cls(before + ties / 2, won / won.sum(axis=1, keepdims=True), data.parts / _POINTS)

    @classmethod
    def returns(cls, data: Data, outputs: Floats) -> Targets:
        """The ends of games, mixed with the outputs of a network for all later positions."""
        ends = cls.ends(data)
        predicted = cls(
            _ahead(outputs[:, :, 0]),
            first_chances(outputs[:, :, 0], data.present),
            outputs[:, :, 1:],
        )
        starts = np.flatnonzero(np.diff(data.games, prepend=-1))
        lengths = np.diff(starts, append=len(data.games))
        return cls(
            _backwards(ends.ahead, predicted.ahead, starts, lengths),
            _backwards(ends.first, predicted.first, starts, lengths),
            _backwards(ends.parts, predicted.parts, starts, lengths),
        )

    def only(self, chosen: npt.NDArray[np.int64]) -> Targets:
        """Those of the chosen positions."""
        return Targets(self.ahead[chosen], self.first[chosen], self.parts[chosen])


def _backwards(
    ends: Floats, predicted: Floats, starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]
) -> Floats:
    """From the last position of each game to its first, mix what follows with what was predicted."""
    found = np.empty_like(ends)
    following = ends[starts]
    for back in range(1, int(lengths.max(initial=0)) + 1):
        games = np.flatnonzero(lengths >= back)
        here = starts[games] + lengths[games] - back
        found[here] = following[games]
        following[games] = LAMBDA * following[games] + (1 - LAMBDA) * predicted[here]
    return found


def _ahead(strengths: Floats) -> Floats:
    """By position, seat and other seat: the chance that the one comes before the other."""
    gaps = strengths[:, None, :] - strengths[:, :, None]
    chances: Floats = 1 / (1 + np.exp(np.clip(gaps, -_MOST, _MOST)))
    return chances


def first_chances(strengths: Floats, present: Bools) -> Floats:
    """By position and seat: the chance to come first."""
    known = np.where(present, strengths, -np.inf)
    powers = np.exp(known - known.max(axis=1, keepdims=True))
    found: Floats = powers / powers.sum(axis=1, keepdims=True)
    return found


class Learner:
    """A network that learns round by round, with all that it needs to go on after a stop."""

    def __init__(self, mean: Floats, spread: Floats, network: _Network) -> None:
        self.mean, self.spread, self.network = mean, spread, network

    @classmethod
    def new(cls, data: Data, seed: int = 0) -> Learner:
        """A network that knows nothing but how much the features of these positions vary."""
        some = data.only(np.arange(0, len(data.rows), 1 + len(data.rows) // _SPREAD_OF))
        seen = some.rows[some.present].astype(np.float32)
        sizes = (data.rows.shape[2], *HIDDEN, len(OUTPUTS))
        network = _Network.new(sizes, np.random.default_rng(seed))
        return cls(seen.mean(axis=0), seen.std(axis=0) + _SMALL_SPREAD, network)

    def learn(
        self, data: Data, *, epochs: float, rate: float, from_ends: bool = False, seed: int = 0
    ) -> None:
        """Learn from all positions that are not held out.

        With `from_ends` only the ends of games count; else also what the network expects later in
        them. `epochs` says how often it sees each position.
        """
        if from_ends:
            targets = Targets.ends(data)
        else:
            targets = Targets.returns(data, self.outputs(data.rows))
        learnt = np.flatnonzero(~data.held_out)
        rng = np.random.default_rng(seed)
        orders = [rng.permutation(learnt) for _ in range(int(np.ceil(epochs)))]
        order = np.concatenate(orders)[: int(epochs * len(learnt))]
        for start in range(0, len(order), _BATCH):
            chosen = np.sort(order[start : start + _BATCH])
            values = self.network.forward(self._scaled(data.rows[chosen]))
            slope = _gradient(values[-1], targets.only(chosen), data.present[chosen])
            self.network.step(values, slope, rate * (1.02 - start / len(order)))

    def outputs(self, rows: SmallFloats) -> Floats:
        """What the network says of positions."""
        parts = [
            self.network.forward(self._scaled(rows[start : start + _AT_ONCE]))[-1]
            for start in range(0, len(rows), _AT_ONCE)
        ]
        return np.concatenate(parts)

    def _scaled(self, rows: SmallFloats) -> Floats:
        scaled: Floats = (rows.astype(np.float32) - self.mean) / self.spread
        return scaled

    def value(self, places: Sequence[str] = ()) -> LearntValue:
        """The network for features and points as they are, instead of scaled ones.

        `places` are the names of the last features.
        """
        weights, bias = self.network.weights, self.network.bias
        scale = np.array([1.0] + [_POINTS] * (len(OUTPUTS) - 1), np.float32)
        shift: Floats = ((self.mean / self.spread) @ weights[0]).astype(np.float32)
        weights = [weights[0] / self.spread[:, None], *weights[1:-1], weights[-1] * scale]
        bias = [bias[0] - shift, *bias[1:-1], bias[-1] * scale]
        layers = [
            Layer(one.astype(np.float32), other.astype(np.float32))
            for one, other in zip(weights, bias, strict=True)
        ]
        return LearntValue(layers, places)

    def save(self, path: Path) -> None:
        """Write a file that `load` reads."""
        network = self.network
        arrays: dict[str, Any] = {"mean": self.mean, "spread": self.spread}
        arrays |= {"layers": len(network.bias), "steps": network.steps}
        for name, many in network.arrays().items():
            arrays |= {f"{name}_{number}": array for number, array in enumerate(many)}
        with path.open("wb") as file:
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: Path) -> Learner:
        """Read what `save` wrote, to go on from there."""
        with np.load(path, allow_pickle=False) as file:
            layers = int(file["layers"])

            def read(name: str, count: int = layers) -> list[Floats]:
                return [file[f"{name}_{number}"] for number in range(count)]

            network = _Network(read("weights"), read("bias"))
            network.means, network.squares = read("means", 2 * layers), read("squares", 2 * layers)
            network.steps = int(file["steps"])
            return cls(file["mean"], file["spread"], network)


def _gradient(outputs: Floats, targets: Targets, present: Bools) -> Floats:
    """The gradient of the loss by the outputs: who is ahead of whom, who is first, and the scores."""
    gradient: Any = np.zeros_like(outputs)
    strengths, seats = outputs[:, :, 0], outputs.shape[1]
    both = present[:, :, None] & present[:, None, :] & ~np.eye(seats, dtype=np.bool_)
    misses = (_ahead(strengths) - targets.ahead) * both
    gradient[:, :, 0] = 2 * misses.sum(axis=2) / both.sum(axis=(1, 2))[:, None]
    gradient[:, :, 0] += first_chances(strengths, present) - targets.first
    off = (outputs[:, :, 1:] - targets.parts) * present[:, :, None]
    gradient[:, :, 1:] = _PARTS_COUNT * off / present.sum(axis=1)[:, None, None]
    result: Floats = gradient / len(outputs)
    return result


class _Network:
    """The weights while they change, by the method Adam."""

    def __init__(self, weights: list[Floats], bias: list[Floats]) -> None:
        self.weights, self.bias = weights, bias
        self.means = [np.zeros_like(one) for one in weights + bias]
        self.squares = [np.zeros_like(one) for one in weights + bias]
        self.steps = 0

    @classmethod
    def new(cls, sizes: Sequence[int], rng: np.random.Generator) -> _Network:
        """Random weights for layers of these sizes."""
        pairs = list(pairwise(sizes))
        weights = [
            rng.normal(0, np.sqrt(1.5 / size), (size, after)).astype(np.float32)
            for size, after in pairs
        ]
        weights[-1] *= 0.1
        return cls(weights, [np.zeros(after, np.float32) for _, after in pairs])

    def arrays(self) -> dict[str, list[Floats]]:
        """Everything but the number of steps, by name."""
        return {
            "weights": self.weights,
            "bias": self.bias,
            "means": self.means,
            "squares": self.squares,
        }

    def forward(self, rows: Floats) -> list[Floats]:
        """The inputs, and the values after each layer."""
        values = [rows]
        for number, (weights, bias) in enumerate(zip(self.weights, self.bias, strict=True)):
            after = values[-1] @ weights + bias
            is_last = number == len(self.weights) - 1
            values.append(after if is_last else np.maximum(after, 0))
        return values

    def step(self, values: list[Floats], gradient: Floats, rate: float) -> None:
        """Change all weights a little against the gradient of the loss by the outputs."""
        by_weights: list[Floats] = []
        by_bias: list[Floats] = []
        flat = gradient.reshape(-1, gradient.shape[-1])
        for number in reversed(range(len(self.weights))):
            inputs = values[number].reshape(-1, values[number].shape[-1])
            by_weights.insert(0, inputs.T @ flat)
            by_bias.insert(0, flat.sum(axis=0))
            flat = (flat @ self.weights[number].T) * (inputs > 0)
        self.steps += 1
        changed = self.weights + self.bias
        for number, slope in enumerate(by_weights + by_bias):
            mean, square = self.means[number], self.squares[number]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            scaled = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            changed[number] -= rate * (
                mean / (1 - 0.9**self.steps) / scaled + _DECAY * changed[number]
            )

"""Fits a network to samples: gradient descent on the order of the seats and on their final scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from learning.self_play import Floats, Sample, SmallFloats
from referee.thinking.learnt_value import OUTPUTS, Layer, LearntValue

HIDDEN: Final = (64, 32)
EPOCHS: Final = 4
_BATCH: Final = 512
_RATE: Final = 2e-3
_DECAY: Final = 5.0  # by which each step shrinks the weights, times the rate
_POINTS: Final = 5.0  # a usual spread of a part of the final score
_PARTS_COUNT: Final = 0.3  # of the loss of scores, compared with that of the order
_HELD_OUT: Final = 8  # every so many games are not learnt from
_SPREAD_OF: Final = (
    40_000  # positions, about: from them come the mean and the spread of each feature
)
_SMALL_SPREAD: Final = 0.05  # added: a feature that hardly ever differs says little

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Data:
    """The positions of many games."""

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


def fit(data: Data, places: Sequence[str] = (), seed: int = 0) -> LearntValue:
    """A network for these positions, without those that are held out; `places` are the last features."""
    learnt = np.flatnonzero(~data.held_out)
    rng = np.random.default_rng(seed)
    some = data.only(learnt[:: 1 + len(learnt) // _SPREAD_OF])
    seen = some.rows[some.present].astype(np.float32)
    mean, spread = seen.mean(axis=0), seen.std(axis=0) + _SMALL_SPREAD
    network = _Network((data.rows.shape[2], *HIDDEN, len(OUTPUTS)), rng)
    steps = EPOCHS * (1 + len(learnt) // _BATCH)
    done = 0
    for _ in range(EPOCHS):
        order = rng.permutation(learnt)
        for start in range(0, len(order), _BATCH):
            batch = data.only(order[start : start + _BATCH])
            values = network.forward((batch.rows.astype(np.float32) - mean) / spread)
            done += 1
            network.step(values, _gradient(values[-1], batch), _RATE * (1.02 - done / steps))
    return network.folded(mean, spread, places)


def _gradient(outputs: Floats, batch: Data) -> Floats:
    """The gradient of the loss by the outputs: who is ahead of whom, who is first, and the scores."""
    present = batch.present
    gradient: Any = np.zeros_like(outputs)
    gradient[:, :, 0] = _order_gradient(outputs[:, :, 0], batch.ranks, present)
    gradient[:, :, 0] += first_chances(outputs[:, :, 0], present) - _firsts(batch.ranks)
    misses = (outputs[:, :, 1:] - batch.parts / _POINTS) * present[:, :, None]
    gradient[:, :, 1:] = _PARTS_COUNT * misses / present.sum(axis=1)[:, None, None]
    result: Floats = gradient / len(outputs)
    return result


def _order_gradient(strengths: Floats, ranks: Floats, present: Bools) -> Floats:
    """Of the log loss over all pairs of seats."""
    ahead = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
    was = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    both = present[:, :, None] & present[:, None, :] & ~np.eye(ranks.shape[1], dtype=np.bool_)
    found: Floats = 2 * ((ahead - was) * both).sum(axis=2) / both.sum(axis=(1, 2))[:, None]
    return found


def first_chances(strengths: Floats, present: Bools) -> Floats:
    """By position and seat: the chance to come first."""
    known = np.where(present, strengths, -np.inf)
    powers = np.exp(known - known.max(axis=1, keepdims=True))
    found: Floats = powers / powers.sum(axis=1, keepdims=True)
    return found


def _firsts(ranks: Floats) -> Floats:
    """By position and seat: 1 for the winner; winners who tie share it."""
    won = (ranks == 1).astype(np.float32)
    found: Floats = won / won.sum(axis=1, keepdims=True)
    return found


class _Network:
    """The weights while they change, by the method Adam."""

    def __init__(self, sizes: Sequence[int], rng: np.random.Generator) -> None:
        pairs = list(pairwise(sizes))
        self.weights = [
            rng.normal(0, np.sqrt(1.5 / size), (size, after)).astype(np.float32)
            for size, after in pairs
        ]
        self.weights[-1] *= 0.1
        self.bias = [np.zeros(after, np.float32) for _, after in pairs]
        self._means = [np.zeros_like(one) for one in self.weights + self.bias]
        self._squares = [np.zeros_like(one) for one in self.weights + self.bias]
        self._steps = 0

    def forward(self, rows: Floats) -> list[Floats]:
        """The inputs, and the values after each layer."""
        values = [rows.astype(np.float32)]
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
        self._steps += 1
        changed = self.weights + self.bias
        for number, slope in enumerate(by_weights + by_bias):
            mean, square = self._means[number], self._squares[number]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            scaled = np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
            changed[number] -= rate * (
                mean / (1 - 0.9**self._steps) / scaled + _DECAY * changed[number]
            )

    def folded(self, mean: Floats, spread: Floats, places: Sequence[str]) -> LearntValue:
        """The network for features and points as they are, instead of scaled ones."""
        first: Floats = self.weights[0] / spread[:, None]
        scale = np.array([1.0] + [_POINTS] * (len(OUTPUTS) - 1), np.float32)
        shift: Floats = ((mean / spread) @ self.weights[0]).astype(np.float32)
        weights = [first, *self.weights[1:-1], self.weights[-1] * scale]
        bias = [self.bias[0] - shift, *self.bias[1:-1]]
        bias.append(self.bias[-1] * scale)
        return LearntValue(
            [
                Layer(one.astype(np.float32), other.astype(np.float32))
                for one, other in zip(weights, bias, strict=True)
            ],
            places,
        )

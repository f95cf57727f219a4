"""Many games of one kind at once as arrays, so that a learner asks its model once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.random_play import SEEDS
from referee.rl.game import Kind, NumberedGame


class Ended(NamedTuple):
    """A game of the batch that has ended; a new one has begun in its place."""

    place: int
    rewards: Sequence[float]  # by seat


class Batch:
    """A fixed number of games of one kind; the same seed plays the same games."""

    def __init__(self, kind: Kind, games: int, seed: int = 0) -> None:
        self.kind = kind
        self._rng = np.random.default_rng(seed)
        self._games = [NumberedGame(kind) for _ in range(games)]
        for game in self._games:
            self._begin(game)

    def _begin(self, game: NumberedGame) -> None:
        game.begin(int(self._rng.integers(SEEDS)))

    @property
    def seats(self) -> NDArray[np.int64]:
        """By game: the seat that has to choose."""
        return np.array([game.seat for game in self._games])

    def rows(self) -> NDArray[np.uint8]:
        """By game: what that seat sees, as one row."""
        rows = bytearray().join([game.row(game.seat) for game in self._games])
        return np.frombuffer(rows, np.uint8).reshape(len(self._games), -1)

    def masks(self) -> NDArray[np.int8]:
        """By game: what that seat may choose, as one mask."""
        masks = bytearray().join([game.mask(game.seat) for game in self._games])
        return np.frombuffer(masks, np.int8).reshape(len(self._games), -1)

    def step(self, numbers: Sequence[int] | NDArray[np.int64]) -> list[Ended]:
        """Make a choice in each game; returns the games that ended."""
        ended: list[Ended] = []
        for place, (game, number) in enumerate(zip(self._games, numbers, strict=True)):
            game.step(int(number))
            if game.is_over:
                ended.append(Ended(place, game.rewards()))
                self._begin(game)
        return ended


def pick_uniformly(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """A legal number for each game, all of them equally likely."""
    games, size = masks.shape
    legal = np.flatnonzero(masks.view(bool))  # of all games, one after the other
    firsts = np.searchsorted(legal, size * np.arange(games + 1))
    offsets = (rng.random(games) * np.diff(firsts)).astype(np.int64)
    picked: NDArray[np.int64] = legal[firsts[:-1] + offsets] - size * np.arange(games)
    return picked

"""Many games of one kind at once, as arrays: what a learner needs to ask its model once for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.random_play import SEEDS
from referee.rl.game import Kind, NumberedGame


class Ended(NamedTuple):
    """A game of the batch that is over; another one has begun in its place."""

    place: int
    rewards: Sequence[float]  # by seat


class Batch:
    """So many games; the same seed plays the same games."""

    def __init__(self, kind: Kind, games: int, seed: int = 0) -> None:
        self.kind = kind
        self._chance = np.random.default_rng(seed)
        self._games = [NumberedGame(kind) for _ in range(games)]
        for game in self._games:
            self._begin(game)

    def _begin(self, game: NumberedGame) -> None:
        game.begin(int(self._chance.integers(SEEDS)))

    @property
    def seats(self) -> NDArray[np.int64]:
        """Who is asked, in each game."""
        return np.array([game.seat for game in self._games])

    def rows(self) -> NDArray[np.uint8]:
        """What they see: a row a game."""
        rows = bytearray().join([game.row(game.seat) for game in self._games])
        return np.frombuffer(rows, np.uint8).reshape(len(self._games), -1)

    def masks(self) -> NDArray[np.int8]:
        """What they may choose: a mask a game."""
        masks = bytearray().join([game.mask(game.seat) for game in self._games])
        return np.frombuffer(masks, np.int8).reshape(len(self._games), -1)

    def step(self, numbers: Sequence[int] | NDArray[np.int64]) -> list[Ended]:
        """A choice in each game; which of them are over by it."""
        ended: list[Ended] = []
        for place, (game, number) in enumerate(zip(self._games, numbers, strict=True)):
            game.step(int(number))
            if game.is_over:
                ended.append(Ended(place, game.rewards()))
                self._begin(game)
        return ended


def pick_uniformly(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """A legal number for each game, all of them equally likely."""
    games, size = masks.shape
    legal = np.flatnonzero(masks.view(bool))  # of all games, one after the other
    firsts = np.searchsorted(legal, size * np.arange(games + 1))
    lucky = (chance.random(games) * np.diff(firsts)).astype(np.int64)
    picked: NDArray[np.int64] = legal[firsts[:-1] + lucky] - size * np.arange(games)
    return picked

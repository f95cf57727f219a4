"""Many games of one kind at once as arrays, so that one call of a model serves all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.random_play import SEEDS
from referee.rl.game import Kind, NumberedGame


class Ended(NamedTuple):
    """A game of the batch that has ended; a new game has begun in the same place."""

    place: int  # the index of the game in the batch
    rewards: Sequence[float]  # by seat


class Batch:
    """A fixed number of games of one kind, played at the same time.

    The same seed and the same choices give the same games.
    """

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
        """For each game: the seat that has to choose."""
        return np.array([game.seat for game in self._games])

    def rows(self) -> NDArray[np.uint8]:
        """Return what the seat that has to choose sees, one row for each game."""
        rows = bytearray().join([game.row(game.seat) for game in self._games])
        return np.frombuffer(rows, np.uint8).reshape(len(self._games), -1)

    def masks(self) -> NDArray[np.int8]:
        """Return the masks of legal choices, one row for each game."""
        masks = bytearray().join([game.mask(game.seat) for game in self._games])
        return np.frombuffer(masks, np.int8).reshape(len(self._games), -1)

    def step(self, numbers: Sequence[int] | NDArray[np.int64]) -> list[Ended]:
        """Make one choice in each game, and return the games that have ended.

        Raises ChoiceRefused if a number is not legal in its game.
        """
        ended: list[Ended] = []
        for place, (game, number) in enumerate(zip(self._games, numbers, strict=True)):
            game.step(int(number))
            if game.is_over:
                ended.append(Ended(place, game.rewards()))
                self._begin(game)
        return ended


def pick_uniformly(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal number for each game; all legal numbers of a game are equally likely."""
    games, size = masks.shape
    legal = np.flatnonzero(masks.view(bool))  # of all games, one after the other
    firsts = np.searchsorted(legal, size * np.arange(games + 1))
    offsets = (rng.random(games) * np.diff(firsts)).astype(np.int64)
    picked: NDArray[np.int64] = legal[firsts[:-1] + offsets] - size * np.arange(games)
    return picked

"""Many games of one kind at once as arrays, so that one call of a model serves all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.engine.state import GameState
from referee.random_play import SEEDS
from referee.rl.game import Kind, NumberedGame
from referee.rl.many import joined_numbers, joined_rows, step_all
from referee.rl.masks import masks_of
from referee.rl.rows import RowBuilder


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
        self._builder = RowBuilder(kind)
        self._games = [NumberedGame(kind) for _ in range(games)]
        for game in self._games:
            self._begin(game)

    def _begin(self, game: NumberedGame) -> None:
        game.begin(int(self._rng.integers(SEEDS)))

    def resume(self, states: Sequence[GameState]) -> None:
        """Continue from these positions, one for each game; the batch changes the given objects.

        Where nothing is left to decide, a new game begins.
        """
        for game, state in zip(self._games, states, strict=True):
            game.resume(state)
            if game.is_over:
                self._begin(game)

    @property
    def seats(self) -> NDArray[np.int64]:
        """For each game: the seat that has to choose."""
        return np.array([game.seat for game in self._games])

    def rows(self) -> NDArray[np.uint8]:
        """Return what the seat that has to choose sees, one row for each game."""
        return self._builder.rows(*joined_rows(self._games))

    def masks(self) -> NDArray[np.int8]:
        """Return the masks of legal choices, one row for each game."""
        legal, counts = joined_numbers(self._games)
        return masks_of(legal, counts, self.kind.numbering.size)

    def step(self, numbers: Sequence[int] | NDArray[np.int64]) -> list[Ended]:
        """Make one choice in each game, and return the games that have ended.

        Raises ChoiceRefused if a number is not legal in its game.
        """
        chosen = np.asarray(numbers).tolist()
        if len(chosen) != len(self._games):
            raise ValueError(f"there are {len(chosen)} numbers for {len(self._games)} games")
        ended: list[Ended] = []
        for place in step_all(self._games, chosen):
            game = self._games[place]
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

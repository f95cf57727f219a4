"""Blocks and their results, for schedules, stores and ratings."""

from __future__ import annotations

from itertools import permutations
from math import ceil
from typing import NamedTuple


class TableKind(NamedTuple):
    """A board with rules and a number of seats; `weight` is its share of the blocks."""

    name: str
    seats: int
    weight: float = 1.0

    def weighted(self, count: int) -> int:
        """Return how many of this many blocks are played at this table, rounded up."""
        return ceil(count * self.weight - 1e-9)  # 70 * 0.1 is a little more than 7


class Block(NamedTuple):
    """One seed and one set of bots in one cyclic order, played in all rotations.

    It is the unit of scheduling, resuming and statistics. A name may occur twice, for two copies of
    a bot.
    """

    id: str
    table: str
    bots: tuple[str, ...]
    seed: int
    stage: int = 0
    all_orders: bool = False  # every order of the bots instead of the rotations
    # The values of bots in this block only: a name, and texts NAME=VALUE. A store does not keep them.
    settings: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def seatings(self) -> list[tuple[str, ...]]:
        """Return for each game of the block its bots, by seat."""
        if self.all_orders:
            return list(dict.fromkeys(permutations(self.bots)))
        return [self.bots[first:] + self.bots[:first] for first in range(len(self.bots))]


class GameResult(NamedTuple):
    """The result of one game, by seat; equal ranks are ties (1, 2, 2, 4)."""

    table: str
    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    totals: tuple[int, ...]
    faults: tuple[int, ...]  # how many
    out: tuple[bool, ...]  # disqualified in this game


class BlockResult(NamedTuple):
    """A finished block and the results of its games."""

    block: Block
    games: tuple[GameResult, ...]

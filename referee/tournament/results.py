"""Blocks and their results: what schedules plan, stores keep and ratings rate."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple


class TableKind(NamedTuple):
    """A board with its rules and a number of seats; `name` is the name of the ruleset."""

    name: str
    seats: int


class Block(NamedTuple):
    """One seed and one set of bots in one cyclic order, played in all rotations.

    It is the unit of scheduling, of resuming and of statistics. A name may come twice: these are
    copies of one bot.
    """

    id: str
    table: str
    bots: tuple[str, ...]
    seed: int
    stage: int = 0
    all_orders: bool = False  # every order of the bots instead of the rotations

    def seatings(self) -> list[tuple[str, ...]]:
        """Return the games of the block: for each, the bots by seat."""
        if self.all_orders:
            return list(dict.fromkeys(permutations(self.bots)))
        return [self.bots[turn:] + self.bots[:turn] for turn in range(len(self.bots))]


class GameResult(NamedTuple):
    """How one game ended, by seat; equal ranks are ties (1, 2, 2, 4)."""

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

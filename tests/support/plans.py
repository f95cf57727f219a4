"""Helpers for tests of schedules: names of bots, the blocks of a stage, and invented results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from referee.tournament.results import Block, BlockResult, GameResult, TableKind
from referee.tournament.schedule import Plan

FOUR = TableKind("four", 4)
THREE = TableKind("three", 3)
NOBODY: frozenset[str] = frozenset()


def field(count: int) -> list[str]:
    """Return the names of `count` bots; `b00` is the strongest."""
    return [f"b{number:02}" for number in range(count)]


def blocks_of(
    plan: Plan,
    number: int = 0,
    finished: Sequence[BlockResult] = (),
    out: Iterable[str] = (),
) -> list[Block]:
    """Return the blocks of a stage; fails if its length or its games differ from what it announces."""
    stage = plan.stage(number, finished, frozenset(out))
    assert stage is not None
    blocks = list(stage)
    assert len(stage) == len(blocks)
    assert stage.games == sum(len(block.seatings()) for block in blocks)
    return blocks


def place_of(bot: str) -> float:
    """Return the number of a bot of `field`; -1 for any other name, which makes it the strongest."""
    return float(bot[1:]) if bot[1:].isdigit() else -1.0


def play_blocks(
    blocks: Iterable[Block], place: Callable[[str], float] = place_of
) -> list[BlockResult]:
    """Return results for these blocks; the bots end in the order of their places."""
    return [
        BlockResult(block, tuple(_game(block.table, bots, place) for bots in block.seatings()))
        for block in blocks
    ]


def appearances(blocks: Iterable[Block]) -> Counter[str]:
    """Return the number of blocks of each bot."""
    return Counter(bot for block in blocks for bot in set(block.bots))


def meetings(blocks: Iterable[Block]) -> Counter[tuple[str, str]]:
    """Return the number of blocks of each pair of bots."""
    return Counter(pair for block in blocks for pair in combinations(sorted(set(block.bots)), 2))


def spread(counts: Iterable[int]) -> int:
    """Return the difference between the largest and the smallest count."""
    listed = list(counts)
    return max(listed) - min(listed)


def _game(table: str, bots: tuple[str, ...], place: Callable[[str], float]) -> GameResult:
    places = [place(bot) for bot in bots]
    ranks = tuple(1 + sum(other < own for other in places) for own in places)
    zeros = (0,) * len(bots)
    return GameResult(table, bots, ranks, zeros, zeros, (False,) * len(bots))

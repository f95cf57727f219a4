"""The ladder: a new bot plays the bots with the nearest ratings until its own is known well enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from math import inf
from typing import Final, TypeAlias

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.balanced import Balanced
from referee.tournament.schedule.base import (
    Stage,
    check_count,
    check_field,
    fixed_stage,
    lacks_bots,
)
from referee.tournament.schedule.combinations import EverySet, Span
from referee.tournament.schedule.draws import Draws

GOAL: Final = 50.0
BLOCKS: Final = 4
MAX_STAGES: Final = 50

Rating: TypeAlias = tuple[float, float, float]  # the rating, and the ends of its interval
Rate: TypeAlias = Callable[[Sequence[BlockResult]], Mapping[str, Rating]]


class Ladder:
    """Stages of `blocks` blocks at every table, each with the new bot (the hero) and its neighbours.

    The neighbours are the bots with the nearest ratings, twice as many as the other seats of the
    table. They are random before the hero has a rating. The ladder ends when half the width of the
    hero's interval is below `goal`, or with `total`, when the hero has played this many blocks at
    every table.
    """

    def __init__(
        self,
        seed: int,
        tables: Sequence[TableKind],
        hero: str,
        others: Sequence[str],
        rate: Rate,
        *,
        blocks: int = BLOCKS,
        total: int | None = None,
        goal: float = GOAL,
        max_stages: int = MAX_STAGES,
        all_orders: bool = False,
    ) -> None:
        check_field(tables, [hero, *others])
        self.hero = hero
        self.others = tuple(sorted(others))
        self.tables = tuple(tables)
        self.blocks = check_count("the number of blocks", blocks)
        self.stages = check_count("the number of stages", max_stages)
        self.total = total
        if total is not None:
            self.stages = -(-check_count("the number of blocks per bot", total) // blocks)
        self.goal = goal
        self._rate = rate
        self._draws = Draws(seed, all_orders)
        self._series = "l" + sha256(hero.encode()).hexdigest()[:8]

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """Return the blocks against the current neighbours; `finished` must rate the others, too."""
        left = [bot for bot in self.others if bot not in out]
        if number >= self.stages or self.hero in out or not left:
            return None
        ratings = self._ratings(number, finished)
        if self.total is None and self._is_known_well_enough(ratings):
            return None
        draws = replace(self._draws, series=f"{self._series}-{number}")
        near = self._nearest_first(left, draws, ratings)
        blocks = [
            block for table in self.tables for block in self._batch(table, draws, near, number)
        ]
        return fixed_stage(draws, blocks)

    def spread(self) -> None:
        """Return None: nobody knows in advance who will meet whom."""

    def lacks_bots(self, out: frozenset[str]) -> str | None:
        """Return why no game is possible: the hero is out, or all others are."""
        return lacks_bots(self.others, out, fewest=1, hero=self.hero)

    def _ratings(self, number: int, finished: Sequence[BlockResult]) -> Mapping[str, Rating]:
        """Return the ratings before this stage, even if some of its blocks are finished."""
        before = [result for result in finished if not self._is_from_stage_on(number, result.block)]
        return self._rate(sorted(before, key=lambda result: result.block.id)) if before else {}

    def _is_from_stage_on(self, number: int, block: Block) -> bool:
        return block.stage >= number and block.id.startswith(f"{self._series}-")

    def _is_known_well_enough(self, ratings: Mapping[str, Rating]) -> bool:
        if self.hero not in ratings:
            return False
        _, low, high = ratings[self.hero]
        return (high - low) / 2 < self.goal

    def _nearest_first(
        self, left: Sequence[str], draws: Draws, ratings: Mapping[str, Rating]
    ) -> list[str]:
        """Sort by distance in rating, at random if equally near; bots without a rating come last."""
        drawn = draws.order(left, "neighbours")
        if self.hero not in ratings:
            return drawn
        own = ratings[self.hero][0]
        return sorted(drawn, key=lambda bot: abs(ratings[bot][0] - own) if bot in ratings else inf)

    def _batch(
        self, table: TableKind, draws: Draws, near: Sequence[str], number: int
    ) -> list[Block]:
        seats = table.seats - 1
        plan = (Balanced if len(near) >= seats else EverySet)(
            draws, table, tuple(near[: 2 * seats]), (self.hero,)
        )
        first, end = number * self.blocks, (number + 1) * self.blocks
        end = end if self.total is None else min(end, self.total)
        count = table.weighted(end) - table.weighted(first)
        return list(islice(plan.stage(Span(number, 0, None), (), frozenset()), count))

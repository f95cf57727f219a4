"""The round-robin (all bots play each other) and the gauntlet (one bot plays all others)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from typing import Final, Protocol

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.balanced import Balanced
from referee.tournament.schedule.base import (
    EMPTY_STAGE,
    MeetingCounts,
    Spread,
    Stage,
    check_count,
    check_field,
    lacks_bots,
)
from referee.tournament.schedule.combinations import EverySet, Span, number_of_sets
from referee.tournament.schedule.draws import Draws

BY_BOT: Final = 0  # for `most_sets`: blocks are always counted by bot
MAX_PASSES: Final = 1000


class TablePlan(Protocol):
    """The blocks at one kind of table, pass by pass."""

    @property
    def table(self) -> TableKind:
        """The board, the seats and the weight of the table."""
        ...

    @property
    def blocks_per_pass(self) -> float:
        """The number of blocks in a pass, on average."""
        ...

    def stage(self, span: Span, finished: Sequence[BlockResult], out: frozenset[str]) -> Stage:
        """Return the blocks of a span of passes that the disqualified bots in `out` do not play in."""
        ...

    def count_meetings(self, passes: int, into: MeetingCounts) -> None:
        """Add the games of this many passes to `into`."""
        ...


class RoundRobin:
    """Every set of bots plays `blocks` blocks at every table, pass by pass.

    If a table has more than `most_sets` sets, every bot plays `blocks` blocks there instead, in a
    balanced design. If `blocks` is None, every pass is a stage, and the caller decides when to stop.
    """

    def __init__(
        self,
        seed: int,
        tables: Sequence[TableKind],
        bots: Sequence[str],
        blocks: int | None,
        *,
        most_sets: int | None = None,
        max_passes: int = MAX_PASSES,
        all_orders: bool = False,
    ) -> None:
        check_field(tables, bots)
        self.bots = tuple(sorted(bots))
        self.passes = None if blocks is None else check_count("the number of blocks", blocks)
        self.stages = check_count("the number of passes", max_passes) if blocks is None else 1
        draws = Draws(seed, all_orders)
        self.table_plans = [table_plan(draws, table, most_sets, self.bots) for table in tables]

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """Return all passes as one stage, or pass `number` if the number of passes is open."""
        if number >= self.stages:
            return None
        if self.passes is None:
            span = Span(number, number, number + 1)
        else:
            span = Span(0, 0, self.passes, is_whole=True)
        return interleaved_stage(self.table_plans, span, finished, out)

    def spread(self) -> Spread:
        """Return how even the plan is, or how even one pass is if their number is open."""
        return total_spread(self.table_plans, self.passes or 1, self.bots)

    def lacks_bots(self, out: frozenset[str]) -> str | None:
        """Return why no game is possible: fewer than two bots are left."""
        return lacks_bots(self.bots, out)


class Gauntlet:
    """One bot, the hero, against every set of the others.

    With `even_seats`, a hero and its only opponent have the same number of seats, and take a seat
    that is left over in turn. In the rotations of a block, each of the two has every pair of seats
    equally often, so that the seats favour neither.

    If a table has more than `most_sets` sets, every other bot plays `blocks` blocks there instead, in
    a balanced design. If `blocks` is None, the only stage has no end, and the caller decides when to
    stop.
    """

    stages = 1

    def __init__(
        self,
        seed: int,
        tables: Sequence[TableKind],
        hero: str,
        others: Sequence[str],
        blocks: int | None,
        *,
        even_seats: bool = False,
        most_sets: int | None = None,
        all_orders: bool = False,
    ) -> None:
        check_field(tables, [hero, *others])
        self.hero = hero
        self.others = tuple(sorted(others))
        self.passes = None if blocks is None else check_count("the number of blocks", blocks)
        draws = Draws(seed, all_orders)
        is_even = even_seats and len(others) == 1
        field = tuple(sorted((hero, *others))) if is_even else self.others
        always = () if is_even else (hero,)
        self.table_plans = [table_plan(draws, table, most_sets, field, always) for table in tables]

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """Return all passes as stage 0; the stage has no end if `blocks` is None."""
        if number > 0:
            return None
        span = Span(0, 0, self.passes, is_whole=True)
        return interleaved_stage(self.table_plans, span, finished, out)

    def spread(self) -> Spread | None:
        """Return how even the games of the others are; the hero plays in all of them."""
        if self.passes is None or len(self.others) < 2:
            return None
        return total_spread(self.table_plans, self.passes, self.others)

    def lacks_bots(self, out: frozenset[str]) -> str | None:
        """Return why no game is possible: the hero is out, or all others are."""
        return lacks_bots(self.others, out, fewest=1, hero=self.hero)


def table_plan(
    draws: Draws,
    table: TableKind,
    most_sets: int | None,
    field: tuple[str, ...],
    always: tuple[str, ...] = (),
) -> TablePlan:
    """Return a plan that plays every set of the field, or a balanced design if there are too many sets."""
    sets = number_of_sets(len(field), table.seats - len(always))
    is_balanced = most_sets is not None and sets > most_sets
    return (Balanced if is_balanced else EverySet)(draws, table, field, always)


def interleaved_stage(
    plans: Sequence[TablePlan], span: Span, finished: Sequence[BlockResult], out: frozenset[str]
) -> Stage | None:
    """Return one stage of all tables, interleaved so that all tables progress at the same rate.

    Return None if no table can be filled. A stage whose blocks are all finished is not None.
    """
    stages = [plan.stage(span.at(plan.table), finished, out) for plan in plans]
    if all(stage is EMPTY_STAGE for stage in stages):
        return None
    return Stage(
        _total([stage.length for stage in stages]),
        _total([stage.games for stage in stages]),
        lambda: _interleave(stages, [plan.blocks_per_pass * plan.table.weight for plan in plans]),
    )


def total_spread(plans: Sequence[TablePlan], passes: int, bots: Sequence[str]) -> Spread:
    """Return how even this many passes are, over all tables."""
    counts = MeetingCounts()
    for plan in plans:
        plan.count_meetings(plan.table.weighted(passes), counts)
    return counts.spread(bots)


def _total(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


def _interleave(stages: Sequence[Stage], blocks_per_pass: Sequence[float]) -> Iterator[Block]:
    by_progress = map(_with_progress, stages, blocks_per_pass)
    return (block for _, block in merge(*by_progress, key=lambda entry: entry[0]))


def _with_progress(stage: Stage, blocks_per_pass: float) -> Iterator[tuple[float, Block]]:
    """Yield each block of a stage with the number of passes before it."""
    return ((number / blocks_per_pass, block) for number, block in enumerate(stage))

"""The round-robin and the gauntlet: everybody with everybody, and one against the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from typing import Final, Protocol

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.balanced import Balanced
from referee.tournament.schedule.base import (
    NOTHING,
    MeetingCounts,
    Spread,
    Stage,
    check_count,
    check_field,
)
from referee.tournament.schedule.combinations import EverySet, Span, number_of_sets
from referee.tournament.schedule.draws import Draws

MOST_SETS: Final = 500
MAX_PASSES: Final = 1000


class Course(Protocol):
    """What is played at one table, pass by pass."""

    @property
    def blocks_a_pass(self) -> float:
        """How many blocks a pass has on average."""
        ...

    def stage(self, span: Span, finished: Sequence[BlockResult], out: frozenset[str]) -> Stage:
        """The blocks of a span of passes."""
        ...

    def tally(self, passes: int, into: MeetingCounts) -> None:
        """Count the games of so many passes."""
        ...


class RoundRobin:
    """Every set of bots plays `blocks` blocks at every table, pass by pass.

    Beyond 500 sets every bot plays `blocks` blocks, in a balanced design. Without a number of
    blocks every pass is a stage, until the one who asks has seen enough.
    """

    def __init__(
        self,
        seed: int,
        tables: Sequence[TableKind],
        bots: Sequence[str],
        blocks: int | None,
        *,
        max_passes: int = MAX_PASSES,
        all_orders: bool = False,
    ) -> None:
        check_field(tables, bots)
        self.bots = tuple(sorted(bots))
        self.passes = None if blocks is None else check_count("the number of blocks", blocks)
        self.stages = check_count("the number of passes", max_passes) if blocks is None else 1
        draws = Draws(seed, all_orders)
        self._courses = [course(draws, table, self.bots) for table in tables]

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """All passes, or one of them where their number is open."""
        if number >= self.stages:
            return None
        end = number + 1 if self.passes is None else self.passes
        return together(self._courses, Span(number, number, end), finished, out)

    def spread(self) -> Spread:
        """How even the plan is; of one pass where their number is open."""
        return spread_of(self._courses, self.passes or 1, self.bots)


class Gauntlet:
    """One bot, the hero, against every set of the others, and beyond 500 sets as a round-robin.

    An endless gauntlet goes on, pass by pass, until the one who asks has seen enough.
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
        all_orders: bool = False,
    ) -> None:
        check_field(tables, [hero, *others])
        self.others = tuple(sorted(others))
        self.passes = None if blocks is None else check_count("the number of blocks", blocks)
        draws = Draws(seed, all_orders)
        self._courses = [course(draws, table, self.others, (hero,)) for table in tables]

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """All passes; without a number of blocks they have no end."""
        if number > 0:
            return None
        return together(self._courses, Span(0, 0, self.passes), finished, out)

    def spread(self) -> Spread | None:
        """How even the games of the others are; the hero meets each of them in all of theirs."""
        if self.passes is None or len(self.others) < 2:
            return None
        return spread_of(self._courses, self.passes, self.others)


def course(
    draws: Draws, table: TableKind, field: tuple[str, ...], always: tuple[str, ...] = ()
) -> Course:
    """Every set of the field, or a balanced design where there are too many."""
    many = number_of_sets(len(field), table.seats - len(always)) > MOST_SETS
    return (Balanced if many else EverySet)(draws, table, field, always)


def together(
    courses: Sequence[Course], span: Span, finished: Sequence[BlockResult], out: frozenset[str]
) -> Stage | None:
    """The courses of all tables, so interleaved that each is as far as the others.

    It is over when no table can be filled; a stage that is played already is not the end.
    """
    stages = [one.stage(span, finished, out) for one in courses]
    if all(stage is NOTHING for stage in stages):
        return None
    return Stage(
        _total([stage.length for stage in stages]),
        _total([stage.games for stage in stages]),
        lambda: _interleaved(stages, [one.blocks_a_pass for one in courses]),
    )


def spread_of(courses: Sequence[Course], passes: int, bots: Sequence[str]) -> Spread:
    """How even so many passes are over all tables."""
    tally = MeetingCounts()
    for one in courses:
        one.tally(passes, tally)
    return tally.spread(bots)


def _total(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


def _interleaved(stages: Sequence[Stage], blocks_a_pass: Sequence[float]) -> Iterator[Block]:
    timed = map(_timed, stages, blocks_a_pass)
    return (block for _, block in merge(*timed, key=lambda entry: entry[0]))


def _timed(stage: Stage, blocks_a_pass: float) -> Iterator[tuple[float, Block]]:
    """The blocks of a stage, and how many passes come before each."""
    return ((number / blocks_a_pass, block) for number, block in enumerate(stage))

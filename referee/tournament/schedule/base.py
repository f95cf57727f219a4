"""What every format of a tournament offers: stages of blocks, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final, NamedTuple, Protocol

from referee.errors import ScheduleRefused
from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.draws import Draws


@dataclass(frozen=True, slots=True)
class Stage:
    """Blocks that may be played in any order; they are made one by one, whenever it is iterated.

    Blocks that are finished already come again, with their ids. An endless stage has no length.
    """

    length: int | None
    games: int | None
    make: Callable[[], Iterator[Block]]

    def __len__(self) -> int:
        if self.length is None:
            raise TypeError("an endless stage has no length")
        return self.length

    def __bool__(self) -> bool:
        return self.length != 0

    def __iter__(self) -> Iterator[Block]:
        return self.make()


NOTHING: Final = Stage(0, 0, lambda: iter(()))  # for want of bots


class Spread(NamedTuple):
    """How even a plan is: games of a bot, and games in which two bots meet."""

    least_games: int
    most_games: int
    least_meetings: int
    most_meetings: int


class Plan(Protocol):
    """A format: a pure function of the tournament's seed and of what is finished."""

    @property
    def stages(self) -> int:
        """How many stages there are at most."""
        ...

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """The blocks of one stage, or nothing when the tournament is over.

        `finished` holds all results so far in any order. Nobody who is out sits in a block. After
        a disqualification a stage is asked for again, when no block of it is being played.
        """
        ...

    def spread(self) -> Spread | None:
        """How even the plan is, where that is known beforehand."""
        ...


class Outline(NamedTuple):
    """What a plan holds in all, at most; None where it has no end."""

    stages: int
    blocks: int | None
    games: int | None
    spread: Spread | None


def describe(plan: Plan) -> Outline:
    """What would be played; no stage of a plan is larger than its first."""
    first = plan.stage(0, (), frozenset())
    if first is None:
        return Outline(0, 0, 0, plan.spread())
    blocks = None if first.length is None else plan.stages * first.length
    games = None if first.games is None else plan.stages * first.games
    return Outline(plan.stages, blocks, games, plan.spread())


class MeetingCounts:
    """Who plays how many games, and who meets whom in how many."""

    def __init__(self) -> None:
        self.games: Counter[str] = Counter()
        self.meetings: Counter[tuple[str, str]] = Counter()

    def add(self, bots: Sequence[str], games: int) -> None:
        """So many games of these bots; copies of a bot do not meet."""
        present = sorted(set(bots))
        for bot in present:
            self.games[bot] += games
        for pair in combinations(present, 2):
            self.meetings[pair] += games

    def spread(self, bots: Sequence[str]) -> Spread:
        """The least and the most among all of these bots and all of their pairs."""
        games = [self.games[bot] for bot in bots]
        meetings = [self.meetings[pair] for pair in combinations(sorted(bots), 2)]
        return Spread(min(games), max(games), min(meetings), max(meetings))


def listed(draws: Draws, blocks: Sequence[Block], rest: Stage | None = None) -> Stage:
    """These blocks, and then the rest."""
    games = sum(draws.games_of(block.bots) for block in blocks)
    if rest is None:
        return Stage(len(blocks), games, lambda: iter(blocks))
    return Stage(
        None if rest.length is None else len(blocks) + rest.length,
        None if rest.games is None else games + rest.games,
        lambda: chain(blocks, rest),
    )


def check_field(tables: Sequence[TableKind], bots: Sequence[str]) -> None:
    """Refuse what no format can be played with."""
    if len(set(bots)) < len(bots):
        raise ScheduleRefused("two bots of a tournament have the same name")
    if len(bots) < 2:
        raise ScheduleRefused(f"a tournament needs two bots or more, and {len(bots)} came")
    if not tables or len({table.name for table in tables}) < len(tables):
        raise ScheduleRefused("a tournament needs tables, each with a name of its own")
    for table in tables:
        if table.seats < 2:
            raise ScheduleRefused(f"a game at {table.name} needs two seats or more")


def check_count(what: str, count: int) -> int:
    """The count itself, where it is one."""
    if count < 1:
        raise ScheduleRefused(f"{what} must be 1 or more, not {count}")
    return count

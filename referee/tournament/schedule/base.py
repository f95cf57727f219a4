"""What every tournament format has: stages of blocks, and a summary of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final, NamedTuple, Protocol

from referee.errors import ScheduleRefused
from referee.text import plural
from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.draws import Draws


@dataclass(frozen=True, slots=True)
class Stage:
    """Blocks that may be played in any order; every iteration makes them again, one by one.

    Finished blocks are among them, with the same ids. A stage without an end has length None.
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


EMPTY_STAGE: Final = Stage(0, 0, lambda: iter(()))  # there are too few bots


class Spread(NamedTuple):
    """How even a plan is: the games of each bot, and the games in which two bots meet."""

    least_games: int
    most_games: int
    least_meetings: int
    most_meetings: int


class Plan(Protocol):
    """A tournament format: a pure function of the tournament's seed and the finished blocks."""

    @property
    def stages(self) -> int:
        """The largest possible number of stages."""
        ...

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """Return the blocks of one stage, or None when the tournament is over.

        `finished` holds all results so far, in any order. No disqualified bot (`out`) is in a block.
        After a disqualification the caller finishes the running blocks, and asks for the same stage
        again.
        """
        ...

    def spread(self) -> Spread | None:
        """Return how even the plan is; None if that is not known before it is played."""
        ...

    def lacks_bots(self, out: frozenset[str]) -> str | None:
        """Return why no game is possible without the bots in `out`; None if games are possible."""
        ...


class Outline(NamedTuple):
    """The size of a whole plan, at most; None where there is no limit."""

    stages: int
    blocks: int | None
    games: int | None


def describe(
    plan: Plan, finished: Sequence[BlockResult] = (), out: frozenset[str] = frozenset()
) -> Outline:
    """Return the size of a plan; no stage of a plan is larger than its first."""
    first = plan.stage(0, finished, out)
    if first is None:
        return Outline(0, 0, 0)
    blocks = None if first.length is None else plan.stages * first.length
    games = None if first.games is None else plan.stages * first.games
    return Outline(plan.stages, blocks, games)


class MeetingCounts:
    """The number of games of each bot and of each pair of bots."""

    def __init__(self) -> None:
        self.games: Counter[str] = Counter()
        self.meetings: Counter[tuple[str, str]] = Counter()

    def add(self, bots: Sequence[str], games: int) -> None:
        """Add this many games of these bots; copies of a bot do not meet."""
        present = sorted(set(bots))
        for bot in present:
            self.games[bot] += games
        for pair in combinations(present, 2):
            self.meetings[pair] += games

    def spread(self, bots: Sequence[str]) -> Spread:
        """Return the smallest and the largest counts among these bots and among their pairs."""
        games = [self.games[bot] for bot in bots]
        meetings = [self.meetings[pair] for pair in combinations(sorted(bots), 2)]
        return Spread(min(games), max(games), min(meetings), max(meetings))


def fixed_stage(draws: Draws, blocks: Sequence[Block], rest: Stage | None = None) -> Stage:
    """Return a stage with these blocks, and then those of `rest`."""
    games = sum(draws.games_of(block.bots) for block in blocks)
    if rest is None:
        return Stage(len(blocks), games, lambda: iter(blocks))
    return Stage(
        None if rest.length is None else len(blocks) + rest.length,
        None if rest.games is None else games + rest.games,
        lambda: chain(blocks, rest),
    )


def lacks_bots(
    bots: Sequence[str], out: frozenset[str], *, fewest: int = 2, hero: str | None = None
) -> str | None:
    """Return the sentence for `Plan.lacks_bots`: `fewest` is how many bots a game needs."""
    if hero in out:
        return f"{hero} cannot play any more, and every game needs it"
    left = sum(bot not in out for bot in bots)
    if left >= fewest:
        return None
    others = "other bot" if hero is not None else "bot"
    return f"{plural(left, others)} can still play, and a game needs {fewest}"


def check_field(tables: Sequence[TableKind], bots: Sequence[str]) -> None:
    """Raise ScheduleRefused for tables or bots that no format can be played with."""
    if len(set(bots)) < len(bots):
        raise ScheduleRefused("two bots of a tournament have the same name")
    if len(bots) < 2:
        raise ScheduleRefused(f"a tournament needs two bots or more, not {len(bots)}")
    if not tables or len({table.name for table in tables}) < len(tables):
        raise ScheduleRefused("a tournament needs tables, each with its own name")
    for table in tables:
        if table.seats < 2:
            raise ScheduleRefused(f"a game at {table.name} needs two seats or more")


def check_count(what: str, count: int) -> int:
    """Return the count; ScheduleRefused if it is below 1."""
    if count < 1:
        raise ScheduleRefused(f"{what} must be 1 or more, not {count}")
    return count

"""The figures of a site: ratings of several selections, their growth, and who came before whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from referee.tournament.ratings import Ratings, RatingsRefused, rate, select
from referee.tournament.results import BlockResult, GameResult
from referee.web.site.snapshot import Source

POINTS_OF_CURVE: Final = 30
ALL_GAMES: Final = "all games"
WITHOUT_FAULTS: Final = "without faulted games"


class RatingInterval(NamedTuple):
    """A rating with its 95 % interval, where there is enough to give one."""

    rating: float
    low: float | None
    high: float | None


class CurvePoint(NamedTuple):
    """The ratings after so many finished blocks, of those who had played by then."""

    blocks: int
    ratings: dict[str, RatingInterval]


@dataclass
class Sums:
    """What can be counted of some games of one bot, or of one seat."""

    games: int = 0
    first_places: float = 0.0  # a shared one counts as a share
    ranks: int = 0
    totals: int = 0

    def add(self, game: GameResult, seat: int) -> None:
        """Count one more game of this seat."""
        rank = game.ranks[seat]
        self.games += 1
        self.ranks += rank
        self.totals += game.totals[seat]
        if rank == 1:
            self.first_places += 1 / game.ranks.count(1)


@dataclass
class Meeting:
    """One bot against another, from the view of the first; a tie counts one half."""

    games: int = 0
    before: float = 0.0

    @property
    def share(self) -> float:
        """How often it came before the other."""
        return self.before / self.games


Pair: TypeAlias = tuple[str, str]
Chair: TypeAlias = tuple[str, str, int]  # bot, table, seat


@dataclass(frozen=True)
class Figures:
    """All that is counted and rated."""

    ratings: Ratings
    apart: dict[str, Ratings]  # by selection, that of all games first
    curve: list[CurvePoint]
    meetings: dict[Pair, Meeting]
    chairs: dict[Chair, Sums]
    points: tuple[float, ...] | None

    @property
    def order(self) -> list[str]:
        """The bots, the best first."""
        return [entry.bot for entry in self.ratings.entries]


def figures_of(
    source: Source, points: Sequence[float] | None = None, anchor: str | None = None
) -> Figures:
    """The figures of a tournament; RatingsRefused for an anchor or points that cannot be."""
    results = source.results
    ratings = rate(results, bots=source.names, anchor=anchor, points=points)
    return Figures(
        ratings=ratings,
        apart={ALL_GAMES: ratings, **dict(_apart(source, anchor))},
        curve=list(curve(results, anchor)),
        meetings=meetings(results),
        chairs=chairs(results),
        points=None if points is None else tuple(points),
    )


def _apart(source: Source, anchor: str | None) -> Iterator[tuple[str, Ratings]]:
    """Selections that differ from all games, and in which the anchor has played."""
    results = source.results
    chosen = {WITHOUT_FAULTS: list(select(results, without_faults=True))}
    if len(source.tables) > 1:
        chosen |= {table: list(select(results, table=table)) for table in source.tables}
    everything = sum(len(result.games) for result in results)
    for name, some in chosen.items():
        if 0 < sum(len(result.games) for result in some) < everything:
            rated = _rated(some, anchor)
            if rated is not None:
                yield name, rated


def _rated(results: Sequence[BlockResult], anchor: str | None) -> Ratings | None:
    try:
        return rate(results, anchor=anchor)
    except RatingsRefused:
        return None  # the anchor is not among these


def curve(results: Sequence[BlockResult], anchor: str | None = None) -> Iterator[CurvePoint]:
    """Ratings after growing numbers of blocks, in the order in which these were finished."""
    blocks = len(results)
    steps = min(blocks, POINTS_OF_CURVE)
    for upto in (blocks * step // steps for step in range(1, steps + 1)):
        rated = _rated(results[:upto], anchor)
        if rated is not None:
            yield CurvePoint(
                upto,
                {
                    entry.bot: RatingInterval(entry.rating, entry.low, entry.high)
                    for entry in rated.entries
                },
            )


def meetings(results: Sequence[BlockResult]) -> dict[Pair, Meeting]:
    """Every two bots that sat at one table; copies of a bot count each, and not among themselves."""
    found: dict[Pair, Meeting] = {}
    for result in results:
        for game in result.games:
            seated = list(zip(game.bots, game.ranks, strict=True))
            for bot, rank in seated:
                for other, rank_of_other in seated:
                    if bot != other:
                        meeting = found.setdefault((bot, other), Meeting())
                        meeting.games += 1
                        meeting.before += (1 + (rank < rank_of_other) - (rank > rank_of_other)) / 2
    return found


def chairs(results: Sequence[BlockResult]) -> dict[Chair, Sums]:
    """What each bot did at each seat of each table."""
    found: dict[Chair, Sums] = {}
    for result in results:
        for game in result.games:
            for seat, bot in enumerate(game.bots):
                found.setdefault((bot, game.table, seat), Sums()).add(game, seat)
    return found


def summed(
    found: Mapping[Chair, Sums],
    *,
    bot: str | None = None,
    table: str | None = None,
    seat: int | None = None,
) -> Sums:
    """Add up those of one bot, one table or one seat."""
    total = Sums()
    for (of, at, chair), sums in found.items():
        if bot in {None, of} and table in {None, at} and seat in {None, chair}:
            total.games += sums.games
            total.first_places += sums.first_places
            total.ranks += sums.ranks
            total.totals += sums.totals
    return total

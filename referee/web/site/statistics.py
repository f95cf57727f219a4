"""The figures of a site: ratings of all and of some games, ratings over time, and who finished ahead of whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from referee.tournament.ratings import Ratings, RatingsRefused, rate, select
from referee.tournament.ratings.meetings import Meeting, Pair, meetings
from referee.tournament.ratings.scale import RatingInterval, interval_of
from referee.tournament.results import BlockResult, GameResult
from referee.web.site.snapshot import Snapshot

POINTS_OF_CURVE: Final = 30
ALL_GAMES: Final = "all games"
WITHOUT_FAULTS: Final = "without faulted games"


class CurvePoint(NamedTuple):
    """The ratings after a number of finished blocks, of the bots that had played by then."""

    blocks: int
    ratings: dict[str, RatingInterval]


@dataclass
class Sums:
    """Sums over some games of one bot, or of one seat."""

    games: int = 0
    first_places: float = 0.0  # one that n bots share counts 1/n
    ranks: int = 0
    totals: int = 0

    def add(self, game: GameResult, seat: int) -> None:
        """Add the result of this seat in a game."""
        rank = game.ranks[seat]
        self.games += 1
        self.ranks += rank
        self.totals += game.totals[seat]
        if rank == 1:
            self.first_places += 1 / game.ranks.count(1)


SeatOfBot: TypeAlias = tuple[str, str, int]  # bot, table, seat


@dataclass(frozen=True)
class Figures:
    """All numbers that a site shows."""

    ratings: Ratings
    selections: dict[str, Ratings]  # by the name of a selection of games; all games come first
    curve: list[CurvePoint]
    meetings: dict[Pair, Meeting]
    by_seat: dict[SeatOfBot, Sums]
    points: tuple[float, ...] | None  # for each place; None if points are not counted

    @property
    def rating_of(self) -> dict[str, float]:
        """The rating of each bot that has played."""
        return {entry.bot: entry.rating for entry in self.ratings.entries if entry.games}

    @property
    def order(self) -> list[str]:
        """The names of the bots, best first."""
        return [entry.bot for entry in self.ratings.entries]


def figures_of(
    snapshot: Snapshot, points: Sequence[float] | None = None, anchor: str | None = None
) -> Figures:
    """Count and rate all results; RatingsRefused if the anchor has not played or the points are not valid."""
    results = snapshot.results
    ratings = rate(results, bots=snapshot.names, anchor=anchor, points=points)
    return Figures(
        ratings=ratings,
        selections={ALL_GAMES: ratings, **dict(_selections(snapshot, anchor))},
        curve=list(curve(results, anchor)),
        meetings=meetings(results),
        by_seat=by_seat(results),
        points=None if points is None else tuple(points),
    )


def _selections(snapshot: Snapshot, anchor: str | None) -> Iterator[tuple[str, Ratings]]:
    """Rate selections of games. One that has no games, has all games, or lacks the anchor is left out."""
    results = snapshot.results
    chosen = {WITHOUT_FAULTS: list(select(results, without_faults=True))}
    if len(snapshot.tables) > 1:
        chosen |= {table: list(select(results, table=table)) for table in snapshot.tables}
    everything = sum(len(result.games) for result in results)
    for name, selected in chosen.items():
        if 0 < sum(len(result.games) for result in selected) < everything:
            rated = _rated(selected, anchor)
            if rated is not None:
                yield name, rated


def _rated(results: Sequence[BlockResult], anchor: str | None) -> Ratings | None:
    try:
        return rate(results, anchor=anchor)
    except RatingsRefused:
        return None  # the anchor has not played in these


def curve(results: Sequence[BlockResult], anchor: str | None = None) -> Iterator[CurvePoint]:
    """The ratings after more and more blocks, in the order in which the blocks were finished."""
    blocks = len(results)
    steps = min(blocks, POINTS_OF_CURVE)
    for finished in (blocks * step // steps for step in range(1, steps + 1)):
        rated = _rated(results[:finished], anchor)
        if rated is not None:
            yield CurvePoint(
                finished,
                {entry.bot: interval_of(entry) for entry in rated.entries},
            )


def by_seat(results: Sequence[BlockResult]) -> dict[SeatOfBot, Sums]:
    """The sums of each bot at each seat of each table."""
    found: dict[SeatOfBot, Sums] = {}
    for result in results:
        for game in result.games:
            for seat, bot in enumerate(game.bots):
                found.setdefault((bot, game.table, seat), Sums()).add(game, seat)
    return found


def summed(
    sums_by_seat: Mapping[SeatOfBot, Sums],
    *,
    bot: str | None = None,
    table: str | None = None,
    seat: int | None = None,
) -> Sums:
    """Add up the sums of one bot, one table or one seat; None stands for all of them."""
    total = Sums()
    for (its_bot, its_table, its_seat), sums in sums_by_seat.items():
        if bot in {None, its_bot} and table in {None, its_table} and seat in {None, its_seat}:
            total.games += sums.games
            total.first_places += sums.first_places
            total.ranks += sums.ranks
            total.totals += sums.totals
    return total

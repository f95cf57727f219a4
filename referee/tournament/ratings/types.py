"""The types of ratings; every number is from the point of view of one bot."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from referee.errors import RatingsRefused
from referee.tournament.ratings.estimates import expected_score, t_quantile


@dataclass(frozen=True, slots=True)
class Entry:
    """The rating and the counts of one bot; each copy of it at a table counts."""

    bot: str
    rating: float  # on the Elo scale
    low: float | None  # the 95 % interval of the rating; None if there are too few blocks
    high: float | None
    blocks: int  # in which it played
    games: int
    first_places: float  # a shared one counts as a share
    mean_rank: float | None  # 1 is best
    mean_total: float | None  # prestige
    faults: int
    faulted_games: int  # in which it was at fault
    disqualified: int  # how often
    points: float | None  # None unless points were requested
    # How likely it is stronger than the next bot; None for the last.
    superiority_over_next: float | None


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What a seat of a table is worth, relative to the mean of its seats."""

    table: str
    seat: int  # from 0
    elo: float
    low: float | None  # the 95 % interval
    high: float | None
    games: int


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two bots, from the point of view of the first."""

    bot: str
    other: str
    elo: float  # above 0: the first is rated higher
    low: float | None  # the 95 % interval of the difference
    high: float | None
    expected_score: float  # how often the first beats the other; a tie counts one half
    superiority: float  # how likely the first is truly stronger


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings from one selection of games; rows and columns are in the order of `entries`."""

    entries: tuple[Entry, ...]  # the best first, those without a game last
    seats: tuple[SeatEffect, ...]
    # How likely the bot of the row is stronger than the bot of the column.
    superiority: tuple[tuple[float, ...], ...]
    covariance: tuple[tuple[float, ...], ...]  # of the ratings
    blocks: int
    games: int
    anchor: str | None  # the bot whose rating is fixed; None: the mean of the field is fixed
    anchor_at: float
    groups: tuple[tuple[str, ...], ...]  # bots of two groups never met, not even through others

    def difference(self, bot: str, other: str) -> Difference:
        """Compare two bots, from the point of view of the first; RatingsRefused for an unknown bot."""
        row, column = self._place(bot), self._place(other)
        first, second = self.entries[row], self.entries[column]
        elo = first.rating - second.rating
        width = self._width(row, column)
        return Difference(
            bot=bot,
            other=other,
            elo=elo,
            low=None if width is None else elo - width,
            high=None if width is None else elo + width,
            expected_score=expected_score(first.rating, second.rating),
            superiority=self.superiority[row][column],
        )

    def _place(self, bot: str) -> int:
        for place, entry in enumerate(self.entries):
            if entry.bot == bot:
                return place
        raise RatingsRefused(f"{bot!r} is not among the rated bots")

    def _width(self, row: int, column: int) -> float | None:
        freedom = min(self.entries[row].blocks, self.entries[column].blocks) - 1
        names = {self.entries[row].bot, self.entries[column].bot}
        if freedom < 1 or not any(names <= set(group) for group in self.groups):
            return None
        own, others = self.covariance[row], self.covariance[column]
        return t_quantile(freedom) * sqrt(max(own[row] + others[column] - 2 * own[column], 0.0))

"""What ratings are made of; each number says whose view it takes."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from referee.errors import RefereeError
from referee.tournament.ratings.estimates import expected_score, reach


class RatingsRefused(RefereeError):
    """Ratings that cannot be made: an anchor that did not play, points that are not numbers."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One bot, from its own view; copies of it at one table count each."""

    bot: str
    rating: float  # on the Elo scale
    low: float | None  # the 95 % interval of the rating; None where there is too little to go by
    high: float | None
    blocks: int  # in which it played
    games: int
    first_places: float  # a shared one counts as a share
    mean_rank: float | None  # 1 is best
    mean_total: float | None  # prestige
    faults: int
    faulted_games: int  # in which it was at fault
    disqualified: int  # how often
    points: float | None  # None unless points were asked for
    superiority_over_next: (
        float | None
    )  # how likely it is stronger than the next; None for the last


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What a seat of a table is worth to whoever sits there, against the mean of its seats."""

    table: str
    seat: int  # from 0
    elo: float
    low: float | None  # the 95 % interval
    high: float | None
    games: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One bot against another, from the view of the first."""

    bot: str
    other: str
    elo: float  # above 0: the first is rated higher
    low: float | None  # the 95 % interval of the difference
    high: float | None
    expected_score: float  # how often the first comes before the other; a tie counts one half
    superiority: float  # how likely the first is truly stronger


@dataclass(frozen=True, slots=True)
class Ratings:
    """Everything about one selection of games; rows and columns are in the order of `entries`."""

    entries: tuple[Entry, ...]  # the best first, those without a game last
    seats: tuple[SeatEffect, ...]
    superiority: tuple[
        tuple[float, ...], ...
    ]  # how likely the row's bot is stronger than the column's
    covariance: tuple[tuple[float, ...], ...]  # of the ratings
    blocks: int
    games: int
    anchor: str | None  # the bot whose rating was given; None: the mean of the field was
    anchor_at: float
    groups: tuple[tuple[str, ...], ...]  # bots of two groups never met, not even through others

    def difference(self, bot: str, other: str) -> Difference:
        """How one bot stands against another, from the view of the first."""
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
        return reach(freedom) * sqrt(max(own[row] + others[column] - 2 * own[column], 0.0))

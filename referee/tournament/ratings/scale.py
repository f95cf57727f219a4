"""The range of ratings that interval bars show: one hopeless bot does not flatten the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from referee.tournament.ratings.types import Entry

_MOST_OUTSIDE: Final = 3  # at most one of this many bars may leave the range
_WORTH: Final = 0.45  # bars are left out if the range then has at most this part of its width


class RatingInterval(NamedTuple):
    """A rating with its 95 % confidence interval; the ends are None after too few games."""

    rating: float
    low: float | None
    high: float | None

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends; the rating itself if there is no interval yet."""
        return (
            self.rating if self.low is None else self.low,
            self.rating if self.high is None else self.high,
        )


def interval_of(entry: Entry) -> RatingInterval:
    """Return the rating of a bot with its interval."""
    return RatingInterval(entry.rating, entry.low, entry.high)


class RatingRange(NamedTuple):
    """The range of ratings that a scale shows; a rating may be outside of it."""

    low: float
    high: float

    @classmethod
    def of(cls, intervals: Iterable[RatingInterval]) -> RatingRange:
        """Return a range that shows these intervals well.

        It contains all of them, except a few that would make it much wider than the others need.
        """
        ends = [interval.ends for interval in intervals]
        if not ends:
            return cls(0.0, 0.0)
        by_low = sorted(range(len(ends)), key=lambda at: ends[at][0])
        by_high = sorted(range(len(ends)), key=lambda at: ends[at][1], reverse=True)

        def without(lowest: int, highest: int) -> RatingRange:
            """The range of all intervals except so many of the lowest and of the highest."""
            left_out = {*by_low[:lowest], *by_high[:highest]}
            low = next(ends[at][0] for at in by_low if at not in left_out)
            return cls(low, next(ends[at][1] for at in by_high if at not in left_out))

        chosen = without(0, 0)
        for count in range(1, len(ends) // _MOST_OUTSIDE + 1):
            narrowest = min(
                (without(lowest, count - lowest) for lowest in range(count + 1)), key=cls.width
            )
            if narrowest.width() <= _WORTH * chosen.width():
                chosen = narrowest
        return chosen

    def width(self) -> float:
        """Return the difference between the ends."""
        return self.high - self.low

    def contains(self, rating: float) -> bool:
        """Return whether a rating is inside."""
        return self.low <= rating <= self.high

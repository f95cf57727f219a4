"""Ratings of a running tournament, computed again only as often as is cheap."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from referee.tournament.ratings import Ratings, RatingsRefused, rate, rate_by_table
from referee.tournament.store import Store

Value = TypeVar("Value")

SHORTEST_PAUSE_S: Final = 2.0
PAUSE_FACTOR: Final = 50  # times the computing time: ratings take at most a fiftieth of a run


class RatingOptions(NamedTuple):
    """Options of ratings: points by place, and the bot whose rating is fixed."""

    points: tuple[float, ...] | None = None
    anchor: str | None = None


class LiveRatings:
    """The ratings of a running tournament."""

    def __init__(
        self,
        store: Store,
        bots: Sequence[str],
        options: RatingOptions,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._bots = bots
        self._options = options
        self._overall = _Paced(self.final, clock)
        self._by_table = _Paced(self._rate_by_table, clock)

    def latest(self) -> Ratings:
        """Return the ratings, which may be some seconds old."""
        return self._overall.latest()

    def by_table(self) -> dict[str, Ratings]:
        """Return separate ratings for each kind of table, which may be some seconds old."""
        return self._by_table.latest()

    def final(self) -> Ratings:
        """Return the current ratings; an anchor that has not played yet is ignored."""
        points, anchor = self._options
        try:
            return rate(self._store.results(), bots=self._bots, points=points, anchor=anchor)
        except RatingsRefused:
            return rate(self._store.results(), bots=self._bots, points=points)

    def _rate_by_table(self) -> dict[str, Ratings]:
        points, anchor = self._options
        return rate_by_table(self._store.results(), points=points, anchor=anchor)


class _Paced(Generic[Value]):
    """A value that is computed again only after a pause, which is long if the computing took long."""

    def __init__(self, compute: Callable[[], Value], clock: Callable[[], float]) -> None:
        self._compute = compute
        self._clock = clock
        self._kept: list[Value] = []  # empty or one value
        self._next = 0.0

    def latest(self) -> Value:
        began = self._clock()
        if not self._kept or began >= self._next:
            self._kept = [self._compute()]
            ended = self._clock()
            self._next = ended + max(SHORTEST_PAUSE_S, PAUSE_FACTOR * (ended - began))
        return self._kept[0]

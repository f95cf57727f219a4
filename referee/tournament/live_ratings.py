"""Ratings of a running tournament, computed again only as often as is cheap."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from referee.tournament.ratings import Ratings, RatingsRefused, rate
from referee.tournament.store import Store

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
        self._clock = clock
        self._latest: Ratings | None = None
        self._next = 0.0

    def latest(self) -> Ratings:
        """Return the ratings, which may be some seconds old."""
        began = self._clock()
        if self._latest is not None and began < self._next:
            return self._latest
        self._latest = self.final()
        ended = self._clock()
        self._next = ended + max(SHORTEST_PAUSE_S, PAUSE_FACTOR * (ended - began))
        return self._latest

    def final(self) -> Ratings:
        """Return the current ratings; an anchor that has not played yet is ignored."""
        points, anchor = self._options
        try:
            return rate(self._store.results(), bots=self._bots, points=points, anchor=anchor)
        except RatingsRefused:
            return rate(self._store.results(), bots=self._bots, points=points)

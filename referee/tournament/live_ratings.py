"""How a tournament stands, for those who look on: computed anew no more often than is cheap."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from referee.tournament.ratings import Ratings, RatingsRefused, rate
from referee.tournament.store import Store

SHORTEST_REST_S: Final = 2.0
REST_FOR_EACH: Final = 50  # of its own time: at most a fiftieth of a run goes into standings


class Manner(NamedTuple):
    """How standings are wanted: points by place, and a bot whose rating is given."""

    points: tuple[float, ...] | None = None
    anchor: str | None = None


class Standings:
    """The standings of a tournament that goes on."""

    def __init__(
        self,
        store: Store,
        bots: Sequence[str],
        manner: Manner,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._bots = bots
        self._manner = manner
        self._clock = clock
        self._latest: Ratings | None = None
        self._next = 0.0

    def latest(self) -> Ratings:
        """The standings, perhaps of a moment ago."""
        began = self._clock()
        if self._latest is not None and began < self._next:
            return self._latest
        self._latest = self.final()
        ended = self._clock()
        self._next = ended + max(SHORTEST_REST_S, REST_FOR_EACH * (ended - began))
        return self._latest

    def final(self) -> Ratings:
        """The standings of this moment; the anchor holds from its first game on."""
        points, anchor = self._manner
        try:
            return rate(self._store.results(), bots=self._bots, points=points, anchor=anchor)
        except RatingsRefused:
            return rate(self._store.results(), bots=self._bots, points=points)

"""Ratings of bots from finished blocks: one fit of all games at once, whatever their order.

They are on the Elo scale: 400 points more are ten times the strength. docs/statistics.md explains
them to organisers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import Final

import numpy as np

from referee.errors import RatingsRefused
from referee.tournament.ratings.arrays import Flags, Floats, Games, gather
from referee.tournament.ratings.counts import BotCounts, games_by_table, met, tally
from referee.tournament.ratings.estimates import (
    Standing,
    standing_of_bots,
    standing_of_seats,
    superiority,
)
from referee.tournament.ratings.fit import Fit, fit
from referee.tournament.ratings.types import Difference, Entry, Ratings, SeatEffect
from referee.tournament.results import BlockResult

__all__ = [
    "MEAN",
    "Difference",
    "Entry",
    "Ratings",
    "RatingsRefused",
    "SeatEffect",
    "if_played",
    "rate",
    "rate_by_table",
    "select",
]

MEAN: Final = 1500.0


def rate(
    results: Iterable[BlockResult],
    *,
    bots: Sequence[str] = (),
    anchor: str | None = None,
    anchor_at: float = MEAN,
    points: Sequence[float] | None = None,
) -> Ratings:
    """The ratings of every bot in the results, and of those that are named besides.

    The mean of all bots that have played is `anchor_at`; with an anchor, that bot is. `points` are
    given by place, from the first on; those that are tied share the mean of their places.
    """
    games = gather(results, bots)
    counted = tally(games, _checked(points or ()))
    together = met(games)
    best = fit(games)
    standing = standing_of_bots(
        best, counted.blocks, together, _number(games, counted, anchor), anchor_at
    )
    order = _best_first(standing)
    above = superiority(standing, together)[np.ix_(order, order)]
    return Ratings(
        entries=tuple(_entries(games, counted, standing, order, above, points is not None)),
        seats=tuple(_seat_effects(games, best)),
        superiority=tuple(map(tuple, above.tolist())),
        covariance=tuple(map(tuple, standing.covariance[np.ix_(order, order)].tolist())),
        blocks=games.blocks,
        games=sum(len(sheet.block) for sheet in games.sheets),
        anchor=anchor,
        anchor_at=anchor_at,
        groups=_groups(games, together),
    )


def rate_by_table(
    results: Iterable[BlockResult],
    *,
    bots: Sequence[str] = (),
    anchor: str | None = None,
    anchor_at: float = MEAN,
    points: Sequence[float] | None = None,
) -> dict[str, Ratings]:
    """The same apart for each kind of table, by its name; an anchor holds where it has played."""
    kept = list(results)
    tables = sorted({game.table for result in kept for game in result.games})
    apart = {table: list(select(kept, table=table)) for table in tables}
    return {
        table: rate(
            games, bots=bots, anchor=if_played(anchor, games), anchor_at=anchor_at, points=points
        )
        for table, games in apart.items()
    }


def if_played(bot: str | None, results: Iterable[BlockResult]) -> str | None:
    """The bot, if it has played."""
    return bot if any(bot in result.block.bots for result in results) else None


def select(
    results: Iterable[BlockResult], *, table: str | None = None, without_faults: bool = False
) -> Iterator[BlockResult]:
    """The results with only the games of one table, or only those in which no bot was at fault."""
    for result in results:
        games = tuple(
            game
            for game in result.games
            if table in {None, game.table} and not (without_faults and any(game.faults))
        )
        if games:
            yield result._replace(games=games)


def _checked(points: Sequence[float]) -> Sequence[float]:
    if not all(isfinite(one) for one in points):
        raise RatingsRefused("points must be numbers, from the first place on, such as 5,3,1")
    return points


def _number(games: Games, counted: BotCounts, anchor: str | None) -> int | None:
    if anchor is None:
        return None
    if anchor not in games.bots or not counted.games[games.bots.index(anchor)]:
        raise RatingsRefused(f"{anchor!r} cannot be the anchor: it has not played")
    return games.bots.index(anchor)


def _best_first(standing: Standing) -> list[int]:
    """Those that have not played come last; equals in alphabetical order."""
    elo = standing.elo.round(6)  # equals are equal but for rounding
    return [int(one) for one in np.lexsort((-elo, standing.blocks == 0))]


def _entries(
    games: Games,
    counted: BotCounts,
    standing: Standing,
    order: Sequence[int],
    above: Floats,
    with_points: bool,
) -> Iterator[Entry]:
    for place, one in enumerate(order):
        low, high = standing.interval(one)
        played = int(counted.games[one])
        yield Entry(
            bot=games.bots[one],
            rating=float(standing.elo[one]),
            low=low,
            high=high,
            blocks=int(counted.blocks[one]),
            games=played,
            first_places=float(counted.first_places[one]),
            mean_rank=float(counted.ranks[one]) / played if played else None,
            mean_total=float(counted.totals[one]) / played if played else None,
            faults=int(counted.faults[one]),
            faulted_games=int(counted.faulted_games[one]),
            disqualified=int(counted.disqualified[one]),
            points=float(counted.points[one]) if with_points else None,
            superiority_over_next=float(above[place, place + 1])
            if place + 1 < len(order)
            else None,
        )


def _seat_effects(games: Games, best: Fit) -> Iterator[SeatEffect]:
    played = games_by_table(games)
    for table, standing in enumerate(standing_of_seats(games, best)):
        for seat in range(games.seats[table]):
            low, high = standing.interval(seat)
            yield SeatEffect(
                table=games.tables[table],
                seat=seat,
                elo=float(standing.elo[seat]),
                low=low,
                high=high,
                games=int(played[table]),
            )


def _groups(games: Games, together: Flags) -> tuple[tuple[str, ...], ...]:
    """Those of two groups never met, not even through others; without games, one belongs nowhere."""
    rows = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in together)
    return tuple(tuple(games.bots[one] for one in row) for row in rows if row)

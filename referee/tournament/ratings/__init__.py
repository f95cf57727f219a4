"""Ratings of bots from finished blocks: one fit of all games at once, independent of their order.

They are on the Elo scale: 400 points more mean ten times the strength. docs/statistics.md explains
them to organisers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import Final

import numpy as np

from referee.errors import RatingsRefused
from referee.tournament.ratings.arrays import Flags, Floats, Games, gather
from referee.tournament.ratings.counts import (
    BotCounts,
    connected_bots,
    count_by_bot,
    games_by_table,
)
from referee.tournament.ratings.estimates import (
    Estimates,
    estimate_bots,
    estimate_seats,
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
    """Return the ratings of every bot in the results, and of the bots in `bots`.

    The mean rating of all bots that have played is `anchor_at`; if there is an anchor, the rating of
    that bot is. `points` are given by place, from the first place on; bots that are tied get the
    mean of their places. Raises RatingsRefused for points that are not finite, or for an anchor that
    has not played.
    """
    games = gather(results, bots)
    counted = count_by_bot(games, _check_points(points or ()))
    connected = connected_bots(games)
    best = fit(games)
    estimates = estimate_bots(
        best, counted.blocks, connected, _anchor_index(games, counted, anchor), anchor_at
    )
    order = _best_first(estimates)
    above = superiority(estimates, connected)[np.ix_(order, order)]
    return Ratings(
        entries=tuple(_entries(games, counted, estimates, order, above, points is not None)),
        seats=tuple(_seat_effects(games, best)),
        superiority=tuple(map(tuple, above.tolist())),
        covariance=tuple(map(tuple, estimates.covariance[np.ix_(order, order)].tolist())),
        blocks=games.blocks,
        games=sum(len(sheet.block) for sheet in games.sheets),
        anchor=anchor,
        anchor_at=anchor_at,
        groups=_groups(games, connected),
    )


def rate_by_table(
    results: Iterable[BlockResult],
    *,
    bots: Sequence[str] = (),
    anchor: str | None = None,
    anchor_at: float = MEAN,
    points: Sequence[float] | None = None,
) -> dict[str, Ratings]:
    """Return separate ratings for each kind of table, by its name; see `rate`.

    At a table where the anchor has not played, there is no anchor.
    """
    kept = list(results)
    tables = sorted({game.table for result in kept for game in result.games})
    by_table = {table: list(select(kept, table=table)) for table in tables}
    return {
        table: rate(
            games, bots=bots, anchor=if_played(anchor, games), anchor_at=anchor_at, points=points
        )
        for table, games in by_table.items()
    }


def if_played(bot: str | None, results: Iterable[BlockResult]) -> str | None:
    """Return the bot if it has played, else None."""
    return bot if any(bot in result.block.bots for result in results) else None


def select(
    results: Iterable[BlockResult], *, table: str | None = None, without_faults: bool = False
) -> Iterator[BlockResult]:
    """Yield the results with only the games at one table, or only those without faults."""
    for result in results:
        games = tuple(
            game
            for game in result.games
            if table in {None, game.table} and not (without_faults and any(game.faults))
        )
        if games:
            yield result._replace(games=games)


def _check_points(points: Sequence[float]) -> Sequence[float]:
    if not all(map(isfinite, points)):
        raise RatingsRefused("points must be finite numbers, first place first, such as 5,3,1")
    return points


def _anchor_index(games: Games, counted: BotCounts, anchor: str | None) -> int | None:
    if anchor is None:
        return None
    if anchor not in games.bots or not counted.games[games.bots.index(anchor)]:
        raise RatingsRefused(
            f"{anchor!r} cannot be the anchor: no bot of that name has played a game"
        )
    return games.bots.index(anchor)


def _best_first(estimates: Estimates) -> list[int]:
    """Return the bots by rating; equal ones in alphabetical order, those that have not played last."""
    elo = estimates.elo.round(6)  # equal ratings may differ by rounding errors
    return [int(bot) for bot in np.lexsort((-elo, estimates.blocks == 0))]


def _entries(
    games: Games,
    counted: BotCounts,
    estimates: Estimates,
    order: Sequence[int],
    above: Floats,
    with_points: bool,
) -> Iterator[Entry]:
    for place, bot in enumerate(order):
        low, high = estimates.interval(bot)
        played = int(counted.games[bot])
        yield Entry(
            bot=games.bots[bot],
            rating=float(estimates.elo[bot]),
            low=low,
            high=high,
            blocks=int(counted.blocks[bot]),
            games=played,
            first_places=float(counted.first_places[bot]),
            mean_rank=float(counted.ranks[bot]) / played if played else None,
            mean_total=float(counted.totals[bot]) / played if played else None,
            faults=int(counted.faults[bot]),
            faulted_games=int(counted.faulted_games[bot]),
            disqualified=int(counted.disqualified[bot]),
            points=float(counted.points[bot]) if with_points else None,
            superiority_over_next=float(above[place, place + 1])
            if place + 1 < len(order)
            else None,
        )


def _seat_effects(games: Games, best: Fit) -> Iterator[SeatEffect]:
    played = games_by_table(games)
    for table, estimates in enumerate(estimate_seats(games, best)):
        for seat in range(games.seats[table]):
            low, high = estimates.interval(seat)
            yield SeatEffect(
                table=games.tables[table],
                seat=seat,
                elo=float(estimates.elo[seat]),
                low=low,
                high=high,
                games=int(played[table]),
            )


def _groups(games: Games, connected: Flags) -> tuple[tuple[str, ...], ...]:
    """Return the groups of bots that met, also through others; a bot without games is in no group."""
    rows = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in connected)
    return tuple(tuple(games.bots[bot] for bot in row) for row in rows if row)

"""Counts for each bot: games, places, prestige, faults, points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.tournament.ratings.arrays import Flags, Floats, Games, Ints, Sheet, blocks_by_bot


class BotCounts(NamedTuple):
    """Sums by bot, in the order of `Games.bots`; each copy of a bot at a table counts."""

    blocks: Ints  # with this bot
    games: Floats
    first_places: Floats
    ranks: Floats
    totals: Floats
    faults: Floats
    faulted_games: Floats
    disqualified: Floats
    points: Floats


def count_by_bot(games: Games, points: Sequence[float]) -> BotCounts:
    """Return all counts by bot; `points` are given by place, from the first place on."""

    def summed(figures: Callable[[Sheet], npt.NDArray[np.generic]]) -> Floats:
        sums = np.zeros(len(games.bots))
        for sheet in games.sheets:
            sums += np.bincount(sheet.bots.ravel(), figures(sheet).ravel(), len(sums))
        return sums

    return BotCounts(
        blocks=blocks_by_bot(games),
        games=summed(lambda sheet: np.ones_like(sheet.bots)),
        first_places=summed(lambda sheet: share_points(sheet.ranks, (1.0,))),
        ranks=summed(lambda sheet: sheet.ranks),
        totals=summed(lambda sheet: sheet.totals),
        faults=summed(lambda sheet: sheet.faults),
        faulted_games=summed(lambda sheet: sheet.faults > 0),
        disqualified=summed(lambda sheet: sheet.out),
        points=summed(lambda sheet: share_points(sheet.ranks, points)),
    )


def share_points(ranks: Ints, points: Sequence[float]) -> Floats:
    """Return the points of each seat; seats that are tied get the mean of the places they share."""
    seats = ranks.shape[1]
    sums = np.cumsum([0.0, *points[:seats], *[0.0] * (seats - len(points))])
    before = (ranks[:, :, None] > ranks[:, None, :]).sum(axis=2)
    tied = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    shares: Floats = (sums[before + tied] - sums[before]) / tied
    return shares


def games_by_table(games: Games) -> Ints:
    """Return the number of games that were played at each table."""
    played = np.zeros(len(games.tables), np.int64)
    for sheet in games.sheets:
        played += np.bincount(sheet.table, minlength=len(played))
    return played


def connected_bots(games: Games) -> Flags:
    """Return which bots met, directly or through others: only these can be compared."""
    count = len(games.bots)
    found = np.zeros((count, count), dtype=bool)
    for sheet in games.sheets:
        found[sheet.bots[:, :, None], sheet.bots[:, None, :]] = True
    for _ in range(count.bit_length()):
        found = found @ found
    return found

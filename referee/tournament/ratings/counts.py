"""What can simply be counted of a bot: games, places, prestige, faults, points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.tournament.ratings.arrays import Flags, Floats, Games, Ints, Sheet, blocks_by_bot


class BotCounts(NamedTuple):
    """Sums by bot, in the order of `Games.bots`; copies of a bot at one table count each."""

    blocks: Ints  # with this bot
    games: Floats
    first_places: Floats
    ranks: Floats
    totals: Floats
    faults: Floats
    faulted_games: Floats
    disqualified: Floats
    points: Floats


def tally(games: Games, points: Sequence[float]) -> BotCounts:
    """Everything that is counted by bot; `points` are given by place, from the first on."""

    def summed(figures: Callable[[Sheet], npt.NDArray[np.generic]]) -> Floats:
        sums = np.zeros(len(games.bots))
        for sheet in games.sheets:
            sums += np.bincount(sheet.bots.ravel(), figures(sheet).ravel(), len(sums))
        return sums

    return BotCounts(
        blocks=blocks_by_bot(games),
        games=summed(lambda sheet: np.ones_like(sheet.bots)),
        first_places=summed(lambda sheet: shared(sheet.ranks, (1.0,))),
        ranks=summed(lambda sheet: sheet.ranks),
        totals=summed(lambda sheet: sheet.totals),
        faults=summed(lambda sheet: sheet.faults),
        faulted_games=summed(lambda sheet: sheet.faults > 0),
        disqualified=summed(lambda sheet: sheet.out),
        points=summed(lambda sheet: shared(sheet.ranks, points)),
    )


def shared(ranks: Ints, points: Sequence[float]) -> Floats:
    """The points of each seat; those that are tied share the mean of the places they cover."""
    seats = ranks.shape[1]
    upto = np.cumsum([0.0, *points[:seats], *[0.0] * (seats - len(points))])
    before = (ranks[:, :, None] > ranks[:, None, :]).sum(axis=2)
    tied = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    shares: Floats = (upto[before + tied] - upto[before]) / tied
    return shares


def games_by_table(games: Games) -> Ints:
    """How many games were played at each table."""
    played = np.zeros(len(games.tables), np.int64)
    for sheet in games.sheets:
        played += np.bincount(sheet.table, minlength=len(played))
    return played


def met(games: Games) -> Flags:
    """Which bots met, directly or through others: only these can be compared."""
    count = len(games.bots)
    found = np.zeros((count, count), dtype=bool)
    for sheet in games.sheets:
        found[sheet.bots[:, :, None], sheet.bots[:, None, :]] = True
    for _ in range(count.bit_length()):
        found = found @ found
    return found

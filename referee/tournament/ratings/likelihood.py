"""The Plackett-Luce likelihood of games, with seats and ties: its value, slope and curvature.

A seat wins the first place with a probability proportional to its strength, the second place is
decided in the same way among the rest, and so on. The logarithm of a strength is the sum of the
bot's and the seat's parameters. Tied places count as all of their orders in equal shares, so a draw
of two is half a win for each, as in Elo.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from referee.tournament.ratings.arrays import Floats, Games, Ints, Sheet

SLICE = 4096  # games that are processed at once: this limits the memory


class Terms(NamedTuple):
    """The sums of strengths in the likelihood of a game: the places in each sum, and its weight."""

    within: Floats  # (terms, places): 1 or 0
    weight: Floats  # (terms, )


class ResultBatch(NamedTuple):
    """Games with the same ties: a row is a game, a column is a place, the best first."""

    block: Ints
    columns: Ints  # (games, 2 * places): the parameter of the bot at each place, then of its seat
    terms: Terms

    def log_strengths(self, parameters: Floats) -> Floats:
        """Return the logarithm of the strength at each place."""
        places = self.columns.shape[1] // 2
        found: Floats = parameters[self.columns[:, :places]] + parameters[self.columns[:, places:]]
        return found


class Derivatives(NamedTuple):
    """The log-likelihood of each game, and its derivatives by the strength at each place."""

    value: Floats  # (games, ): the logarithm of the likelihood
    slope: Floats  # (games, places): its first derivative
    curvature: Floats  # (games, places, places): its second derivative, negated


def slices_of(games: Games) -> Iterator[list[ResultBatch]]:
    """Yield all games in slices of whole blocks; a slice has at least one block."""
    first_seat = len(games.bots) + np.cumsum([0, *games.seats])
    for sheet in games.sheets:
        begins = np.flatnonzero(np.diff(sheet.block, prepend=-1))
        cuts = begins[np.diff(begins // SLICE, prepend=-1) > 0]
        for part in zip(*[np.split(column, cuts[1:]) for column in sheet], strict=True):
            yield list(_batches(Sheet(*part), first_seat))


def derivatives(batch: ResultBatch, parameters: Floats) -> Derivatives:
    """Return the log-likelihood of each game and its derivatives at these parameters."""
    logs = batch.log_strengths(parameters)
    highest = logs.max(axis=1, keepdims=True)
    strengths = np.exp(logs - highest)[:, None, :] * batch.terms.within
    sums = strengths.sum(axis=2)
    chances = strengths / sums[:, :, None]
    weighted = chances * batch.terms.weight[:, None]
    expected = weighted.sum(axis=1)
    curvature = -np.matmul(weighted.transpose(0, 2, 1), chances)
    diagonal = np.arange(logs.shape[1])
    curvature[:, diagonal, diagonal] += expected
    value = (logs - highest).sum(axis=1) - (batch.terms.weight * np.log(sums)).sum(axis=1)
    return Derivatives(value, 1 - expected, curvature)


def _batches(sheet: Sheet, first_seat: Ints) -> Iterator[ResultBatch]:
    places = np.argsort(sheet.ranks, axis=1, kind="stable")
    ranks = np.take_along_axis(sheet.ranks, places, axis=1)
    columns = np.hstack(
        [np.take_along_axis(sheet.bots, places, axis=1), first_seat[sheet.table][:, None] + places]
    )
    shapes = (np.diff(ranks, axis=1) == 0) @ (1 << np.arange(ranks.shape[1] - 1))
    for shape in np.unique(shapes).tolist():
        rows = shapes == shape
        yield ResultBatch(sheet.block[rows], columns[rows], _terms(ranks.shape[1], shape))


@cache
def _terms(places: int, shape: int) -> Terms:
    """Return the terms of a game; bit i of the shape is set if places i and i + 1 are tied."""
    within: list[list[float]] = []
    weight: list[float] = []
    for begin, end in _groups(places, shape):
        for left in range(1, end - begin + 1):
            for tied in combinations(range(begin, end), left):
                within.append([float(place in tied or place >= end) for place in range(places)])
                weight.append(1 / comb(end - begin, left))
    return Terms(np.array(within), np.array(weight))


def _groups(places: int, shape: int) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end of each group of tied places."""
    begin = 0
    for place in range(places):
        if not shape >> place & 1:
            yield begin, place + 1
            begin = place + 1

"""The strengths that fit all games best, and how sure they are when games of a block go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from referee.tournament.ratings.arrays import Floats, Games, Ints, blocks_by_bot, blocks_by_table
from referee.tournament.ratings.likelihood import Batch, outlook, slices_of

# Every bot, and every seat, is given one draw against the average one besides its games. It weighs
# next to nothing, and keeps the strength of a bot that always wins finite.
DRAWS: Final = 1.0
CLOSE_ENOUGH: Final = 1e-9
LONGEST_STEP: Final = 4.0
ROUNDING: Final = 1e-12  # of a sum of very many terms
ROUNDS: Final = 200


class Fit(NamedTuple):
    """The parameters on the scale of natural logarithms: those of the bots, then of the seats.

    Only differences between bots, and between the seats of one table, mean anything.
    """

    parameters: Floats
    covariance: Floats


class _Whole(NamedTuple):
    """The likelihood of all games and draws together."""

    value: float
    slope: Floats
    curvature: Floats


def fit(games: Games, draws: float = DRAWS) -> Fit:
    """The best parameters, with a covariance that lets the games of a block depend on each other."""
    slices = list(slices_of(games))
    seen_in = np.concatenate([blocks_by_bot(games), np.repeat(blocks_by_table(games), games.seats)])
    parameters = _optimum(slices, len(seen_in), draws)
    return Fit(parameters, _covariance(slices, parameters, draws, seen_in))


def _optimum(slices: Sequence[Sequence[Batch]], count: int, draws: float) -> Floats:
    """Newton's method; the likelihood has one summit, and a step that leads down is halved."""
    parameters = np.zeros(count)
    here = _whole(slices, parameters, draws)
    step = _step(here)
    for _ in range(ROUNDS):
        if abs(step).max(initial=0.0) < CLOSE_ENOUGH:
            break
        there = _whole(slices, parameters + step, draws)
        if there.value < here.value - ROUNDING * abs(here.value):
            step = step / 2
            continue
        parameters, here = parameters + step, there
        step = _step(here)
    return parameters


def _step(here: _Whole) -> Floats:
    """To the summit, if all were a parabola; not farther than it may look like one."""
    step = np.linalg.solve(here.curvature, here.slope).astype(np.float64)
    longest = float(abs(step).max(initial=LONGEST_STEP))
    return step * (LONGEST_STEP / longest)


def _whole(slices: Sequence[Sequence[Batch]], parameters: Floats, draws: float) -> _Whole:
    count = len(parameters)
    value = -draws * float(np.log(2 * np.cosh(parameters / 2)).sum())
    slope = _slope_of_draws(parameters, draws)
    curvature = _curvature_of_draws(parameters, draws)
    for batch in (batch for batches in slices for batch in batches):
        seen = outlook(batch, parameters)
        value += float(seen.value.sum())
        slope += _added(batch.columns, _twice(seen.slope), (count,))
        curvature += _added(_pairs(batch.columns, count), _squared(seen.curvature), (count, count))
    return _Whole(value, slope, curvature)


def _covariance(
    slices: Sequence[Sequence[Batch]], parameters: Floats, draws: float, seen_in: Ints
) -> Floats:
    """How the parameters would vary if the tournament were played again with other blocks.

    A sandwich around the squares of what each block says, a jackknife of one step. Of n blocks, one
    counts as the model expects it and not as it went: a few blocks may be all alike by chance. A
    draw counts as a block, so that a bot that always wins is not thought to be known exactly.
    """
    count = len(parameters)
    curvature = _whole(slices, parameters, draws).curvature
    inverse = np.linalg.inv(curvature).astype(np.float64)
    squares = np.zeros((count, count))
    for batches in slices:
        columns, surprise = _surprises(batches, parameters, inverse)
        products = surprise[:, :, None] * surprise[:, None, :]
        squares += _added(_pairs(columns, count), products, (count, count))
    part = 1 / np.maximum(seen_in, 1)
    as_played = squares * np.outer(1 - part, 1 - part)
    as_expected = (curvature - _curvature_of_draws(parameters, draws)) * np.sqrt(
        np.outer(part, part)
    )
    of_draws = np.diag(_slope_of_draws(parameters, draws) ** 2)
    found: Floats = inverse @ (as_played + as_expected + of_draws) @ inverse
    return found


def _surprises(
    batches: Sequence[Batch], parameters: Floats, inverse: Floats
) -> tuple[Ints, Floats]:
    """For each block, the parameters it is about, and its slope at the optimum of the others."""
    about, places = _by_block(batches, len(parameters))
    blocks, width = about.shape
    seen = [outlook(batch, parameters) for batch in batches]
    slope = _added(places, np.concatenate([_twice(one.slope) for one in seen]), about.shape)
    pairs = places[:, :, None] * width + (places % width)[:, None, :]
    bends = np.concatenate([_squared(one.curvature) for one in seen])
    curvature = _added(pairs, bends, (blocks, width, width))
    of_all = inverse[about[:, :, None], about[:, None, :]]
    of_others = np.eye(width) - np.matmul(curvature, of_all)
    return about, np.linalg.solve(of_others, slope[:, :, None])[:, :, 0]


def _by_block(batches: Sequence[Batch], count: int) -> tuple[Ints, Ints]:
    """For each block, the parameters it is about, and where the columns of all games stand there.

    Blocks may be about fewer parameters than the widest: what is left of a row is nobody's place.
    """
    columns = np.concatenate([batch.columns for batch in batches])
    block = np.concatenate([batch.block for batch in batches])
    keys, found = np.unique(block[:, None] * count + columns, return_inverse=True)
    _, rows, widths = np.unique(keys // count, return_inverse=True, return_counts=True)
    within = np.arange(len(keys)) - (np.cumsum(widths) - widths)[rows]
    about = np.zeros((len(widths), int(widths.max())), dtype=np.int64)
    about[rows, within] = keys % count
    places = rows * about.shape[1] + within
    return about, places[found].reshape(columns.shape)


def _slope_of_draws(parameters: Floats, draws: float) -> Floats:
    slope: Floats = -draws / 2 * np.tanh(parameters / 2)
    return slope


def _curvature_of_draws(parameters: Floats, draws: float) -> Floats:
    return np.diag(draws / 4 / np.cosh(parameters / 2) ** 2)


def _twice(by_place: Floats) -> Floats:
    """A bot's strength and its seat's count alike."""
    return np.hstack([by_place, by_place])


def _squared(by_places: Floats) -> Floats:
    return np.tile(by_places, (1, 2, 2))


def _pairs(columns: Ints, count: int) -> Ints:
    pairs: Ints = columns[:, :, None] * count + columns[:, None, :]
    return pairs


def _added(places: Ints, figures: Floats, shape: tuple[int, ...]) -> Floats:
    """The figures summed up where they belong, in the order in which they stand."""
    size = int(np.prod(shape))
    sums = np.bincount(places.ravel(), figures.ravel(), size).astype(np.float64, copy=False)
    return sums.reshape(shape)

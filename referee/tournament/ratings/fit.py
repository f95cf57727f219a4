"""The strengths that fit all games best, and their covariance if the games of a block are dependent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from referee.tournament.ratings.arrays import Floats, Games, Ints, blocks_by_bot, blocks_by_table
from referee.tournament.ratings.likelihood import ResultBatch, derivatives, slices_of

# Every bot and every seat gets one additional draw against an average one. It has almost no weight,
# and keeps the strength of a bot that always wins finite.
DRAWS: Final = 1.0
CLOSE_ENOUGH: Final = 1e-9
LONGEST_STEP: Final = 4.0
ROUNDING: Final = 1e-12  # relative error of a sum of very many terms
ROUNDS: Final = 200


class Fit(NamedTuple):
    """The logarithms of strengths: those of the bots, then those of the seats.

    Only differences between bots, and between seats of the same table, have a meaning.
    """

    parameters: Floats
    covariance: Floats


class _Total(NamedTuple):
    """The log-likelihood of all games and additional draws, and its derivatives."""

    value: float
    slope: Floats
    curvature: Floats


def fit(games: Games, draws: float = DRAWS) -> Fit:
    """Return the parameters of highest likelihood; games of a block may depend on each other."""
    slices = list(slices_of(games))
    block_counts = np.concatenate(
        [blocks_by_bot(games), np.repeat(blocks_by_table(games), games.seats)]
    )
    parameters = _optimum(slices, len(block_counts), draws)
    return Fit(parameters, _covariance(slices, parameters, draws, block_counts))


def _optimum(slices: Sequence[Sequence[ResultBatch]], count: int, draws: float) -> Floats:
    """Use Newton's method; the likelihood has one maximum, and a step that lowers it is halved."""
    parameters = np.zeros(count)
    here = _total(slices, parameters, draws)
    step = _step(here)
    for _ in range(ROUNDS):
        if abs(step).max(initial=0.0) < CLOSE_ENOUGH:
            break
        there = _total(slices, parameters + step, draws)
        if there.value < here.value - ROUNDING * abs(here.value):
            step = step / 2
            continue
        parameters, here = parameters + step, there
        step = _step(here)
    return parameters


def _step(here: _Total) -> Floats:
    """Return the step to the maximum of the local parabola, limited to LONGEST_STEP."""
    step = np.linalg.solve(here.curvature, here.slope).astype(np.float64)
    longest = float(abs(step).max(initial=LONGEST_STEP))
    return step * (LONGEST_STEP / longest)


def _total(slices: Sequence[Sequence[ResultBatch]], parameters: Floats, draws: float) -> _Total:
    count = len(parameters)
    value = -draws * float(np.log(2 * np.cosh(parameters / 2)).sum())
    slope = _slope_of_draws(parameters, draws)
    curvature = _curvature_of_draws(parameters, draws)
    for batch in (batch for batches in slices for batch in batches):
        seen = derivatives(batch, parameters)
        value += float(seen.value.sum())
        slope += _sum_at(batch.columns, _for_bots_and_seats(seen.slope), (count,))
        curvature += _sum_at(
            _pairs(batch.columns, count), _for_all_pairs(seen.curvature), (count, count)
        )
    return _Total(value, slope, curvature)


def _covariance(
    slices: Sequence[Sequence[ResultBatch]], parameters: Floats, draws: float, block_counts: Ints
) -> Floats:
    """Return how the parameters would vary if the tournament were played again with other blocks.

    This is a sandwich estimator around the squared slopes of the blocks, with one step of a
    jackknife. Of n blocks, one counts as the model expects it, not as it was played, because a few
    blocks may be alike by chance. An additional draw counts as a block, so that a bot that always
    wins does not look exactly known.
    """
    count = len(parameters)
    curvature = _total(slices, parameters, draws).curvature
    inverse = np.linalg.inv(curvature).astype(np.float64)
    squares = np.zeros((count, count))
    for batches in slices:
        columns, slopes = _leave_one_out_slopes(batches, parameters, inverse)
        products = slopes[:, :, None] * slopes[:, None, :]
        squares += _sum_at(_pairs(columns, count), products, (count, count))
    share = 1 / np.maximum(block_counts, 1)
    as_played = squares * np.outer(1 - share, 1 - share)
    as_expected = (curvature - _curvature_of_draws(parameters, draws)) * np.sqrt(
        np.outer(share, share)
    )
    of_draws = np.diag(_slope_of_draws(parameters, draws) ** 2)
    found: Floats = inverse @ (as_played + as_expected + of_draws) @ inverse
    return found


def _leave_one_out_slopes(
    batches: Sequence[ResultBatch], parameters: Floats, inverse: Floats
) -> tuple[Ints, Floats]:
    """Return each block's parameters, and its slope at the optimum of all other blocks."""
    about, places = _parameters_by_block(batches, len(parameters))
    blocks, width = about.shape
    seen = [derivatives(batch, parameters) for batch in batches]
    slope = _sum_at(
        places, np.concatenate([_for_bots_and_seats(part.slope) for part in seen]), about.shape
    )
    pairs = places[:, :, None] * width + (places % width)[:, None, :]
    bends = np.concatenate([_for_all_pairs(part.curvature) for part in seen])
    curvature = _sum_at(pairs, bends, (blocks, width, width))
    of_all = inverse[about[:, :, None], about[:, None, :]]
    of_others = np.eye(width) - np.matmul(curvature, of_all)
    return about, np.linalg.solve(of_others, slope[:, :, None])[:, :, 0]


def _parameters_by_block(batches: Sequence[ResultBatch], count: int) -> tuple[Ints, Ints]:
    """Return each block's parameters, and the place of each game's columns among them.

    Blocks may have fewer parameters than the widest; nothing refers to the rest of their rows.
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


def _for_bots_and_seats(by_place: Floats) -> Floats:
    """Repeat the values: the bot and the seat of a place have the same derivative."""
    return np.hstack([by_place, by_place])


def _for_all_pairs(by_places: Floats) -> Floats:
    return np.tile(by_places, (1, 2, 2))


def _pairs(columns: Ints, count: int) -> Ints:
    pairs: Ints = columns[:, :, None] * count + columns[:, None, :]
    return pairs


def _sum_at(places: Ints, values: Floats, shape: tuple[int, ...]) -> Floats:
    """Return an array of this shape: the sum of the values at each place, added in their order."""
    size = int(np.prod(shape))
    sums = np.bincount(places.ravel(), values.ravel(), size).astype(np.float64, copy=False)
    return sums.reshape(shape)

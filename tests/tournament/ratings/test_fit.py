"""The fit: the likelihood of the model, its derivatives, and a comparison with another program."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest

from referee.tournament.ratings import likelihood as ratings_likelihood
from referee.tournament.ratings import rate
from referee.tournament.ratings.arrays import Floats, gather
from referee.tournament.ratings.estimates import ELO, chance_above_zero, elo_of_score, t_quantile
from referee.tournament.ratings.fit import fit
from referee.tournament.ratings.likelihood import derivatives, slices_of
from referee.tournament.results import BlockResult
from stress.statistics import other_program
from stress.statistics.intervals import SEATS
from stress.statistics.synthetic import Field, draw_results
from support.groups import together
from support.rating_results import block, game, rotated

WITHOUT_PRIOR = 1e-9  # a draw without weight, which still fixes the mean


def drawn(blocks: int = 12, ties: float = 0.5) -> list[BlockResult]:
    field = Field((150.0, 50.0, -50.0, -150.0, 0.0), SEATS[4], "bots", ties=ties)
    return draw_results(field, blocks, np.random.default_rng(3))


def strengths(results: list[BlockResult], bots: int) -> Floats:
    found = fit(gather(results), WITHOUT_PRIOR).parameters[:bots]
    centred: Floats = found - found.mean()
    return centred


# --- The model -----------------------------------------------------------------------------


def log_chance(order: tuple[int, ...], logs: list[float]) -> float:
    """The log-likelihood of one order of places, computed from the definition of the model."""
    return sum(
        logs[one] - math.log(sum(math.exp(logs[rest]) for rest in order[place:]))
        for place, one in enumerate(order)
    )


@together("ranks", [*product((1, 2, 3), repeat=3), (1, 1, 1, 1, 1), (2, 2, 2, 1, 5)])
def test_a_tie_counts_as_all_of_its_orders_in_equal_shares(ranks: tuple[int, ...]) -> None:
    bots = "abcde"[: len(ranks)]
    logs = [0.7, -0.4, 0.1, 0.9, -1.3][: len(ranks)]
    ((batch,),) = slices_of(gather([block(0, game(bots, ranks))]))
    derived = derivatives(batch, np.array([*logs, *[0.0] * len(ranks)]))
    allowed = [
        log_chance(order, logs)
        for order in permutations(range(len(ranks)))
        if [ranks[one] for one in order] == sorted(ranks)
    ]
    assert derived.value[0] == pytest.approx(sum(allowed) / len(allowed))


def test_slope_and_curvature_are_the_derivatives_of_the_value() -> None:
    (batches,) = slices_of(gather(drawn()))
    rng = np.random.default_rng(1)
    for batch in batches:
        count = int(batch.columns.max()) + 1
        here = rng.normal(size=count)
        derived = derivatives(batch, here)
        bots = batch.columns[0, : batch.columns.shape[1] // 2]
        for place, parameter in enumerate(bots.tolist()):
            step = np.zeros(count)
            step[parameter] = 1e-5
            above, below = derivatives(batch, here + step), derivatives(batch, here - step)
            slope = (above.value[0] - below.value[0]) / 2e-5
            assert derived.slope[0, place] == pytest.approx(slope, abs=1e-8)
            bend = (below.slope[0] - above.slope[0]) / 2e-5
            assert derived.curvature[0, place] == pytest.approx(bend, abs=1e-8)


def test_slices_contain_whole_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings_likelihood, "SLICE", 10)
    slices = list(slices_of(gather(drawn(20))))
    blocks = [
        {number for batch in batches for number in batch.block.tolist()} for batches in slices
    ]
    assert len(slices) > 5
    assert sum(map(len, blocks)) == 20
    assert max(sum(len(batch.block) for batch in batches) for batches in slices) <= 10 + 4


def test_slices_do_not_change_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rate(drawn(20))
    monkeypatch.setattr(ratings_likelihood, "SLICE", 10)
    for expected, found in zip(whole.entries, rate(drawn(20)).entries, strict=True):
        assert found.bot == expected.bot
        assert (found.rating, found.low) == pytest.approx((expected.rating, expected.low))


# --- Two bots are Elo ----------------------------------------------------------------------


@pytest.mark.parametrize(("wins", "draws", "losses"), [(3, 0, 1), (10, 5, 1), (1, 8, 1), (2, 3, 7)])
def test_two_bots_are_rated_as_elo_rates_them(wins: int, draws: int, losses: int) -> None:
    ranks = [(1, 2)] * wins + [(1, 1)] * draws + [(2, 1)] * losses
    results = [rotated(number, "ab", one) for number, one in enumerate(ranks)]
    score = (wins + draws / 2) / (wins + draws + losses)
    gap = np.subtract(*strengths(results, 2)) * ELO
    assert gap == pytest.approx(400 * math.log10(score / (1 - score)), abs=0.01)
    assert gap == pytest.approx(elo_of_score(score), abs=0.01)


def test_the_additional_draws_have_almost_no_weight() -> None:
    results = drawn(50)
    with_draws = fit(gather(results)).parameters[:5]
    shift = (with_draws - with_draws.mean() - strengths(results, 5)) * ELO
    assert abs(shift).max() < 2


# --- Another program agrees ----------------------------------------------------------------


def test_choix_finds_the_same_strengths() -> None:
    """Every order is played at all seats, so that seats have no effect, as choix assumes."""
    results = [
        rotated(number, ["abcdef"[one] for one in order], (1, 2, 3, 4))
        for number, order in enumerate(other_program.rankings())
    ]
    assert strengths(results, 6) == pytest.approx(other_program.RANKING_STRENGTHS, abs=1e-5)


def test_choix_finds_the_same_strengths_of_pairs() -> None:
    results = [
        rotated(number, ["abcde"[one] for one in pair], (1, 2))
        for number, pair in enumerate(other_program.pairs())
    ]
    assert strengths(results, 5) == pytest.approx(other_program.PAIR_STRENGTHS, abs=1e-5)


# --- Quantiles -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "quantile", "within"),
    [(1, 12.706, 0.5), (2, 4.303, 0.05), (3, 3.182, 0.02), (5, 2.571, 0.005), (29, 2.045, 0.001)],
)
def test_the_quantile_is_students_and_never_below_it(
    freedom: int, quantile: float, within: float
) -> None:
    assert quantile * 0.9995 <= t_quantile(freedom) <= quantile * (1 + within)


def test_the_quantile_converges_to_the_normal_one() -> None:
    assert t_quantile(100_000) == pytest.approx(1.96, abs=0.001)


@pytest.mark.parametrize("freedom", [1, 4, 30])
def test_the_likelihood_at_the_quantile_is_39_in_40(freedom: int) -> None:
    ends = np.array([-t_quantile(freedom), 0.0, t_quantile(freedom)])
    chances = chance_above_zero(ends, np.full(3, freedom))
    assert chances == pytest.approx([0.025, 0.5, 0.975])

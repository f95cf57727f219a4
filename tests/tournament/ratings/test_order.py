"""What must not change a rating: the order of games, the names of bots, the mean of the scale."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.ratings import Ratings, rate
from referee.tournament.results import BlockResult, GameResult
from support.rating_results import block, game

BOTS = "abcdef"
FEW = settings(max_examples=10)


@st.composite
def games(draw: st.DrawFn, seats: int) -> GameResult:
    """Any game, copies and ties included."""
    bots = draw(st.lists(st.sampled_from(BOTS), min_size=seats, max_size=seats))
    scores = draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats))
    ranks = [1 + sum(other > own for other in scores) for own in scores]
    faults = draw(st.lists(st.integers(0, 2), min_size=seats, max_size=seats))
    return game(bots, ranks, table=f"table-{seats}", totals=scores, faults=faults)


@st.composite
def results(draw: st.DrawFn) -> list[BlockResult]:
    """Any results, at tables of two to four seats."""
    found = []
    for number in range(draw(st.integers(1, 7))):
        seats = draw(st.integers(2, 4))
        found.append(block(number, *draw(st.lists(games(seats), min_size=1, max_size=4))))
    return found


def shuffled(played: list[BlockResult], seed: int) -> list[BlockResult]:
    rng = Random(seed)
    mixed = [
        result._replace(games=tuple(rng.sample(result.games, len(result.games))))
        for result in played
    ]
    return rng.sample(mixed, len(mixed))


def by_bot(ratings: Ratings) -> dict[str, float]:
    return {one.bot: one.rating for one in ratings.entries}


@FEW
@given(results(), st.integers(0, 1000))
def test_the_order_of_games_and_blocks_does_not_change_one_bit(
    played: list[BlockResult], seed: int
) -> None:
    assert rate(shuffled(played, seed), points=(5, 3, 1)) == rate(played, points=(5, 3, 1))


@FEW
@given(results(), st.permutations(BOTS))
def test_names_do_not_change_ratings(played: list[BlockResult], names: list[str]) -> None:
    new = dict(zip(BOTS, names, strict=True))
    renamed = [
        one._replace(games=tuple(g._replace(bots=tuple(new[b] for b in g.bots)) for g in one.games))
        for one in played
    ]
    expected = {new[bot]: rating for bot, rating in by_bot(rate(played)).items()}
    assert by_bot(rate(renamed)) == pytest.approx(expected, abs=1e-4)


@FEW
@given(results(), st.floats(-3000, 3000))
def test_another_mean_moves_all_ratings_equally(played: list[BlockResult], at: float) -> None:
    at_zero, moved = by_bot(rate(played, anchor_at=0)), by_bot(rate(played, anchor_at=at))
    expected = {bot: rating + at for bot, rating in at_zero.items()}
    assert moved == pytest.approx(expected, abs=1e-6)


@FEW
@given(results())
def test_ratings_are_finite_and_likelihoods_are_valid(played: list[BlockResult]) -> None:
    ratings = rate(played)
    table = np.array(ratings.superiority)
    assert np.isfinite(list(by_bot(ratings).values())).all()
    assert np.isfinite(np.array(ratings.covariance)).all()
    assert ((table >= 0) & (table <= 1)).all()
    assert table + table.T == pytest.approx(np.ones_like(table))
    assert all(
        one.low <= one.rating <= one.high
        for one in ratings.entries
        if one.low is not None and one.high is not None
    )


@FEW
@given(results())
def test_all_places_and_points_are_given(played: list[BlockResult]) -> None:
    ratings = rate(played, points=(1, 1, 1, 1))
    assert sum(one.first_places for one in ratings.entries) == pytest.approx(ratings.games)
    assert sum(one.points or 0 for one in ratings.entries) == pytest.approx(
        sum(one.games for one in ratings.entries)
    )


@FEW
@given(st.integers(2, 40), st.integers(2, 5))
def test_a_bot_that_always_wins_has_the_best_finite_rating(blocks: int, seats: int) -> None:
    bots = BOTS[:seats]
    played = [block(n, game(bots, range(1, seats + 1))) for n in range(blocks)]
    best = rate(played).entries[0]
    assert (best.bot, best.first_places) == ("a", blocks)
    assert 1500 < best.rating < 4000

"""What must not change a rating: the order of games, the names of bots, the place of the scale."""

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
FEW = settings(max_examples=30)


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


def shuffled(of: list[BlockResult], seed: int) -> list[BlockResult]:
    rng = Random(seed)
    mixed = [one._replace(games=tuple(rng.sample(one.games, len(one.games)))) for one in of]
    return rng.sample(mixed, len(mixed))


def by_bot(ratings: Ratings) -> dict[str, float]:
    return {one.bot: one.rating for one in ratings.entries}


@FEW
@given(results(), st.integers(0, 1000))
def test_the_order_of_games_and_blocks_does_not_change_one_bit(
    of: list[BlockResult], seed: int
) -> None:
    assert rate(shuffled(of, seed), points=(5, 3, 1)) == rate(of, points=(5, 3, 1))


@FEW
@given(results(), st.permutations(BOTS))
def test_names_do_not_matter(of: list[BlockResult], names: list[str]) -> None:
    new = dict(zip(BOTS, names, strict=True))
    renamed = [
        one._replace(games=tuple(g._replace(bots=tuple(new[b] for b in g.bots)) for g in one.games))
        for one in of
    ]
    expected = {new[bot]: rating for bot, rating in by_bot(rate(of)).items()}
    assert by_bot(rate(renamed)) == pytest.approx(expected, abs=1e-4)


@FEW
@given(results(), st.floats(-3000, 3000))
def test_the_place_of_the_scale_moves_all_alike(of: list[BlockResult], at: float) -> None:
    here, there = by_bot(rate(of, anchor_at=0)), by_bot(rate(of, anchor_at=at))
    assert there == pytest.approx({bot: rating + at for bot, rating in here.items()}, abs=1e-6)


@FEW
@given(results())
def test_everything_is_finite_and_likelihoods_are_likelihoods(of: list[BlockResult]) -> None:
    ratings = rate(of)
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
def test_places_are_shared_out_wholly(of: list[BlockResult]) -> None:
    ratings = rate(of, points=(1, 1, 1, 1))
    assert sum(one.first_places for one in ratings.entries) == pytest.approx(ratings.games)
    assert sum(one.points or 0 for one in ratings.entries) == pytest.approx(
        sum(one.games for one in ratings.entries)
    )


@FEW
@given(st.integers(2, 40), st.integers(2, 5))
def test_a_bot_that_always_wins_is_rated_first_and_finitely(blocks: int, seats: int) -> None:
    bots = BOTS[:seats]
    of = [block(n, game(bots, range(1, seats + 1))) for n in range(blocks)]
    best = rate(of).entries[0]
    assert (best.bot, best.first_places) == ("a", blocks)
    assert 1500 < best.rating < 4000

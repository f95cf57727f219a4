"""The range of interval bars: a hopeless bot does not flatten the others."""

from __future__ import annotations

import pytest

from referee.tournament.ratings.scale import RatingInterval, RatingRange


def interval(rating: float, half: float = 20.0) -> RatingInterval:
    return RatingInterval(rating, rating - half, rating + half)


def span(*ratings: float) -> tuple[float, float]:
    return RatingRange.of([interval(rating) for rating in ratings])


def test_the_range_contains_all_bots_of_similar_strength() -> None:
    assert span(1400, 1500, 1600) == (1380, 1620)


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ((500, 1500, 1600), (1480, 1620)),
        ((1500, 1600, 2900), (1480, 1620)),
        ((400, 420, 1500, 1520, 1580, 1600), (1480, 1620)),
        ((400, 1500, 1520, 1580, 1600, 2900), (1480, 1620)),
    ],
)
def test_a_few_bots_far_away_are_outside(
    ratings: tuple[float, ...], expected: tuple[float, float]
) -> None:
    assert span(*ratings) == expected


def test_two_bots_are_always_inside() -> None:
    assert span(400, 1500) == (380, 1520)


def test_half_of_the_bots_are_not_left_out() -> None:
    assert span(400, 420, 1500, 1520) == (380, 1540)


def test_one_very_wide_interval_is_outside() -> None:
    bots = [interval(1500), interval(1520), interval(1540, 900), interval(1560)]
    assert RatingRange.of(bots) == (1480, 1580)


def test_a_rating_without_an_interval_counts_alone() -> None:
    assert RatingRange.of([RatingInterval(1500, None, None)]) == (1500, 1500)
    assert RatingRange.of([]) == (0, 0)

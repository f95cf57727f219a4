"""The arithmetic of a tuning: variants, steps, ranges, and the values that a bot gets."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from referee.bots.parameters import Parameter, Value
from referee.tournament.request import TournamentRequest
from referee.tuning.steps import first_position, present, step, values_at, variants
from referee.tuning.terms import Terms

WIDTH = Parameter("width", "float", 2.0, 0.0, 10.0)
SPEED = Parameter("speed", "float", 1.0, 0.1, 10.0, "log")
DEPTH = Parameter("depth", "int", 2, 1, 3)
OTHER: dict[str, Value] = {"other": 7}


def terms(*tuned: Parameter, iterations: int = 10, **start: Value) -> Terms:
    values = OTHER | {one.name: one.default for one in tuned} | start
    return Terms("bot", TournamentRequest(seats=4), tuned, values, iterations=iterations)


def test_a_position_is_the_share_of_the_range_on_its_scale() -> None:
    assert first_position(terms(WIDTH, SPEED, DEPTH)) == pytest.approx((0.2, 0.5, 0.5))


def test_a_position_gives_the_values_back_and_keeps_what_is_not_tuned() -> None:
    start = terms(WIDTH, SPEED, DEPTH, width=3.25, depth=3)
    assert values_at(start, first_position(start)) == start.start
    assert values_at(start, (1.0, 0.0, 0.0)) == OTHER | {"width": 10.0, "speed": 0.1, "depth": 1}


def test_the_variants_are_on_opposite_sides_by_the_reach() -> None:
    start = terms(WIDTH, SPEED)
    plus, minus = variants(start, 0, (0.5, 0.5))
    assert [abs(a - b) for a, b in zip(plus, minus, strict=True)] == pytest.approx([0.4, 0.4])
    last_plus, last_minus = variants(start, 9, (0.5, 0.5))
    assert abs(last_plus[0] - last_minus[0]) == pytest.approx(0.2)


def test_the_directions_differ_between_iterations_and_seeds() -> None:
    names = [Parameter(f"p{number}", "float", 1.0, 0.0, 2.0) for number in range(20)]
    middle = (0.5,) * 20
    drawn = {variants(terms(*names), iteration, middle)[0] > middle for iteration in range(20)}
    assert drawn == {True, False}
    first = variants(terms(*names), 0, middle)[0]
    assert 0 < sum(share > 0.5 for share in first) < 20


def test_two_variants_of_a_small_int_are_different_numbers() -> None:
    start = terms(DEPTH)
    for share in (0.0, 0.2, 0.5, 0.77, 1.0):
        plus, minus = (values_at(start, one) for one in variants(start, 9, (share,)))
        assert abs(plus["depth"] - minus["depth"]) >= 1


def test_a_step_goes_towards_the_winner_and_is_as_long_as_it_won() -> None:
    start = terms(WIDTH)
    (plus,), _ = variants(start, 0, (0.5,))
    way = 1 if plus > 0.5 else -1
    assert step(start, 0, (0.5,), 0.5) == (0.5,)
    (little,), (much,) = step(start, 0, (0.5,), 0.6), step(start, 0, (0.5,), 0.8)
    assert (little - 0.5) * way == pytest.approx(0.1)
    assert much - 0.5 == pytest.approx(3 * (little - 0.5))
    assert step(start, 0, (0.5,), 0.4)[0] - 0.5 == pytest.approx(0.5 - little)


def test_later_steps_are_shorter() -> None:
    start = terms(WIDTH)
    moves = [abs(step(start, number, (0.5,), 0.6)[0] - 0.5) for number in range(10)]
    assert moves == sorted(moves, reverse=True)
    assert moves[-1] < moves[0] / 2


def test_no_step_and_no_variant_leaves_the_range() -> None:
    start = terms(WIDTH, DEPTH)
    for middle in ((0.0, 1.0), (1.0, 0.0)):
        for share in (0.0, 1.0):
            assert all(0 <= at <= 1 for at in step(start, 0, middle, share))
        assert all(0 <= at <= 1 for one in variants(start, 0, middle) for at in one)


def test_the_present_position_is_the_mean_of_the_last_half() -> None:
    assert present([(0.0,)]) == (0.0,)
    assert present([(0.0,), (1.0,)]) == (1.0,)
    assert present([(0.0,), (0.2,), (0.4,), (0.6,), (0.8,)]) == pytest.approx((0.7,))


def climb(share_of: Callable[[float, float], float], start: float) -> float:
    """Tune one number with this share of plus against minus, and return the last present one."""
    given = terms(WIDTH, iterations=60, width=start)
    positions = [first_position(given)]
    for number in range(60):
        plus, minus = variants(given, number, positions[-1])
        positions.append(step(given, number, positions[-1], share_of(plus[0], minus[0])))
    return values_at(given, present(positions))["width"]


def test_noisy_games_lead_to_the_best_value() -> None:
    noise = Random(5)

    def share(plus: float, minus: float) -> float:
        """A bowl around 0.7, and the noise of some blocks."""
        gap = (minus - 0.7) ** 2 - (plus - 0.7) ** 2
        return min(max(0.5 + gap + noise.gauss(0, 0.08), 0), 1)

    assert climb(share, 1.0) == pytest.approx(7, abs=1)
    assert climb(share, 9.5) == pytest.approx(7, abs=1)

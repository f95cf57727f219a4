"""How the navigators spend their clock."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from referee.thinking.search.budget import budget_ms

BANK: Any = {"bank_ms": 3000, "increment_ms": 20, "move_ms": None}
MOVE_ONLY: Any = {"bank_ms": None, "increment_ms": 0, "move_ms": 500}
LITTLE_MS = 15.0  # with less, a bot does not even plan
milliseconds = some.floats(0, 100_000)


@given(left=milliseconds, increment=some.integers(0, 10_000), turns=some.floats(1, 20))
def test_a_turn_never_takes_more_than_a_part_of_what_is_left(
    left: float, increment: int, turns: float
) -> None:
    clock: Any = {**BANK, "increment_ms": increment}
    budget = budget_ms(left, clock, turns, 1e9)
    assert 0 <= budget <= 0.3 * max(0.0, left - 200)


def test_a_turn_never_takes_more_than_the_bot_wants() -> None:
    assert budget_ms(1e6, BANK, 10, 1500) == 1500


def test_the_bank_lasts_for_a_whole_game() -> None:
    """Fifteen turns of five requests each, every one at the full length of its budget."""
    left = 3000.0
    for turn in range(15, 0, -1):
        budget = budget_ms(left + 20, BANK, turn, 1500)
        assert budget > LITTLE_MS
        left += 5 * 20 - budget
    assert left > 200


def test_without_a_bank_only_the_reserve_is_saved() -> None:
    assert budget_ms(500, MOVE_ONLY, 10, 1500) == 300


def test_with_hardly_any_time_the_budget_is_below_planning() -> None:
    assert budget_ms(190, BANK, 10, 1500) == 0
    assert budget_ms(220, BANK, 10, 1500) < LITTLE_MS

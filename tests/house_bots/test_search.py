"""The navigator's search, and how it spends its clock."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from referee.engine import game
from referee.engine.state import GameState
from support.table import table

GOETTINGEN = "goettingen--warburg"


@pytest.fixture(scope="module")
def navigator(load: Any) -> ModuleType:
    module: ModuleType = load("navigator")
    return module


def search(navigator: ModuleType, state: GameState, budget: Any) -> Any:
    return navigator.Search(lambda _: state.copy(), state.active, budget)


def busy_table() -> GameState:
    return table(
        points={GOETTINGEN: ["0t", None, "1t"], "bremen--minden": ["0t", "0t", None]},
        supply={0: (5, 1)},
    )


def test_the_same_number_of_rounds_finds_the_same_turn(navigator: ModuleType) -> None:
    trails = [
        search(navigator, busy_table(), navigator.RoundBudget(12)).best_trail() for _ in range(2)
    ]
    assert trails[0] == trails[1]


def test_the_best_trail_is_legal(navigator: ModuleType) -> None:
    state = busy_table()
    trail = search(navigator, state, navigator.RoundBudget(6)).best_trail()
    for seat, index in trail:
        decision = game.pending(state)
        assert decision is not None
        assert decision.seat == seat
        game.apply(state, index)
    assert state.active == 1


def test_no_more_rounds_are_played_than_the_budget_allows(navigator: ModuleType) -> None:
    budget = navigator.RoundBudget(9)
    search(navigator, busy_table(), budget).best_trail()
    assert 0 < budget.played <= 9


def test_of_two_turns_the_one_that_continues_better_is_taken(navigator: ModuleType) -> None:
    """The planner's evaluations are swapped: what the rounds show outweighs them."""
    state = table(points={GOETTINGEN: ["0t"] * 3})
    tested = search(navigator, state, navigator.RoundBudget(40))
    field = tested._candidates()
    best, worst = field[0], field[-1]
    best.planned, worst.planned = worst.planned, best.planned
    tested._candidates = lambda: [worst, best]
    assert tested.best_trail() == best.trail


def test_the_better_half_continues_until_one_is_left(navigator: ModuleType) -> None:
    tested = search(navigator, busy_table(), navigator.RoundBudget(1000))
    field = tested._candidates()[:8]
    tested._race(field, 0)
    assert sorted([candidate.rounds for candidate in field]) == [1, 1, 1, 1, 2, 2, 3, 4]


def test_a_single_candidate_needs_no_race(navigator: ModuleType) -> None:
    budget = navigator.RoundBudget(10)
    tested = search(navigator, busy_table(), budget)
    only = tested._candidates()[0]
    tested._candidates = lambda: [only]
    assert tested.best_trail() == only.trail
    assert budget.played == 0


def test_without_time_after_planning_the_best_planned_turn_is_played(navigator: ModuleType) -> None:
    tested = search(navigator, busy_table(), navigator.TimeBudget(1e-6))
    assert tested.best_trail() == tested._candidates()[0].trail


def test_a_route_that_wins_the_game_is_created(navigator: ModuleType) -> None:
    state = table(
        points={GOETTINGEN: ["0t"] * 3},
        route_markers={GOETTINGEN: "move-3"},
        draws=[],
        prestige={0: 12},
    )
    trail = search(navigator, state, navigator.RoundBudget(16)).best_trail()
    for _, index in trail:
        game.apply(state, index)
    assert state.is_over


# --- the clock ------------------------------------------------------------------------------

BANK = {"bank_ms": 3000, "increment_ms": 20, "move_ms": None}
MOVE_ONLY = {"bank_ms": None, "increment_ms": 0, "move_ms": 500}
milliseconds = some.floats(0, 100_000)


@given(left=milliseconds, increment=some.integers(0, 10_000), turns=some.floats(1, 20))
def test_a_turn_never_takes_more_than_a_part_of_what_is_left(
    navigator: ModuleType, left: float, increment: int, turns: float
) -> None:
    budget = navigator.budget_ms(left, {**BANK, "increment_ms": increment}, turns)
    assert 0 <= budget <= 0.3 * max(0.0, left - 200)


def test_the_bank_lasts_for_a_whole_game(navigator: ModuleType) -> None:
    """Fifteen turns of five requests each, every one at the full length of its budget."""
    left = 3000.0
    for turn in range(15, 0, -1):
        budget = navigator.budget_ms(left + 20, BANK, turn)
        assert budget > navigator.NO_TIME_MS
        left += 5 * 20 - budget
    assert left > 200


def test_without_a_bank_only_the_reserve_is_saved(navigator: ModuleType) -> None:
    assert navigator.budget_ms(500, MOVE_ONLY, 10) == 300


def test_with_hardly_any_time_the_budget_is_below_planning(navigator: ModuleType) -> None:
    assert navigator.budget_ms(190, BANK, 10) == 0
    assert navigator.budget_ms(220, BANK, 10) < navigator.NO_TIME_MS

"""The search of the navigators: the worse half of the turns is dropped after each round."""

from __future__ import annotations

import pytest

from referee.engine import game
from referee.engine.state import GameState
from referee.thinking.budget import Budget, RoundBudget, TimeBudget
from referee.thinking.judges import Judge, LearntJudge, PlannerJudge
from referee.thinking.learnt_value import learnt_value
from referee.thinking.search import Search
from support.table import table

GOETTINGEN = "goettingen--warburg"


@pytest.fixture(params=[PlannerJudge(), LearntJudge(learnt_value("hanse-4-5"))])
def judge(request: pytest.FixtureRequest) -> Judge:
    """The judge of navigator-1, and that of navigator."""
    found: Judge = request.param
    return found


def search(judge: Judge, state: GameState, budget: Budget) -> Search:
    return Search(lambda _: state.copy(), state.active, judge, budget)


def busy_table() -> GameState:
    return table(
        points={GOETTINGEN: ["0t", None, "1t"], "bremen--minden": ["0t", "0t", None]},
        supply={0: (5, 1)},
    )


def test_the_same_number_of_rounds_finds_the_same_turn(judge: Judge) -> None:
    trails = [search(judge, busy_table(), RoundBudget(12)).best_trail() for _ in range(2)]
    assert trails[0] == trails[1]


def test_the_best_trail_is_legal(judge: Judge) -> None:
    state = busy_table()
    trail = search(judge, state, RoundBudget(6)).best_trail()
    for seat, index in trail:
        decision = game.pending(state)
        assert decision is not None
        assert decision.seat == seat
        game.apply(state, index)
    assert state.active == 1


def test_no_more_rounds_are_played_than_the_budget_allows(judge: Judge) -> None:
    budget = RoundBudget(9)
    search(judge, busy_table(), budget).best_trail()
    assert 0 < budget.played <= 9


def test_of_two_turns_the_one_that_continues_better_is_taken(judge: Judge) -> None:
    """The planner's evaluations are swapped: what the rounds show outweighs them."""
    state = table(points={GOETTINGEN: ["0t"] * 3})
    tested = search(judge, state, RoundBudget(40))
    field = tested._candidates()
    best, worst = field[0], field[-1]
    best.planned, worst.planned = worst.planned, best.planned
    tested._candidates = lambda: [worst, best]  # type: ignore[method-assign]
    assert tested.best_trail() == best.trail


def test_the_better_half_continues_until_one_is_left(judge: Judge) -> None:
    tested = search(judge, busy_table(), RoundBudget(1000))
    field = tested._candidates()[:8]
    tested._race(field, 0)
    assert sorted([candidate.rounds for candidate in field]) == [1, 1, 1, 1, 2, 2, 3, 4]


def test_a_single_candidate_needs_no_race(judge: Judge) -> None:
    budget = RoundBudget(10)
    tested = search(judge, busy_table(), budget)
    only = tested._candidates()[0]
    tested._candidates = lambda: [only]  # type: ignore[method-assign]
    assert tested.best_trail() == only.trail
    assert budget.played == 0


def test_without_time_after_planning_the_best_planned_turn_is_played(judge: Judge) -> None:
    tested = search(judge, busy_table(), TimeBudget(1e-6))
    assert tested.best_trail() == tested._candidates()[0].trail


def test_a_route_that_wins_the_game_is_created(judge: Judge) -> None:
    state = table(
        points={GOETTINGEN: ["0t"] * 3},
        route_markers={GOETTINGEN: "move-3"},
        draws=[],
        prestige={0: 12},
    )
    trail = search(judge, state, RoundBudget(16)).best_trail()
    for _, index in trail:
        game.apply(state, index)
    assert state.is_over


def test_a_search_ends_although_the_game_ends_with_the_turn(judge: Judge) -> None:
    """No candidate can be played on."""
    budget = RoundBudget(20)
    assert search(judge, table(prestige={1: 20}), budget).best_trail()
    assert budget.used() <= 1

"""The searches of the navigators: turns are continued, and the worse half is dropped again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time

import pytest

from referee.atlas import load_board
from referee.engine import game
from referee.engine.state import GameState
from referee.thinking.cache import EvaluationCache
from referee.thinking.decisions import Trail
from referee.thinking.evaluation import Evaluator
from referee.thinking.judges import Judge, LearntJudge, PlannerJudge
from referee.thinking.learnt_value import learnt_value
from referee.thinking.plan import Line, best_lines, distinct
from referee.thinking.search import focused
from referee.thinking.search.bot import Effort, effort_from_arguments
from referee.thinking.search.budget import Budget, RoundBudget, TimeBudget
from referee.thinking.search.draws import Candidate, Search
from referee.thinking.search.focused import CLOSE, QUICK, FocusedSearch, Look, judged_turn
from referee.thinking.search.race import Race, Runner
from support.house_bots import load_bot
from support.table import table

GOETTINGEN = "goettingen--warburg"


Make = Callable[[GameState, Budget], Search]

LEARNT = LearntJudge(learnt_value(load_board("hanse-4-5")))
JUDGES: dict[type[Search], Judge] = {Race: PlannerJudge()}


@pytest.fixture(params=[Race, Search, FocusedSearch])
def search(request: pytest.FixtureRequest) -> Make:
    """The search of navigator-1, that of an analysis, and that of navigator."""
    return partial(search_of, request.param)


def search_of(kind: type[Search], state: GameState, budget: Budget) -> Search:
    return kind(lambda _: state.copy(), state.active, JUDGES.get(kind, LEARNT), budget)


def busy_table() -> GameState:
    return table(
        points={GOETTINGEN: ["0t", None, "1t"], "bremen--minden": ["0t", "0t", None]},
        supply={0: (5, 1)},
    )


def test_the_same_number_of_rounds_finds_the_same_turn(search: Make) -> None:
    trails = [search(busy_table(), RoundBudget(12)).best_trail() for _ in range(2)]
    assert trails[0] == trails[1]


def test_the_best_trail_is_legal(search: Make) -> None:
    state = busy_table()
    trail = search(state, RoundBudget(6)).best_trail()
    for seat, index in trail:
        decision = game.pending(state)
        assert decision is not None
        assert decision.seat == seat
        game.apply(state, index)
    assert state.active == 1


def test_no_more_rounds_are_played_than_the_budget_allows(search: Make) -> None:
    budget = RoundBudget(10)
    search(busy_table(), budget).best_trail()
    assert 0 < budget.played <= 10


def test_of_two_turns_the_one_that_continues_better_is_taken(search: Make) -> None:
    """The planner's evaluations are swapped: what the rounds show outweighs them."""
    state = table(points={GOETTINGEN: ["0t"] * 3})
    tested = search(state, RoundBudget(40))
    field = tested._candidates()
    best, worst = field[0], field[-1]
    best.planned, worst.planned = worst.planned, best.planned
    tested._candidates = lambda: [worst, best]  # type: ignore[method-assign]
    assert tested.best_trail() == best.trail


def test_in_a_race_the_better_half_continues_until_one_is_left() -> None:
    tested = search_of(Race, busy_table(), RoundBudget(1000))
    assert isinstance(tested, Race)
    field = [Runner(candidate) for candidate in tested._candidates()[:8]]
    tested._race(field, 0)
    assert sorted([runner.rounds for runner in field]) == [1, 1, 1, 1, 2, 2, 3, 4]


def test_better_turns_are_tried_in_more_draws() -> None:
    tested = search_of(Search, busy_table(), RoundBudget(30))
    field = tested.best_first(tested._candidates()[:8])
    counts = [candidate.count for candidate in field]
    assert counts == [9, 9, 4, 4, 1, 1, 1, 1]
    assert field[0].merit() > field[1].merit()


def test_every_turn_is_tried_in_the_same_draws() -> None:
    state, drawn = busy_table(), list[int]()

    def deal(number: int) -> GameState:
        drawn.append(number)
        return state.copy()

    tested = Search(deal, state.active, LEARNT, RoundBudget(30))
    tested.best_first(tested._candidates()[:8])
    assert drawn == [*range(len(drawn))]


def test_a_turn_is_not_tried_in_a_draw_where_it_is_not_possible() -> None:
    state, drawn = busy_table(), list[int]()
    nothing_possible = table(supply={0: (0, 0)}, stock={0: (0, 0)})

    def deal(number: int) -> GameState:
        drawn.append(number)
        return (nothing_possible if number == 1 else state).copy()

    tested = Search(deal, state.active, LEARNT, RoundBudget(8))
    field = tested.best_first(tested._candidates()[:2])
    assert [candidate.count for candidate in field] == [4, 4]
    assert drawn == [0, 1, 2, 3, 4]


def test_a_draw_that_not_all_turns_were_tried_in_does_not_count() -> None:
    tested = search_of(Search, busy_table(), RoundBudget(11))
    field = tested.best_first(tested._candidates()[:8])
    assert [candidate.count for candidate in field] == [1] * 8


def test_the_first_draw_counts_for_those_that_were_tried_in_it() -> None:
    tested = search_of(Search, busy_table(), RoundBudget(3))
    field = tested.best_first(tested._candidates()[:8])
    assert [candidate.count for candidate in field] == [1] * 3 + [0] * 5


def test_a_single_candidate_needs_no_search(search: Make) -> None:
    budget = RoundBudget(10)
    tested = search(busy_table(), budget)
    only = tested._candidates()[0]
    tested._candidates = lambda: [only]  # type: ignore[method-assign]
    assert tested.best_trail() == only.trail
    assert budget.played == 0


def test_without_time_after_planning_the_best_planned_turn_is_played(search: Make) -> None:
    tested = search(busy_table(), TimeBudget(1e-6))
    assert tested.best_trail() == tested._candidates()[0].trail


def test_a_route_that_wins_the_game_is_created(search: Make) -> None:
    state = table(
        points={GOETTINGEN: ["0t"] * 3},
        route_markers={GOETTINGEN: "move-3"},
        draws=[],
        prestige={0: 12},
    )
    trail = search(state, RoundBudget(16)).best_trail()
    for _, index in trail:
        game.apply(state, index)
    assert state.is_over


def test_a_search_ends_although_the_game_ends_with_the_turn(search: Make) -> None:
    """No candidate can be played on."""
    budget = RoundBudget(20)
    assert search(table(prestige={1: 20}), budget).best_trail()
    assert budget.used() <= 1


class HalfTrue(PlannerJudge):
    """Gives 8 points to positions before the own turn, and 2 to those after it."""

    def values(self, states: list[GameState], seat: int, cache: EvaluationCache) -> list[float]:
        return [8.0 if state.active == seat else 2.0 for state in states]


def test_positions_before_and_after_the_own_turn_count_the_same() -> None:
    state = busy_table()
    search = Search(lambda _: state.copy(), state.active, HalfTrue(), RoundBudget(60))
    tried = [candidate for candidate in search.field() if candidate.count]
    assert tried
    assert {candidate.total / candidate.count for candidate in tried} == {5.0}


def test_seats_value_things_differently_from_draw_to_draw() -> None:
    search = search_of(Search, busy_table(), RoundBudget(1))
    first, second, third = [search._cache_of_draw(number).weights for number in range(3)]
    assert first == search.judge.weights
    assert len({first, second, third}) == 3


# --- the search of navigator ----------------------------------------------------------------


class WithoutReplies(FocusedSearch):
    """Judges turns as they are, which is quick."""

    def play_on(self, candidate: Candidate, cache: EvaluationCache, live: int) -> list[GameState]:
        return [candidate.state]


@pytest.mark.parametrize(("rounds", "tried"), [(6, 3), (16, 8), (120, 8), (200, 12), (400, 20)])
def test_more_turns_are_tried_with_more_time(rounds: int, tried: int) -> None:
    """Eight if there is time for them; more until about an eighth of the time is used."""
    field = search_of(WithoutReplies, busy_table(), RoundBudget(rounds)).field()
    assert len([candidate for candidate in field if candidate.count]) == tried


def test_of_many_turns_the_best_are_tried_in_many_draws() -> None:
    field = search_of(WithoutReplies, busy_table(), RoundBudget(400)).field()
    counts = [candidate.count for candidate in field]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == counts[1] > 3 * counts[-1] > 0


def test_what_the_planner_expects_counts_as_three_draws() -> None:
    field = search_of(FocusedSearch, busy_table(), RoundBudget(16)).field()
    for candidate in field[:8]:
        assert candidate.merit() == (True, (3 * candidate.planned + candidate.total) / 4)


def test_fewer_turns_get_a_closer_look(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Look] = []

    def watched(judge: Judge, look: Look, state: GameState, cache: EvaluationCache) -> Line:
        looks.append(look)
        return judged_turn(judge, look, state, cache)

    monkeypatch.setattr(focused, "judged_turn", watched)
    search_of(FocusedSearch, busy_table(), RoundBudget(24)).field()
    two_rounds = 2 * 4
    assert looks == [QUICK] * 8 * two_rounds + [CLOSE] * 4 * two_rounds


def test_a_turn_is_worth_what_follows_after_each_of_two_rounds() -> None:
    search = search_of(FocusedSearch, busy_table(), RoundBudget(16))
    candidate = search._candidates()[0]
    candidate.begin(search.state, Random(0))
    turn = candidate.state.turn
    first, second = search.play_on(candidate, search.cache, live=8)
    assert (first.turn, second.turn) == (turn + 4, turn + 8)


def test_others_play_what_the_judge_likes_best() -> None:
    state = busy_table()
    state.active = 1
    cache = EvaluationCache(state, LEARNT.weights)
    line = judged_turn(LEARNT, QUICK, state, cache)
    lines = distinct(best_lines(state, Evaluator(state, 1, cache), QUICK.breadth))[: QUICK.judged]
    assert line.trail == LEARNT.ranked(lines, 1)[0].trail
    assert line.value == max(one.value for one in LEARNT.ranked(lines, 1))


# --- how much a navigator thinks ------------------------------------------------------------


def test_the_options_say_how_much_a_navigator_thinks() -> None:
    assert effort_from_arguments([]) == Effort()
    assert effort_from_arguments(["--nodes", "15"]) == Effort(nodes=15)
    assert effort_from_arguments(["--set", "turn_ms=400"]) == Effort(turn_ms=400)


def test_a_navigator_has_rounds_or_a_time_but_not_both(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        effort_from_arguments(["--nodes", "15", "--set", "turn_ms=400"])
    assert "mutually exclusive" in capsys.readouterr().err


def test_with_a_time_for_each_turn_cpu_time_counts(
    seated: Callable[..., Callable[[GameState], int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    budgets: list[Budget] = []

    class Watched(FocusedSearch):
        def best_trail(self) -> Trail:
            budgets.append(self.budget)
            return super().best_trail()

    monkeypatch.setattr(load_bot("navigator").Navigator, "search", Watched)
    state = table()
    seated("navigator", state, 0, turn_ms=1)(state)
    (budget,) = budgets
    assert isinstance(budget, TimeBudget)
    assert (budget.milliseconds, budget.clock) == (1, process_time)

"""The planner: whole turns, played on the engine."""

from __future__ import annotations

import pytest

from referee.engine import game
from referee.engine.serialize import choice_words
from referee.engine.state import GameState
from referee.engine.terms import DO_END_TURN, DO_INCOME, DO_PLACE, DOINGS
from referee.thinking.candidates import Breadth, candidates
from referee.thinking.decisions import best_index, likely_index
from referee.thinking.evaluation import Evaluator
from referee.thinking.plan import Line, Plan, best_lines, distinct
from support.table import play, table

GOETTINGEN = "goettingen--warburg"


def best_line(state: GameState, seat: int = 0) -> Line:
    return best_lines(state, Evaluator(state, seat), Breadth())[0]


def doings(state: GameState, line: Line) -> list[str]:
    """What the choices of a line do, one after the other."""
    position, done = state.copy(), []
    for _, index in line.trail:
        done.append(DOINGS[game.choices(position)[index].do])
        game.apply(position, index)
    return done


def test_a_route_is_filled_and_created_within_the_turn() -> None:
    state = table(points={GOETTINGEN: ["0t", "0t", None]})
    assert doings(state, best_line(state))[:2] == ["place", "create"]


def test_with_an_empty_supply_tradesmen_move_to_one_route() -> None:
    state = table(
        points={GOETTINGEN: ["0t", "0t", None], "emden--stade": ["0t", None, None]},
        supply={0: (0, 0)},
        stock={0: (0, 0)},
    )
    assert doings(state, best_line(state))[:5] == ["move", "lift", "stop", "put", "create"]


def test_a_seat_in_the_way_of_a_great_gain_is_displaced() -> None:
    state = table(points={GOETTINGEN: ["0t", "0t", "1t"]})
    done = doings(state, best_line(state))
    assert done[0] == "displace"
    assert "create" in done


def test_a_line_ends_with_the_end_of_the_turn() -> None:
    state = table()
    for line in best_lines(state, Evaluator(state, 0), Breadth())[:5]:
        assert doings(state, line)[-1] == "end-turn"


def test_the_best_line_comes_first_and_distinct_lines_are_unique() -> None:
    state = table()
    lines = best_lines(state, Evaluator(state, 0), Breadth())
    assert [line.value for line in lines] == sorted([line.value for line in lines], reverse=True)
    assert distinct(lines + lines) == distinct(lines)
    assert distinct(lines)[0] is lines[0]


def test_in_a_hurry_one_line_is_followed_to_the_end_of_the_turn() -> None:
    state = table(actions=3, supply={0: (9, 1)})
    without_hurry = len(best_lines(state, Evaluator(state, 0), Breadth()))
    lines = best_lines(state, Evaluator(state, 0), Breadth(), lambda: True)
    assert len(lines) <= without_hurry
    assert len(doings(state, lines[0])) == 4  # and the end of the turn


# --- the end of the game --------------------------------------------------------------------

LAST_MARKER = "minden--muenster"


@pytest.mark.parametrize(("others", "ends"), [(2, True), (18, False)])
def test_a_seat_ends_the_game_only_if_it_wins_by_that(others: int, ends: bool) -> None:
    state = table(
        points={LAST_MARKER: ["0t"] * 3},
        route_markers={LAST_MARKER: "move-3"},
        draws=[],
        prestige={0: 10, 1: others, 2: others, 3: others},
    )
    assert best_line(state).state.is_over == ends


# --- candidates -----------------------------------------------------------------------------


def test_one_income_and_the_best_few_places_are_tried() -> None:
    state = table(supply={0: (3, 1)})
    found = candidates(state, Evaluator(state, 0), Breadth(places=4))
    done = [game.choices(state)[index].do for index in found]
    assert done.count(DO_INCOME) == 1
    assert done.count(DO_PLACE) == 4
    assert DO_END_TURN not in done


# --- decisions --------------------------------------------------------------------------------


def displaced() -> GameState:
    """Seat 1 was displaced from a route next to one that it has begun."""
    state = table(
        points={"bremen--hannover": ["1t", None, None], "bremen--minden": ["1t", "1t", None]},
    )
    play(
        state,
        do="displace",
        route="bremen--hannover",
        tradesman="trader",
        pay={"traders": 1, "merchants": 0},
    )
    return state


def chosen_route(state: GameState, index: int) -> str:
    return str(choice_words(state.board, game.choices(state)[index])["route"])


def test_a_displaced_seat_continues_the_route_that_it_has_begun() -> None:
    state = displaced()
    assert chosen_route(state, best_index(state, Evaluator(state, 1))) == "bremen--minden"


def test_others_are_expected_to_do_the_same() -> None:
    state = displaced()
    assert chosen_route(state, likely_index(state, Evaluator(state, 0))) == "bremen--minden"


# --- following a plan -----------------------------------------------------------------------


def test_a_plan_continues_as_long_as_positions_are_as_expected() -> None:
    state = table(points={GOETTINGEN: ["0t", "0t", None]})
    plan = Plan(0, best_line(state).trail)
    game.apply(state, plan.next(state))
    assert plan.goes_on(state)
    game.apply(state, plan.next(state))
    assert state.desk[1] == 1


def test_a_plan_is_dropped_after_an_unexpected_choice() -> None:
    state = table(points={GOETTINGEN: ["0t", "0t", None]})
    plan = Plan(0, best_line(state).trail)
    plan.next(state)
    play(state, do="income", traders=1, merchants=0)
    assert not plan.goes_on(state)


def test_an_empty_plan_does_not_continue() -> None:
    assert not Plan().goes_on(table())

"""The planner: whole turns, thought through on the engine."""

from __future__ import annotations

import pytest
from thinking.decisions import best_index, likely_index
from thinking.candidates import Breadth, candidates
from thinking.evaluation import Outlook
from thinking.plan import Line, Plan, best_lines, distinct

from referee.engine import game
from referee.engine.serialize import choice_words
from referee.engine.state import GameState
from referee.engine.terms import DO_END_TURN, DO_INCOME, DO_PLACE, DOINGS
from support.table import play, table

GOETTINGEN = "goettingen--warburg"


def best_line(state: GameState, seat: int = 0) -> Line:
    return best_lines(state, Outlook(state, seat), Breadth())[0]


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


def test_with_an_empty_supply_tradesmen_are_moved_together() -> None:
    state = table(
        points={GOETTINGEN: ["0t", "0t", None], "emden--stade": ["0t", None, None]},
        supply={0: (0, 0)},
        stock={0: (0, 0)},
    )
    assert doings(state, best_line(state))[:5] == ["move", "lift", "stop", "put", "create"]


def test_somebody_in_the_way_of_a_great_gain_is_displaced() -> None:
    state = table(points={GOETTINGEN: ["0t", "0t", "1t"]})
    done = doings(state, best_line(state))
    assert done[0] == "displace"
    assert "create" in done


def test_a_line_ends_with_the_end_of_the_turn() -> None:
    state = table()
    for line in best_lines(state, Outlook(state, 0), Breadth())[:5]:
        assert doings(state, line)[-1] == "end-turn"


def test_the_best_line_comes_first_and_distinct_lines_are_unique() -> None:
    state = table()
    lines = best_lines(state, Outlook(state, 0), Breadth())
    assert [line.worth for line in lines] == sorted([line.worth for line in lines], reverse=True)
    assert distinct(lines + lines) == distinct(lines)
    assert distinct(lines)[0] is lines[0]


def test_in_a_hurry_one_line_is_followed_to_the_end_of_the_turn() -> None:
    state = table(actions=3, supply={0: (9, 1)})
    usual = len(best_lines(state, Outlook(state, 0), Breadth()))
    lines = best_lines(state, Outlook(state, 0), Breadth(), lambda: True)
    assert len(lines) <= usual
    assert len(doings(state, lines[0])) == 4  # and the end of the turn


# --- the end of the game --------------------------------------------------------------------

LAST_MARKER = "minden--muenster"


@pytest.mark.parametrize(("others", "ends"), [(2, True), (18, False)])
def test_the_game_is_ended_by_the_seat_that_wins_by_it_and_by_no_other(
    others: int, ends: bool
) -> None:
    state = table(
        points={LAST_MARKER: ["0t"] * 3},
        route_markers={LAST_MARKER: "move-3"},
        draws=[],
        prestige={0: 10, 1: others, 2: others, 3: others},
    )
    assert best_line(state).state.is_over == ends


# --- candidates -----------------------------------------------------------------------------


def test_of_incomes_one_is_tried_and_of_placings_the_best_few() -> None:
    state = table(supply={0: (3, 1)})
    found = candidates(state, Outlook(state, 0), Breadth(places=4))
    done = [game.choices(state)[index].do for index in found]
    assert done.count(DO_INCOME) == 1
    assert done.count(DO_PLACE) == 4
    assert DO_END_TURN not in done


# --- answers --------------------------------------------------------------------------------


def displaced() -> GameState:
    """Seat 1 was displaced from a route beside one that it has begun."""
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


def test_a_displaced_seat_goes_on_with_the_route_that_it_has_begun() -> None:
    state = displaced()
    assert chosen_route(state, best_index(state, Outlook(state, 1))) == "bremen--minden"


def test_others_are_expected_to_do_the_same() -> None:
    state = displaced()
    assert chosen_route(state, likely_index(state, Outlook(state, 0))) == "bremen--minden"


# --- following a plan -----------------------------------------------------------------------


def test_a_plan_goes_on_as_long_as_all_happens_as_expected() -> None:
    state = table(points={GOETTINGEN: ["0t", "0t", None]})
    plan = Plan(0, best_line(state).trail)
    game.apply(state, plan.next(state))
    assert plan.goes_on(state)
    game.apply(state, plan.next(state))
    assert state.desk[1] == 1


def test_a_plan_is_given_up_when_something_else_happened() -> None:
    state = table(points={GOETTINGEN: ["0t", "0t", None]})
    plan = Plan(0, best_line(state).trail)
    plan.next(state)
    play(state, do="income", traders=1, merchants=0)
    assert not plan.goes_on(state)


def test_no_plan_goes_on_before_there_is_one() -> None:
    assert not Plan().goes_on(table())

"""What the house bots value: each test compares two positions that differ in one thing."""

from __future__ import annotations

from typing import Any

import pytest

from referee import atlas
from referee.engine.state import GameState
from referee.engine.terms import ACTIONS, BANK
from referee.thinking.cache import EvaluationCache
from referee.thinking.evaluation import Evaluator
from referee.thinking.game_length import turns_to_come
from support.table import offers, play, table

MINDEN = "minden--muenster"


def value(state: GameState, seat: int = 0) -> float:
    return float(Evaluator(state, seat).evaluate(state))


def city(name: str) -> int:
    return atlas.load_board("hanse-4-5").city_number[name]


def route(name: str) -> int:
    return atlas.load_board("hanse-4-5").route_number[name]


def seat_value_of(seat: int = 0, **setting: Any) -> Any:
    state = table("hanse-4-5", **setting)
    return EvaluationCache(state).seat_value(state, seat)


# --- routes ---------------------------------------------------------------------------------


def test_two_tradesmen_on_one_route_are_worth_more_than_one_on_each_of_two() -> None:
    together = table(points={"bremen--hannover": ["0t", "0t", None]})
    apart = table(
        points={"bremen--hannover": ["0t"] + [None] * 2, "bremen--minden": ["0t"] + [None] * 2}
    )
    assert value(together) > value(apart)


def test_a_route_is_worth_less_with_a_tradesman_of_another_seat_on_it() -> None:
    alone = Evaluator(table(points={MINDEN: ["0t", "0t", None]}), 0)
    assert alone.expected(0, 0, (-1, 2, 2, 0)) > alone.expected(0, 0, (-1, 2, 2, 4)) > 0


def test_a_marker_makes_a_route_worth_more() -> None:
    without = table(points={MINDEN: ["0t", "0t", None]})
    marked = table(points={MINDEN: ["0t", "0t", None]}, route_markers={MINDEN: "plus-4-actions"})
    assert value(marked) > value(without)


def test_a_held_route_is_worth_less_than_what_its_creation_gives() -> None:
    """Otherwise no route would ever be created."""
    state = table(points={"goettingen--warburg": ["0t"] * 3})
    evaluator, before = Evaluator(state, 0), value(state)
    play(state, do="create", reward={"develop": "actions"})
    assert evaluator.evaluate(state) > before


def test_a_space_for_a_merchant_counts_only_as_far_as_there_is_one() -> None:
    evaluator = Evaluator(table(supply={0: (5, 1)}), 0)
    plain, best = evaluator.seats[0].gains(route("emden--osnabrueck"))
    special_plain, special = evaluator.seats[0].gains(route("coellen--warburg"))
    assert plain <= best
    assert special > special_plain
    trader, merchant = (-1, 2, 2, 2, 0), (-1, 2, 2, 3, 0)
    number = route("coellen--warburg")
    assert evaluator.expected(0, number, merchant) > evaluator.expected(0, number, trader)


# --- cities ---------------------------------------------------------------------------------


def test_a_post_that_joins_two_groups_gains_more_than_a_lone_one() -> None:
    posts = {"goslar": ["0t", None], "stendal": ["0t", None, None, None]}
    network = seat_value_of(posts=posts).network
    assert (network.largest, network.posts) == (1, 2)
    assert network.with_post(city("magdeburg")) == 3
    assert network.with_post(city("emden")) == 1


def test_the_chain_counts_the_cities_that_are_still_missing() -> None:
    none_yet = seat_value_of().chain
    begun = seat_value_of(posts={"stendal": ["0t", None, None, None]}).chain
    assert begun.missing < none_yet.missing
    assert begun.with_post(city("emden")) == begun.missing


def test_a_chain_that_is_already_closed_is_worth_nothing() -> None:
    assert seat_value_of(east_west=[0]).chain is None
    assert seat_value_of(east_west=[1]).chain_prestige < seat_value_of().chain_prestige


def test_the_point_for_a_city_of_another_seat_counts_as_a_loss() -> None:
    mine = seat_value_of(posts={"hannover": ["0t", None]})
    yours = seat_value_of(posts={"hannover": ["1t", None]})
    assert mine.controller_point(city("hannover")) > 0 > yours.controller_point(city("hannover"))


def test_taking_control_is_worth_more_than_another_post_without_it() -> None:
    tied = seat_value_of(posts={"hamburg": ["1t", None, None]}, desk={0: {"privilege": 1}})
    behind = seat_value_of(
        posts={"hamburg": ["1t", None, None]},
        additional={"hamburg": ["1t"]},
        desk={0: {"privilege": 1}},
    )
    assert tied.post(city("hamburg")) > behind.post(city("hamburg"))


def test_a_space_of_a_covered_colour_is_unavailable() -> None:
    assert seat_value_of().post(city("brunswiek")) < 0
    assert seat_value_of(desk={0: {"privilege": 1}}).post(city("brunswiek")) > 0


def test_a_city_of_the_mission_is_worth_more() -> None:
    card = atlas.load_board("hanse-4-5").missions.index(
        (city("osnabrueck"), city("stendal"), city("paderborn"))
    )
    others = [number for number in range(9) if number != card]
    wanted = seat_value_of(missions=[card, *others[:3]])
    plain = seat_value_of()
    assert wanted.post(city("stendal")) > plain.post(city("stendal"))
    assert wanted.post(city("duisburg")) == plain.post(city("duisburg"))


# --- the desk and the time that is left -----------------------------------------------------


def test_one_more_action_is_worth_more_with_more_turns_to_come() -> None:
    early, late = seat_value_of(), seat_value_of(prestige={1: 18})
    assert early.step[ACTIONS] > late.step[ACTIONS] > 0


def test_at_the_start_actions_are_worth_more_than_the_bank() -> None:
    assert seat_value_of().step[ACTIONS] > seat_value_of().step[BANK]


def test_the_last_step_of_an_ability_counts_its_prestige() -> None:
    second, last = seat_value_of(desk={0: {"bank": 1}}), seat_value_of(desk={0: {"bank": 2}})
    assert last.step[BANK] > second.step[BANK]
    assert seat_value_of(desk={0: {"bank": 3}}).step[BANK] == 0


@pytest.mark.parametrize(
    "nearer", [{"prestige": {2: 15}}, {"completed": 8}, {"draws": ["move-3", "move-3"]}]
)
def test_the_nearest_end_decides_how_many_turns_are_to_come(nearer: dict[str, Any]) -> None:
    assert turns_to_come(table(**nearer)) < turns_to_come(table())


# --- against the other seats ---------------------------------------------------------------------


def test_what_another_seat_has_counts_against_the_seat() -> None:
    assert value(table(prestige={1: 5})) < value(table())
    assert value(table(prestige={0: 5})) > value(table())


def test_at_the_end_a_better_rank_is_worth_more_than_a_few_points() -> None:
    """Seat 0 creates a route whose marker cannot be replaced: the game is over."""
    ahead = finished(prestige={0: 6, 1: 5, 2: 5, 3: 5})
    behind = finished(prestige={0: 4, 1: 9, 2: 9, 3: 9})
    assert value(ahead) > 20
    assert value(behind) < -20


def finished(prestige: dict[int | str, int]) -> GameState:
    state = table(
        points={MINDEN: ["0t"] * 3},
        route_markers={MINDEN: "move-3"},
        draws=[],
        prestige=prestige,
    )
    play(state, do="create", reward=None)
    assert state.is_over
    return state


def test_an_evaluator_gives_later_positions_the_value_of_a_new_one() -> None:
    start = table(points={"goettingen--warburg": ["0t"] * 3}, actions=3)
    cache = EvaluationCache(start)
    evaluator, state = Evaluator(start, 0, cache), start.copy()
    for wanted in CREATE_PLACE_INCOME:
        play(state, **offers(state, **wanted)[0])
        assert evaluator.evaluate(state) == pytest.approx(
            Evaluator(state, 0, cache).evaluate(state)
        )


CREATE_PLACE_INCOME: tuple[dict[str, Any], ...] = (
    {"do": "create", "reward": {"develop": "actions"}},
    {"do": "place"},
    {"do": "income"},
)

"""What the thinking bots value: each test names one thing, and compares two positions that differ by it."""

from __future__ import annotations

from typing import Any

import pytest
from thinking.cache import Ledger, turns_to_come
from thinking.evaluation import Outlook

from referee import atlas
from referee.engine.state import GameState
from referee.engine.terms import ACTIONS, BANK
from support.table import offers, play, table

MINDEN = "minden--muenster"


def worth(state: GameState, seat: int = 0) -> float:
    return float(Outlook(state, seat).of(state))


def city(name: str) -> int:
    return atlas.load_board("hanse-4-5").city_number[name]


def route(name: str) -> int:
    return atlas.load_board("hanse-4-5").route_number[name]


def prospects_of(seat: int = 0, **setting: Any) -> Any:
    state = table("hanse-4-5", **setting)
    return Ledger(state).prospects(state, seat)


# --- routes ---------------------------------------------------------------------------------


def test_two_tradesmen_on_one_route_are_worth_more_than_one_on_each_of_two() -> None:
    together = table(points={"bremen--hannover": ["0t", "0t", None]})
    apart = table(
        points={"bremen--hannover": ["0t"] + [None] * 2, "bremen--minden": ["0t"] + [None] * 2}
    )
    assert worth(together) > worth(apart)


def test_a_route_is_worth_less_with_somebody_in_the_way() -> None:
    alone = Outlook(table(points={MINDEN: ["0t", "0t", None]}), 0)
    assert alone.hope(0, 0, (-1, 2, 2, 0)) > alone.hope(0, 0, (-1, 2, 2, 4)) > 0


def test_a_marker_makes_a_route_worth_more() -> None:
    without = table(points={MINDEN: ["0t", "0t", None]})
    marked = table(points={MINDEN: ["0t", "0t", None]}, route_markers={MINDEN: "plus-4-actions"})
    assert worth(marked) > worth(without)


def test_a_held_route_is_worth_less_than_what_its_creation_gives() -> None:
    """Otherwise no route would ever be created."""
    state = table(points={"goettingen--warburg": ["0t"] * 3})
    outlook, before = Outlook(state, 0), worth(state)
    play(state, do="create", reward={"develop": "actions"})
    assert outlook.of(state) > before


def test_a_space_for_a_merchant_counts_only_as_far_as_there_is_one() -> None:
    outlook = Outlook(table(supply={0: (5, 1)}), 0)
    plain, best = outlook.seats[0].gains(route("emden--osnabrueck"))
    special_plain, special = outlook.seats[0].gains(route("coellen--warburg"))
    assert plain <= best
    assert special > special_plain
    trader, merchant = (-1, 2, 2, 2, 0), (-1, 2, 2, 3, 0)
    number = route("coellen--warburg")
    assert outlook.hope(0, number, merchant) > outlook.hope(0, number, trader)


# --- cities ---------------------------------------------------------------------------------


def test_a_post_that_joins_two_groups_gains_more_than_a_lone_one() -> None:
    posts = {"goslar": ["0t", None], "stendal": ["0t", None, None, None]}
    network = prospects_of(posts=posts).network
    assert (network.largest, network.posts) == (1, 2)
    assert network.with_post(city("magdeburg")) == 3
    assert network.with_post(city("emden")) == 1


def test_the_chain_counts_the_cities_that_are_still_missing() -> None:
    none_yet = prospects_of().chain
    begun = prospects_of(posts={"stendal": ["0t", None, None, None]}).chain
    assert begun.missing < none_yet.missing
    assert begun.with_post(city("emden")) == begun.missing


def test_nobody_hopes_for_a_chain_that_is_closed_already() -> None:
    assert prospects_of(east_west=[0]).chain is None
    assert prospects_of(east_west=[1]).prize < prospects_of().prize


def test_the_point_for_a_city_of_another_is_no_gain() -> None:
    mine = prospects_of(posts={"hannover": ["0t", None]})
    yours = prospects_of(posts={"hannover": ["1t", None]})
    assert mine.toll(city("hannover")) > 0 > yours.toll(city("hannover"))


def test_taking_control_is_worth_more_than_another_post_without_it() -> None:
    tied = prospects_of(posts={"hamburg": ["1t", None, None]}, desk={0: {"privilege": 1}})
    behind = prospects_of(
        posts={"hamburg": ["1t", None, None]},
        additional={"hamburg": ["1t"]},
        desk={0: {"privilege": 1}},
    )
    assert tied.post(city("hamburg")) > behind.post(city("hamburg"))


def test_a_space_of_a_colour_that_is_covered_is_not_to_be_had() -> None:
    assert prospects_of().post(city("brunswiek")) < 0
    assert prospects_of(desk={0: {"privilege": 1}}).post(city("brunswiek")) > 0


def test_a_city_of_the_mission_is_worth_more() -> None:
    card = atlas.load_board("hanse-4-5").missions.index(
        (city("osnabrueck"), city("stendal"), city("paderborn"))
    )
    others = [number for number in range(9) if number != card]
    wanted = prospects_of(missions=[card, *others[:3]])
    plain = prospects_of()
    assert wanted.post(city("stendal")) > plain.post(city("stendal"))
    assert wanted.post(city("duisburg")) == plain.post(city("duisburg"))


# --- the desk and the time that is left -----------------------------------------------------


def test_an_action_more_is_worth_most_while_there_are_turns_to_come() -> None:
    early, late = prospects_of(), prospects_of(prestige={1: 18})
    assert early.step[ACTIONS] > late.step[ACTIONS] > 0


def test_in_the_beginning_actions_are_worth_more_than_the_bank() -> None:
    assert prospects_of().step[ACTIONS] > prospects_of().step[BANK]


def test_the_last_step_of_an_ability_counts_its_prestige() -> None:
    second, last = prospects_of(desk={0: {"bank": 1}}), prospects_of(desk={0: {"bank": 2}})
    assert last.step[BANK] > second.step[BANK]
    assert prospects_of(desk={0: {"bank": 3}}).step[BANK] == 0


@pytest.mark.parametrize(
    "nearer", [{"prestige": {2: 15}}, {"completed": 8}, {"draws": ["move-3", "move-3"]}]
)
def test_the_nearest_end_decides_how_long_the_game_goes_on(nearer: dict[str, Any]) -> None:
    assert turns_to_come(table(**nearer)) < turns_to_come(table())


# --- against the others ---------------------------------------------------------------------


def test_what_another_has_counts_against_the_seat() -> None:
    assert worth(table(prestige={1: 5})) < worth(table())
    assert worth(table(prestige={0: 5})) > worth(table())


def test_at_the_end_a_place_is_worth_more_than_a_few_points() -> None:
    """Seat 0 creates a route whose marker cannot be replaced: the game is over."""
    ahead = finished(prestige={0: 6, 1: 5, 2: 5, 3: 5})
    behind = finished(prestige={0: 4, 1: 9, 2: 9, 3: 9})
    assert worth(ahead) > 20
    assert worth(behind) < -20


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


def test_an_outlook_judges_later_positions_like_one_made_for_them() -> None:
    start = table(points={"goettingen--warburg": ["0t"] * 3}, actions=3)
    ledger = Ledger(start)
    outlook, state = Outlook(start, 0, ledger), start.copy()
    for wanted in CREATE_AND_SO_ON:
        play(state, **offers(state, **wanted)[0])
        assert outlook.of(state) == pytest.approx(Outlook(state, 0, ledger).of(state))


CREATE_AND_SO_ON: tuple[dict[str, Any], ...] = (
    {"do": "create", "reward": {"develop": "actions"}},
    {"do": "place"},
    {"do": "income"},
)

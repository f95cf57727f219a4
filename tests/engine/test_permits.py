"""Permits: who may place and displace abroad, and how a permit is bought (BRI-2, BRI-9)."""

from typing import Any

import pytest

from countries import ABROAD, SCOTLAND, WALES
from referee.engine import game
from referee.engine.errors import RulesRefused
from referee.engine.state import GameState
from rulings import rule
from table import (
    about,
    asked,
    end_turn,
    men_on,
    offers,
    play,
    player,
    rules_for,
    seen,
    table,
    told,
    totals,
)

BOARDS = pytest.mark.parametrize("board", ["britannia-2-3", "britannia-4-5"])
NEAR_CARDIFF_AND_COVENTRY = {
    "cambridge--coventry",
    "cardiff--oxford",
    "coventry--hereford",
    "coventry--nottingham",
}
IN_WALES = "chester--conway"
IN_SCOTLAND = "dunbar--newcastle"
IN_ENGLAND = "durham--york"


def britannia(board: str = "britannia-4-5", **wanted: Any) -> GameState:
    wanted.setdefault("actions", 5)
    wanted["supply"] = {0: (6, 1)} | wanted.get("supply", {})
    return table(board, **wanted)


def placed_abroad(state: GameState) -> set[str]:
    """Foreign routes on which a tradesman may be placed now."""
    foreign = ABROAD[state.rules.board]
    return {one["route"] for one in offers(state, do="place") if one["route"] in foreign}


def goals(state: GameState, do: str) -> set[str]:
    return {one["route"] for one in offers(state, do=do)}


def countries(state: GameState) -> set[str]:
    routes = placed_abroad(state)
    both = {"Wales": WALES, "Scotland": SCOTLAND}
    return {name for name, theirs in both.items() if routes & theirs}


def place(state: GameState, route: str) -> None:
    play(state, do="place", route=route, tradesman="trader")


def left(state: GameState) -> dict[str, int]:
    cities: dict[str, int] = seen(state)["permits"]["cities"]
    return cities


def given(state: GameState) -> list[str]:
    """The cities whose permits were spent, in order."""
    return [one["city"] for one in told(state, "permit")]


def given_cities(state: GameState) -> list[str]:
    """The same, where a permit was bought too."""
    return [one["city"] for one in told(state, "permit") if "city" in one]


# -- BRI-2: what is free, and what is not


@BOARDS
@rule("BRI-2")
def test_placing_is_free_in_england_and_only_there(board: str) -> None:
    state = britannia(board)
    goals = {one["route"] for one in offers(state, do="place")}
    assert goals == set(seen(state)["routes"]) - ABROAD[board]


@BOARDS
@rule("BRI-2")
def test_displacing_is_free_in_england_and_only_there(board: str) -> None:
    points = {IN_ENGLAND: ["1t", None, None], IN_WALES: ["1t", None, None]}
    state = britannia(board, points=points)
    assert {one["route"] for one in offers(state, do="displace")} == {IN_ENGLAND}


@rule("BRI-2")
def test_displacing_in_scotland_needs_a_permit_too() -> None:
    state = britannia(points={IN_SCOTLAND: ["1t", None, None]})
    assert offers(state, do="displace") == []


@BOARDS
@rule("BRI-2")
def test_moving_and_creating_need_no_permit(board: str) -> None:
    state = britannia(board, points={IN_WALES: ["0t", "0t", "0t"]})
    assert offers(state, do="create", route=IN_WALES, reward=None)
    play(state, do="move")
    assert offers(state, do="lift", route=IN_WALES)


@pytest.mark.parametrize(
    ("board", "city", "opened"),
    [
        ("britannia-2-3", "cardiff", {"Wales"}),
        ("britannia-2-3", "london", {"Wales"}),
        ("britannia-2-3", "carlisle", set()),
        ("britannia-4-5", "cardiff", {"Wales"}),
        ("britannia-4-5", "carlisle", {"Scotland"}),
        ("britannia-4-5", "london", {"Wales", "Scotland"}),
        ("britannia-4-5", "oxford", set()),
    ],
)
@rule("BRI-2")
def test_each_city_permits_its_own_countries(board: str, city: str, opened: set[str]) -> None:
    assert countries(britannia(board, posts={city: ["0t"]})) == opened


@rule("BRI-2")
def test_a_permit_opens_every_route_of_its_country() -> None:
    assert placed_abroad(britannia(posts={"london": ["0t"]})) == WALES | SCOTLAND


@BOARDS
@rule("BRI-2")
def test_the_view_shows_which_permits_are_left(board: str) -> None:
    state = britannia(board, posts={"cardiff": ["0t"], "london": ["1t"]})
    expected = {"cardiff": 1, "london": 0}
    if board == "britannia-4-5":
        expected["carlisle"] = 0
    assert (left(state), seen(state)["permits"]["bought"]) == (expected, False)


@rule("BRI-2")
def test_other_boards_have_no_permits() -> None:
    assert seen(table("hanse-4-5"))["permits"] is None


@BOARDS
@rule("BRI-2")
def test_a_permit_is_for_one_placement_each_turn(board: str) -> None:
    state = britannia(board, posts={"cardiff": ["0t"]})
    place(state, IN_WALES)
    assert placed_abroad(state) == set()
    assert left(state)["cardiff"] == 0
    assert told(state, "permit") == [{"event": "permit", "seat": 0, "city": "cardiff"}]


@BOARDS
@rule("BRI-2")
def test_a_displacement_spends_the_permit_as_well(board: str) -> None:
    state = britannia(board, posts={"cardiff": ["0t"]}, points={IN_WALES: ["1t", None, None]})
    play(
        state, do="displace", route=IN_WALES, tradesman="trader", pay={"traders": 1, "merchants": 0}
    )
    play(state, from_="displaced", route="chester--hereford")
    play(state, do="decline")
    assert (placed_abroad(state), given(state)) == (set(), ["cardiff"])


@rule("BRI-2")
def test_england_spends_no_permit() -> None:
    state = britannia(posts={"london": ["0t"]})
    place(state, IN_ENGLAND)
    assert (left(state)["london"], told(state, "permit")) == (1, [])


@rule("BRI-2")
def test_no_marker_renews_a_spent_permit() -> None:
    state = britannia(posts={"cardiff": ["0t"]}, markers={0: ["plus-4-actions"]})
    place(state, IN_WALES)
    play(state, do="use", marker="plus-4-actions")
    assert placed_abroad(state) == set()


@rule("BRI-2")
def test_a_permit_serves_an_action_from_a_marker_too() -> None:
    state = britannia(posts={"cardiff": ["0t"]}, actions=4, extra_actions=4)
    assert placed_abroad(state) == WALES


@rule("BRI-2")
def test_the_next_turn_has_its_permits_again() -> None:
    state = britannia("britannia-2-3", posts={"cardiff": ["0t"]})
    place(state, IN_WALES)
    for _ in range(3):
        end_turn(state)
    assert (asked(state), left(state)["cardiff"]) == (("turn", 0), 1)


@rule("BRI-2")
def test_another_seat_does_not_act_on_ones_permit() -> None:
    state = britannia(posts={"cardiff": ["0t"], "london": ["0t"]})
    end_turn(state)
    assert (asked(state), placed_abroad(state)) == (("turn", 1), set())
    assert left(state) == {"cardiff": 0, "carlisle": 0, "london": 0}


# -- BRI-2: the rightmost post, at the moment of the action


@pytest.mark.parametrize(
    ("posts", "additional", "may"),
    [
        (["0t", "0t", "1t"], [], False),
        (["1t", "1t", "0t"], [], True),
        (["1t"], ["0t", "0t"], False),
        (["0t"], ["1t", "1t"], True),
    ],
)
@rule("BRI-2")
def test_the_rightmost_post_counts_and_not_the_most(
    posts: list[str], additional: list[str], may: bool
) -> None:
    state = britannia(posts={"cardiff": posts}, additional={"cardiff": additional})
    assert countries(state) == ({"Wales"} if may else set())


@BOARDS
@rule("BRI-2")
def test_a_post_won_this_turn_permits_at_once(board: str) -> None:
    state = britannia(
        board,
        posts={"cardiff": ["1t"]},
        points={"cardiff--coventry": ["0t", "0t", "0t"]},
        desk={0: {"privilege": 1}},
        supply={0: (2, 1)},
    )
    assert placed_abroad(state) == set()
    play(state, do="create", route="cardiff--coventry", reward={"post": "cardiff"})
    assert placed_abroad(state) == WALES


@rule("BRI-2")
def test_a_permit_is_lost_with_the_rightmost_post() -> None:
    state = britannia(posts={"cardiff": ["1t", "0t"]}, markers={0: ["exchange-posts"]})
    play(state, do="use", marker="exchange-posts", city="cardiff")
    assert (placed_abroad(state), left(state)["cardiff"]) == (set(), 0)


@rule("BRI-2")
def test_a_spent_permit_does_not_come_back_with_the_post() -> None:
    markers = {0: ["exchange-posts", "exchange-posts"]}
    state = britannia(posts={"cardiff": ["1t", "0t"]}, markers=markers)
    place(state, IN_WALES)
    for _ in range(2):
        play(state, do="use", marker="exchange-posts", city="cardiff")
    assert seen(state)["cities"]["cardiff"]["posts"][:2] == ["1t", "0t"]
    assert placed_abroad(state) == set()


@pytest.mark.parametrize("neutral", ["2009", "britannia"])
@pytest.mark.parametrize("city", ["cardiff", "london"])
@rule("BRI-2", "TWO-1")
def test_the_neutrals_permit_serves_nobody(neutral: str, city: str) -> None:
    state = britannia("britannia-2-3", players=2, neutral=neutral, posts={city: ["0t", "nt"]})
    assert (placed_abroad(state), left(state)[city]) == (set(), 0)
    end_turn(state)
    assert placed_abroad(state) == set()


# -- BRI-2: the narrowest permit first


@rule("BRI-2")
def test_in_wales_cardiff_is_spent_before_london() -> None:
    state = britannia(posts={"cardiff": ["0t"], "london": ["0t"]})
    place(state, IN_WALES)
    assert (given(state), countries(state)) == (["cardiff"], {"Wales", "Scotland"})
    place(state, IN_WALES)
    assert (given(state), countries(state)) == (["cardiff", "london"], set())


@rule("BRI-2")
def test_in_scotland_carlisle_is_spent_before_london() -> None:
    state = britannia(posts={"carlisle": ["0t"], "london": ["0t"]})
    place(state, IN_SCOTLAND)
    assert (given(state), countries(state)) == (["carlisle"], {"Wales", "Scotland"})
    place(state, IN_WALES)
    assert given(state) == ["carlisle", "london"]


@rule("BRI-2")
def test_london_in_scotland_leaves_cardiff_for_wales() -> None:
    state = britannia(posts={"cardiff": ["0t"], "london": ["0t"]})
    place(state, IN_SCOTLAND)
    assert (given(state), countries(state)) == (["london"], {"Wales"})


@rule("BRI-2")
def test_three_permits_are_three_actions_abroad() -> None:
    state = britannia(posts={"cardiff": ["0t"], "carlisle": ["0t"], "london": ["0t"]})
    for route in (IN_WALES, IN_SCOTLAND, IN_SCOTLAND):
        place(state, route)
    assert (given(state), countries(state)) == (["cardiff", "carlisle", "london"], set())


@rule("BRI-2")
def test_on_the_small_board_cardiff_and_london_are_two_actions_in_wales() -> None:
    state = britannia("britannia-2-3", posts={"cardiff": ["0t"], "london": ["0t"]})
    for _ in range(2):
        place(state, IN_WALES)
    assert (sorted(given(state)), placed_abroad(state)) == (["cardiff", "london"], set())


# -- BRI-9: buying a permit


def paid(board: str = "britannia-4-5", marker: str = "develop-ability", **wanted: Any) -> GameState:
    """Seat 0 has just given up a marker for a permit."""
    wanted["markers"] = {0: [marker, *wanted.pop("more", [])]}
    state = britannia(board, permits=True, **wanted)
    play(state, do="permit", marker=marker)
    return state


@rule("BRI-9")
def test_permits_are_sold_only_where_that_rule_is_played() -> None:
    assert offers(britannia(markers={0: ["move-3"]}), do="permit") == []


@pytest.mark.parametrize("board", ["hanse-2-3", "hanse-4-5", "east"])
@rule("BRI-9")
def test_only_the_britannia_boards_have_permits_for_sale(board: str) -> None:
    with pytest.raises(RulesRefused):
        rules_for(board, permits=True)


@BOARDS
@rule("BRI-9")
def test_each_kind_of_unused_marker_buys_a_permit(board: str) -> None:
    state = britannia(
        board,
        permits=True,
        markers={0: ["move-3", "move-3", "additional-post"]},
        used={0: ["plus-3-actions"]},
    )
    found = sorted(one["marker"] for one in offers(state, do="permit"))
    assert found == ["additional-post", "move-3"]


@rule("BRI-9")
def test_the_marker_is_out_of_the_game_and_counts_no_more() -> None:
    state = paid()
    assert seen(state)["markers_out"] == ["develop-ability"]
    assert (player(state, 0)["markers"], player(state, 0)["used_markers"]) == ([], [])
    assert totals(state, 0)["markers"] == 0


@rule("BRI-9")
def test_a_bought_permit_is_told_and_seen() -> None:
    state = paid()
    assert told(state) == [{"event": "permit", "seat": 0, "bought": "develop-ability"}]
    assert seen(state)["permits"]["bought"] is True


@rule("BRI-9")
def test_buying_a_permit_costs_no_action() -> None:
    assert seen(paid(actions=2))["actions_left"] == 2


@rule("BRI-9")
def test_a_turn_in_which_a_permit_was_bought_is_no_longer_fresh() -> None:
    assert seen(paid())["fresh"] is False


@rule("BRI-9")
def test_a_permit_is_bought_once_a_turn() -> None:
    assert offers(paid(more=["move-3"]), do="permit") == []


@rule("BRI-9")
def test_a_permit_can_be_bought_after_the_first_action() -> None:
    state = britannia(permits=True, markers={0: ["move-3"]}, actions=2)
    place(state, IN_ENGLAND)
    assert offers(state, do="permit")


@pytest.mark.parametrize(("actions", "extra"), [(0, 0), (3, 3)])
@rule("BRI-9")
def test_no_permit_is_bought_without_an_action_of_the_turns_own(actions: int, extra: int) -> None:
    state = britannia(
        permits=True, markers={0: ["move-3"]}, actions=actions, extra_actions=extra, fresh=False
    )
    assert offers(state, do="permit") == []


@BOARDS
@rule("BRI-9")
def test_a_bought_permit_opens_all_routes_to_place_for_the_whole_turn(board: str) -> None:
    state = paid(board)
    for _ in range(3):
        assert placed_abroad(state) == ABROAD[board]
        place(state, IN_WALES)
    assert men_on(state, IN_WALES) == ["0t", "0t", "0t"]


@rule("BRI-9")
def test_a_bought_permit_opens_all_routes_to_displace() -> None:
    points = {IN_WALES: ["1t", None, None], IN_SCOTLAND: ["1t", None, None]}
    state = paid(points=points)
    assert {one["route"] for one in offers(state, do="displace")} == {IN_WALES, IN_SCOTLAND}


@pytest.mark.parametrize("start", [IN_ENGLAND, IN_WALES, IN_SCOTLAND])
@rule("BRI-9")
def test_with_a_bought_permit_borders_do_not_bind_a_move(start: str) -> None:
    state = paid(points={start: ["0t", None, None]})
    play(state, do="move")
    play(state, do="lift", route=start)
    game.settle(state)
    assert goals(state, "put") == set(seen(state)["routes"])


@rule("BRI-9")
def test_the_last_action_of_the_turns_own_still_moves_freely() -> None:
    state = paid(actions=1, points={IN_ENGLAND: ["0t", None, None]})
    play(state, do="move")
    play(state, do="lift", route=IN_ENGLAND)
    game.settle(state)
    assert goals(state, "put") == set(seen(state)["routes"])


@rule("BRI-9", "BRI-2")
def test_the_last_action_of_the_turns_own_spends_no_citys_permit() -> None:
    state = paid(actions=1, posts={"cardiff": ["0t"]})
    place(state, IN_WALES)
    assert (left(state)["cardiff"], given_cities(state)) == (1, [])


@rule("BRI-9", "BRI-3")
def test_a_bought_permit_does_not_free_the_displaced() -> None:
    state = paid(points={"cardiff--coventry": ["1t", None, None]})
    play(state, do="displace", tradesman="trader", pay={"traders": 1, "merchants": 0})
    assert goals(state, "relocate") == NEAR_CARDIFF_AND_COVENTRY


@rule("BRI-9", "BRI-5")
def test_a_bought_permit_does_not_free_the_marker_move_three() -> None:
    state = paid(more=["move-3"], points={IN_ENGLAND: ["1t", None, None]})
    play(state, do="use", marker="move-3")
    play(state, do="lift")
    game.settle(state)
    assert goals(state, "put") == set(seen(state)["routes"]) - WALES - SCOTLAND


@rule("BRI-9", "BRI-2")
def test_while_a_bought_permit_holds_no_citys_is_spent() -> None:
    state = paid(posts={"cardiff": ["0t"], "london": ["0t"]})
    place(state, IN_WALES)
    assert (left(state)["cardiff"], left(state)["london"]) == (1, 1)
    assert [one for one in told(state, "permit") if "city" in one] == []


@rule("BRI-9")
def test_a_bought_permit_does_not_hold_for_actions_from_a_marker() -> None:
    state = paid(more=["plus-3-actions"], actions=2)
    play(state, do="use", marker="plus-3-actions")
    for _ in range(2):
        place(state, IN_WALES)
    assert (seen(state)["actions_left"], seen(state)["extra_actions"]) == (3, 3)
    assert placed_abroad(state) == set()


@pytest.mark.parametrize("marker", ["plus-3-actions", "plus-4-actions"])
@rule("BRI-9")
def test_a_turns_own_actions_are_spent_first(marker: str) -> None:
    state = britannia(permits=True, markers={0: [marker]}, actions=2)
    play(state, do="use", marker=marker)
    extra = seen(state)["extra_actions"]
    place(state, IN_ENGLAND)
    assert (seen(state)["actions_left"], seen(state)["extra_actions"]) == (extra + 1, extra)


@rule("BRI-9")
def test_a_permit_bought_after_the_marker_was_used_serves_what_is_left_of_the_turns_own() -> None:
    state = paid(actions=4, extra_actions=3)
    place(state, IN_WALES)
    assert placed_abroad(state) == set()


@rule("BRI-9", "BRI-4")
def test_a_move_from_a_marker_stays_within_its_borders() -> None:
    state = paid(actions=4, extra_actions=3, points={IN_ENGLAND: ["0t", None, None]})
    place(state, IN_ENGLAND)
    play(state, do="move")
    play(state, do="lift", route=IN_ENGLAND)
    play(state, do="stop")
    assert goals(state, "put") == set(seen(state)["routes"]) - WALES - SCOTLAND


@rule("BRI-9", "BRI-2")
def test_for_actions_from_a_marker_the_cities_permit_again() -> None:
    state = paid(actions=4, extra_actions=3, posts={"cardiff": ["0t"]})
    for _ in range(2):
        place(state, IN_WALES)
    assert (given_cities(state), placed_abroad(state)) == (["cardiff"], set())


@rule("BRI-9", "TURN-4")
def test_an_action_from_developing_is_one_of_the_turns_own() -> None:
    state = paid(
        actions=4,
        extra_actions=3,
        points={IN_WALES: ["0t", "0t", "0t"]},
        supply={0: (2, 0)},
    )
    place(state, IN_ENGLAND)
    play(state, do="create", route=IN_WALES, reward={"develop": "actions"})
    assert (seen(state)["actions_left"], seen(state)["extra_actions"]) == (3, 2)
    assert placed_abroad(state) == WALES | SCOTLAND


@rule("BRI-9")
def test_a_bought_permit_ends_with_the_turn() -> None:
    state = paid("britannia-2-3")
    for _ in range(3):
        end_turn(state)
        assert (placed_abroad(state), seen(state)["permits"]["bought"]) == (set(), False)
    assert asked(state) == ("turn", 0)


@rule("BRI-9")
def test_a_marker_may_be_given_up_in_each_turn() -> None:
    state = paid("britannia-2-3", more=["move-3"])
    for _ in range(3):
        end_turn(state)
    assert offers(state, do="permit") == [{"do": "permit", "marker": "move-3"}]


@pytest.mark.parametrize("neutral", ["2009", "britannia"])
@rule("BRI-9", "TWO-2")
def test_a_bought_permit_does_not_free_neutral_traders(neutral: str) -> None:
    points = {"cardiff--coventry": ["nt", None, None]}
    state = paid("britannia-2-3", players=2, neutral=neutral, points=points)
    play(state, do="displace", tradesman="trader", pay={"traders": 1, "merchants": 0})
    assert (asked(state), about(state)["owner"]) == (("relocate", 1), "n")
    assert goals(state, "relocate") == NEAR_CARDIFF_AND_COVENTRY

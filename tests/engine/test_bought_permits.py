"""Permits: how one is bought, and what it allows (BRI-9)."""

from typing import Any

import pytest

from referee.engine import game
from referee.engine.errors import RulesRefused
from referee.engine.state import GameState
from support.countries import ABROAD, SCOTLAND, WALES
from support.groups import together
from support.permit_tables import (
    BOARDS,
    IN_ENGLAND,
    IN_SCOTLAND,
    IN_WALES,
    britannia,
    left,
    place,
    placed_abroad,
)
from support.rule_marker import rule
from support.table import (
    about,
    asked,
    end_turn,
    events_of,
    men_on,
    offered_routes,
    offers,
    play,
    player,
    rules_for,
    seen,
    totals,
)

NEAR_CARDIFF_AND_COVENTRY = {
    "cambridge--coventry",
    "cardiff--oxford",
    "coventry--hereford",
    "coventry--nottingham",
}


def given_cities(state: GameState) -> list[str]:
    """The cities whose permits were spent, in a game where a permit was bought."""
    return [one["city"] for one in events_of(state, "permit") if "city" in one]


# -- BRI-9: buying a permit


def paid(board: str = "britannia-4-5", marker: str = "develop-ability", **wanted: Any) -> GameState:
    """Seat 0 has just bought a permit with a marker."""
    wanted["markers"] = {0: [marker, *wanted.pop("more", [])]}
    state = britannia(board, permits=True, **wanted)
    play(state, do="permit", marker=marker)
    return state


@rule("BRI-9")
def test_permits_are_sold_only_where_that_rule_is_played() -> None:
    assert offers(britannia(markers={0: ["move-3"]}), do="permit") == []


@together("board", ["hanse-2-3", "hanse-4-5", "east"])
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
def test_the_marker_leaves_the_game_and_no_longer_counts() -> None:
    state = paid()
    assert seen(state)["markers_out"] == ["develop-ability"]
    assert (player(state, 0)["markers"], player(state, 0)["used_markers"]) == ([], [])
    assert totals(state, 0)["markers"] == 0


@rule("BRI-9")
def test_a_bought_permit_emits_an_event_and_is_in_the_view() -> None:
    state = paid()
    assert events_of(state) == [{"event": "permit", "seat": 0, "bought": "develop-ability"}]
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


@together(("actions", "extra"), [(0, 0), (3, 3)])
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


@together("start", [IN_ENGLAND, IN_WALES, IN_SCOTLAND])
@rule("BRI-9")
def test_with_a_bought_permit_borders_do_not_bind_a_move(start: str) -> None:
    state = paid(points={start: ["0t", None, None]})
    play(state, do="move")
    play(state, do="lift", route=start)
    game.settle(state)
    assert offered_routes(state, do="put") == set(seen(state)["routes"])


@rule("BRI-9")
def test_the_last_action_of_the_turns_own_still_moves_freely() -> None:
    state = paid(actions=1, points={IN_ENGLAND: ["0t", None, None]})
    play(state, do="move")
    play(state, do="lift", route=IN_ENGLAND)
    game.settle(state)
    assert offered_routes(state, do="put") == set(seen(state)["routes"])


@rule("BRI-9", "BRI-2")
def test_the_last_action_of_the_turns_own_spends_no_citys_permit() -> None:
    state = paid(actions=1, posts={"cardiff": ["0t"]})
    place(state, IN_WALES)
    assert (left(state)["cardiff"], given_cities(state)) == (1, [])


@rule("BRI-9", "BRI-3")
def test_a_bought_permit_does_not_free_the_displaced() -> None:
    state = paid(points={"cardiff--coventry": ["1t", None, None]})
    play(state, do="displace", tradesman="trader", pay={"traders": 1, "merchants": 0})
    assert offered_routes(state, do="relocate") == NEAR_CARDIFF_AND_COVENTRY


@rule("BRI-9", "BRI-5")
def test_a_bought_permit_does_not_free_the_marker_move_three() -> None:
    state = paid(more=["move-3"], points={IN_ENGLAND: ["1t", None, None]})
    play(state, do="use", marker="move-3")
    play(state, do="lift")
    game.settle(state)
    assert offered_routes(state, do="put") == set(seen(state)["routes"]) - WALES - SCOTLAND


@rule("BRI-9", "BRI-2")
def test_while_a_bought_permit_holds_no_citys_is_spent() -> None:
    state = paid(posts={"cardiff": ["0t"], "london": ["0t"]})
    place(state, IN_WALES)
    assert (left(state)["cardiff"], left(state)["london"]) == (1, 1)
    assert [one for one in events_of(state, "permit") if "city" in one] == []


@rule("BRI-9")
def test_a_bought_permit_does_not_hold_for_actions_from_a_marker() -> None:
    state = paid(more=["plus-3-actions"], actions=2)
    play(state, do="use", marker="plus-3-actions")
    for _ in range(2):
        place(state, IN_WALES)
    assert (seen(state)["actions_left"], seen(state)["extra_actions"]) == (3, 3)
    assert placed_abroad(state) == set()


def actions(state: GameState) -> tuple[int, int]:
    """All actions that are left, and how many of them come from markers."""
    return seen(state)["actions_left"], seen(state)["extra_actions"]


@together(("permits", "extra"), [(True, 2), (False, 3)])
@rule("BRI-9")
def test_only_where_permits_are_sold_actions_from_a_marker_are_spent_first(
    permits: bool, extra: int
) -> None:
    state = britannia(permits=permits, markers={0: ["plus-3-actions"]}, actions=2)
    play(state, do="use", marker="plus-3-actions")
    place(state, IN_ENGLAND)
    assert actions(state) == (4, extra)


@rule("BRI-9")
def test_actions_from_a_marker_at_home_keep_own_ones_for_the_permit() -> None:
    state = paid(actions=5, extra_actions=3)
    for _ in range(3):
        place(state, IN_ENGLAND)
    assert actions(state) == (2, 0)
    assert placed_abroad(state) == WALES | SCOTLAND


@rule("BRI-9")
def test_income_and_creating_spend_actions_from_a_marker_first() -> None:
    state = paid(actions=4, extra_actions=2, points={IN_WALES: ["0t"] * 3}, stock={0: (3, 0)})
    play(state, do="income", traders=1, merchants=0)
    assert actions(state) == (3, 1)
    play(state, do="create", route=IN_WALES, reward=None)
    assert actions(state) == (2, 0)


@rule("BRI-9")
def test_abroad_a_bought_permit_spends_the_turns_own_actions() -> None:
    state = paid(actions=5, extra_actions=3, points={IN_SCOTLAND: ["1t", None, None]})
    place(state, IN_WALES)
    assert actions(state) == (4, 3)
    play(state, do="displace", tradesman="trader", pay={"traders": 1, "merchants": 0})
    assert actions(state) == (3, 3)


@rule("BRI-9")
def test_a_move_with_a_bought_permit_spends_an_action_of_the_turns_own() -> None:
    state = paid(actions=4, extra_actions=3, points={IN_ENGLAND: ["0t", None, None]})
    play(state, do="move")
    assert actions(state) == (3, 3)


@rule("BRI-9", "BRI-2")
def test_without_a_bought_permit_markers_actions_use_a_citys_permit() -> None:
    state = britannia(permits=True, actions=5, extra_actions=3, posts={"cardiff": ["0t"]})
    place(state, IN_WALES)
    assert (actions(state), given_cities(state)) == ((4, 2), ["cardiff"])
    play(state, do="move")
    assert actions(state) == (3, 1)


@rule("BRI-9")
def test_a_permit_bought_after_a_marker_serves_the_turns_own_actions() -> None:
    state = paid(actions=4, extra_actions=3)
    place(state, IN_WALES)
    assert placed_abroad(state) == set()


@rule("BRI-9", "BRI-4")
def test_a_move_from_a_marker_stays_within_its_borders() -> None:
    state = paid(actions=4, extra_actions=3, points={IN_ENGLAND: ["0t", None, None]})
    place(state, IN_WALES)
    play(state, do="move")
    play(state, do="lift", route=IN_ENGLAND)
    play(state, do="stop")
    assert offered_routes(state, do="put") == set(seen(state)["routes"]) - WALES - SCOTLAND


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
    assert actions(state) == (3, 1)
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


@together("neutral", ["2009", "britannia"])
@rule("BRI-9", "TWO-2")
def test_a_bought_permit_does_not_free_neutral_traders(neutral: str) -> None:
    points = {"cardiff--coventry": ["nt", None, None]}
    state = paid("britannia-2-3", players=2, neutral=neutral, points=points)
    play(state, do="displace", tradesman="trader", pay={"traders": 1, "merchants": 0})
    assert (asked(state), about(state)["owner"]) == (("relocate", 1), "n")
    assert offered_routes(state, do="relocate") == NEAR_CARDIFF_AND_COVENTRY

"""Markers that take tradesmen off points: move three and remove three (BON-7, BON-8)."""

from __future__ import annotations

from typing import Any

from referee import atlas
from referee.engine import game
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import (
    about,
    amounts,
    asked,
    events_of,
    men_on,
    offers,
    play,
    player,
    seen,
    table,
)

HERE, THERE, FAR = "dortmund--duisburg", "kampen--osnabrueck", "hamburg--luebeck"
CROWD = {HERE: ["1t", "2t"], THERE: ["0t", "3t"], FAR: ["1m", None, "0t"]}


def mover(points: dict[str, Any], **more: Any) -> GameState:
    """Seat 0 has just used a move-3 marker."""
    settings: dict[str, Any] = {"supply": dict.fromkeys((0, 1), (1, 0)), **more}
    state = table(points=points, markers={0: ["move-3"]}, **settings)
    play(state, do="use", marker="move-3")
    return state


def remover(points: dict[str, Any], **more: Any) -> GameState:
    """Seat 0 has just used a remove-3 marker of the edition of 2009."""
    settings: dict[str, Any] = {"supply": dict.fromkeys((0, 1), (1, 0)), **more}
    state = table(points=points, markers={0: ["remove-3"]}, edition="original", **settings)
    play(state, do="use", marker="remove-3")
    return state


def liftable(state: GameState) -> set[tuple[str, int]]:
    return {(one["route"], one["point"]) for one in offers(state, do="lift")}


def goals(state: GameState) -> set[tuple[str, int]]:
    return {(one["route"], one["point"]) for one in offers(state, do="put")}


# --- Move three ----------------------------------------------------------------------------


@rule("BON-7")
def test_only_tradesmen_of_opponents_are_moved() -> None:
    state = mover(CROWD)
    assert asked(state) == ("lift", 0)
    assert liftable(state) == {(HERE, 0), (HERE, 1), (THERE, 1), (FAR, 0)}


@rule("BON-7")
def test_the_marker_is_used_up_and_costs_no_action() -> None:
    state = mover(CROWD, actions=1)
    assert player(state, 0)["used_markers"] == ["move-3"]
    assert seen(state)["actions_left"] == 1
    assert [one["event"] for one in events_of(state)] == ["marker-used"]


@rule("BON-7")
def test_at_least_one_is_lifted_and_then_one_may_stop() -> None:
    state = mover(CROWD)
    assert (about(state)["why"], about(state)["left"]) == ("move-3", 3)
    assert offers(state, do="stop") == []
    play(state, do="lift", route=HERE, point=0)
    assert about(state)["left"] == 2
    play(state, do="stop")
    assert asked(state) == ("put", 0)


@rule("BON-7")
def test_no_more_than_three_are_lifted() -> None:
    state = mover(CROWD)
    for route, point in ((HERE, 0), (HERE, 1), (THERE, 1)):
        play(state, do="lift", route=route, point=point)
    game.settle(state)
    assert asked(state) == ("put", 0)
    assert sorted(seen(state)["in_hand"]) == ["1t", "2t", "3t"]


@rule("BON-7")
def test_they_may_belong_to_one_player() -> None:
    state = mover({FAR: ["1t", "1t", "1t"]})
    for left in (3, 2, 1):
        assert about(state)["left"] == left
        play(state, do="lift", route=FAR)
    assert men_on(state, FAR) == [None, None, None]


@rule("BON-7", "MOV-1")
def test_they_are_put_in_the_order_in_which_they_were_lifted() -> None:
    state = mover(CROWD)
    play(state, do="lift", route=THERE, point=1)
    play(state, do="lift", route=FAR, point=0)
    play(state, do="stop")
    asks = about(state)
    assert (asks["tradesman"], asks["route"], asks["point"]) == ("3t", THERE, 1)
    play(state, do="put", route="arnheim--kampen")
    assert about(state)["tradesman"] == "1m"


@rule("BON-7", "MOV-1")
def test_two_can_change_places() -> None:
    state = mover({HERE: ["1t", None], FAR: ["1m", None, None]})
    play(state, do="lift", route=HERE)
    play(state, do="lift", route=FAR)
    game.settle(state)
    play(state, do="put", route=FAR, point=0)
    play(state, do="put", route=HERE, point=0)
    assert (men_on(state, HERE), men_on(state, FAR)) == (["1m", None], ["1t", None, None])


@rule("BON-7", "MOV-1")
def test_nobody_is_displaced_by_it() -> None:
    state = mover({HERE: ["1t", "2t"], THERE: ["0t", None]})
    play(state, do="lift", route=HERE, point=0)
    play(state, do="stop")
    assert {one for one in goals(state) if one[0] in {HERE, THERE}} == {(HERE, 0), (THERE, 1)}


@rule("BON-7", "MOV-2")
def test_a_trader_is_not_put_on_a_ship() -> None:
    points = {"dresden--halle": ["1t", None, None, None]}
    state = mover(points, board="east")
    play(state, do="lift")
    game.settle(state)
    ships = {("danzig--malmoe", 3), ("malmoe--visby", 1), ("malmoe--stralsund", 0)}
    assert goals(state) & ships == set()
    assert ("danzig--malmoe", 0) in goals(state)


@rule("BON-7", "MOV-2")
def test_a_merchant_may_be_put_on_a_ship() -> None:
    state = mover({"dresden--halle": ["1m", None, None, None]}, board="east")
    play(state, do="lift")
    game.settle(state)
    assert {("danzig--malmoe", 3), ("danzig--malmoe", 0)} <= goals(state)


@rule("BON-7", "MOV-2")
def test_a_merchant_is_not_put_where_a_lifted_trader_must_go() -> None:
    points: dict[str, Any] = {}
    routes = atlas.load_board("east").words["routes"]
    for number, route in enumerate(routes):
        kinds = ["t" if point["type"] == "house" else "m" for point in route["points"]]
        points[route["id"]] = [f"{number % 4 + 1}{kind}" for kind in kinds]
    desk = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}
    supply, desks = dict.fromkeys(range(5), (0, 0)), dict.fromkeys(range(5), desk)
    state = mover(points, board="east", players=5, desk=desks, supply=supply)
    play(state, do="lift", route="malmoe--visby", point=1)
    play(state, do="lift", route="malmoe--visby", point=0)
    play(state, do="stop")
    assert about(state)["tradesman"][1] == "m"
    assert goals(state) == {("malmoe--visby", 1)}


@rule("BON-7")
def test_the_lifted_and_put_events_contain_owner_and_mover() -> None:
    state = mover({HERE: ["1t", None]})
    play(state, do="lift", route=HERE)
    game.settle(state)
    play(state, do="put", route=THERE, point=0)
    for name, route in (("lifted", HERE), ("put", THERE)):
        (event,) = events_of(state, name)
        assert (event["seat"], event["by"], event["route"], event["point"]) == (1, 0, route, 0)
        assert (event["tradesman"], event["why"]) == ("trader", "move-3")


@rule("BON-7")
def test_the_turn_continues_afterwards() -> None:
    state = mover({HERE: ["1t", None]}, actions=1)
    play(state, do="lift", route=HERE)
    game.settle(state)
    play(state, do="put", route=THERE, point=0)
    assert asked(state) == ("turn", 0)
    assert men_on(state, THERE) == ["1t", None]


@rule("BON-7")
def test_without_a_tradesman_of_an_opponent_on_a_point_it_cannot_be_used() -> None:
    points, posts = {HERE: ["0t", "0t"]}, {"minden": ["1t"]}
    assert offers(table(points=points, posts=posts, markers={0: ["move-3"]}), do="use") == []


@rule("BON-7")
def test_posts_are_not_moved() -> None:
    state = mover({HERE: ["1t", None]}, posts={"duisburg": ["2t"], "minden": ["1t"]})
    assert liftable(state) == {(HERE, 0)}


@rule("BON-7", "TWO-1")
def test_neutral_traders_are_moved_like_those_of_opponents() -> None:
    points = {HERE: ["nt", "0t"], THERE: ["1t", None]}
    state = mover(points, board="hanse-2-3", players=2)
    assert liftable(state) == {(HERE, 0), (THERE, 0)}
    play(state, do="lift", route=HERE)
    play(state, do="stop")
    play(state, do="put", route=FAR, point=0)
    assert men_on(state, FAR) == ["nt", None, None]
    assert events_of(state, "put")[0]["seat"] == "n"


@rule("BON-7", "SET-4")
@together("board", ["britannia-4-5", "britannia-2-3"])
def test_2009_on_britannia_three_are_moved_too(board: str) -> None:
    points = {"cambridge--london": ["1t", None, None]}
    state = mover(points, board=board, edition="original")
    assert about(state)["why"] == "move-3"


# --- Remove three --------------------------------------------------------------------------


@rule("BON-8")
def test_tradesmen_of_anybody_are_removed_own_ones_included() -> None:
    state = remover(CROWD)
    assert asked(state) == ("lift", 0)
    assert len(liftable(state)) == 6
    assert (about(state)["why"], about(state)["left"]) == ("remove-3", 3)


@rule("BON-8")
def test_removed_tradesmen_go_to_their_owners_supplies() -> None:
    state = remover(CROWD)
    play(state, do="lift", route=FAR, point=0)
    assert amounts(state, "supply", 1) == (1, 1)
    play(state, do="lift", route=HERE, point=0)
    assert amounts(state, "supply", 1) == (2, 1)
    play(state, do="lift", route=THERE, point=0)
    assert amounts(state, "supply", 0) == (2, 0)
    assert (men_on(state, FAR), men_on(state, HERE)) == ([None, None, "0t"], [None, "2t"])


@rule("BON-8")
def test_after_three_removals_the_turn_continues() -> None:
    state = remover({FAR: ["1t", "1t", "1t"], HERE: ["1t", None]}, actions=1)
    for _ in range(3):
        play(state, do="lift", route=FAR)
    assert asked(state) == ("turn", 0)
    assert (seen(state)["actions_left"], seen(state)["in_hand"]) == (1, [])


@rule("BON-8")
def test_one_removal_is_enough() -> None:
    state = remover(CROWD)
    assert offers(state, do="stop") == []
    play(state, do="lift", route=FAR, point=0)
    play(state, do="stop")
    assert asked(state) == ("turn", 0)


@rule("BON-8")
def test_it_ends_when_nobody_is_left_to_remove() -> None:
    state = remover({HERE: ["1t", None]})
    play(state, do="lift", route=HERE)
    game.settle(state)
    assert asked(state) == ("turn", 0)


@rule("BON-8")
def test_the_removed_event_contains_owner_and_remover() -> None:
    state = remover({HERE: [None, "2t"]})
    play(state, do="lift", route=HERE)
    (event,) = events_of(state, "removed")
    assert (event["seat"], event["by"], event["route"], event["point"]) == (2, 0, HERE, 1)
    assert (event["tradesman"], event["why"]) == ("trader", "remove-3")
    assert events_of(state, "lifted") == []


@rule("BON-8")
def test_with_no_tradesman_on_any_point_it_cannot_be_used() -> None:
    posts, markers = {"minden": ["1t", "0t"]}, {0: ["remove-3"]}
    assert offers(table(posts=posts, markers=markers, edition="original"), do="use") == []


@rule("BON-8")
def test_with_only_own_tradesmen_on_points_it_can_be_used() -> None:
    assert liftable(remover({HERE: ["0t", None]})) == {(HERE, 0)}


@rule("BON-8")
def test_neutral_traders_leave_the_board() -> None:
    state = remover({HERE: ["nt", None]}, board="hanse-2-3", players=2)
    before = [amounts(state, "supply", seat) for seat in (0, 1)]
    play(state, do="lift", route=HERE)
    assert men_on(state, HERE) == [None, None]
    assert [amounts(state, "supply", seat) for seat in (0, 1)] == before
    assert events_of(state, "removed")[0]["seat"] == "n"

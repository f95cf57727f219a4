"""Relocation: where displaced tradesmen may go, and how far (DIS-2, DIS-4, DIS-5)."""

from typing import Any

from referee.engine import game
from referee.engine.state import GameState
from support.crowded_board import Routes, crowded
from support.groups import together
from support.rule_marker import rule
from support.table import about, amounts, asked, events_of, men_on, offers, play, seen, table

HERE = "luebeck--wismar"  # three houses; beside it: stralsund--wismar and waren--wismar
SEA = "stralsund--wismar"  # ship, ship, house
BOOK = {1: {"book": 3}}


def displaced(man: str, routes: Routes, **more: Any) -> GameState:
    """Seat 0 has displaced a tradesman of seat 1 between Lübeck and Wismar, on a crowded board."""
    given = {"supply": {0: (5, 0), 1: (0, 0)}, "stock": {1: (4, 2)}} | more
    state = crowded("east", {HERE: [man, "x", "x"], **routes}, **given)
    play(state, do="displace", route=HERE, point=0, tradesman="trader")
    return state


def goals(state: GameState, **which: Any) -> set[tuple[str, int]]:
    return {(one["route"], one["point"]) for one in offers(state, do="relocate", **which)}


# --- Adjacent routes -----------------------------------------------------------------------


@rule("DIS-4")
@together("man", ["1t", "1m"])
def test_every_tradesman_goes_to_an_adjacent_route(man: str) -> None:
    state = table("east", players=4, points={HERE: [man, None, None]}, supply={0: (3, 0)},
                  desk=BOOK, stock={1: (3, 2)})  # fmt: skip
    play(state, do="displace", route=HERE, point=0)
    traders = {(SEA, 2), ("waren--wismar", 0)}
    assert goals(state, tradesman="trader") == traders
    assert goals(state, tradesman="merchant") == traders | {(SEA, 0)}


@rule("DIS-4")
def test_the_route_itself_takes_nobody_though_it_has_free_points() -> None:
    state = table(points={"bremen--hamburg": ["1t", None, None, None]}, supply={0: (2, 0)})
    play(state, do="displace", route="bremen--hamburg")
    assert offers(state, route="bremen--hamburg") == []


@rule("DIS-4")
def test_the_route_itself_takes_nobody_from_further_away_either() -> None:
    state = crowded("hanse-4-5", {"bremen--hamburg": ["1t", None, None, None],
                                  "halle--quedlinburg": [None, "x", "x", "x"]})  # fmt: skip
    play(state, do="displace", route="bremen--hamburg", tradesman="trader",
         pay={"traders": 1, "merchants": 0})  # fmt: skip
    assert goals(state) == {("halle--quedlinburg", 0)}


@rule("DIS-4")
def test_tradesmen_may_share_a_route() -> None:
    state = displaced("1t", {"waren--wismar": [None, None, "x"]})
    play(state, do="relocate", from_="displaced", route="waren--wismar")
    play(state, do="relocate", from_="stock", tradesman="trader", route="waren--wismar")
    assert men_on(state, "waren--wismar")[:2] == ["1t", "1t"]


@rule("DIS-4")
def test_occupied_points_are_not_offered() -> None:
    state = displaced("1t", {"waren--wismar": ["x", None, "1t"]})
    assert goals(state) == {("waren--wismar", 1)}


# --- Further away --------------------------------------------------------------------------


@rule("DIS-4")
def test_with_full_adjacent_routes_those_adjacent_to_them_are_open() -> None:
    free: Routes = {"havelberg--waren": [None, "x", "x"], "anklam--stettin": [None, "x", "x"]}
    assert goals(displaced("1t", free)) == {("havelberg--waren", 0)}


@rule("DIS-4")
def test_the_search_continues_to_the_far_end_of_the_board() -> None:
    free: Routes = {"allenstein--thorn": [None, None, "x"]}
    assert goals(displaced("1t", free)) == {("allenstein--thorn", 0)}


@rule("DIS-4")
def test_a_nearer_point_rules_out_the_farther_ones() -> None:
    free: Routes = {"waren--wismar": [None, "x", "x"], "havelberg--waren": [None, None, None]}
    assert goals(displaced("1t", free)) == {("waren--wismar", 0)}


@rule("DIS-4")
def test_all_routes_of_the_nearest_distance_are_open() -> None:
    free: Routes = {
        "havelberg--waren": [None, "x", "x"],
        "stettin--waren": ["x", None, "x", "x"],
        "malmoe--stralsund": ["x", "x", None],
    }
    assert goals(displaced("1t", free)) == {
        ("havelberg--waren", 0),
        ("stettin--waren", 1),
        ("malmoe--stralsund", 2),
    }


@rule("DIS-4")
def test_the_distance_is_computed_again_for_the_extra() -> None:
    free: Routes = {"waren--wismar": [None, "x", "x"], "havelberg--waren": [None, "x", "x"]}
    state = displaced("1t", free)
    play(state, do="relocate", from_="displaced", route="waren--wismar")
    assert goals(state) == {("havelberg--waren", 0)}


@rule("DIS-4")
def test_the_distance_is_computed_again_for_the_displaced_tradesman() -> None:
    free: Routes = {"waren--wismar": [None, "x", "x"], "havelberg--waren": [None, "x", "x"]}
    state = displaced("1t", free)
    play(state, do="relocate", from_="stock", tradesman="trader", route="waren--wismar")
    assert goals(state, from_="displaced") == {("havelberg--waren", 0)}


# --- Ships and houses ----------------------------------------------------------------------


@rule("DIS-4")
def test_a_trader_passes_by_the_free_ships_next_door() -> None:
    free: Routes = {SEA: [None, None, "x"], "havelberg--waren": [None, "x", "x"]}
    state = displaced("1t", free)
    assert goals(state, from_="displaced") == {("havelberg--waren", 0)}


@rule("DIS-4")
def test_the_nearest_distance_is_computed_for_each_kind() -> None:
    free: Routes = {SEA: [None, None, "x"], "havelberg--waren": [None, None, "x"]}
    state = displaced("1t", free)
    assert goals(state, from_="stock", tradesman="trader") == {("havelberg--waren", 0)}
    assert goals(state, from_="stock", tradesman="merchant") == {(SEA, 0)}


@rule("DIS-4")
def test_a_displaced_merchant_takes_ship_or_house() -> None:
    state = displaced("1m", {SEA: ["x", None, None]}, desk=BOOK)
    assert goals(state, from_="displaced") == {(SEA, 1), (SEA, 2)}


@rule("DIS-4")
def test_a_merchant_displaced_from_a_ship_goes_ashore_next_door() -> None:
    state = table("east", points={SEA: ["1m", None, None]}, supply={0: (2, 1)}, desk=BOOK)
    play(state, do="displace", route=SEA)
    assert goals(state, from_="displaced") == {
        ("luebeck--wismar", 0),
        ("waren--wismar", 0),
        ("malmoe--stralsund", 0),
        ("malmoe--stralsund", 2),
    }


# --- An extra must leave a point to the displaced tradesman --------------------------------


@rule("DIS-2")
def test_the_only_free_house_is_for_the_displaced_trader() -> None:
    state = displaced("1t", {"allenstein--thorn": [None, "x", "x"]})
    assert {choice["from"] for choice in offers(state)} == {"displaced"}


@rule("DIS-2")
def test_the_only_free_house_is_kept_while_a_merchant_may_sail() -> None:
    state = displaced("1t", {SEA: [None, "x", None]})
    assert goals(state, from_="displaced") == {(SEA, 2)}
    assert goals(state, from_="stock", tradesman="trader") == set()
    assert goals(state, from_="stock", tradesman="merchant") == {(SEA, 0)}


@rule("DIS-2")
def test_an_extra_merchant_does_not_go_beyond_a_reserved_point() -> None:
    """The nearest house is reserved for the displaced trader, and the merchant may not go further."""
    free: Routes = {"waren--wismar": [None, "x", "x"], "malmoe--stralsund": [None, "x", "x"]}
    state = displaced("1t", free)
    assert goals(state, from_="displaced") == {("waren--wismar", 0)}
    assert goals(state, from_="stock") == set()


@rule("DIS-2")
def test_the_last_point_is_kept_for_a_displaced_merchant() -> None:
    state = displaced("1m", {SEA: [None, None, "x"]}, desk=BOOK)
    play(state, do="relocate", from_="stock", tradesman="merchant", route=SEA)
    assert offers(state) == [
        {"do": "relocate", "tradesman": "merchant", "from": "displaced", "route": SEA, "point": 1}
    ]


@rule("DIS-2")
def test_an_extra_may_take_the_last_house_from_a_merchant_who_can_sail() -> None:
    state = displaced("1m", {SEA: [None, "x", None]}, desk=BOOK)
    assert goals(state, from_="stock", tradesman="trader") == {(SEA, 2)}


@rule("DIS-2")
def test_an_extra_may_take_the_last_near_point_if_one_is_further_away() -> None:
    free: Routes = {"waren--wismar": [None, "x", "x"], "allenstein--thorn": [None, "x", "x"]}
    assert goals(displaced("1t", free), from_="stock") == {("waren--wismar", 0)}


@rule("DIS-2")
def test_once_the_displaced_is_placed_an_extra_may_take_the_last_point() -> None:
    state = displaced("1t", {"waren--wismar": [None, None, "x"]})
    play(state, do="relocate", from_="displaced", route="waren--wismar")
    assert goals(state, from_="stock", tradesman="trader") == {("waren--wismar", 1)}


@rule("DIS-2")
def test_without_a_point_for_the_extras_the_action_is_over() -> None:
    state = displaced("1t", {"waren--wismar": [None, "x", "x"]})
    play(state, do="relocate", from_="displaced", route="waren--wismar")
    game.settle(state)
    assert asked(state) == ("turn", 0)
    assert amounts(state, "stock", 1) == (4, 2)


# --- No point at all -----------------------------------------------------------------------


@rule("DIS-5")
@together(("man", "stock"), [("1t", (5, 2)), ("1m", (4, 3))])
def test_a_displaced_tradesman_without_a_point_goes_to_its_owners_stock(
    man: str, stock: tuple[int, int]
) -> None:
    state = displaced(man, {}, desk=BOOK)
    game.settle(state)
    assert asked(state) == ("turn", 0)
    assert amounts(state, "stock", 1) == stock
    assert amounts(state, "supply", 1) == (0, 0)


@rule("DIS-5")
def test_going_to_the_stock_emits_an_event() -> None:
    event = {"event": "relocated", "seat": 1, "tradesman": "trader", "from": "displaced"}
    assert events_of(displaced("1t", {}), "relocated") == [{**event, "to": "stock"}]


@rule("DIS-5")
def test_free_points_of_the_route_itself_do_not_help() -> None:
    state = crowded("east", {HERE: ["1t", None, None]}, stock={1: (4, 2)}, supply={0: (2, 0)})
    play(state, do="displace", route=HERE)
    assert events_of(state, "relocated")[0]["to"] == "stock"
    assert men_on(state, HERE) == ["0t", None, None]


@rule("DIS-5")
def test_a_trader_with_only_ships_free_goes_to_the_stock_before_the_extras() -> None:
    state = displaced("1t", {SEA: [None, "x", "x"]})
    assert amounts(state, "stock", 1) == (5, 2)
    assert seen(state)["in_hand"] == []
    assert asked(state) == ("relocate", 1)


@rule("DIS-5")
def test_a_merchant_may_still_come_as_an_extra() -> None:
    state = displaced("1t", {SEA: [None, "x", "x"]})
    assert offers(state, do="relocate") == [
        {"do": "relocate", "tradesman": "merchant", "from": "stock", "route": SEA, "point": 0}
    ]
    assert (about(state)["extras"], about(state)["placed"]) == (1, [])


@rule("DIS-5")
def test_the_extras_of_a_tradesman_in_the_stock_may_be_declined() -> None:
    state = displaced("1t", {SEA: [None, "x", "x"]})
    play(state, do="decline")
    assert asked(state) == ("turn", 0)
    assert amounts(state, "stock", 1) == (5, 2)


@rule("DIS-5")
def test_the_trader_in_the_stock_keeps_the_merchants_of_the_supply_ashore() -> None:
    """The stock is no longer empty, so the extra does not come from the supply."""
    empty: dict[str, Any] = {"stock": {1: (0, 0)}, "supply": {0: (5, 0), 1: (2, 2)}}
    state = displaced("1t", {SEA: [None, "x", "x"]}, desk=BOOK, **empty)
    game.settle(state)
    assert asked(state) == ("turn", 0)
    assert (amounts(state, "stock", 1), amounts(state, "supply", 1)) == ((1, 0), (2, 2))


@rule("DIS-5")
def test_a_merchant_with_only_ships_free_does_not_go_to_the_stock() -> None:
    state = displaced("1m", {SEA: [None, "x", "x"]}, desk=BOOK)
    game.settle(state)
    assert men_on(state, SEA)[0] == "1m"

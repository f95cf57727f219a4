"""The Britannia boards: the permanent marker that places two abroad (BRI-7)."""

from typing import Any

import pytest

from referee.engine import game
from referee.engine.state import GameState
from support.britannia_tables import BOARDS, LARGE, SMALL
from support.countries import ABROAD, SCOTLAND, WALES
from support.groups import together
from support.rule_marker import rule
from support.table import (
    about,
    amounts,
    asked,
    events_of,
    men_on,
    offered_routes,
    offers,
    play,
    seen,
    table,
)

# -- BRI-7: place two abroad


def shipped(
    board: str = LARGE, *, stock: tuple[int, int], supply: tuple[int, int] = (2, 0), **wanted: Any
) -> GameState:
    """Seat 0 created Calais-Southampton and has this stock and supply."""
    wanted["points"] = {"calais--southampton": ["0t", "0m", "0m"], **wanted.pop("points", {})}
    state = table(board, supply={0: supply}, desk={0: {"book": 3}}, **wanted)
    play(state, do="create", route="calais--southampton", reward=None)
    state.stock[0:2] = stock
    state.options = None
    return state


@pytest.mark.parametrize("kind", ["trader", "merchant"])
@BOARDS
@rule("BRI-7")
def test_place_two_goes_from_the_stock_to_any_free_point_abroad(board: str, kind: str) -> None:
    state = shipped(board, stock=(3, 1))
    assert (about(state)["marker"], about(state)["left"]) == ("place-2-abroad", 2)
    assert {one["from"] for one in offers(state, do="place")} == {"stock"}
    assert offered_routes(state, do="place", tradesman=kind) == ABROAD[board]


@rule("BRI-7", "EAST-5")
def test_the_tradesmen_that_just_returned_can_be_placed_abroad() -> None:
    state = table(
        SMALL,
        points={"calais--southampton": ["0t", "0m", "0m"]},
        desk={0: {"book": 1}},
        supply={0: (0, 0)},
        stock={0: (0, 0)},
    )
    play(state, do="create", route="calais--southampton", reward=None)
    assert amounts(state, "stock", 0) == (1, 2)
    play(state, do="place", route="chester--conway", tradesman="merchant", from_="stock")
    assert men_on(state, "chester--conway") == ["0m", None, None]


@rule("BRI-7")
def test_place_two_puts_merchants_only_on_ships() -> None:
    state = shipped(SMALL, stock=(3, 1))
    found = offers(state, do="place", route="conway--isle-of-man")
    assert [(one["tradesman"], one["point"]) for one in found if one["tradesman"] == "trader"] == [
        ("trader", 2)
    ]
    assert sorted(one["point"] for one in found if one["tradesman"] == "merchant") == [0, 2]


@rule("BRI-7", "BRI-2")
def test_place_two_needs_and_spends_no_permit() -> None:
    state = shipped(stock=(3, 0), posts={"london": ["0t"]})
    for route in ("chester--conway", "falkirk--glasgow"):
        play(state, do="place", route=route)
    assert (asked(state), seen(state)["permits"]["cities"]["london"]) == (("turn", 0), 1)
    assert events_of(state, "permit") == []


@rule("BRI-7")
def test_place_two_emits_an_event_per_placement() -> None:
    state = shipped(stock=(3, 0))
    play(state, do="place", route="chester--conway")
    placed = {"event": "placed", "seat": 0, "route": "chester--conway", "point": 0}
    assert events_of(state)[-1] == placed | {"tradesman": "trader", "from": "stock"}
    assert (about(state)["left"], about(state)["placed"]) == (
        1,
        [{"route": "chester--conway", "point": 0}],
    )


@together("placed", [0, 1])
@rule("BRI-7", "EAST-5")
def test_place_two_is_up_to_two(placed: int) -> None:
    state = shipped(stock=(3, 0))
    for _ in range(placed):
        play(state, do="place", route="chester--conway")
    play(state, do="decline")
    assert men_on(state, "chester--conway").count("0t") == placed
    assert (asked(state), amounts(state, "stock", 0)) == (("turn", 0), (3 - placed, 0))


@rule("BRI-7")
def test_place_two_takes_from_the_supply_when_the_stock_is_empty() -> None:
    state = shipped(stock=(0, 0), supply=(1, 1))
    found = {(one["from"], one["tradesman"]) for one in offers(state, do="place")}
    assert found == {("supply", "trader"), ("supply", "merchant")}


@rule("BRI-7", "DIS-3")
def test_the_source_of_the_second_is_computed_again() -> None:
    state = shipped(stock=(1, 0), supply=(2, 0))
    play(state, do="place", route="chester--conway", from_="stock")
    assert {one["from"] for one in offers(state, do="place")} == {"supply"}
    play(state, do="place", route="chester--conway", from_="supply")
    assert amounts(state, "supply", 0) == (1, 0)


@rule("BRI-7", "BON-9")
def test_a_tribute_can_empty_the_stock_before_the_two_are_placed() -> None:
    state = table(
        SMALL,
        promos=True,
        markers={0: ["tribute"]},
        points={"calais--southampton": ["0t", "0m", "0m"]},
        desk={0: {"book": 1}},
        supply={0: (1, 0)},
        stock={0: (0, 0)},
    )
    play(state, do="use", marker="tribute", route="calais--canterbury")
    play(state, do="create", route="calais--southampton", reward={"post": "calais"})
    assert (amounts(state, "stock", 0), amounts(state, "supply", 0)) == ((0, 0), (0, 2))
    assert {one["from"] for one in offers(state, do="place")} == {"supply"}


def penniless(**points: list[str | None]) -> GameState:
    """Seat 0 has neither stock nor supply, and can only place abroad what is on points."""
    named = {route.replace("__", "--"): men for route, men in points.items()}
    return shipped(stock=(0, 0), supply=(0, 0), points=named)


@rule("BRI-7", "DIS-3")
def test_with_stock_and_supply_empty_place_two_takes_own_from_any_point() -> None:
    state = penniless(
        durham__york=["0t", "1t", None],
        chester__conway=["0t", None, None],
        falkirk__glasgow=["0t", None],
    )
    found = {one["from_route"] for one in offers(state, do="place", from_="point")}
    assert found == {"durham--york", "chester--conway", "falkirk--glasgow"}
    assert not offers(state, do="place", from_="stock") + offers(state, do="place", from_="supply")


@rule("BRI-7", "DIS-3")
def test_a_tradesman_cannot_go_to_the_point_that_it_leaves() -> None:
    state = penniless(falkirk__glasgow=["0t", "1t"])
    assert offered_routes(state, do="place") == WALES | SCOTLAND - {"falkirk--glasgow"}


@rule("BRI-7", "DIS-3")
def test_a_tradesman_placed_by_the_marker_is_not_placed_again() -> None:
    state = penniless(durham__york=["0t", None, None])
    play(
        state,
        do="place",
        route="chester--conway",
        from_="point",
        from_route="durham--york",
        from_point=0,
    )
    game.settle(state)
    assert asked(state) == ("turn", 0)
    assert (men_on(state, "durham--york"), men_on(state, "chester--conway")) == (
        [None] * 3,
        ["0t", None, None],
    )

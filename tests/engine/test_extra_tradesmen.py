"""Extras of a displacement: where they come from, and when they are declined (DIS-3)."""

from typing import Any

from referee.engine import game
from referee.engine.state import GameState
from support.crowded_board import Routes, crowded
from support.groups import together
from support.rule_marker import rule
from support.table import about, amounts, asked, events_of, men_on, offers, play, seen, table

HERE = "bremen--hamburg"  # four houses
LUEBECK, STADE = "hamburg--luebeck", "hamburg--stade"
FAR = "halle--quedlinburg"
FARTHER = "coellen--warburg"
SEA = "stralsund--wismar"  # ship, ship, house
EDITIONS = ["bigbox", "original"]


def displaced(
    man: str,
    stock: tuple[int, int] = (0, 0),
    supply: tuple[int, int] = (0, 0),
    points: Routes | None = None,
    **more: Any,
) -> GameState:
    """A tradesman of seat 1, which has this stock and supply, is displaced between Bremen and Hamburg."""
    places = {HERE: [man, None, None, None], **(points or {})}
    given = {"supply": {0: (4, 0), 1: supply}, "stock": {1: stock}} | more
    state = table("hanse-4-5", points=places, desk={1: {"book": 3}}, **given)
    play(state, do="displace", route=HERE, point=0, tradesman="trader")
    return state


def sources(state: GameState) -> set[tuple[str, str]]:
    """The sources and kinds of the extras that are offered."""
    found = offers(state, do="relocate")
    return {(one["from"], one["tradesman"]) for one in found if one["from"] != "displaced"}


def lifts(state: GameState) -> set[tuple[str, int]]:
    """The points that an extra may come from."""
    found = offers(state, do="relocate", from_="point")
    return {(one["from_route"], one["from_point"]) for one in found}


def goals(state: GameState, **which: Any) -> set[tuple[str, int]]:
    return {(one["route"], one["point"]) for one in offers(state, do="relocate", **which)}


def settle_displaced(state: GameState, route: str = LUEBECK) -> None:
    play(state, do="relocate", from_="displaced", route=route)


# --- From the stock ------------------------------------------------------------------------


@rule("DIS-3")
@together("edition", EDITIONS)
@together(
    ("stock", "kinds"),
    [
        ((2, 2), {("stock", "trader"), ("stock", "merchant")}),
        ((1, 0), {("stock", "trader")}),
        ((0, 1), {("stock", "merchant")}),
    ],
)
def test_extras_come_from_the_stock_and_may_be_of_either_kind(
    stock: tuple[int, int], kinds: set[tuple[str, str]], edition: str
) -> None:
    points: Routes = {STADE: ["1t", "1m", None]}
    assert sources(displaced("1t", stock, (3, 1), points, edition=edition)) == kinds


@rule("DIS-3")
@together(("kind", "rest"), [("trader", (1, 1)), ("merchant", (2, 0))])
def test_the_extra_leaves_the_stock_for_its_point(kind: str, rest: tuple[int, int]) -> None:
    state = displaced("1t", stock=(2, 1))
    play(state, do="relocate", from_="stock", tradesman=kind, route=STADE)
    assert amounts(state, "stock", 1) == rest
    assert men_on(state, STADE)[0] == f"1{kind[0]}"


@rule("DIS-3")
def test_the_stock_is_that_of_the_displaced_player() -> None:
    state = displaced("1t", stock=(1, 0))
    play(state, do="relocate", from_="stock", route=STADE)
    assert [amounts(state, "stock", seat) for seat in (0, 1)] == [(8, 1), (0, 0)]


# --- From the supply -----------------------------------------------------------------------


@rule("DIS-3")
@together("edition", EDITIONS)
@together(
    ("supply", "kinds"),
    [
        ((2, 2), {("supply", "trader"), ("supply", "merchant")}),
        ((1, 0), {("supply", "trader")}),
        ((0, 1), {("supply", "merchant")}),
    ],
)
def test_with_an_empty_stock_extras_come_from_the_supply(
    supply: tuple[int, int], kinds: set[tuple[str, str]], edition: str
) -> None:
    points: Routes = {STADE: ["1t", "1m", None]}
    assert sources(displaced("1t", (0, 0), supply, points, edition=edition)) == kinds


@rule("DIS-3")
def test_the_extra_leaves_the_supply_for_its_point() -> None:
    state = displaced("1t", supply=(2, 1))
    settle_displaced(state)
    play(state, do="relocate", from_="supply", tradesman="merchant", route=STADE)
    assert (amounts(state, "supply", 1), amounts(state, "stock", 1)) == ((2, 0), (0, 0))
    assert events_of(state)[-1] == {
        "event": "relocated",
        "seat": 1,
        "tradesman": "merchant",
        "from": "supply",
        "route": STADE,
        "point": 0,
    }


# --- From points ---------------------------------------------------------------------------


@rule("DIS-3")
@together("edition", EDITIONS)
def test_with_both_empty_extras_come_from_own_points(edition: str) -> None:
    points: Routes = {FAR: ["1t", "1m", "0t", None], FARTHER: [None, "1t", "2t", "1t"]}
    state = displaced("1t", points=points, edition=edition)
    assert lifts(state) == {(FAR, 0), (FAR, 1), (FARTHER, 1)}
    assert sources(state) == {("point", "trader"), ("point", "merchant")}


@rule("DIS-3")
def test_the_extra_leaves_its_point() -> None:
    state = displaced("1t", points={FAR: ["1t", None, None, None]})
    settle_displaced(state)
    play(state, do="relocate", from_="point", from_route=FAR, from_point=0, route=STADE)
    assert men_on(state, FAR) == [None] * 4
    assert men_on(state, STADE)[0] == "1t"
    assert events_of(state)[-1] == {
        "event": "relocated",
        "seat": 1,
        "tradesman": "trader",
        "from": "point",
        "from_route": FAR,
        "from_point": 0,
        "route": STADE,
        "point": 0,
    }


@rule("DIS-3")
def test_trading_posts_are_not_taken_as_extras() -> None:
    state = displaced("1t", posts={"hamburg": ["1t"], "stade": ["1m"]})
    assert sources(state) == set()


@rule("DIS-3")
def test_with_nothing_anywhere_there_is_no_extra() -> None:
    state = displaced("1t")
    settle_displaced(state)
    game.settle(state)
    assert asked(state) == ("turn", 0)


@rule("DIS-3")
def test_a_tradesman_on_the_route_of_the_displacement_may_come_along() -> None:
    state = displaced("1t", points={HERE: ["1t", None, "1t", None]})
    assert lifts(state) == {(HERE, 2)}


@rule("DIS-3")
def test_an_extra_cannot_go_back_to_its_own_point() -> None:
    state = displaced("1t", points={STADE: ["1t", "2t", "2t"]})
    assert lifts(state) == {(STADE, 0)}
    assert STADE not in {route for route, _ in goals(state, from_="point")}


@rule("DIS-3")
def test_an_extra_may_go_to_another_point_of_its_route() -> None:
    state = displaced("1t", points={STADE: ["1t", "2t", None]})
    assert (STADE, 2) in goals(state, from_="point", from_route=STADE)
    assert (STADE, 0) not in goals(state, from_="point", from_route=STADE)


@rule("DIS-3")
def test_goals_of_an_extra_are_computed_before_it_is_lifted() -> None:
    """Its own point would be the nearest if it were free."""
    free: Routes = {
        HERE: ["1t", "x", "x", "x"],
        STADE: ["1t", "x", "x"],
        FAR: [None, None, "x", "x"],
    }
    state = crowded("hanse-4-5", free, supply={0: (2, 0), 1: (0, 0)}, stock={1: (0, 0)})
    play(state, do="displace", route=HERE, point=0)
    assert goals(state, from_="point") == {(FAR, 0)}


@rule("DIS-3", "DIS-4")
def test_the_point_an_extra_left_is_free_for_later_ones() -> None:
    free: Routes = {
        HERE: ["1t", "x", "x", "x"],
        STADE: ["1t", "x", "x"],
        FAR: [None, None, "x", "x"],
    }
    state = crowded("hanse-4-5", free, supply={0: (2, 0), 1: (0, 0)}, stock={1: (0, 0)})
    play(state, do="displace", route=HERE, point=0)
    play(state, do="relocate", from_="point", from_route=STADE, route=FAR)
    assert goals(state, from_="displaced") == {(STADE, 0)}


# --- Not one placed by this displacement ---------------------------------------------------


@rule("DIS-3")
def test_the_displaced_tradesman_is_not_an_extra() -> None:
    state = displaced("1m", points={FAR: ["1t", None, None, None]})
    settle_displaced(state)
    assert lifts(state) == {(FAR, 0)}


@rule("DIS-3")
def test_an_extra_of_the_same_displacement_is_not_taken_again() -> None:
    state = displaced("1m", stock=(1, 0), points={FAR: ["1t", None, None, None]})
    play(state, do="relocate", from_="stock", route=STADE)
    assert lifts(state) == {(FAR, 0)}


@rule("DIS-3")
def test_one_that_came_from_a_point_is_not_taken_again() -> None:
    state = displaced("1m", points={FAR: ["1t", None, None, None]})
    play(state, do="relocate", from_="point", from_route=FAR, route=STADE)
    assert sources(state) == set()
    settle_displaced(state)
    game.settle(state)
    assert asked(state) == ("turn", 0)


@rule("DIS-3")
@together("own", [1, 2])
def test_the_neighbour_of_one_just_placed_is_named_by_its_own_point(own: int) -> None:
    men: list[str | None] = [None, None, None]
    men[own] = "1t"
    state = displaced("1t", points={STADE: men})
    settle_displaced(state, STADE)
    assert men_on(state, STADE)[0] == "1t"
    assert lifts(state) == {(STADE, own)}


@rule("DIS-3")
def test_a_tradesman_placed_by_an_earlier_displacement_may_be_taken() -> None:
    state = displaced("1t", points={FAR: ["1t", None, None, None]})
    settle_displaced(state)
    play(state, do="decline")
    play(state, do="displace", route=FAR, point=0, tradesman="trader")
    assert lifts(state) == {(LUEBECK, 0)}


# --- Computed again for each extra ----------------------------------------------------------


@rule("DIS-3")
def test_the_source_is_computed_again_before_each_extra() -> None:
    points: Routes = {FAR: ["1t", None, None, None]}
    state = displaced("1m", (1, 0), (1, 0), points)
    assert sources(state) == {("stock", "trader")}
    play(state, do="relocate", from_="stock", route=STADE)
    assert sources(state) == {("supply", "trader")}


@rule("DIS-3")
def test_after_the_last_of_the_supply_the_points_are_next() -> None:
    state = displaced("1m", supply=(0, 1), points={FAR: ["1t", None, None, None]})
    play(state, do="relocate", from_="supply", route=STADE)
    assert sources(state) == {("point", "trader")}


@rule("DIS-3")
def test_a_stock_that_fits_nowhere_does_not_count_as_empty() -> None:
    """Only ships are free: the trader in the stock cannot go there, and no other may be used."""
    free: Routes = {"luebeck--wismar": ["1t", "x", "x"], SEA: [None, None, None]}
    more: dict[str, Any] = {"stock": {1: (2, 0)}, "supply": {0: (5, 0), 1: (0, 2)}}
    state = crowded("east", free, **more)
    play(state, do="displace", route="luebeck--wismar", point=0, tradesman="trader")
    play(state, do="relocate", from_="displaced", route=SEA, point=2)
    game.settle(state)
    assert asked(state) == ("turn", 0)


# --- None to the supply, and declining -----------------------------------------------------


@rule("DIS-3")
@together("man", ["1t", "1m"])
def test_extras_never_go_to_the_supply(man: str) -> None:
    state = displaced(man, stock=(4, 2), supply=(1, 1))
    settle_displaced(state)
    while asked(state) == ("relocate", 1):
        assert {choice["do"] for choice in offers(state)} == {"relocate", "decline"}
        play(state, **offers(state, do="relocate")[0])
    assert amounts(state, "supply", 1) == (1, 1)


@rule("DIS-3")
@together("extras", [0, 1])
def test_declining_gives_up_all_extras_that_are_left(extras: int) -> None:
    state = displaced("1m", stock=(4, 0), supply=(1, 1))
    settle_displaced(state)
    for _ in range(extras):
        play(state, do="relocate", from_="stock", route=STADE)
    play(state, do="decline")
    assert asked(state) == ("turn", 0)
    assert (amounts(state, "stock", 1), amounts(state, "supply", 1)) == ((4 - extras, 0), (1, 1))


@rule("DIS-3")
@together(
    ("stock", "supply", "points"),
    [((1, 0), (0, 0), {}), ((0, 0), (1, 0), {}), ((0, 0), (0, 0), {FAR: ["1t", None, None, None]})],
)
def test_an_extra_from_anywhere_may_be_declined(
    stock: tuple[int, int], supply: tuple[int, int], points: Routes
) -> None:
    state = displaced("1t", stock, supply, points)
    settle_displaced(state)
    play(state, do="decline")
    assert (amounts(state, "stock", 1), amounts(state, "supply", 1)) == (stock, supply)
    assert asked(state) == ("turn", 0)


@rule("DIS-3")
def test_the_last_extra_ends_the_relocation() -> None:
    state = displaced("1m", stock=(9, 0))
    settle_displaced(state)
    for _ in range(2):
        play(state, do="relocate", from_="stock", route=STADE)
    assert asked(state) == ("turn", 0)
    assert seen(state)["actions_left"] == 1
    assert about(state) == {}

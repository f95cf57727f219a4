"""An extra lifted from a point, when the displaced tradesman might lose its last point (DIS-2 to 5)."""

from typing import Any

from referee.engine.state import GameState
from support.crowded_board import Routes, crowded
from support.groups import together
from support.rule_marker import rule
from support.table import events_of, offers, play, table

HERE = "luebeck--wismar"  # three houses
SEA = "stralsund--wismar"  # ship, ship, house
NEAR, FAR = "waren--wismar", "allenstein--thorn"
SCOTLAND: Routes = {
    "carlisle--falkirk": [None, None],
    "carlisle--isle-of-man": [None, None, None],
    "dunbar--edinburgh": [None, None],
    "dunbar--newcastle": [None, None, None],
    "edinburgh--glasgow": [None, None],
    "falkirk--glasgow": [None, None],
}
WALES: Routes = {
    "cardiff--montgomery": [None, None, None],
    "cardiff--pembroke": [None, None, None],
    "chester--conway": [None, None, None],
    "conway--isle-of-man": [None, None, None],
    "conway--montgomery": [None, None, None],
    "hereford--montgomery": [None, None, None],
    "montgomery--pembroke": [None, None, None],
}


def with_nothing_left(routes: Routes, board: str = "east", here: str = HERE) -> GameState:
    """Seat 1, with empty stock and supply, is displaced on a crowded board."""
    more: dict[str, Any] = {"stock": {1: (0, 0)}, "supply": {0: (5, 0), 1: (0, 0)}}
    state = crowded(board, routes, desk={1: {"book": 3}}, **more)
    play(state, do="displace", route=here, point=0, tradesman="trader")
    return state


def lifts(state: GameState) -> set[tuple[str, int, str, int]]:
    """From which point to which point an extra may go."""
    keys = ("from_route", "from_point", "route", "point")
    found = [tuple(one[key] for key in keys) for one in offers(state, do="relocate", from_="point")]
    return {(a, b, c, d) for a, b, c, d in found}


def goals(state: GameState, **which: Any) -> set[tuple[str, int]]:
    return {(one["route"], one["point"]) for one in offers(state, do="relocate", **which)}


@rule("DIS-2", "DIS-3")
def test_an_extra_may_take_the_last_house_if_it_leaves_another() -> None:
    free: Routes = {HERE: ["1t", "x", "x"], NEAR: [None, "x", "x"], FAR: ["x", "1t", "x"]}
    state = with_nothing_left(free)
    assert lifts(state) == {(FAR, 1, NEAR, 0)}
    play(state, do="relocate", from_="point")
    assert goals(state) == {(FAR, 1)}


@rule("DIS-2", "DIS-3")
def test_an_extra_from_the_route_itself_leaves_no_house_for_the_displaced() -> None:
    state = with_nothing_left({HERE: ["1t", "1t", "x"], NEAR: [None, "x", "x"]})
    assert lifts(state) == set()
    assert goals(state) == {(NEAR, 0)}


@rule("DIS-2", "DIS-3")
def test_an_extra_from_a_ship_leaves_no_house_for_a_displaced_trader() -> None:
    free: Routes = {HERE: ["1t", "x", "x"], SEA: ["1m", "x", "x"], NEAR: [None, "x", "x"]}
    assert lifts(with_nothing_left(free)) == set()


@rule("DIS-2", "DIS-3")
def test_an_extra_from_a_ship_leaves_it_to_a_displaced_merchant() -> None:
    free: Routes = {HERE: ["1m", "x", "x"], SEA: ["1m", "x", "x"], NEAR: [None, "x", "x"]}
    state = with_nothing_left(free)
    assert lifts(state) == {(SEA, 0, NEAR, 0)}
    play(state, do="relocate", from_="point")
    assert goals(state, from_="displaced") == {(SEA, 0)}


@rule("DIS-2", "DIS-3")
def test_an_extra_from_a_house_to_a_ship_does_not_touch_the_last_house() -> None:
    free: Routes = {
        HERE: ["1t", "x", "x"],
        SEA: [None, "x", "x"],
        NEAR: ["1m", "x", "x"],
        FAR: [None, "x", "x"],
    }
    state = with_nothing_left(free)
    assert lifts(state) == {(NEAR, 0, SEA, 0)}
    play(state, do="relocate", from_="point")
    assert goals(state, from_="displaced") == {(NEAR, 0)}


@rule("DIS-3", "DIS-5")
def test_without_a_free_point_nobody_is_lifted_to_make_one() -> None:
    state = with_nothing_left({HERE: ["1t", "x", "x"], NEAR: ["1t", "x", "x"]})
    assert [event["to"] for event in events_of(state, "relocated")] == ["stock"]


@rule("DIS-3", "DIS-5")
def test_the_displaced_in_the_stock_keeps_the_extras_off_the_points() -> None:
    """The displaced trader is in the stock and cannot go on a ship, so the merchant stays where it is."""
    free: Routes = {HERE: ["1t", "x", "x"], SEA: [None, "x", "x"], NEAR: ["1m", "x", "x"]}
    assert lifts(with_nothing_left(free)) == set()


# --- Countries -----------------------------------------------------------------------------


@rule("DIS-2", "DIS-3", "BRI-3")
@together(
    ("own", "lifted"),
    [
        ({"falkirk--glasgow": ["1t", None]}, set()),
        (
            {"norwich--nottingham": ["1t", "x", "x"]},
            {("norwich--nottingham", 0, "durham--york", 0)},
        ),
    ],
)
def test_an_extra_from_abroad_leaves_no_point_for_one_displaced_in_england(
    own: Routes, lifted: set[tuple[str, int, str, int]]
) -> None:
    free: Routes = {"nottingham--york": ["1t", "x", "x"], "durham--york": [None, "x", "x"]}
    state = with_nothing_left(
        {**SCOTLAND, **WALES, **free, **own}, "britannia-4-5", "nottingham--york"
    )
    assert lifts(state) == lifted


@rule("DIS-5", "BRI-3")
def test_free_points_abroad_do_not_keep_the_displaced_out_of_the_stock() -> None:
    here: Routes = {"chester--hereford": ["1t", "x", "x", "x"]}
    state = with_nothing_left({**SCOTLAND, **WALES, **here}, "britannia-4-5", "chester--hereford")
    assert [event["to"] for event in events_of(state, "relocated")] == ["stock"]


@rule("DIS-4", "BRI-3")
def test_a_nearer_free_point_abroad_does_not_stop_the_search() -> None:
    free: Routes = {"chester--hereford": ["1t", "x", "x", "x"], "durham--york": [None, "x", "x"]}
    state = with_nothing_left({**SCOTLAND, **WALES, **free}, "britannia-4-5", "chester--hereford")
    assert goals(state) == {("durham--york", 0)}


@rule("DIS-4", "BRI-3")
def test_distances_count_only_routes_where_the_tradesman_may_stand() -> None:
    """From Chester, Carlisle is reached through Lancaster, not through Conway in Wales."""
    near = ["hereford--lancaster", "lancaster--richmond"]
    nearer = ["coventry--hereford", "cambridge--coventry", "cardiff--coventry"]
    taken: Routes = {
        route: ["2t", "2t", "2t"]
        for route in [*nearer, "coventry--nottingham", "durham--lancaster"]
    }
    taken |= {route: ["2t", "2t"] for route in near}
    points: Routes = {"chester--hereford": ["1t", None, None, None], **taken}
    full = {2: {"keys": 4, "actions": 5, "privilege": 3, "bank": 3}}
    state = table("britannia-2-3", points=points, desk=full, supply={0: (2, 0), 2: (0, 0)})
    play(state, do="displace", route="chester--hereford")
    routes = {route for route, _ in goals(state, from_="displaced")}
    assert {"carlisle--richmond", "carlisle--durham"} <= routes
    assert routes.isdisjoint({"carlisle--newcastle", "carlisle--isle-of-man"})
    assert not any("conway" in route for route in routes)

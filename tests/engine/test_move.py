"""Move: the own tradesmen leave their points for free ones (MOV-1, MOV-2)."""

from collections import Counter
from random import Random
from typing import Any

from referee import atlas
from referee.engine import game
from referee.engine.state import GameState
from support.crowded_board import Routes, crowd, crowded, points_of
from support.groups import each_of, together
from support.rule_marker import rule
from support.table import about, amounts, asked, events_of, men_on, offers, play, seen, table

LUEBECK, STADE, MINDEN = "hamburg--luebeck", "hamburg--stade", "bremen--minden"
SEA = "stralsund--wismar"  # ship, ship, house
MALMOE = "malmoe--stralsund"  # ship, ship, house
LAND = "waren--wismar"  # three houses
BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]


def moving(points: Routes, book: int = 0, **more: Any) -> GameState:
    """Seat 0 has chosen to move, with this number of steps of Book."""
    state = table(points=points, desk={0: {"book": book}}, **{"supply": {0: (2, 0)}} | more)
    play(state, do="move")
    return state


def lift(state: GameState, *points: tuple[str, int]) -> None:
    """Lift the tradesmen on these points, and stop."""
    for route, point in points:
        play(state, do="lift", route=route, point=point)
    if asked(state) == ("lift", 0):
        play(state, do="stop")


def put(state: GameState, route: str, point: int) -> None:
    play(state, do="put", route=route, point=point)


def spots(state: GameState, do: str) -> set[tuple[str, int]]:
    return {(choice["route"], choice["point"]) for choice in offers(state, do=do)}


# --- Lifting -------------------------------------------------------------------------------


@rule("MOV-1")
@together("edition", ["bigbox", "original"])
@together(("book", "value"), [(0, 2), (1, 3), (2, 4), (3, 5)])
def test_up_to_the_value_of_the_book_is_lifted(book: int, value: int, edition: str) -> None:
    state = moving({LUEBECK: ["0t"] * 3, STADE: ["0t"] * 3}, book, edition=edition)
    for left in range(value, 0, -1):
        assert about(state)["left"] == left
        play(state, **offers(state, do="lift")[0])
    assert asked(state) == ("put", 0)


@rule("MOV-1")
@together("count", [1, 2, 3, 4])
def test_fewer_may_be_lifted(count: int) -> None:
    state = moving({LUEBECK: ["0t"] * 3, STADE: ["0t"] * 3}, book=3)
    for _ in range(count):
        play(state, **offers(state, do="lift")[0])
    play(state, do="stop")
    assert asked(state) == ("put", 0)
    assert seen(state)["in_hand"] == ["0t"] * count


@rule("MOV-2")
def test_at_least_one_is_lifted() -> None:
    state = moving({LUEBECK: ["0t", "0t", None]})
    assert offers(state, do="stop") == []
    play(state, do="lift", route=LUEBECK)
    assert offers(state, do="stop") != []


@rule("MOV-2")
@together("points", [{}, {LUEBECK: ["1t", "2t", None]}])
def test_without_a_tradesman_on_a_point_there_is_no_move(points: Routes) -> None:
    state = table(points=points, posts={"hamburg": ["0t"]})
    assert offers(state, do="move") == []


@rule("MOV-1")
def test_without_an_action_there_is_no_move() -> None:
    assert offers(table(points={LUEBECK: ["0t", None, None]}, actions=0), do="move") == []


@rule("MOV-1")
def test_only_own_tradesmen_on_points_are_lifted() -> None:
    points: Routes = {LUEBECK: ["1t", "0t", "2t"], MINDEN: ["3t", None, None]}
    state = moving(points, posts={"hamburg": ["0t"], "bremen": ["0t"]})
    assert spots(state, "lift") == {(LUEBECK, 1)}


@rule("MOV-1")
def test_tradesmen_of_a_kind_on_a_route_are_one_choice_at_the_lowest() -> None:
    state = moving({"bremen--hamburg": ["1t", "0t", "0m", "0t"]}, book=1)
    assert spots(state, "lift") == {("bremen--hamburg", 1), ("bremen--hamburg", 2)}


@rule("MOV-1")
def test_merchants_in_a_house_and_on_a_ship_of_a_route_are_two_choices() -> None:
    state = moving({SEA: ["0m", "0m", "0m"]}, book=3, board="east")
    assert spots(state, "lift") == {(SEA, 0), (SEA, 2)}


@rule("MOV-1")
def test_what_is_lifted_leaves_its_point() -> None:
    state = moving({LUEBECK: ["0t", "0t", None]})
    play(state, do="lift", route=LUEBECK, point=0)
    assert men_on(state, LUEBECK) == [None, "0t", None]
    assert (seen(state)["in_hand"], about(state)["left"]) == (["0t"], 1)


@rule("MOV-1")
def test_when_nobody_is_left_to_lift_the_putting_begins() -> None:
    state = moving({LUEBECK: ["0t", None, None]}, book=3)
    play(state, do="lift", route=LUEBECK)
    game.settle(state)
    assert asked(state) == ("put", 0)


@rule("MOV-1")
def test_lifting_is_asked_with_its_reason() -> None:
    state = moving({LUEBECK: ["0t", None, None]})
    assert asked(state) == ("lift", 0)
    assert about(state)["why"] == "move"


# --- Putting -------------------------------------------------------------------------------


@rule("MOV-1")
def test_they_are_put_in_the_order_in_which_they_were_lifted() -> None:
    state = moving({LUEBECK: ["0t", None, "0m"], STADE: [None, "0t", None]}, book=3)
    lift(state, (STADE, 1), (LUEBECK, 2), (LUEBECK, 0))
    for man, route, point in [("0t", STADE, 1), ("0m", LUEBECK, 2), ("0t", LUEBECK, 0)]:
        concerns = about(state)
        assert (concerns["tradesman"], concerns["route"], concerns["point"]) == (man, route, point)
        put(state, MINDEN, men_on(state, MINDEN).index(None))
    assert men_on(state, MINDEN) == ["0t", "0m", "0t"]
    assert asked(state) == ("turn", 0)


@rule("MOV-1")
@together("board", ["hanse-4-5", "hanse-2-3", "east"])
def test_a_trader_may_be_put_in_any_free_house(board: str) -> None:
    types = points_of(board)
    start = next(route for route, kinds in types.items() if len(kinds) == 3)
    state = moving({start: ["1t", "0t", "1t"]}, board=board)
    lift(state, (start, 1))
    houses = {(route, kinds.index("house")) for route, kinds in types.items()}
    assert spots(state, "put") == houses - {(start, 0)} | {(start, 1)}


@rule("MOV-1")
def test_the_point_just_left_is_free_too() -> None:
    state = moving({LUEBECK: ["1t", "0t", "1t"]})
    lift(state, (LUEBECK, 1))
    put(state, LUEBECK, 1)
    assert men_on(state, LUEBECK) == ["1t", "0t", "1t"]


@rule("MOV-1")
def test_two_can_change_places() -> None:
    state = moving({LUEBECK: ["0t", "1t", "1t"], STADE: ["0m", "1t", "1t"]}, book=1)
    lift(state, (LUEBECK, 0), (STADE, 0))
    put(state, STADE, 0)
    put(state, LUEBECK, 0)
    assert (men_on(state, LUEBECK)[0], men_on(state, STADE)[0]) == ("0m", "0t")


@rule("MOV-1")
def test_nobody_is_displaced_by_a_move() -> None:
    state = moving({LUEBECK: ["0t", None, None], STADE: ["1t", "2t", "0t"]})
    lift(state, (LUEBECK, 0))
    assert [route for route, _ in spots(state, "put") if route == STADE] == []


@rule("MOV-1")
def test_alike_free_points_of_a_route_are_one_choice_with_the_lowest() -> None:
    state = moving({LUEBECK: ["0t", None, None], "bremen--hamburg": ["1t", None, "1t", None]})
    lift(state, (LUEBECK, 0))
    assert [point for route, point in spots(state, "put") if route == "bremen--hamburg"] == [1]


@rule("MOV-1")
def test_stock_and_supply_do_not_take_part() -> None:
    state = moving({LUEBECK: ["0t", None, None]}, supply={0: (2, 0)}, stock={0: (3, 1)})
    lift(state, (LUEBECK, 0))
    put(state, STADE, 0)
    assert (amounts(state, "supply", 0), amounts(state, "stock", 0)) == ((2, 0), (3, 1))


@rule("MOV-1")
def test_a_move_is_one_action_and_emits_an_event_per_step() -> None:
    state = moving({LUEBECK: ["0t", None, "0m"]}, book=1, actions=2)
    lift(state, (LUEBECK, 2), (LUEBECK, 0))
    put(state, STADE, 0)
    put(state, MINDEN, 0)
    by = {"seat": 0, "by": 0, "why": "move"}
    trader, merchant = {**by, "tradesman": "trader"}, {**by, "tradesman": "merchant"}
    assert events_of(state) == [
        {"event": "action", "seat": 0, "do": "move", "left": 1},
        {"event": "lifted", "route": LUEBECK, "point": 2, **merchant},
        {"event": "lifted", "route": LUEBECK, "point": 0, **trader},
        {"event": "put", "route": STADE, "point": 0, **merchant},
        {"event": "put", "route": MINDEN, "point": 0, **trader},
    ]


# --- What fits, and what must be left to the others ----------------------------------------


@rule("MOV-2")
def test_a_trader_fits_houses_only() -> None:
    state = moving({LAND: ["0t", None, None]}, board="east")
    lift(state, (LAND, 0))
    assert {point for route, point in spots(state, "put") if route == SEA} == {2}


@rule("MOV-2")
def test_a_merchant_fits_any_point() -> None:
    state = moving({LAND: ["0m", None, None]}, board="east", book=1)
    lift(state, (LAND, 0))
    assert {point for route, point in spots(state, "put") if route == SEA} == {0, 2}


def lifted(routes: Routes, *points: tuple[str, int], board: str = "east") -> GameState:
    """Seat 0 has lifted these, in this order, on a crowded board."""
    state = crowded(board, routes, supply={0: (0, 0)})
    play(state, do="move")
    lift(state, *points)
    return state


@rule("MOV-2")
def test_a_merchant_leaves_the_only_house_to_the_trader() -> None:
    state = lifted({SEA: ["0m", "x", "0t"]}, (SEA, 0), (SEA, 2))
    assert spots(state, "put") == {(SEA, 0)}


@rule("MOV-2")
def test_a_trader_lifted_first_restricts_nothing() -> None:
    state = lifted({SEA: ["0m", "x", "0t"], LAND: [None, "x", "x"]}, (SEA, 2), (SEA, 0))
    assert spots(state, "put") == {(SEA, 2), (LAND, 0)}


@rule("MOV-2")
def test_one_merchant_may_take_the_house_that_is_to_spare() -> None:
    free: Routes = {SEA: ["0m", "0m", "0t"], LAND: [None, "x", "x"]}
    state = lifted(free, (SEA, 0), (SEA, 1), (SEA, 2))
    assert spots(state, "put") == {(SEA, 0), (SEA, 2), (LAND, 0)}


@rule("MOV-2")
@together("house", [(SEA, 2), (LAND, 0)])
def test_the_second_merchant_must_then_sail(house: tuple[str, int]) -> None:
    free: Routes = {SEA: ["0m", "0m", "0t"], LAND: [None, "x", "x"]}
    state = lifted(free, (SEA, 0), (SEA, 1), (SEA, 2))
    put(state, *house)
    assert spots(state, "put") == {(SEA, 0)}


@rule("MOV-2")
def test_merchants_may_take_houses_that_the_traders_do_not_need() -> None:
    free: Routes = {SEA: ["0m", "x", "x"], LAND: ["0t", "0t", None]}
    state = lifted(free, (SEA, 0), (LAND, 0), (LAND, 1))
    assert spots(state, "put") == {(SEA, 0), (LAND, 0)}
    put(state, LAND, 0)
    assert spots(state, "put") == {(LAND, 1)}


@rule("MOV-2")
def test_two_traders_need_two_houses() -> None:
    free: Routes = {SEA: ["0m", "x", "x"], LAND: ["0t", "0t", "x"]}
    state = lifted(free, (LAND, 0), (SEA, 0), (LAND, 1))
    put(state, LAND, 0)
    assert spots(state, "put") == {(SEA, 0)}


@rule("MOV-2")
def test_a_trader_never_gets_stuck_with_ships_only() -> None:
    free: Routes = {MALMOE: ["0m", "0m", "x"], SEA: ["0m", None, "0t"]}
    state = lifted(free, (MALMOE, 0), (MALMOE, 1), (SEA, 0), (SEA, 2))
    for _ in range(3):
        assert (SEA, 2) not in spots(state, "put")
        play(state, **offers(state)[-1])
    assert spots(state, "put") == {(SEA, 2)}


@rule("MOV-2", "BRI-4")
def test_one_from_wales_leaves_the_english_point_to_one_from_england() -> None:
    points: Routes = {
        "cardiff--pembroke": ["0t", "x", "x"],
        "norwich--nottingham": ["0t", "x", "x"],
    }
    scotland: Routes = {"dunbar--newcastle": [None] * 3, "dunbar--edinburgh": [None] * 2}
    state = lifted(
        {**points, **scotland},
        ("cardiff--pembroke", 0),
        ("norwich--nottingham", 0),
        board="britannia-4-5",
    )
    assert spots(state, "put") == {("cardiff--pembroke", 0)}


@rule("MOV-2", "BRI-4")
def test_all_that_are_still_lifted_must_find_points_together() -> None:
    """On the English ship, it would leave one house for both a merchant and a trader from England."""
    welsh, english = (
        "conway--isle-of-man",
        "calais--canterbury",
    )  # ship ship house, house ship house
    points: Routes = {welsh: ["0m", "x", "x"], english: ["0t", "0m", "x"]}
    scotland: Routes = {"dunbar--newcastle": [None] * 3, "dunbar--edinburgh": [None] * 2}
    order = [(welsh, 0), (english, 1), (english, 0)]
    state = lifted({**points, **scotland}, *order, board="britannia-4-5")
    assert spots(state, "put") == {(welsh, 0)}


# --- Any position --------------------------------------------------------------------------

Place = tuple[str, str | None]  # house or ship, and its country
TIGHT: dict[str, Routes] = {
    "east": {SEA: ["0m", "0m", "0t"], MALMOE: ["0m", "0m", "0t"]},
    "britannia-4-5": {
        "conway--isle-of-man": ["0m", "x", "0t"],
        "carlisle--isle-of-man": ["0t", "0m", "x"],
        "calais--canterbury": ["0t", "0m", "x"],
        "norwich--nottingham": ["0m", "x", "x"],
        "dunbar--newcastle": ["1t", "1t", "1t"],
        "dunbar--edinburgh": ["1t", "1t"],
    },
}


def places_of(board: str) -> dict[tuple[str, int], Place]:
    return {
        (route["id"], i): (point["type"], route["country"])
        for route in atlas.load_board(board).words["routes"]
        for i, point in enumerate(route["points"])
    }


def fits(man: str, country: str | None, place: Place) -> bool:
    return (man == "0m" or place[0] == "house") and place[1] in {country, "England"}


def all_fit(men: list[tuple[str, str | None]], free: Counter[Place]) -> bool:
    """Whether there is a free place for each of them."""
    if not men:
        return True
    (man, country), *rest = men
    return any(
        fits(man, country, place) and all_fit(rest, free - Counter([place])) for place in free
    )


@rule("MOV-2", "BRI-4")
@each_of([(board, seed) for board in TIGHT for seed in range(30)])
def test_just_the_puts_that_leave_points_for_all_are_offered(case: tuple[str, int]) -> None:
    board, seed = case
    rng, places = Random(seed), places_of(board)
    men = crowd(board, TIGHT[board])
    for route in rng.sample(["durham--york", "elbing--kulm", "cardiff--pembroke"], 2):
        if route in men:
            men[route][0] = None
    state = crowded(board, men, supply={0: (0, 0)})
    play(state, do="move")
    countries = []
    while asked(state) == ("lift", 0):
        choice = rng.choice(
            [one for one in offers(state, do="lift") if one["route"] in TIGHT[board]]
        )
        countries.append(places[choice["route"], choice["point"]][1])
        play(state, **choice)
    while asked(state) == ("put", 0):
        now = seen(state)["routes"]
        free = Counter(
            place for (route, i), place in places.items() if now[route]["points"][i] is None
        )
        (first, country), *rest = zip(seen(state)["in_hand"], countries, strict=True)
        good = {
            place
            for place in free
            if fits(first, country, place) and all_fit(rest, free - Counter([place]))
        }
        assert {places[spot] for spot in spots(state, "put")} == good
        play(state, **rng.choice(offers(state)))
        countries.pop(0)

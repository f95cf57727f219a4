"""Place: a tradesman goes from the supply to a free point (PLA-1)."""

from referee import atlas
from referee.engine.state import GameState
from support.crowded_board import points_of
from support.groups import together
from support.rule_marker import rule
from support.table import amounts, events_of, men_on, offers, play, table

BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]
BOOKS = {seat: {"book": 3} for seat in range(4)}  # all merchants are off the desk
SEA = "stralsund--wismar"  # ship, ship, house


def goals(state: GameState, tradesman: str, route: str | None = None) -> set[tuple[str, int]]:
    found = offers(state, do="place", tradesman=tradesman)
    return {(one["route"], one["point"]) for one in found if route in {None, one["route"]}}


def first_points(board: str, *types: str) -> set[tuple[str, int]]:
    """The first point of each of these types on every route that needs no permit."""
    words = atlas.load_board(board).words
    without_permit = [
        route["id"] for route in words["routes"] if route["country"] in {None, "England"}
    ]
    kinds = points_of(board)
    return {
        (route, kinds[route].index(kind))
        for route in without_permit
        for kind in types
        if kind in kinds[route]
    }


@rule("PLA-1")
@together("board", BOARDS)
def test_a_trader_may_go_to_any_free_house(board: str) -> None:
    assert goals(table(board), "trader") == first_points(board, "house")


@rule("PLA-1")
@together("board", BOARDS)
def test_a_merchant_may_go_to_any_free_point(board: str) -> None:
    assert goals(table(board), "merchant") == first_points(board, "house", "ship")


@rule("PLA-1")
def test_only_a_merchant_goes_on_a_ship() -> None:
    state = table("east")
    assert goals(state, "trader", SEA) == {(SEA, 2)}
    assert goals(state, "merchant", SEA) == {(SEA, 0), (SEA, 2)}


@rule("PLA-1")
@together("man", ["0t", "0m", "1t", "1m"])
def test_an_occupied_point_takes_nobody(man: str) -> None:
    state = table(points={"dortmund--duisburg": [man, None]}, desk=BOOKS)
    assert goals(state, "trader", "dortmund--duisburg") == {("dortmund--duisburg", 1)}


@rule("PLA-1")
def test_a_full_route_takes_nobody() -> None:
    state = table(points={"dortmund--duisburg": ["0t", "1t"]})
    assert goals(state, "merchant", "dortmund--duisburg") == set()


@rule("PLA-1")
@together("others", [("1t", "2m"), ("0t", "1t"), ("0t", "0m"), (None, "3t")])
def test_other_points_of_the_route_do_not_matter(others: tuple[str | None, str]) -> None:
    state = table(points={"hamburg--luebeck": [*others, None]}, desk=BOOKS)
    play(
        state, do="place", route="hamburg--luebeck", point=2 if others[0] else 0, tradesman="trader"
    )
    assert men_on(state, "hamburg--luebeck").count("0t") == others.count("0t") + 1


@rule("PLA-1")
def test_free_points_of_a_kind_are_one_choice_named_by_the_lowest() -> None:
    state = table(points={"bremen--hamburg": ["1t", None, "1t", None]})
    assert goals(state, "trader", "bremen--hamburg") == {("bremen--hamburg", 1)}


@rule("PLA-1")
@together(("supply", "kinds"), [((1, 0), {"trader"}), ((0, 1), {"merchant"}), ((0, 0), set())])
def test_only_what_is_in_the_supply_is_placed(supply: tuple[int, int], kinds: set[str]) -> None:
    state = table(supply={0: supply}, stock={0: (5, 3)})
    assert {choice["tradesman"] for choice in offers(state, do="place")} == kinds


@rule("PLA-1")
def test_without_an_action_nothing_is_placed() -> None:
    assert offers(table(actions=0), do="place") == []


@rule("PLA-1")
@together(("kind", "man", "rest"), [("trader", "0t", (4, 1)), ("merchant", "0m", (5, 0))])
def test_the_tradesman_leaves_the_supply_for_the_point(
    kind: str, man: str, rest: tuple[int, int]
) -> None:
    state = table(supply={0: (5, 1)})
    play(state, do="place", route="hamburg--luebeck", point=0, tradesman=kind)
    assert men_on(state, "hamburg--luebeck") == [man, None, None]
    assert amounts(state, "supply", 0) == rest


@rule("PLA-1")
def test_a_merchant_sails() -> None:
    state = table("east")
    play(state, do="place", route=SEA, point=0, tradesman="merchant")
    assert men_on(state, SEA) == ["0m", None, None]


@rule("PLA-1")
def test_placing_emits_an_event() -> None:
    state = table(actions=2)
    play(state, do="place", route="hamburg--luebeck", point=0, tradesman="merchant")
    where = {"route": "hamburg--luebeck", "point": 0, "tradesman": "merchant", "from": "supply"}
    assert events_of(state) == [
        {"event": "action", "seat": 0, "do": "place", "left": 1},
        {"event": "placed", "seat": 0, **where},
    ]

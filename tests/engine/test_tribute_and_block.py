"""What tribute and block do once they are laid (BON-9)."""

from __future__ import annotations

from typing import Any

from referee.engine import game
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import about, amounts, asked, events_of, men_on, offers, play, table

HERE, THERE = "dortmund--duisburg", "kampen--osnabrueck"


def laid(marker: str, *routes: str, board: str = "hanse-4-5", **more: Any) -> GameState:
    """Seat 0 has just laid a marker above each of these routes; `supply` is what is left."""
    supply = dict(more.pop("supply", {}))
    traders, merchants = supply.get(0, (0, 0))
    supply[0] = (traders + len(routes), merchants)
    more.setdefault("stock", {0: (6, 0)})
    markers = {0: [marker] * len(routes) + more.pop("also", [])}
    state = table(board, markers=markers, supply=supply, promos=True, **more)
    for route in routes:
        play(state, do="use", marker=marker, route=route)
    return state


def tributes(state: GameState) -> list[tuple[int, int, int]]:
    return [(one["seat"], one["traders"], one["merchants"]) for one in events_of(state, "tribute")]


def others_turn(state: GameState) -> None:
    """End the turn, so that seat 1 is active."""
    play(state, do="end-turn")
    assert asked(state) == ("turn", 1)


# --- Tribute -------------------------------------------------------------------------------


@rule("BON-9")
def test_a_post_of_another_in_either_city_brings_the_owner_two_tradesmen() -> None:
    points = {HERE: ["1t", "1t"], "arnheim--duisburg": ["1t"] * 3}
    for route, city in ((HERE, "duisburg"), ("arnheim--duisburg", "duisburg")):
        state = laid("tribute", HERE, points=points, supply={1: (0, 0)})
        others_turn(state)
        play(state, do="create", route=route, reward={"post": city})
        assert tributes(state) == [(0, 2, 0)]
        assert amounts(state, "supply", 0) == (2, 0)


@rule("BON-9")
def test_the_other_city_of_the_route_pays_too() -> None:
    points = {"dortmund--paderborn": ["1t", "1m", "1t"]}
    state = laid("tribute", HERE, points=points, supply={1: (0, 0)})
    others_turn(state)
    play(state, do="create", reward={"post": "dortmund"})
    assert tributes(state) == [(0, 2, 0)]


@rule("BON-9")
def test_a_post_in_a_third_city_pays_nothing() -> None:
    points = {"dortmund--paderborn": ["1t", "1t", "1t"]}
    state = laid("tribute", HERE, points=points, supply={1: (0, 0)})
    others_turn(state)
    play(state, do="create", reward={"post": "paderborn"})
    assert tributes(state) == []


@rule("BON-9")
@together("reward", [None, {"develop": "bank"}])
def test_a_creation_without_a_post_pays_nothing(reward: dict[str, str] | None) -> None:
    points = {"hamburg--luebeck": ["1t"] * 3}
    state = laid("tribute", "hamburg--luebeck", points=points, supply={1: (0, 0)})
    others_turn(state)
    play(state, do="create", reward=reward)
    assert tributes(state) == []


@rule("BON-9")
def test_a_block_pays_no_tribute() -> None:
    state = laid("block", HERE, points={HERE: ["0t", "0t"]})
    play(state, do="create", reward={"post": "duisburg"})
    assert tributes(state) == []


@rule("BON-9", "CRE-10")
def test_special_prestige_pays_nothing() -> None:
    points = {"coellen--warburg": ["0t", "0m", "0t", "0t"]}
    state = laid("tribute", "coellen--warburg", points=points)
    play(state, do="create", reward={"special": 7})
    assert tributes(state) == []


@rule("BON-9")
def test_the_owners_own_post_pays_the_owner() -> None:
    state = laid("tribute", HERE, points={HERE: ["0t", "0t"]})
    play(state, do="create", reward={"post": "duisburg"})
    assert tributes(state) == [(0, 2, 0)]


@rule("BON-9", "BON-3")
def test_an_additional_post_pays() -> None:
    posts = {"duisburg": ["2t"]}
    state = laid(
        "tribute", HERE, points={HERE: ["0t", "0t"]}, posts=posts, also=["additional-post"]
    )
    play(state, do="create", reward={"additional": "duisburg", "tradesman": "trader"})
    assert tributes(state) == [(0, 2, 0)]


@rule("BON-9", "EAST-7")
def test_a_green_post_of_the_permanent_marker_pays() -> None:
    points = {"malmoe--visby": ["0t", "0m", "0t"]}
    state = laid("tribute", "stettin--waren", board="east", points=points, supply={0: (1, 0)})
    play(state, do="create", route="malmoe--visby", reward=None)
    play(state, do="green-post", city="waren", tradesman="trader")
    assert (asked(state), about(state)["created"]) == (("tribute", 0), None)
    play(state, do="tribute", traders=2, merchants=0)
    assert (asked(state), tributes(state)) == (("turn", 0), [(0, 2, 0)])


@rule("BON-9", "TWO-3")
def test_a_post_of_the_neutral_pays() -> None:
    points = {HERE: ["nt", None], THERE: ["nt", None]}
    state = laid("tribute", HERE, board="hanse-2-3", players=2, points=points, also=["move-3"])
    play(state, do="use", marker="move-3")
    play(state, do="lift", route=THERE)
    play(state, do="stop")
    play(state, do="put", route=HERE)
    play(state, do="neutral-post", city="duisburg")
    assert tributes(state) == [(0, 2, 0)]


@rule("BON-9", "BON-4")
def test_an_exchange_establishes_nothing_and_pays_nothing() -> None:
    posts = {"dortmund": ["0m", "1t"]}
    state = laid("tribute", HERE, posts=posts, also=["exchange-posts"])
    play(state, do="use", marker="exchange-posts", city="dortmund")
    assert tributes(state) == []


MIXES = [
    # stock, and the ways to take two of it
    ((5, 1), [(2, 0), (1, 1)]),
    ((2, 2), [(2, 0), (1, 1), (0, 2)]),
    ((1, 3), [(1, 1), (0, 2)]),
]


@rule("BON-9")
@together(("stock", "mixes"), MIXES)
def test_the_owner_of_a_tribute_chooses_which_tradesmen_to_take(
    stock: tuple[int, int], mixes: list[tuple[int, int]]
) -> None:
    for traders, merchants in mixes:
        state = laid(
            "tribute", HERE, points={HERE: ["1t", "1t"]}, stock={0: stock}, supply={1: (0, 0)}
        )
        others_turn(state)
        play(state, do="create", reward={"post": "duisburg"})
        assert asked(state) == ("tribute", 0)
        assert about(state) == {"city": "duisburg", "left": 1, "created": HERE}
        found = offers(state, do="tribute")
        assert [(one["traders"], one["merchants"]) for one in found] == mixes
        play(state, do="tribute", traders=traders, merchants=merchants)
        assert tributes(state) == [(0, traders, merchants)]
        assert amounts(state, "supply", 0) == (traders, merchants)
        assert amounts(state, "stock", 0) == (stock[0] - traders, stock[1] - merchants)
        assert asked(state) == ("turn", 1)


@rule("BON-9")
@together(
    ("stock", "paid"), [((5, 0), (2, 0)), ((0, 3), (0, 2)), ((1, 0), (1, 0)), ((0, 1), (0, 1))]
)
def test_one_kind_or_fewer_than_two_are_taken_without_a_choice(
    stock: tuple[int, int], paid: tuple[int, int]
) -> None:
    state = laid("tribute", HERE, points={HERE: ["1t", "1t"]}, stock={0: stock}, supply={1: (0, 0)})
    others_turn(state)
    play(state, do="create", reward={"post": "duisburg"})
    assert (asked(state), tributes(state)) == (("turn", 1), [(0, *paid)])


@rule("BON-9")
def test_two_tributes_are_taken_one_after_the_other() -> None:
    points, stock = {HERE: ["1t", "1t"]}, {0: (2, 2)}
    state = laid("tribute", HERE, HERE, points=points, stock=stock, supply={1: (0, 0)})
    others_turn(state)
    play(state, do="create", reward={"post": "duisburg"})
    assert about(state)["left"] == 2
    play(state, do="tribute", traders=1, merchants=1)
    assert (asked(state), tributes(state)) == (("turn", 1), [(0, 1, 1), (0, 1, 1)])


@rule("BON-9", "EAST-5")
def test_the_permanent_marker_follows_the_tribute() -> None:
    points = {"malmoe--visby": ["0t", "0m", "0t"]}
    stock, supply = {0: (3, 1)}, {0: (1, 0)}
    state = laid(
        "tribute", "malmoe--visby", board="east", points=points, stock=stock, supply=supply
    )
    play(state, do="create", route="malmoe--visby", reward={"post": "malmoe"})
    assert (asked(state), about(state)["created"]) == (("tribute", 0), "malmoe--visby")
    play(state, do="tribute", traders=1, merchants=1)
    assert asked(state) == ("permanent", 0)
    assert {one["tradesman"] for one in offers(state, do="green-post")} == {"trader", "merchant"}


@rule("BON-9", "TWO-3")
def test_the_neutrals_next_route_waits_for_the_tribute() -> None:
    points = {HERE: ["nt", None], THERE: ["nt", "nt"], "minden--muenster": ["nt", None, None]}
    state = laid(
        "tribute",
        HERE,
        board="hanse-2-3",
        players=2,
        points={**points, THERE: ["nt", None]},
        stock={0: (2, 1)},
        also=["move-3"],
    )
    play(state, do="use", marker="move-3")
    play(state, do="lift", route=THERE)
    play(state, do="stop")
    play(state, do="put", route=HERE)
    play(state, do="neutral-post", city="duisburg")
    assert (asked(state), about(state)["created"]) == (("tribute", 0), None)
    play(state, do="tribute", traders=2, merchants=0)
    assert asked(state) == ("turn", 0)


@rule("BON-9")
def test_an_empty_stock_pays_nothing_and_emits_no_event() -> None:
    state = laid(
        "tribute", HERE, points={HERE: ["1t", "1t"]}, stock={0: (0, 0)}, supply={1: (0, 0)}
    )
    others_turn(state)
    play(state, do="create", reward={"post": "duisburg"})
    assert tributes(state) == []


@rule("BON-9", "CRE-11")
def test_tribute_is_paid_after_the_tradesmen_of_the_route_returned() -> None:
    state = laid("tribute", HERE, points={HERE: ["0t", "0t"]}, stock={0: (0, 0)})
    play(state, do="create", reward={"post": "duisburg"})
    assert tributes(state) == [(0, 1, 0)]
    assert (amounts(state, "supply", 0), amounts(state, "stock", 0)) == ((1, 0), (0, 0))


@rule("BON-9", "EAST-8")
def test_tribute_waits_for_what_a_permanent_marker_holds_back() -> None:
    points, stock = {"danzig--malmoe": ["0t", "0t", "0t", "0m"]}, {0: (0, 0)}
    state = laid("tribute", "danzig--koenigsberg", board="east", points=points, stock=stock)
    play(state, do="create", reward={"post": "danzig"})
    play(state, do="place", route="elbing--kulm", tradesman="trader")
    assert tributes(state) == []
    play(state, do="decline")
    assert [one["event"] for one in events_of(state)][-2:] == ["returned", "tribute"]
    assert tributes(state) == [(0, 1, 1)]


@rule("BON-9")
@together("routes", [(HERE, HERE), (HERE, "arnheim--duisburg")])
def test_two_tributes_work_separately(routes: tuple[str, str]) -> None:
    state = laid(
        "tribute", *routes, points={HERE: ["1t", "1t"]}, stock={0: (3, 0)}, supply={1: (0, 0)}
    )
    others_turn(state)
    play(state, do="create", reward={"post": "duisburg"})
    assert tributes(state) == [(0, 2, 0), (0, 1, 0)]


@rule("BON-9", "END-1")
def test_tribute_is_paid_also_by_the_last_action() -> None:
    state = laid("tribute", HERE, points={HERE: ["0t", "0t"]}, completed=9)
    play(state, do="create", reward={"post": "duisburg"})
    assert asked(state) is None
    assert tributes(state) == [(0, 2, 0)]


# --- Block ---------------------------------------------------------------------------------


def placeable(state: GameState, route: str = HERE) -> set[str]:
    return {one["tradesman"] for one in offers(state, do="place", route=route)}


def paid(state: GameState) -> list[tuple[int, int, int]]:
    found = [one for one in events_of(state, "paid") if one["why"] == "block"]
    return [(one["seat"], one["traders"], one["merchants"]) for one in found]


COSTS = [
    # supply, what is placed, what it can cost with one block
    ((2, 0), "trader", [(1, 0)]),
    ((2, 1), "trader", [(1, 0), (0, 1)]),
    ((1, 1), "trader", [(0, 1)]),
    ((1, 1), "merchant", [(1, 0)]),
    ((1, 2), "merchant", [(1, 0), (0, 1)]),
    ((0, 2), "merchant", [(0, 1)]),
]


@rule("BON-9")
@together(
    ("supply", "tradesman", "cost"),
    [(supply, man, cost) for supply, man, costs in COSTS for cost in costs],
)
def test_who_places_below_a_block_chooses_the_further_tradesman(
    supply: tuple[int, int], tradesman: str, cost: tuple[int, int]
) -> None:
    desk = {1: {"book": 1}}
    state = laid("block", HERE, supply={1: supply}, desk=desk)
    others_turn(state)
    before = amounts(state, "stock", 1)
    play(state, do="place", route=HERE, tradesman=tradesman)
    if asked(state) == ("block", 1):
        assert about(state) == {"left": 1}
        found = [(one["traders"], one["merchants"]) for one in offers(state, do="pay")]
        assert found == [(1, 0), (0, 1)]
        play(state, do="pay", traders=cost[0], merchants=cost[1])
    assert asked(state) == ("turn", 1)
    assert paid(state) == [(1, *cost)]
    assert amounts(state, "stock", 1) == (before[0] + cost[0], before[1] + cost[1])
    assert men_on(state, HERE) == ["1" + tradesman[0], None]


@rule("BON-9")
@together("supply", [(1, 0), (0, 1)])
def test_without_the_further_tradesman_the_placement_is_not_available(
    supply: tuple[int, int],
) -> None:
    state = laid("block", HERE, supply={1: supply})
    others_turn(state)
    assert placeable(state) == set()
    assert len(placeable(state, THERE)) == 1


@rule("BON-9")
def test_the_owner_pays_too() -> None:
    state = laid("block", HERE, supply={0: (2, 0)})
    play(state, do="place", route=HERE)
    assert paid(state) == [(0, 1, 0)]
    assert amounts(state, "supply", 0) == (0, 0)


@rule("BON-9")
def test_placing_below_a_tribute_costs_nothing() -> None:
    state = laid("tribute", HERE, supply={0: (1, 0)})
    play(state, do="place", route=HERE)
    assert events_of(state, "paid") == []


@rule("BON-9")
def test_other_routes_cost_nothing() -> None:
    state = laid("block", HERE, supply={0: (2, 0)})
    play(state, do="place", route=THERE)
    assert paid(state) == []
    assert amounts(state, "supply", 0) == (1, 0)


TWICE = [
    ((3, 0), "trader", [(2, 0)]),
    ((2, 1), "trader", [(1, 1)]),
    ((2, 1), "merchant", [(2, 0)]),
    ((1, 2), "trader", [(0, 2)]),
    ((1, 2), "merchant", [(1, 1)]),
]


@rule("BON-9")
@together(("supply", "tradesman", "costs"), TWICE)
def test_each_block_costs_one(
    supply: tuple[int, int], tradesman: str, costs: list[tuple[int, int]]
) -> None:
    state = laid("block", HERE, HERE, supply={1: supply}, desk={1: {"book": 1}})
    others_turn(state)
    play(state, do="place", route=HERE, tradesman=tradesman)
    ((traders, merchants),) = costs
    game.settle(state)
    if asked(state) == ("block", 1):
        assert about(state)["left"] == 2
        play(state, do="pay", traders=1, merchants=0)
    assert sum(one[1] for one in paid(state)) == traders
    assert sum(one[2] for one in paid(state)) == merchants
    assert amounts(state, "supply", 1) == (0, 0)


@rule("BON-9")
def test_two_tradesmen_cannot_pay_two_blocks_for_one_of_them() -> None:
    state = laid("block", HERE, HERE, supply={1: (1, 1)})
    others_turn(state)
    assert placeable(state) == set()


@rule("BON-9", "DIS-1")
def test_displacing_below_a_block_costs_nothing_extra() -> None:
    state = laid("block", HERE, points={HERE: ["0t", None]}, supply={1: (2, 0)})
    others_turn(state)
    play(state, do="displace", route=HERE)
    assert [one["why"] for one in events_of(state, "paid")] == ["displace"]


@rule("BON-9", "MOV-1")
def test_moving_below_a_block_costs_nothing() -> None:
    state = laid("block", HERE, points={THERE: ["0t", None]}, supply={0: (2, 0)})
    play(state, do="move")
    play(state, do="lift", route=THERE)
    game.settle(state)
    play(state, do="put", route=HERE)
    assert events_of(state, "paid") == []


@rule("BON-9", "DIS-2")
def test_a_displaced_tradesman_below_a_block_costs_nothing() -> None:
    state = laid(
        "block", HERE, points={"arnheim--duisburg": ["1t", None, None]}, supply={0: (2, 0)}
    )
    play(state, do="displace", route="arnheim--duisburg")
    play(state, do="relocate", from_="displaced", route=HERE)
    assert [one["why"] for one in events_of(state, "paid")] == ["displace"]


@rule("BON-9", "CRE-1")
def test_creating_below_a_block_costs_nothing() -> None:
    state = laid("block", HERE, points={HERE: ["0t", "0t"]})
    play(state, do="create", route=HERE, reward=None)
    assert events_of(state, "paid") == []


@rule("BON-9", "EAST-8")
def test_placing_by_a_permanent_marker_below_a_block_costs_nothing() -> None:
    points = {"danzig--malmoe": ["0t", "0t", "0t", "0m"]}
    state = laid("block", "krakau--thorn", board="east", points=points, supply={0: (2, 0)})
    play(state, do="create", route="danzig--malmoe", reward=None)
    play(state, do="place", route="krakau--thorn", tradesman="trader")
    assert events_of(state, "paid") == []

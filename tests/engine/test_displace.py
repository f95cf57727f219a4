"""Displace: what it costs, what it gives, and who decides next (DIS-1, DIS-2)."""

from typing import Any

from referee.engine import game
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import about, amounts, asked, events_of, men_on, offers, play, seen, table

HERE = "dortmund--paderborn"
SEA = "stralsund--wismar"  # ship, ship, house
BOOKS = {seat: {"book": 3} for seat in range(4)}  # all merchants are off the desk
EDITIONS = ["bigbox", "original"]


def facing(man: str, supply: tuple[int, int], **more: Any) -> GameState:
    """Seat 0 with this supply, and a tradesman of another seat between Dortmund and Paderborn."""
    given: dict[str, Any] = {
        "points": {HERE: [None, man, None]},
        "supply": {0: supply, 1: (3, 1)},
    } | more
    return table(desk=BOOKS, **given)


def bargains(state: GameState) -> set[tuple[str, int, int]]:
    """What is placed, and how many traders and merchants it costs."""
    found = offers(state, do="displace", route=HERE, point=1)
    return {(one["tradesman"], one["pay"]["traders"], one["pay"]["merchants"]) for one in found}


def displace(state: GameState, tradesman: str = "trader", **pay: int) -> None:
    play(state, do="displace", route=HERE, point=1, tradesman=tradesman, pay=pay)


# --- The cost ------------------------------------------------------------------------------


@rule("DIS-1")
@together("edition", EDITIONS)
def test_displacing_a_trader_costs_one_more_tradesman(edition: str) -> None:
    state = facing("1t", (2, 0), edition=edition)
    displace(state, traders=1, merchants=0)
    assert men_on(state, HERE) == [None, "0t", None]
    assert amounts(state, "supply", 0) == (0, 0)


@rule("DIS-1")
@together("edition", EDITIONS)
def test_displacing_a_merchant_costs_two_more_tradesmen(edition: str) -> None:
    state = facing("1m", (3, 0), edition=edition)
    displace(state, traders=2, merchants=0)
    assert men_on(state, HERE) == [None, "0t", None]
    assert amounts(state, "supply", 0) == (0, 0)


@rule("DIS-1")
def test_the_cost_goes_to_the_own_stock() -> None:
    state = facing("1m", (2, 1), stock={0: (4, 2)})
    displace(state, traders=1, merchants=1)
    assert amounts(state, "stock", 0) == (5, 3)


@rule("DIS-1")
@together(
    ("supply", "expected"),
    [
        ((2, 0), {("trader", 1, 0)}),
        ((1, 1), {("trader", 0, 1), ("merchant", 1, 0)}),
        ((0, 2), {("merchant", 0, 1)}),
        ((2, 1), {("trader", 1, 0), ("trader", 0, 1), ("merchant", 1, 0)}),
        (
            (3, 3),
            {("trader", 1, 0), ("trader", 0, 1), ("merchant", 1, 0), ("merchant", 0, 1)},
        ),
    ],
)
def test_the_kinds_paid_for_a_trader_are_the_active_players_choice(
    supply: tuple[int, int], expected: set[tuple[str, int, int]]
) -> None:
    assert bargains(facing("1t", supply)) == expected


@rule("DIS-1")
@together(
    ("supply", "expected"),
    [
        ((3, 0), {("trader", 2, 0)}),
        ((2, 1), {("trader", 1, 1), ("merchant", 2, 0)}),
        ((1, 2), {("trader", 0, 2), ("merchant", 1, 1)}),
        ((0, 3), {("merchant", 0, 2)}),
        (
            (3, 3),
            {
                *[("trader", t, 2 - t) for t in range(3)],
                *[("merchant", t, 2 - t) for t in range(3)],
            },
        ),
    ],
)
def test_the_kinds_paid_for_a_merchant_are_the_active_players_choice(
    supply: tuple[int, int], expected: set[tuple[str, int, int]]
) -> None:
    assert bargains(facing("1m", supply)) == expected


@rule("DIS-1")
@together(
    ("man", "supply"),
    [
        ("1t", (0, 0)),
        ("1t", (1, 0)),
        ("1t", (0, 1)),
        ("1m", (2, 0)),
        ("1m", (1, 1)),
        ("1m", (0, 2)),
    ],
)
def test_without_enough_tradesmen_there_is_no_displacing(man: str, supply: tuple[int, int]) -> None:
    assert offers(facing(man, supply, stock={0: (5, 1)}), do="displace") == []


@rule("DIS-1")
def test_without_an_action_there_is_no_displacing() -> None:
    assert offers(facing("1t", (5, 1), actions=0), do="displace") == []


# --- Who is displaced, and by whom ---------------------------------------------------------


@rule("DIS-1")
@together("man", ["0t", "0m"])
def test_an_own_tradesman_is_not_displaced(man: str) -> None:
    assert offers(facing(man, (5, 1)), do="displace") == []


@rule("DIS-1")
@together("man", ["1t", "2t", "3m"])
def test_any_opponent_is_displaced(man: str) -> None:
    state = facing(man, (5, 1))
    assert bargains(state) != set()


@rule("DIS-1")
def test_a_free_point_has_nobody_to_displace() -> None:
    assert {one["point"] for one in offers(facing("1t", (5, 1)), do="displace")} == {1}


@rule("DIS-1")
def test_a_trading_post_is_not_displaced() -> None:
    state = table(posts={"dortmund": ["1t"], "paderborn": ["1t"]})
    assert offers(state, do="displace") == []


@rule("DIS-1")
def test_alike_tradesmen_on_a_route_are_one_choice_with_the_lowest_point() -> None:
    points = {"bremen--hamburg": ["0t", "1t", "1t", "2t"]}
    state = table(points=points, supply={0: (2, 0)})
    assert [one["point"] for one in offers(state, do="displace")] == [1, 3]


@rule("DIS-1")
def test_a_trader_and_a_merchant_of_one_colour_are_two_choices() -> None:
    state = table(points={HERE: ["1t", "1m", "1t"]}, supply={0: (3, 0)}, desk=BOOKS)
    assert [one["point"] for one in offers(state, do="displace")] == [0, 1]


@rule("DIS-1")
def test_only_a_merchant_displaces_on_a_ship() -> None:
    state = table(
        "east", players=4, points={SEA: [None, "1m", None]}, supply={0: (5, 1)}, desk=BOOKS
    )
    found = offers(state, do="displace", route=SEA)
    assert {(one["tradesman"], one["point"]) for one in found} == {("merchant", 1)}


@rule("DIS-1")
def test_without_a_merchant_nobody_is_displaced_from_a_ship() -> None:
    state = table(
        "east", players=4, points={SEA: ["1m", "1m", None]}, supply={0: (9, 0)}, desk=BOOKS
    )
    assert offers(state, do="displace") == []


@rule("DIS-1")
def test_the_merchant_that_goes_on_the_ship_does_not_pay_too() -> None:
    state = table(
        "east", players=4, points={SEA: ["1m", None, None]}, supply={0: (2, 1)}, desk=BOOKS
    )
    assert [one["pay"] for one in offers(state, do="displace")] == [{"traders": 2, "merchants": 0}]


@rule("DIS-1")
def test_the_house_of_a_sea_route_takes_a_trader() -> None:
    state = table("east", players=4, points={SEA: [None, None, "1t"]}, supply={0: (2, 0)})
    assert [one["tradesman"] for one in offers(state, do="displace")] == ["trader"]


# --- The events ---------------------------------------------------------------------------


@rule("DIS-1")
def test_displacing_emits_the_action_the_displacement_and_its_cost() -> None:
    state = facing("1m", (3, 1), actions=2)
    displace(state, "merchant", traders=2, merchants=0)
    what = {"route": HERE, "point": 1, "tradesman": "merchant", "with": "merchant"}
    assert events_of(state)[0] == {"event": "action", "seat": 0, "do": "displace", "left": 1}
    assert events_of(state, "displaced") == [{"event": "displaced", "seat": 1, "by": 0, **what}]
    price = {"traders": 2, "merchants": 0, "why": "displace"}
    assert events_of(state, "paid") == [{"event": "paid", "seat": 0, **price}]
    assert len(events_of(state)) == 3


@rule("DIS-1")
def test_the_displaced_event_names_both_kinds_of_tradesman() -> None:
    state = facing("2t", (1, 1))
    displace(state, "merchant", traders=1, merchants=0)
    (event,) = events_of(state, "displaced")
    assert (event["seat"], event["tradesman"], event["with"]) == (2, "trader", "merchant")


# --- The displaced player decides ----------------------------------------------------------


@rule("DIS-2")
@together(("man", "seat"), [("1t", 1), ("2t", 2), ("3m", 3)])
def test_the_displaced_player_is_asked_at_once(man: str, seat: int) -> None:
    state = facing(man, (5, 0))
    displace(state, traders=2 if man[1] == "m" else 1, merchants=0)
    assert asked(state) == ("relocate", seat)
    assert seen(state)["active"] == 0


@rule("DIS-2")
@together(("man", "extras"), [("1t", 1), ("1m", 2)])
def test_a_trader_brings_one_extra_and_a_merchant_two(man: str, extras: int) -> None:
    state = facing(man, (5, 0))
    displace(state, traders=extras, merchants=0)
    assert about(state) == {
        "route": HERE,
        "point": 1,
        "by": 0,
        "owner": 1,
        "extras": extras,
        "placed": [],
    }


@rule("DIS-2")
@together("man", ["1t", "1m"])
def test_the_displaced_tradesman_is_in_hand_until_it_is_placed(man: str) -> None:
    state = facing(man, (5, 0))
    displace(state, traders=2 if man == "1m" else 1, merchants=0)
    assert seen(state)["in_hand"] == [man]
    play(state, do="relocate", from_="displaced", route="paderborn--warburg")
    assert seen(state)["in_hand"] == []
    assert men_on(state, "paderborn--warburg") == [man, None, None]


@rule("DIS-2")
def test_the_displaced_tradesman_must_be_placed() -> None:
    state = facing("1m", (3, 0))
    displace(state, traders=2, merchants=0)
    assert offers(state, do="decline") == []
    play(state, do="relocate", from_="stock", tradesman="trader", route="paderborn--warburg")
    assert offers(state, do="decline") == []


@rule("DIS-2")
def test_an_extra_may_be_declined_once_the_displaced_is_placed() -> None:
    state = facing("1t", (2, 0))
    displace(state, traders=1, merchants=0)
    play(state, do="relocate", from_="displaced", route="paderborn--warburg")
    play(state, do="decline")
    assert asked(state) == ("turn", 0)
    assert sum(men_on(state, route).count("1t") for route in seen(state)["routes"]) == 1


@rule("DIS-2")
@together(
    "order",
    [
        ("displaced", "stock", "stock"),
        ("stock", "displaced", "stock"),
        ("stock", "stock", "displaced"),
    ],
)
def test_the_displaced_tradesman_and_the_extras_come_in_any_order(order: tuple[str, ...]) -> None:
    state = facing("1m", (3, 0))
    displace(state, traders=2, merchants=0)
    for place in order:
        kind = "merchant" if place == "displaced" else "trader"
        play(state, do="relocate", from_=place, tradesman=kind, route="paderborn--warburg")
    assert asked(state) == ("turn", 0)
    men = ["1m" if place == "displaced" else "1t" for place in order]
    assert men_on(state, "paderborn--warburg") == men


@rule("DIS-2")
def test_each_request_contains_what_is_placed_and_what_is_left() -> None:
    state = facing("1m", (3, 0))
    displace(state, traders=2, merchants=0)
    play(state, do="relocate", from_="stock", tradesman="trader", route="minden--paderborn")
    assert (about(state)["extras"], about(state)["placed"]) == (
        1,
        [{"route": "minden--paderborn", "point": 0}],
    )
    play(state, do="relocate", from_="displaced", route="paderborn--warburg")
    assert about(state)["extras"] == 1
    assert len(about(state)["placed"]) == 2


@rule("DIS-2")
def test_extras_placed_before_the_displaced_tradesman_are_limited() -> None:
    state = facing("1t", (2, 0))
    displace(state, traders=1, merchants=0)
    play(state, do="relocate", from_="stock", tradesman="trader", route="minden--paderborn")
    assert {choice["from"] for choice in offers(state)} == {"displaced"}


@rule("DIS-2")
def test_relocating_emits_an_event() -> None:
    state = facing("1t", (2, 0))
    displace(state, traders=1, merchants=0)
    play(state, do="relocate", from_="displaced", route="minden--paderborn")
    play(state, do="relocate", from_="stock", tradesman="trader", route="paderborn--warburg")
    one = {"event": "relocated", "seat": 1, "tradesman": "trader"}
    assert events_of(state)[-2:] == [
        {**one, "from": "displaced", "route": "minden--paderborn", "point": 0},
        {**one, "from": "stock", "route": "paderborn--warburg", "point": 0},
    ]


@rule("DIS-2")
def test_declining_emits_no_event() -> None:
    state = facing("1t", (2, 0))
    displace(state, traders=1, merchants=0)
    play(state, do="relocate", from_="displaced", route="minden--paderborn")
    before = events_of(state)
    play(state, do="decline")
    assert events_of(state) == before


@rule("DIS-1", "DIS-2", "DIS-4")
@together("board", ["hanse-4-5", "hanse-2-3"])
@together("edition", EDITIONS)
def test_red_displaces_blue_between_dortmund_and_paderborn(board: str, edition: str) -> None:
    """The example of the rulebook: red is seat 0, blue seat 1."""
    points = {HERE: ["0t", "1t", None]}
    state = table(board, points=points, stock={0: (6, 0), 1: (5, 0)}, edition=edition)
    displace(state, traders=1, merchants=0)
    routes = {choice["route"] for choice in offers(state)}
    beside_dortmund, beside_paderborn = (
        {"dortmund--duisburg"},
        {
            "hildesheim--paderborn",
            "minden--paderborn",
            "paderborn--warburg",
        },
    )
    assert routes == beside_dortmund | beside_paderborn
    play(state, do="relocate", from_="displaced", route="dortmund--duisburg")
    play(state, do="relocate", from_="stock", route="minden--paderborn")
    assert men_on(state, HERE) == ["0t", "0t", None]
    assert men_on(state, "dortmund--duisburg") == ["1t", None]
    assert men_on(state, "minden--paderborn") == ["1t", None, None]
    assert (amounts(state, "supply", 0), amounts(state, "stock", 0)) == ((3, 1), (7, 0))
    assert (amounts(state, "supply", 1), amounts(state, "stock", 1)) == ((6, 1), (4, 0))


@rule("DIS-2")
def test_a_displacement_by_the_last_action_ends_before_the_turn_does() -> None:
    state = facing("1t", (2, 0), actions=1)
    displace(state, traders=1, merchants=0)
    assert asked(state) == ("relocate", 1)
    play(state, do="relocate", from_="displaced", route="minden--paderborn")
    play(state, do="decline")
    game.settle(state)
    assert asked(state) == ("turn", 1)
    assert events_of(state)[-1]["event"] == "turn"

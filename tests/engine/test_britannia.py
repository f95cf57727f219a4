"""The Britannia boards: borders and markers (BRI-1, BRI-3 to BRI-6)."""

from typing import Any

import pytest

from referee.engine import game
from referee.engine.state import GameState
from support.britannia_tables import BOARDS, LARGE, SMALL, britannia
from support.countries import ABROAD, SCOTLAND, WALES
from support.groups import together
from support.rule_marker import rule
from support.table import (
    about,
    asked,
    events_of,
    men_on,
    offered_routes,
    offers,
    play,
    seen,
    table,
    totals,
)

PERMANENT = {
    SMALL: {"calais--canterbury", "calais--southampton", "carlisle--isle-of-man"},
    LARGE: {"calais--canterbury", "calais--southampton"},
}
TAVERNS = {"coventry--nottingham", "lancaster--richmond", "salisbury--southampton"}
ONE_TRADER = {"traders": 1, "merchants": 0}


def england(board: str) -> set[str]:
    return set(seen(table(board))["routes"]) - ABROAD[board]


# -- BRI-1: the boards' own numbers


@BOARDS
@rule("BRI-1", "CRE-8")
def test_the_chain_runs_from_oxford_to_york(board: str) -> None:
    state = britannia(
        board,
        points={"durham--york": ["0t", "0t", "0t"]},
        posts={"oxford": ["0m"], "cardiff": ["0t"], "coventry": ["0t"], "nottingham": ["0t"]},
    )
    play(state, do="create", reward={"post": "york"})
    won = {"event": "prestige", "seat": 0, "points": 7, "why": "east-west", "city": "york"}
    assert events_of(state, "prestige") == [won]


@BOARDS
@rule("BRI-1", "CRE-10")
def test_special_prestige_is_won_on_the_way_to_plymouth(board: str) -> None:
    state = britannia(board, points={"plymouth--salisbury": ["0m", "0t", "0t", "0t"]})
    play(state, do="create", reward={"special": 7})
    assert seen(state)["special_prestige"][0] == 0


@BOARDS
@rule("BRI-1", "CRE-10")
def test_no_other_route_gives_special_prestige(board: str) -> None:
    points = {"oxford--salisbury": ["0m", "0t", "0t", "0t"]}
    state = britannia(board, points=points, desk={0: {"privilege": 3}})
    given = [one["reward"] for one in offers(state, do="create")]
    assert {"post": "oxford"} in given
    assert not [reward for reward in given if reward and "special" in reward]


@BOARDS
@pytest.mark.parametrize(("completed", "over"), [(6, False), (7, True)])
@rule("BRI-1", "END-1")
def test_the_eighth_completed_city_ends_the_game(board: str, completed: int, over: bool) -> None:
    state = britannia(board, completed=completed, points={"carlisle--richmond": ["0t", "0t", "0t"]})
    play(state, do="create", reward={"post": "richmond"})
    assert (asked(state) is None) == over
    assert [one["reason"] for one in events_of(state, "game-over")] == (["cities"] if over else [])


@rule("BRI-1")
def test_scotland_is_on_the_large_board_only() -> None:
    small, large = britannia(SMALL), britannia(LARGE)
    assert set(totals(small, 0)["countries"]) == {"Wales"}
    assert set(totals(large, 0)["countries"]) == {"Wales", "Scotland"}


@rule("BRI-1", "BRI-8")
def test_the_isle_of_man_counts_for_wales_and_for_scotland() -> None:
    state = britannia(LARGE, posts={"isle-of-man": ["0m"]})
    assert totals(state, 0)["countries"] == {"Wales": 7, "Scotland": 7}


@rule("BRI-1", "BRI-8")
def test_on_the_small_board_the_isle_of_man_is_in_wales() -> None:
    state = britannia(SMALL, posts={"isle-of-man": ["0t"]})
    assert totals(state, 0)["countries"] == {"Wales": 7}


@together(
    ("board", "city", "expected"),
    [
        (SMALL, "carlisle", {"Wales": 0}),
        (SMALL, "newcastle", {"Wales": 0}),
        (SMALL, "london", {"Wales": 0}),
        (LARGE, "london", {"Wales": 0, "Scotland": 0}),
        (LARGE, "durham", {"Wales": 0, "Scotland": 0}),
        *((LARGE, city, {"Wales": 7, "Scotland": 0}) for city in ("cardiff", "chester", "conway")),
        *((LARGE, city, {"Wales": 7, "Scotland": 0}) for city in ("montgomery", "pembroke")),
        *((LARGE, city, {"Wales": 0, "Scotland": 7}) for city in ("carlisle", "dunbar")),
        *((LARGE, city, {"Wales": 0, "Scotland": 7}) for city in ("edinburgh", "falkirk")),
        *((LARGE, city, {"Wales": 0, "Scotland": 7}) for city in ("glasgow", "newcastle")),
    ],
)
@rule("BRI-1", "BRI-8")
def test_each_city_is_in_its_country(board: str, city: str, expected: dict[str, int]) -> None:
    assert totals(britannia(board, posts={city: ["0t"]}), 0)["countries"] == expected


# -- BRI-3: where the displaced go


def displaced(board: str, route: str, men: list[str | None], **wanted: Any) -> GameState:
    """Seat 0 has just displaced a tradesman of seat 1; it holds every permit."""
    posts = {"london": ["0t"], "cardiff": ["0t"], "carlisle": ["0t"]}
    points = {route: men, **wanted.pop("points", {})}
    supply = {0: (3, 1), 1: (0, 0), **wanted.pop("supply", {})}
    state = table(board, posts=posts, points=points, supply=supply, **wanted)
    [index] = [number for number, man in enumerate(men) if man]
    kind = "trader" if men[index] == "1t" and route != "conway--isle-of-man" else "merchant"
    play(state, do="displace", route=route, tradesman=kind, pay=ONE_TRADER)
    return state


@together("board", [SMALL, LARGE])
@rule("BRI-3")
def test_from_england_the_displaced_go_to_england_only(board: str) -> None:
    state = displaced(board, "cardiff--coventry", ["1t", None, None])
    near = {"cardiff--oxford", "cambridge--coventry", "coventry--hereford", "coventry--nottingham"}
    assert offered_routes(state, from_="displaced") == near


@together("kind", ["trader", "merchant"])
@rule("BRI-3")
def test_extras_of_a_displacement_in_england_stay_in_england_too(kind: str) -> None:
    state = displaced(SMALL, "cardiff--coventry", ["1t", None, None])
    near = {"cardiff--oxford", "cambridge--coventry", "coventry--hereford", "coventry--nottingham"}
    assert offered_routes(state, from_="stock", tradesman=kind) == near


@rule("BRI-3")
def test_from_wales_the_displaced_go_to_wales_or_england() -> None:
    state = displaced(LARGE, "chester--conway", ["1t", None, None])
    expected = {
        "chester--hereford",
        "carlisle--chester",
        "conway--isle-of-man",
        "conway--montgomery",
    }
    assert offered_routes(state, from_="displaced") == expected
    play(state, from_="displaced", route="conway--montgomery")
    assert offered_routes(state, from_="stock", tradesman="trader") == expected


@rule("BRI-3")
def test_from_wales_the_displaced_do_not_go_to_scotland() -> None:
    state = displaced(LARGE, "conway--isle-of-man", [None, None, "1t"])
    assert offered_routes(state) == {"chester--conway", "conway--montgomery"}


@rule("BRI-3")
def test_the_displaced_of_scotland_go_to_scotland_or_england_not_wales() -> None:
    state = displaced(LARGE, "carlisle--isle-of-man", ["1t", None, None])
    english = {"carlisle--chester", "carlisle--durham", "carlisle--richmond"}
    assert offered_routes(state) == {"carlisle--falkirk"} | english


@rule("BRI-3", "DIS-4")
def test_a_free_point_next_door_across_the_border_does_not_stop_the_search() -> None:
    state = displaced(
        SMALL,
        "cardiff--coventry",
        ["1t", None, None],
        points={
            "cardiff--oxford": ["1t", "1t", "1t", "1t"],
            "cambridge--coventry": ["2t", "2t", "2t"],
            "coventry--hereford": ["2t", "2t", "2t"],
            "coventry--nottingham": ["2t", "2t", "0t"],
        },
        supply={2: (0, 0)},
    )
    assert offered_routes(state, from_="displaced") == {
        *("london--oxford", "oxford--salisbury", "cambridge--ipswich", "cambridge--london"),
        *("cambridge--norwich", "chester--hereford", "hereford--lancaster"),
        *("norwich--nottingham", "nottingham--york"),
    }


@rule("BRI-3", "DIS-4")
def test_distances_are_counted_over_routes_where_the_tradesman_may_stand() -> None:
    """From Chester-Hereford, Carlisle is three routes away through England, and nearer through Wales."""
    state = displaced(
        SMALL,
        "chester--hereford",
        ["1t", None, None, None],
        points={
            "coventry--hereford": ["1t", "1t", "1t"],
            "hereford--lancaster": ["1t", "1t"],
            "cambridge--coventry": ["1t", "1t", "1t"],
            "cardiff--coventry": ["2t", "2t", "2t"],
            "coventry--nottingham": ["2t", "2t", "2t"],
            "durham--lancaster": ["2t", "2t", "2t"],
            "lancaster--richmond": ["0t", "0t"],
        },
        supply={2: (0, 0)},
    )
    found = offered_routes(state, from_="displaced")
    assert "carlisle--richmond" in found
    assert "carlisle--isle-of-man" not in found
    assert not found & WALES


@rule("BRI-3", "DIS-3")
def test_an_extra_from_a_point_in_england_may_follow_into_wales() -> None:
    state = displaced(
        SMALL,
        "chester--conway",
        ["1t", None, None],
        points={"durham--york": ["1t", None, None]},
        stock={1: (0, 0)},
    )
    play(state, from_="displaced", route="chester--hereford")
    assert offered_routes(state, from_="point") == {
        "chester--hereford",
        "conway--isle-of-man",
        "conway--montgomery",
    }


# -- BRI-4: Move


def moving(route: str, board: str = LARGE, **wanted: Any) -> GameState:
    """Seat 0 has lifted its only tradesman, a merchant."""
    size = len(seen(table(board))["routes"][route]["points"])
    state = britannia(board, points={route: ["0m"] + [None] * (size - 1)}, **wanted)
    play(state, do="move")
    play(state, do="lift")
    game.settle(state)
    assert asked(state) == ("put", 0)
    return state


@together(
    ("board", "route", "abroad"),
    [
        (SMALL, "durham--york", set()),
        (SMALL, "carlisle--isle-of-man", set()),
        (SMALL, "chester--conway", WALES),
        (LARGE, "durham--york", set()),
        (LARGE, "carlisle--chester", set()),
        (LARGE, "chester--conway", WALES),
        (LARGE, "conway--isle-of-man", WALES),
        (LARGE, "carlisle--isle-of-man", SCOTLAND),
        (LARGE, "dunbar--newcastle", SCOTLAND),
    ],
)
@rule("BRI-4")
def test_a_move_goes_to_england_or_stays_in_its_country(
    board: str, route: str, abroad: set[str]
) -> None:
    assert offered_routes(moving(route, board), do="put") == england(board) | abroad


@rule("BRI-4")
def test_a_permit_of_a_city_does_not_open_a_border_to_a_move() -> None:
    state = moving("durham--york", posts={"london": ["0t"], "cardiff": ["0t"], "carlisle": ["0t"]})
    assert offered_routes(state, do="put") == england(LARGE)


@rule("BRI-4")
def test_each_moved_tradesman_is_bound_by_where_it_was_lifted() -> None:
    points = {"chester--conway": ["0t", None, None], "durham--york": ["0t", None, None]}
    state = britannia(points=points)
    play(state, do="move")
    play(state, do="lift", route="chester--conway")
    play(state, do="lift", route="durham--york")
    game.settle(state)
    assert offered_routes(state, do="put") == england(LARGE) | WALES
    play(state, do="put", route="durham--york")
    assert offered_routes(state, do="put") == england(LARGE)


@rule("BRI-4", "MOV-2")
def test_a_put_that_would_strand_a_tradesman_of_england_is_not_offered() -> None:
    crowd: dict[str, list[str | None]] = {"chester--conway": ["0t", None, None]}
    for number, route in enumerate(sorted(england(SMALL))):
        size = len(seen(table(SMALL))["routes"][route]["points"])
        crowd[route] = [f"{number % 2}t", *["nt"] * (size - 1)]
    developed = {"keys": 4, "actions": 5, "privilege": 3, "bank": 3}
    state = table(SMALL, players=2, points=crowd, desk={0: developed, 1: developed})
    play(state, do="move")
    play(state, do="lift", route="chester--conway")
    play(state, do="lift", route="bristol--salisbury")
    assert offered_routes(state, do="put") == WALES


# -- BRI-5: markers that move


@together(
    ("board", "route", "expected"),
    [
        (SMALL, "durham--york", england(SMALL)),
        (SMALL, "chester--conway", WALES),
        (LARGE, "durham--york", england(LARGE)),
        (LARGE, "chester--conway", WALES),
        (LARGE, "dunbar--newcastle", SCOTLAND),
    ],
)
@rule("BRI-5", "BON-7")
def test_move_three_keeps_each_tradesman_in_its_country(
    board: str, route: str, expected: set[str]
) -> None:
    state = britannia(board, points={route: ["1t", None, None]}, markers={0: ["move-3"]})
    play(state, do="use", marker="move-3")
    play(state, do="lift")
    game.settle(state)
    assert offered_routes(state, do="put") == expected


@rule("BRI-5")
def test_tradesmen_of_one_country_can_change_places_by_move_three() -> None:
    points = {"carlisle--falkirk": ["1t", "2t"], "falkirk--glasgow": ["2t", "3t"]}
    state = britannia(points=points, markers={0: ["move-3"]})
    play(state, do="use", marker="move-3")
    play(state, do="lift", route="carlisle--falkirk", point=0)
    play(state, do="lift", route="falkirk--glasgow", point=1)
    play(state, do="stop")
    play(state, do="put", route="falkirk--glasgow")
    play(state, do="put", route="carlisle--falkirk")
    assert men_on(state, "carlisle--falkirk") == ["3t", "2t"]


@rule("BRI-5")
def test_in_the_first_edition_too_the_marker_moves_within_a_country() -> None:
    points = {"chester--conway": ["1t", None, None]}
    state = britannia(SMALL, edition="original", points=points, markers={0: ["move-3"]})
    play(state, do="use", marker="move-3")
    play(state, do="lift")
    game.settle(state)
    assert offered_routes(state, do="put") == WALES


@together("owner", ["0t", "1t"])
@together(
    ("board", "route", "expected"),
    [
        (SMALL, "durham--york", england(SMALL)),
        (SMALL, "chester--conway", WALES),
        (LARGE, "dunbar--newcastle", SCOTLAND),
    ],
)
@rule("BRI-5", "EAST-6")
def test_move_any_two_keeps_each_tradesman_in_its_country(
    board: str, route: str, expected: set[str], owner: str
) -> None:
    points = {"calais--canterbury": ["0t", "0m", "0t"], route: [owner, None, None]}
    state = britannia(board, points=points)
    play(state, do="create", route="calais--canterbury", reward=None)
    play(state, do="lift")
    game.settle(state)
    assert offered_routes(state, do="put") == expected


@rule("BRI-7", "BRI-5")
def test_on_the_small_board_carlisle_to_isle_of_man_moves_any_two() -> None:
    points = {"carlisle--isle-of-man": ["0t", "0m", "0m"], "durham--york": ["1t", None, None]}
    state = britannia(SMALL, points=points, desk={0: {"book": 1}})
    play(state, do="create", route="carlisle--isle-of-man", reward=None)
    assert (asked(state), about(state)["why"]) == (("lift", 0), "move-2-any")


@rule("BRI-7")
def test_on_the_large_board_carlisle_and_the_isle_of_man_have_no_marker() -> None:
    points = {"carlisle--isle-of-man": ["0t", "0m", "0m"], "durham--york": ["1t", None, None]}
    state = britannia(LARGE, points=points, desk={0: {"book": 1}})
    play(state, do="create", route="carlisle--isle-of-man", reward=None)
    assert asked(state) == ("turn", 0)


# -- BRI-6: bonus markers


@BOARDS
@rule("BRI-6", "BON-2")
def test_bonus_markers_go_to_english_routes_without_a_permanent_one(board: str) -> None:
    state = britannia(board, plates={0: ["move-3"]})
    play(state, do="end-turn")
    assert offered_routes(state, do="place-marker") == england(board) - PERMANENT[board] - TAVERNS

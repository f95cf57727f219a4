"""The Eastern board: green cities, maritime routes and their permanent markers (EAST-1 to EAST-8)."""

from typing import Any

import pytest

from referee.engine import game
from referee.engine.state import GameState
from rulings import rule
from table import (
    about,
    amounts,
    asked,
    end_turn,
    men_on,
    offers,
    play,
    player,
    seen,
    table,
    told,
    totals,
)

GREEN = ("belgard", "dresden", "waren")
GREEN_ROUTES = {
    "anklam--belgard": "belgard",
    "belgard--danzig": "belgard",
    "belgard--kulm": "belgard",
    "dresden--halle": "dresden",
    "dresden--krakau": "dresden",
    "havelberg--waren": "waren",
    "stettin--waren": "waren",
    "waren--wismar": "waren",
}
MARITIME = {
    "danzig--malmoe": ["0t", "0t", "0t", "0m"],
    "malmoe--stralsund": ["0m", "0m", "0t"],
    "malmoe--visby": ["0t", "0m", "0t"],
    "stralsund--wismar": ["0m", "0m", "0t"],
}
SHIPS = {
    "danzig--malmoe": [3],
    "malmoe--stralsund": [0, 1],
    "malmoe--visby": [1],
    "stralsund--wismar": [0, 1],
}
BOTH_EDITIONS = pytest.mark.parametrize("edition", ["bigbox", "original"])


def east(route: str | None = None, **wanted: Any) -> GameState:
    """The Eastern board; with a route that seat 0 is ready to create."""
    points = dict(wanted.pop("points", {}))
    if route:
        size = len(seen(table("east"))["routes"][route]["points"])
        points[route] = MARITIME.get(route, ["0t"] * size)
    desk = {0: {"book": 3} | wanted.pop("desk", {})}
    supply = {0: (2, 0)} | wanted.pop("supply", {})
    return table("east", points=points, desk=desk, supply=supply, **wanted)


def at_sea(route: str, reward: dict[str, Any] | None = None, **wanted: Any) -> GameState:
    """Seat 0 has just created a maritime route."""
    state = east(route, **wanted)
    play(state, do="create", route=route, reward=reward)
    return state


def rewards(state: GameState, route: str) -> list[Any]:
    return [choice["reward"] for choice in offers(state, do="create", route=route)]


def kinds(state: GameState) -> list[str]:
    return [one["event"] for one in told(state)]


def marker_goals(state: GameState) -> set[str]:
    """Where seat 0 may place the marker of its plate."""
    play(state, do="end-turn")
    assert asked(state) == ("place-marker", 0)
    return {choice["route"] for choice in offers(state, do="place-marker")}


# -- EAST-1: the board's own numbers


@rule("EAST-1")
def test_the_chain_runs_from_luebeck_to_danzig() -> None:
    chain = {"luebeck": ["0t"], "wismar": ["0t"], "stralsund": ["0t"], "malmoe": ["0m"]}
    state = east("belgard--danzig", posts=chain)
    play(state, do="create", route="belgard--danzig", reward={"post": "danzig"})
    won = {"event": "prestige", "seat": 0, "points": 7, "why": "east-west", "city": "danzig"}
    assert told(state, "prestige") == [won]
    assert seen(state)["east_west"] == [0]


@rule("EAST-1")
def test_posts_in_luebeck_and_danzig_alone_are_no_chain() -> None:
    state = east("belgard--danzig", posts={"luebeck": ["0t"], "wismar": ["0t"], "malmoe": ["0m"]})
    play(state, do="create", route="belgard--danzig", reward={"post": "danzig"})
    assert told(state, "prestige") == []


@rule("EAST-1")
def test_special_prestige_is_won_on_the_way_to_koenigsberg() -> None:
    state = east(points={"danzig--koenigsberg": ["0m", "0t", "0t", "0t"]})
    assert {"special": 7} in rewards(state, "danzig--koenigsberg")
    play(state, do="create", reward={"special": 7})
    assert seen(state)["special_prestige"] == [0, None, None, None]


@rule("EAST-1")
def test_no_other_route_gives_special_prestige() -> None:
    merchants = {"braunsberg--danzig": ["0m", "0t", "0t", "0t"]}
    state = east("danzig--malmoe", points=merchants, desk={"privilege": 3, "book": 3})
    given = [choice["reward"] for choice in offers(state, do="create")]
    assert given
    assert not [reward for reward in given if reward and "special" in reward]


@pytest.mark.parametrize(("completed", "over"), [(8, False), (9, True)])
@rule("EAST-1", "END-1")
def test_the_tenth_completed_city_ends_the_game(completed: int, over: bool) -> None:
    route = "berlin-coelln--brandenburg"
    state = east(route, completed=completed, desk={"privilege": 1})
    play(state, do="create", route=route, reward={"post": "berlin-coelln"})
    reason = [{"event": "game-over", "reason": "cities"}]
    assert (asked(state) is None, told(state, "game-over") == reason) == (over, over)


# -- EAST-2: Waren


@pytest.mark.parametrize("route", ["havelberg--waren", "stettin--waren", "waren--wismar"])
@rule("EAST-2")
def test_waren_offers_actions_or_bank(route: str) -> None:
    developed = [one for one in rewards(east(route), route) if one and "develop" in one]
    assert developed == [{"develop": "actions"}, {"develop": "bank"}]


@rule("EAST-2")
def test_waren_develops_one_of_the_two() -> None:
    state = east("havelberg--waren")
    play(state, do="create", reward={"develop": "bank"})
    assert (player(state, 0)["desk"]["bank"], player(state, 0)["desk"]["actions"]) == (1, 0)


@rule("EAST-2")
def test_when_the_bank_is_full_waren_still_offers_actions() -> None:
    state = east("havelberg--waren", desk={"bank": 3})
    developed = [one for one in rewards(state, "havelberg--waren") if one and "develop" in one]
    assert developed == [{"develop": "actions"}]


# -- EAST-3: green cities


@pytest.mark.parametrize(("route", "city"), GREEN_ROUTES.items())
@rule("EAST-3")
def test_green_cities_take_no_ordinary_posts(route: str, city: str) -> None:
    state = east(route, desk={"privilege": 3})
    found = rewards(state, route)
    assert {"post": city} not in found
    assert not [one for one in found if one and "additional" in one]


@pytest.mark.parametrize(("route", "city"), GREEN_ROUTES.items())
@rule("EAST-3", "BON-3")
def test_an_additional_post_goes_to_an_empty_green_city_next_to_the_route(
    route: str, city: str
) -> None:
    state = east(route, markers={0: ["additional-post"]})
    additional = [one for one in rewards(state, route) if one and "additional" in one]
    assert additional == [{"additional": city, "tradesman": "trader"}]


@rule("EAST-3", "BON-3")
def test_an_additional_post_in_a_green_city_may_be_of_either_kind() -> None:
    state = east(points={"belgard--kulm": ["0t", "0m", "0t"]}, markers={0: ["additional-post"]})
    additional = [one for one in rewards(state, "belgard--kulm") if one and "additional" in one]
    assert sorted(one["tradesman"] for one in additional) == ["merchant", "trader"]


@rule("EAST-3")
def test_a_green_city_further_off_gets_no_additional_post() -> None:
    state = east("anklam--stettin", markers={0: ["additional-post"]}, posts={"anklam": ["1t"]})
    additional = [
        one["additional"]
        for one in rewards(state, "anklam--stettin")
        if one and "additional" in one
    ]
    assert additional == ["anklam"]


@rule("EAST-3")
def test_an_additional_post_stands_left_of_all_others_in_a_green_city() -> None:
    state = east(
        "belgard--kulm",
        markers={0: ["additional-post"]},
        posts={"belgard": ["1t"]},
        additional={"belgard": ["2t"]},
    )
    play(state, do="create", reward={"additional": "belgard", "tradesman": "trader"})
    assert seen(state)["cities"]["belgard"] == {"posts": ["1t"], "additional": ["0t", "2t"]}


@rule("EAST-3", "CRE-7")
def test_the_first_post_completes_a_green_city() -> None:
    state = east("belgard--kulm", markers={0: ["additional-post"]}, completed=3)
    play(state, do="create", reward={"additional": "belgard", "tradesman": "trader"})
    assert kinds(state) == ["action", "created", "marker-used", "post", "city-completed"]
    assert told(state)[-1] == {"event": "city-completed", "city": "belgard", "count": 4}
    assert seen(state)["completed_cities"] == 4


@pytest.mark.parametrize(
    "there", [{"posts": {"belgard": ["1t"]}}, {"additional": {"belgard": ["1t"]}}]
)
@rule("EAST-3")
def test_a_second_post_does_not_complete_a_green_city_again(there: dict[str, Any]) -> None:
    state = east("belgard--kulm", markers={0: ["additional-post"]}, completed=3, **there)
    play(state, do="create", reward={"additional": "belgard", "tradesman": "trader"})
    assert (seen(state)["completed_cities"], told(state, "city-completed")) == (3, [])


@rule("EAST-3", "END-1")
def test_a_green_city_can_be_the_tenth() -> None:
    state = east("belgard--kulm", markers={0: ["additional-post"]}, completed=9)
    play(state, do="create", reward={"additional": "belgard", "tradesman": "trader"})
    assert told(state, "game-over") == [{"event": "game-over", "reason": "cities"}]


@rule("EAST-3", "CRE-2")
def test_a_green_city_gives_its_controller_a_point() -> None:
    state = east("belgard--kulm", additional={"belgard": ["1t"]})
    play(state, do="create", route="belgard--kulm", reward=None)
    won = {"event": "prestige", "seat": 1, "points": 1, "why": "control", "city": "belgard"}
    assert told(state, "prestige") == [won]


@pytest.mark.parametrize(
    ("posts", "additional", "seat"),
    [(["1t", "2t"], [], 2), (["1t"], ["2t"], 1), ([], ["1t", "2t"], 2), (["1t"], ["2t", "2t"], 2)],
)
@rule("EAST-3", "CRE-2")
def test_in_a_green_city_too_most_posts_and_then_the_rightmost_decide(
    posts: list[str], additional: list[str], seat: int
) -> None:
    state = east(posts={"waren": posts}, additional={"waren": additional})
    points = [totals(state, each)["cities"] for each in range(3)]
    assert points == [2 if each == seat else 0 for each in range(3)]


@rule("EAST-3", "SCO-2")
def test_a_green_city_joins_the_network() -> None:
    ends = {"anklam": ["0t"], "kulm": ["0t"]}
    assert totals(east(posts=ends), 0)["network"] == 1
    assert totals(east(posts=ends, additional={"belgard": ["0t", "0t"]}), 0)["network"] == 4
    assert totals(east(posts=ends | {"belgard": ["0t"]}), 0)["network"] == 3


@rule("EAST-3", "CRE-8")
def test_a_green_city_can_be_a_link_of_the_chain() -> None:
    cities = ("luebeck", "wismar", "stettin", "anklam", "danzig")
    state = east(
        "belgard--danzig",
        posts={city: ["0t"] for city in cities} | {"waren": ["0t"]},
        supply={0: (1, 0)},
        markers={0: ["additional-post"]},
    )
    play(state, do="create", reward={"additional": "belgard", "tradesman": "trader"})
    won = {"event": "prestige", "seat": 0, "points": 7, "why": "east-west", "city": "belgard"}
    assert told(state, "prestige")[-1] == won


@rule("EAST-3", "BON-2")
def test_an_empty_green_city_counts_as_an_empty_space_for_a_marker() -> None:
    full = {"krakau": ["1t", "1t", "1t"]}
    assert "dresden--krakau" in marker_goals(east(plates={0: ["move-3"]}, posts=full))


@pytest.mark.parametrize("there", [{"posts": ["1t"]}, {"additional": ["1t"]}])
@rule("EAST-3", "BON-2")
def test_an_occupied_green_city_has_no_space_for_a_marker(there: dict[str, Any]) -> None:
    posts = {"krakau": ["1t", "1t", "1t"], "dresden": there.get("posts", [])}
    additional = {"dresden": there.get("additional", [])}
    goals = marker_goals(east(plates={0: ["move-3"]}, posts=posts, additional=additional))
    assert "dresden--krakau" not in goals
    assert "dresden--halle" in goals


@BOTH_EDITIONS
@rule("EAST-3", "BON-4")
def test_posts_in_green_cities_are_never_exchanged(edition: str) -> None:
    state = east(
        edition=edition,
        markers={0: ["exchange-posts"]},
        posts={"belgard": ["0t", "1t"], "waren": ["1t", "0t"], "thorn": ["0t", "1t"]},
        additional={"dresden": ["0t", "1t"]},
    )
    exchanges = [(one["city"], one["spaces"]) for one in offers(state, marker="exchange-posts")]
    assert exchanges == [("thorn", [0, 1])]


# -- EAST-4: maritime routes


@rule("EAST-4")
def test_the_maritime_routes_have_the_boards_only_ships() -> None:
    state = east(supply={0: (1, 1)})
    merchant = {
        (one["route"], one["point"]) for one in offers(state, do="place", tradesman="merchant")
    }
    trader = {(one["route"], one["point"]) for one in offers(state, do="place", tradesman="trader")}
    assert merchant - trader == {(route, points[0]) for route, points in SHIPS.items()}


@pytest.mark.parametrize(("route", "ships"), SHIPS.items())
@rule("EAST-4")
def test_both_ships_of_a_route_take_merchants_only(route: str, ships: list[int]) -> None:
    men: list[str | None] = ["1t"] * len(MARITIME[route])
    for ship in ships:
        men[ship] = None
    state = east(points={route: men}, supply={0: (1, 1)})
    placed = offers(state, do="place", route=route)
    assert [(one["tradesman"], one["point"]) for one in placed] == [("merchant", ships[0])]


@rule("EAST-4", "BON-2")
def test_no_bonus_marker_is_placed_on_a_maritime_route() -> None:
    goals = marker_goals(east(plates={0: ["move-3"]}))
    taverns = {"allenstein--braunsberg", "brandenburg--tangermuende", "kulm--stettin"}
    assert goals == set(seen(table("east"))["routes"]) - set(MARITIME) - taverns


# -- EAST-5: permanent markers


@pytest.mark.parametrize(
    ("route", "marker", "decision"),
    [
        ("danzig--malmoe", "place-2-from-route", "permanent"),
        ("malmoe--stralsund", "develop-privilege", "permanent"),
        ("malmoe--visby", "green-post", "permanent"),
        ("stralsund--wismar", "move-2-any", "lift"),
    ],
)
@rule("EAST-5")
def test_every_maritime_route_ends_with_its_permanent_marker(
    route: str, marker: str, decision: str
) -> None:
    state = at_sea(route, points={"breslau--krakau": ["1t", None, None]})
    assert asked(state) == (decision, 0)
    assert (about(state).get("marker") or about(state)["why"]) == marker


@pytest.mark.parametrize("route", MARITIME)
@rule("EAST-5")
def test_a_permanent_marker_may_be_left_unused(route: str) -> None:
    state = at_sea(route, points={"breslau--krakau": ["1t", None, None]})
    before = seen(state)["cities"], player(state, 0)["desk"]
    play(state, do="stop" if route == "stralsund--wismar" else "decline")
    assert asked(state) == ("turn", 0)
    assert (seen(state)["cities"], player(state, 0)["desk"]) == before
    assert men_on(state, "breslau--krakau") == ["1t", None, None]


@rule("EAST-5")
def test_a_permanent_marker_is_used_at_the_very_end_of_the_creation() -> None:
    state = at_sea("malmoe--stralsund", {"post": "malmoe"}, posts={"stralsund": ["1t"]})
    assert seen(state)["cities"]["malmoe"]["posts"][0] == "0m"
    assert kinds(state) == ["action", "created", "prestige", "post"]
    play(state, do="develop", ability="privilege")
    assert kinds(state)[4:] == ["developed"]


@rule("EAST-5", "CRE-11")
def test_the_tradesmen_have_returned_before_the_permanent_marker_is_used() -> None:
    state = at_sea("malmoe--stralsund", {"post": "malmoe"}, stock={0: (0, 0)})
    assert amounts(state, "stock", 0) == (1, 1)
    assert told(state, "created")[0]["returned"] == {"traders": 1, "merchants": 1}


@rule("EAST-5", "BON-1")
def test_a_permanent_marker_is_never_taken() -> None:
    state = at_sea("malmoe--stralsund")
    play(state, do="develop")
    assert (player(state, 0)["markers"], player(state, 0)["used_markers"]) == ([], [])
    assert (
        told(state, "marker-taken")
        == told(state, "marker-drawn")
        == told(state, "marker-used")
        == []
    )
    assert totals(state, 0)["markers"] == 0


@rule("EAST-5")
def test_a_declined_permanent_marker_is_gone_for_this_creation() -> None:
    state = at_sea("malmoe--stralsund")
    play(state, do="decline")
    assert asked(state) == ("turn", 0)
    assert offers(state, do="use") == []


@rule("EAST-5")
def test_a_permanent_marker_works_again_at_the_next_creation() -> None:
    state = at_sea(
        "malmoe--stralsund", points={"malmoe--visby": ["1t", "1m", "1t"]}, supply={1: (3, 0)}
    )
    play(state, do="develop")
    end_turn(state)
    play(state, do="create", route="malmoe--visby", reward=None)
    assert (asked(state), about(state)["marker"]) == (("permanent", 1), "green-post")


@rule("EAST-5", "END-1")
def test_the_permanent_marker_is_still_used_when_the_creation_ends_the_game() -> None:
    state = at_sea(
        "malmoe--stralsund", posts={"malmoe": ["1m"]}, prestige={1: 19}, supply={1: (3, 0)}
    )
    assert asked(state) == ("permanent", 0)
    play(state, do="develop")
    assert asked(state) is None
    assert kinds(state)[:4] == ["action", "created", "prestige", "developed"]


@rule("EAST-5")
def test_an_ordinary_route_has_no_permanent_marker() -> None:
    state = east("belgard--kulm")
    play(state, do="create", route="belgard--kulm", reward=None)
    assert asked(state) == ("turn", 0)


# -- EAST-6: move any two, develop Privilege


def crowd(**wanted: Any) -> GameState:
    """Stralsund-Wismar was created; a trader of seat 1 and a merchant of seat 0 stand about."""
    points = {"breslau--krakau": ["1t", None, None], "danzig--malmoe": [None, None, None, "0m"]}
    return at_sea("stralsund--wismar", points=points, **wanted)


@rule("EAST-6")
def test_move_any_two_lifts_tradesmen_of_anyone() -> None:
    state = crowd()
    lifted = [(one["route"], one["point"]) for one in offers(state, do="lift")]
    assert lifted == [("breslau--krakau", 0), ("danzig--malmoe", 3)]
    assert (about(state)["why"], about(state)["left"]) == ("move-2-any", 2)


@rule("EAST-6")
def test_move_any_two_may_stop_after_one() -> None:
    state = crowd()
    play(state, do="lift", route="breslau--krakau")
    play(state, do="stop")
    play(state, do="put", route="elbing--kulm")
    assert (men_on(state, "elbing--kulm"), asked(state)) == (["1t", None], ("turn", 0))


@rule("EAST-6")
def test_move_any_two_lifts_no_third() -> None:
    points = {"breslau--krakau": ["1t", "2t", "1t"]}
    state = at_sea("stralsund--wismar", points=points)
    for point in (0, 1):
        play(state, do="lift", route="breslau--krakau", point=point)
    game.settle(state)
    assert asked(state) == ("put", 0)
    assert men_on(state, "breslau--krakau") == [None, None, "1t"]


@rule("EAST-6", "MOV-1")
def test_two_tradesmen_can_change_places() -> None:
    full = {"elbing--kulm": ["1t", "2t"], "halle--wittenberg": ["0t", "2t"]}
    state = at_sea("stralsund--wismar", points=full)
    play(state, do="lift", route="elbing--kulm", point=0)
    play(state, do="lift", route="halle--wittenberg", point=0)
    play(state, do="put", route="halle--wittenberg")
    play(state, do="put", route="elbing--kulm")
    assert men_on(state, "elbing--kulm") == ["0t", "2t"]
    assert men_on(state, "halle--wittenberg") == ["1t", "2t"]


@rule("EAST-6", "MOV-2")
def test_move_any_two_puts_a_trader_on_houses_only() -> None:
    state = crowd()
    play(state, do="lift", route="breslau--krakau")
    play(state, do="stop")
    at_malmoe = [one["point"] for one in offers(state, do="put", route="malmoe--stralsund")]
    assert at_malmoe == [2]


@rule("EAST-6")
def test_the_route_just_created_is_free_for_move_any_two() -> None:
    state = crowd()
    play(state, do="lift", route="danzig--malmoe")
    play(state, do="stop")
    goals = [one["point"] for one in offers(state, do="put", route="stralsund--wismar")]
    assert goals == [0, 2]


@rule("EAST-6")
def test_move_any_two_tells_what_it_moves() -> None:
    state = crowd()
    play(state, do="lift", route="breslau--krakau")
    play(state, do="stop")
    play(state, do="put", route="elbing--kulm", point=0)
    man = {"seat": 1, "by": 0, "tradesman": "trader", "why": "move-2-any"}
    assert told(state)[-2:] == [
        {"event": "lifted", "route": "breslau--krakau", "point": 0} | man,
        {"event": "put", "route": "elbing--kulm", "point": 0} | man,
    ]


@rule("EAST-6")
def test_on_an_empty_board_there_is_nothing_to_move() -> None:
    state = at_sea("stralsund--wismar")
    game.settle(state)
    assert asked(state) == ("turn", 0)


@rule("EAST-6", "CRE-9")
def test_develop_privilege_frees_the_leftmost_trader_of_that_track() -> None:
    state = at_sea("malmoe--stralsund", desk={"privilege": 1})
    assert offers(state, do="develop") == [{"do": "develop", "ability": "privilege"}]
    play(state, do="develop")
    assert (player(state, 0)["desk"]["privilege"], amounts(state, "supply", 0)) == (2, (3, 0))
    developed = {"event": "developed", "seat": 0, "ability": "privilege", "steps": 2}
    assert told(state, "developed") == [developed]


@rule("EAST-6", "CRE-9")
def test_a_full_privilege_is_not_developed() -> None:
    state = at_sea("malmoe--stralsund", desk={"privilege": 3})
    game.settle(state)
    assert (asked(state), told(state, "developed")) == (("turn", 0), [])


# -- EAST-7: green post


@rule("EAST-7")
def test_a_green_post_is_for_any_green_city_and_any_tradesman_of_the_supply() -> None:
    state = at_sea("malmoe--visby", supply={0: (1, 1)})
    found = {(one["city"], one["tradesman"]) for one in offers(state, do="green-post")}
    assert found == {(city, kind) for city in GREEN for kind in ("trader", "merchant")}


@rule("EAST-7")
def test_a_green_post_comes_from_the_supply() -> None:
    state = at_sea("malmoe--visby", supply={0: (1, 1)})
    play(state, do="green-post", city="dresden", tradesman="merchant")
    assert (amounts(state, "supply", 0), asked(state)) == ((1, 0), ("turn", 0))
    assert seen(state)["cities"]["dresden"] == {"posts": ["0m"], "additional": []}


@rule("EAST-7")
def test_with_an_empty_supply_there_is_no_green_post() -> None:
    state = at_sea("malmoe--visby", supply={0: (0, 0)})
    game.settle(state)
    assert asked(state) == ("turn", 0)


@rule("EAST-7")
def test_a_green_post_stands_right_of_all_others() -> None:
    state = at_sea("malmoe--visby", posts={"waren": ["1t", "2t"]}, additional={"waren": ["1t"]})
    play(state, do="green-post", city="waren")
    assert seen(state)["cities"]["waren"] == {"posts": ["1t", "2t", "0t"], "additional": ["1t"]}


@rule("EAST-7", "EAST-3")
def test_the_first_green_post_completes_its_city() -> None:
    state = at_sea("malmoe--visby", completed=2)
    play(state, do="green-post", city="belgard")
    assert kinds(state)[2:] == ["post", "city-completed"]
    post = told(state, "post")[0]
    assert (post["seat"], post["city"], post["where"], post["tradesman"]) == (
        0,
        "belgard",
        "green",
        "trader",
    )
    assert told(state, "city-completed") == [
        {"event": "city-completed", "city": "belgard", "count": 3}
    ]


@rule("EAST-7", "EAST-3")
def test_a_later_green_post_completes_nothing() -> None:
    state = at_sea("malmoe--visby", completed=2, additional={"belgard": ["1t"]})
    play(state, do="green-post", city="belgard")
    assert seen(state)["completed_cities"] == 2


@rule("EAST-7", "END-1")
def test_a_green_post_can_complete_the_tenth_city() -> None:
    state = at_sea("malmoe--visby", completed=9)
    play(state, do="green-post", city="belgard")
    assert told(state, "game-over") == [{"event": "game-over", "reason": "cities"}]


@rule("EAST-7", "CRE-8")
def test_a_green_post_can_close_the_chain() -> None:
    cities = ("luebeck", "wismar", "stettin", "anklam", "danzig", "waren")
    state = at_sea("malmoe--visby", posts={city: ["0t"] for city in cities})
    play(state, do="green-post", city="belgard")
    won = {"event": "prestige", "seat": 0, "points": 7, "why": "east-west", "city": "belgard"}
    assert told(state, "prestige") == [won]


# -- EAST-8: place two of this route


def landed(reward: dict[str, Any] | None = None, **wanted: Any) -> GameState:
    """Danzig-Malmö was created, with three traders and a merchant."""
    return at_sea("danzig--malmoe", reward, stock={0: (0, 0)}, **wanted)


@rule("EAST-8")
def test_before_the_two_are_placed_nothing_has_returned() -> None:
    state = landed()
    assert told(state, "created")[0]["returned"] == {"traders": 0, "merchants": 0}
    assert amounts(state, "stock", 0) == (0, 0)
    assert sorted(seen(state)["in_hand"]) == ["0m", "0t", "0t", "0t"]


@rule("EAST-8")
def test_tradesmen_of_the_route_go_to_any_free_point_they_fit() -> None:
    state = landed(points={"elbing--kulm": ["1t", "1t"]})
    assert {one["from"] for one in offers(state, do="place")} == {"route"}
    goals = {one["route"] for one in offers(state, do="place", tradesman="trader")}
    assert goals == set(seen(state)["routes"]) - {"elbing--kulm"}
    assert [
        one["point"] for one in offers(state, route="malmoe--stralsund", tradesman="trader")
    ] == [2]


@rule("EAST-8")
def test_the_routes_own_points_are_free_again() -> None:
    state = landed()
    own = [
        (one["tradesman"], one["point"])
        for one in offers(state, do="place", route="danzig--malmoe")
    ]
    assert sorted(own) == [("merchant", 0), ("merchant", 3), ("trader", 0)]


@rule("EAST-8")
def test_two_are_placed_and_the_rest_return() -> None:
    state = landed()
    play(state, do="place", route="danzig--malmoe", point=3, tradesman="merchant")
    assert (about(state)["left"], about(state)["placed"]) == (
        1,
        [{"route": "danzig--malmoe", "point": 3}],
    )
    play(state, do="place", route="elbing--kulm", tradesman="trader")
    assert (amounts(state, "stock", 0), asked(state)) == ((2, 0), ("turn", 0))
    assert told(state)[-1] == {"event": "returned", "seat": 0, "traders": 2, "merchants": 0}


@rule("EAST-8")
def test_placing_one_is_enough() -> None:
    state = landed()
    play(state, do="place", route="elbing--kulm", tradesman="trader")
    play(state, do="decline")
    assert amounts(state, "stock", 0) == (2, 1)
    placed = {"event": "placed", "seat": 0, "route": "elbing--kulm", "point": 0}
    assert told(state, "placed") == [placed | {"tradesman": "trader", "from": "route"}]


@rule("EAST-8")
def test_placing_none_returns_them_all() -> None:
    state = landed()
    play(state, do="decline")
    assert (amounts(state, "stock", 0), seen(state)["in_hand"]) == ((3, 1), [])


@rule("EAST-8")
def test_the_tradesman_of_the_post_is_not_placed() -> None:
    state = landed({"post": "malmoe"})
    assert seen(state)["in_hand"] == ["0t", "0t", "0t"]
    assert offers(state, do="place", tradesman="merchant") == []


@rule("EAST-8", "BON-3")
def test_the_tradesman_of_an_additional_post_is_not_placed() -> None:
    reward = {"additional": "danzig", "tradesman": "trader"}
    state = landed(reward, posts={"danzig": ["1t"]}, markers={0: ["additional-post"]})
    assert sorted(seen(state)["in_hand"]) == ["0m", "0t", "0t"]


@rule("EAST-8", "END-1")
def test_the_two_are_placed_before_the_game_ends() -> None:
    state = landed(posts={"malmoe": ["1m"]}, prestige={1: 19}, supply={0: (2, 0), 1: (3, 0)})
    play(state, do="place", route="elbing--kulm", tradesman="trader")
    play(state, do="decline")
    assert (men_on(state, "elbing--kulm"), asked(state)) == (["0t", None], None)
    assert kinds(state).index("returned") < kinds(state).index("game-over")

"""The Eastern board: permanent markers (EAST-5 to EAST-8)."""

from typing import Any

from referee.engine import game
from referee.engine.state import GameState
from support.east_tables import MARITIME, east
from support.groups import together
from support.rule_marker import rule
from support.table import (
    about,
    amounts,
    asked,
    end_turn,
    event_kinds,
    events_of,
    men_on,
    offers,
    play,
    player,
    seen,
    totals,
)

GREEN = ("belgard", "dresden", "waren")


def at_sea(route: str, reward: dict[str, Any] | None = None, **wanted: Any) -> GameState:
    """Seat 0 has just created a maritime route."""
    state = east(route, **wanted)
    play(state, do="create", route=route, reward=reward)
    return state


# -- EAST-5: permanent markers


@together(
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


@together("route", MARITIME)
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
    assert event_kinds(state) == ["action", "created", "prestige", "post"]
    play(state, do="develop", ability="privilege")
    assert event_kinds(state)[4:] == ["developed"]


@rule("EAST-5", "CRE-11")
def test_the_tradesmen_have_returned_before_the_permanent_marker_is_used() -> None:
    state = at_sea("malmoe--stralsund", {"post": "malmoe"}, stock={0: (0, 0)})
    assert amounts(state, "stock", 0) == (1, 1)
    assert events_of(state, "created")[0]["returned"] == {"traders": 1, "merchants": 1}


@rule("EAST-5", "BON-1")
def test_a_permanent_marker_is_never_taken() -> None:
    state = at_sea("malmoe--stralsund")
    play(state, do="develop")
    assert (player(state, 0)["markers"], player(state, 0)["used_markers"]) == ([], [])
    assert (
        events_of(state, "marker-taken")
        == events_of(state, "marker-drawn")
        == events_of(state, "marker-used")
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
def test_the_permanent_marker_is_used_even_if_the_creation_ends_the_game() -> None:
    state = at_sea(
        "malmoe--stralsund", posts={"malmoe": ["1m"]}, prestige={1: 19}, supply={1: (3, 0)}
    )
    assert asked(state) == ("permanent", 0)
    play(state, do="develop")
    assert asked(state) is None
    assert event_kinds(state)[:4] == ["action", "created", "prestige", "developed"]


@rule("EAST-5")
def test_an_ordinary_route_has_no_permanent_marker() -> None:
    state = east("belgard--kulm")
    play(state, do="create", route="belgard--kulm", reward=None)
    assert asked(state) == ("turn", 0)


# -- EAST-6: move any two, develop Privilege


def crowd(**wanted: Any) -> GameState:
    """Stralsund-Wismar was created; a trader of seat 1 and a merchant of seat 0 are on other routes."""
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
def test_move_any_two_emits_what_it_moves() -> None:
    state = crowd()
    play(state, do="lift", route="breslau--krakau")
    play(state, do="stop")
    play(state, do="put", route="elbing--kulm", point=0)
    man = {"seat": 1, "by": 0, "tradesman": "trader", "why": "move-2-any"}
    assert events_of(state)[-2:] == [
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
    assert events_of(state, "developed") == [developed]


@rule("EAST-6", "CRE-9")
def test_a_full_privilege_is_not_developed() -> None:
    state = at_sea("malmoe--stralsund", desk={"privilege": 3})
    game.settle(state)
    assert (asked(state), events_of(state, "developed")) == (("turn", 0), [])


# -- EAST-7: green post


@rule("EAST-7")
def test_a_green_post_takes_any_green_city_and_any_tradesman_of_the_supply() -> None:
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
    assert event_kinds(state)[2:] == ["post", "city-completed"]
    post = events_of(state, "post")[0]
    assert (post["seat"], post["city"], post["where"], post["tradesman"]) == (
        0,
        "belgard",
        "green",
        "trader",
    )
    assert events_of(state, "city-completed") == [
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
    assert events_of(state, "game-over") == [{"event": "game-over", "reason": "cities"}]


@rule("EAST-7", "CRE-8")
def test_a_green_post_can_close_the_chain() -> None:
    cities = ("luebeck", "wismar", "stettin", "anklam", "danzig", "waren")
    state = at_sea("malmoe--visby", posts={city: ["0t"] for city in cities})
    play(state, do="green-post", city="belgard")
    won = {"event": "prestige", "seat": 0, "points": 7, "why": "east-west", "city": "belgard"}
    assert events_of(state, "prestige") == [won]


# -- EAST-8: place two of this route


def landed(reward: dict[str, Any] | None = None, **wanted: Any) -> GameState:
    """Danzig-Malmö was created, with three traders and a merchant."""
    return at_sea("danzig--malmoe", reward, stock={0: (0, 0)}, **wanted)


@rule("EAST-8")
def test_before_the_two_are_placed_nothing_has_returned() -> None:
    state = landed()
    assert events_of(state, "created")[0]["returned"] == {"traders": 0, "merchants": 0}
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
    assert events_of(state)[-1] == {"event": "returned", "seat": 0, "traders": 2, "merchants": 0}


@rule("EAST-8")
def test_placing_one_is_enough() -> None:
    state = landed()
    play(state, do="place", route="elbing--kulm", tradesman="trader")
    play(state, do="decline")
    assert amounts(state, "stock", 0) == (2, 1)
    placed = {"event": "placed", "seat": 0, "route": "elbing--kulm", "point": 0}
    assert events_of(state, "placed") == [placed | {"tradesman": "trader", "from": "route"}]


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
    assert event_kinds(state).index("returned") < event_kinds(state).index("game-over")

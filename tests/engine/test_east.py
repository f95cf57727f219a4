"""The Eastern board: its numbers, Waren, green cities and maritime routes (EAST-1 to EAST-4)."""

from typing import Any

from referee.engine.state import GameState
from support.east_tables import MARITIME, east
from support.groups import together
from support.rule_marker import rule
from support.table import asked, event_kinds, events_of, offers, play, player, seen, table, totals

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
SHIPS = {
    "danzig--malmoe": [3],
    "malmoe--stralsund": [0, 1],
    "malmoe--visby": [1],
    "stralsund--wismar": [0, 1],
}
BOTH_EDITIONS = together("edition", ["bigbox", "original"])


def rewards(state: GameState, route: str) -> list[Any]:
    return [choice["reward"] for choice in offers(state, do="create", route=route)]


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
    assert events_of(state, "prestige") == [won]
    assert seen(state)["east_west"] == [0]


@rule("EAST-1")
def test_posts_only_in_luebeck_and_danzig_are_not_a_chain() -> None:
    state = east("belgard--danzig", posts={"luebeck": ["0t"], "wismar": ["0t"], "malmoe": ["0m"]})
    play(state, do="create", route="belgard--danzig", reward={"post": "danzig"})
    assert events_of(state, "prestige") == []


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


@together(("completed", "over"), [(8, False), (9, True)])
@rule("EAST-1", "END-1")
def test_the_tenth_completed_city_ends_the_game(completed: int, over: bool) -> None:
    route = "berlin-coelln--brandenburg"
    state = east(route, completed=completed, desk={"privilege": 1})
    play(state, do="create", route=route, reward={"post": "berlin-coelln"})
    reason = [{"event": "game-over", "reason": "cities"}]
    assert (asked(state) is None, events_of(state, "game-over") == reason) == (over, over)


# -- EAST-2: Waren


@together("route", ["havelberg--waren", "stettin--waren", "waren--wismar"])
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


@together(("route", "city"), GREEN_ROUTES.items())
@rule("EAST-3")
def test_green_cities_take_no_ordinary_posts(route: str, city: str) -> None:
    state = east(route, desk={"privilege": 3})
    found = rewards(state, route)
    assert {"post": city} not in found
    assert not [one for one in found if one and "additional" in one]


@together(("route", "city"), GREEN_ROUTES.items())
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
    assert event_kinds(state) == ["action", "created", "marker-used", "post", "city-completed"]
    assert events_of(state)[-1] == {"event": "city-completed", "city": "belgard", "count": 4}
    assert seen(state)["completed_cities"] == 4


@together("there", [{"posts": {"belgard": ["1t"]}}, {"additional": {"belgard": ["1t"]}}])
@rule("EAST-3")
def test_a_second_post_does_not_complete_a_green_city_again(there: dict[str, Any]) -> None:
    state = east("belgard--kulm", markers={0: ["additional-post"]}, completed=3, **there)
    play(state, do="create", reward={"additional": "belgard", "tradesman": "trader"})
    assert (seen(state)["completed_cities"], events_of(state, "city-completed")) == (3, [])


@rule("EAST-3", "END-1")
def test_a_green_city_can_be_the_tenth() -> None:
    state = east("belgard--kulm", markers={0: ["additional-post"]}, completed=9)
    play(state, do="create", reward={"additional": "belgard", "tradesman": "trader"})
    assert events_of(state, "game-over") == [{"event": "game-over", "reason": "cities"}]


@rule("EAST-3", "CRE-2")
def test_a_green_city_gives_its_controller_a_point() -> None:
    state = east("belgard--kulm", additional={"belgard": ["1t"]})
    play(state, do="create", route="belgard--kulm", reward=None)
    won = {"event": "prestige", "seat": 1, "points": 1, "why": "control", "city": "belgard"}
    assert events_of(state, "prestige") == [won]


@together(
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
    assert events_of(state, "prestige")[-1] == won


@rule("EAST-3", "BON-2")
def test_an_empty_green_city_counts_as_an_empty_space_for_a_marker() -> None:
    full = {"krakau": ["1t", "1t", "1t"]}
    assert "dresden--krakau" in marker_goals(east(plates={0: ["move-3"]}, posts=full))


@together("there", [{"posts": ["1t"]}, {"additional": ["1t"]}])
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


@together(("route", "ships"), SHIPS.items())
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

"""The chain between the two red-bannered cities, and the order of the events of a creation (CRE-8)."""

from __future__ import annotations

from typing import Any

from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import events_of, play, player, seen, table

# The cities of a chain, and the route whose post in the middle city completes it.
CHAINS: dict[str, tuple[list[str], str, str, int]] = {
    "hanse-4-5": (
        ["stendal", "brunswiek", "minden", "muenster", "arnheim"],
        "hannover--minden",
        "minden",
        3,
    ),
    "hanse-2-3": (
        ["stendal", "brunswiek", "minden", "muenster", "arnheim"],
        "hannover--minden",
        "minden",
        3,
    ),
    "east": (
        ["luebeck", "wismar", "stralsund", "malmoe", "danzig"],
        "braunsberg--danzig",
        "danzig",
        4,
    ),
    "britannia-4-5": (
        ["oxford", "cardiff", "coventry", "nottingham", "york"],
        "norwich--nottingham",
        "nottingham",
        3,
    ),
    "britannia-2-3": (
        ["oxford", "cardiff", "coventry", "nottingham", "york"],
        "norwich--nottingham",
        "nottingham",
        3,
    ),
}


def almost_linked(board: str = "hanse-4-5", **more: Any) -> GameState:
    """Seat 0 has posts in all cities of the chain except one, and holds a route to that one."""
    cities, route, missing, points = CHAINS[board]
    posts = {city: ["0t"] for city in cities if city != missing} | more.pop("posts", {})
    desk = {0: {"privilege": 3, "keys": 4}, 1: {"book": 1}}
    return table(board, points={route: ["0t"] * points}, posts=posts, desk=desk, **more)


def close(state: GameState) -> None:
    _, route, missing, _ = CHAINS[state.board.id]
    play(state, do="create", route=route, reward={"post": missing})


def linked(state: GameState) -> list[tuple[int, int, str]]:
    given = [one for one in events_of(state, "prestige") if one["why"] == "east-west"]
    return [(one["seat"], one["points"], one["city"]) for one in given]


@rule("CRE-8")
@together("board", CHAINS)
def test_the_first_to_link_the_red_banners_gets_seven(board: str) -> None:
    state = almost_linked(board)
    close(state)
    assert linked(state) == [(0, 7, CHAINS[board][2])]
    assert seen(state)["east_west"] == [0]
    assert player(state, 0)["prestige"] == 7


@rule("CRE-8")
@together(("before", "points"), [([1], 4), ([2, 1], 2)])
def test_the_second_gets_four_and_the_third_two(before: list[int], points: int) -> None:
    state = almost_linked(east_west=before)
    close(state)
    assert [given for _, given, _ in linked(state)] == [points]
    assert seen(state)["east_west"] == [*before, 0]


@rule("CRE-8")
def test_the_fourth_gets_nothing_and_is_not_listed() -> None:
    state = almost_linked(east_west=[1, 2, 3])
    close(state)
    assert linked(state) == []
    assert seen(state)["east_west"] == [1, 2, 3]


@rule("CRE-8")
def test_a_player_is_rewarded_once() -> None:
    state = almost_linked(east_west=[0])
    close(state)
    assert linked(state) == []
    assert seen(state)["east_west"] == [0]


@rule("CRE-8")
def test_a_chain_with_a_city_missing_gives_nothing() -> None:
    state = almost_linked(posts={"brunswiek": []})
    close(state)
    assert linked(state) == []


@rule("CRE-8")
def test_a_city_where_only_others_have_posts_breaks_the_chain() -> None:
    state = almost_linked(posts={"brunswiek": ["1t"]})
    close(state)
    assert linked(state) == []


@rule("CRE-8")
@together("end", ["stendal", "arnheim"])
def test_both_red_banners_are_needed(end: str) -> None:
    state = almost_linked(posts={end: []})
    close(state)
    assert linked(state) == []


@rule("CRE-8")
def test_the_post_in_a_bannered_city_itself_may_close_the_chain() -> None:
    posts = {city: ["0t"] for city in ("stendal", "brunswiek", "minden", "muenster")}
    state = table(points={"arnheim--duisburg": ["0t"] * 3}, posts=posts, supply={0: (0, 0)})
    play(state, do="create", reward={"post": "arnheim"})
    assert linked(state) == [(0, 7, "arnheim")]


@rule("CRE-8")
def test_the_closing_post_may_come_from_any_route_at_its_city() -> None:
    posts = {city: ["0t"] for city in ("stendal", "brunswiek", "muenster", "arnheim")}
    state = table(points={"bremen--minden": ["0t"] * 3}, posts=posts, supply={0: (0, 0)})
    play(state, do="create", reward={"post": "minden"})
    assert linked(state) == [(0, 7, "minden")]


@rule("CRE-8")
def test_neither_control_nor_the_place_in_the_city_matters() -> None:
    posts = {"stendal": ["1t", "1m", "0t", "1t"], "muenster": ["1m", "0t"], "minden": ["1t"]}
    state = almost_linked(posts=posts, supply={0: (0, 0), 1: (0, 0)})
    close(state)
    assert linked(state) == [(0, 7, "minden")]


@rule("CRE-8")
def test_an_additional_post_is_a_link_of_the_chain() -> None:
    state = almost_linked(posts={"brunswiek": ["1t"]}, additional={"brunswiek": ["0t"]})
    close(state)
    assert linked(state) == [(0, 7, "minden")]


@rule("CRE-8", "BON-3")
def test_an_additional_post_may_close_the_chain() -> None:
    state = almost_linked(posts={"minden": ["1t"]}, markers={0: ["additional-post"]})
    reward = {"additional": "minden", "tradesman": "trader"}
    play(state, do="create", route="hannover--minden", reward=reward)
    assert linked(state) == [(0, 7, "minden")]


@rule("CRE-8")
def test_a_roundabout_chain_counts_like_a_short_one() -> None:
    cities = "stendal perleberg lueneburg hannover bremen kampen arnheim"
    posts = {city: ["0t"] for city in cities.split()}
    state = table(points={"bremen--osnabrueck": ["0t"] * 3}, posts=posts, desk={0: {"keys": 4}})
    play(state, do="create", reward={"post": "osnabrueck"})
    assert linked(state) == [(0, 7, "osnabrueck")]


@rule("CRE-8", "EAST-3", "EAST-7")
def test_a_post_by_the_permanent_marker_may_close_the_chain() -> None:
    cities = ("luebeck", "wismar", "stettin", "anklam", "danzig")
    state = table(
        "east",
        points={"malmoe--visby": ["0t", "0m", "0t"]},
        posts={city: ["0t"] for city in cities} | {"waren": ["0t"]},
        desk={0: {"keys": 4}},
        supply={0: (1, 0)},
    )
    play(state, do="create", route="malmoe--visby", reward=None)
    play(state, do="green-post", city="belgard", tradesman="trader")
    assert linked(state) == [(0, 7, "belgard")]


@rule("CRE-8")
def test_an_exchange_does_not_break_or_reward_a_chain() -> None:
    posts = {"minden": ["0t", "1t"]}
    state = almost_linked(posts=posts, markers={0: ["exchange-posts"]}, east_west=[0])
    play(state, do="use", marker="exchange-posts", city="minden")
    assert linked(state) == []
    assert seen(state)["east_west"] == [0]


# --- The order of events of a creation ------------------------------------------------------


def order(state: GameState) -> list[str]:
    """The kinds of the events in order; for prestige, its reason."""
    return [
        one["event"] + (":" + one["why"] if one["event"] == "prestige" else "")
        for one in events_of(state)
    ]


@rule("CRE-2", "CRE-3", "CRE-5", "CRE-7")
def test_the_post_event_follows_control_and_marker_before_completion() -> None:
    route, marker = "dortmund--duisburg", "plus-3-actions"
    posts = {"dortmund": ["1t"]}
    state = table(points={route: ["0t", "0t"]}, posts=posts, route_markers={route: marker})
    play(state, do="create", route=route, reward={"post": "duisburg"})
    assert order(state) == [
        "action",
        "created",
        "prestige:control",
        "marker-taken",
        "marker-drawn",
        "post",
        "city-completed",
    ]


@rule("CRE-6", "CRE-7")
@together("board", ["britannia-4-5", "britannia-2-3"])
def test_the_coin_event_comes_before_the_completed_city(board: str) -> None:
    state = table(board, points={"bristol--salisbury": ["0t"] * 4}, desk={0: {"privilege": 1}})
    play(state, do="create", reward={"post": "bristol"})
    assert order(state) == ["action", "created", "post", "prestige:coin", "city-completed"]


@rule("CRE-7", "CRE-8")
def test_the_completed_city_event_comes_before_the_chain() -> None:
    cities, _, _, _ = CHAINS["hanse-4-5"]
    posts = {city: ["0t"] for city in cities if city != "brunswiek"}
    points = {"brunswiek--stendal": ["0t"] * 4}
    state = table(points=points, posts=posts, desk={0: {"privilege": 1, "keys": 4}})
    play(state, do="create", reward={"post": "brunswiek"})
    events = ["action", "created", "prestige:control", "post", "city-completed"]
    assert order(state) == [*events, "prestige:east-west"]


@rule("CRE-6", "CRE-8", "BON-9")
def test_coin_chain_and_tribute_emit_events_in_this_order() -> None:
    cities = "luebeck wismar waren stettin frankfurt breslau krakau allenstein braunsberg danzig"
    state = table(
        "east",
        points={"krakau--thorn": ["0t", "0t", "0t"]},
        posts={city: ["0t"] for city in cities.split()},
        desk={0: {"keys": 4, "bank": 3}},
        markers={0: ["tribute"]},
        supply={0: (1, 0)},
        promos=True,
    )
    play(state, do="use", marker="tribute", route="allenstein--thorn")
    play(state, do="create", reward={"post": "thorn"})
    play(state, do="tribute", traders=2, merchants=0)
    last = ["post", "prestige:coin", "prestige:east-west", "tribute"]
    assert order(state)[-6:] == ["created", "prestige:control", *last]


@rule("CRE-3", "BON-3")
def test_an_additional_post_emits_marker_used_just_before_the_post() -> None:
    route = "bremen--osnabrueck"
    state = table(
        points={route: ["0t"] * 3}, posts={"osnabrueck": ["1t"]}, markers={0: ["additional-post"]}
    )
    play(state, do="create", reward={"additional": "osnabrueck", "tradesman": "trader"})
    assert order(state)[-4:] == ["marker-taken", "marker-drawn", "marker-used", "post"]


@rule("CRE-3", "CRE-9")
def test_the_developed_event_comes_after_control_and_marker() -> None:
    route = "hamburg--luebeck"
    state = table(
        points={route: ["0t"] * 3}, posts={"hamburg": ["1t"]}, route_markers={route: "move-3"}
    )
    play(state, do="create", reward={"develop": "bank"})
    assert order(state)[2:] == ["prestige:control", "marker-taken", "marker-drawn", "developed"]


@rule("CRE-3", "CRE-10")
def test_the_special_prestige_event_comes_after_control_and_marker() -> None:
    route = "coellen--warburg"
    posts, markers = {"warburg": ["1t"]}, {route: "move-3"}
    state = table(
        points={route: ["0t", "0m", "0t", "0t"]},
        posts=posts,
        route_markers=markers,
        supply={0: (0, 0)},
    )
    play(state, do="create", reward={"special": 7})
    assert order(state)[2:] == [
        "prestige:control",
        "marker-taken",
        "marker-drawn",
        "special-prestige",
    ]

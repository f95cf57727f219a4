"""Establishing a post: where it may go, coins, completed cities and the chain (CRE-5 to CRE-8)."""

from __future__ import annotations

from typing import Any

from referee import atlas
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import amounts, events_of, offers, play, player, posts_in, seen, table

BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]


def post_offers(state: GameState) -> set[str]:
    found = [words["reward"] for words in offers(state, do="create")]
    return {reward["post"] for reward in found if reward and "post" in reward}


def prestige_for(state: GameState, why: str) -> list[tuple[int, int, str]]:
    given = [one for one in events_of(state, "prestige") if one["why"] == why]
    return [(one["seat"], one["points"], one["city"]) for one in given]


# --- The leftmost empty space --------------------------------------------------------------


def dortmund_and_paderborn(**more: Any) -> GameState:
    """Red has developed Privilege to pink, and holds the route with three traders."""
    return table(
        points={"dortmund--paderborn": ["0t", "0t", "0t"]},
        posts={"dortmund": ["0m"], "paderborn": ["0t", "1m"]},
        desk={0: {"privilege": 2}},
        supply={0: (1, 0), 1: (1, 0)},
        **more,
    )


@rule("CRE-5")
def test_at_dortmund_red_must_take_the_orange_space_despite_pink_privilege() -> None:
    state = dortmund_and_paderborn()
    play(state, do="create", reward={"post": "dortmund"})
    assert posts_in(state, "dortmund") == ["0m", "0t", None]


@rule("CRE-5", "CRE-11")
def test_at_dortmund_two_of_the_three_tradesmen_return() -> None:
    state = dortmund_and_paderborn()
    play(state, do="create", reward={"post": "dortmund"})
    assert events_of(state, "created")[0]["returned"] == {"traders": 2, "merchants": 0}


@rule("CRE-5")
def test_a_full_city_takes_no_more_posts() -> None:
    assert post_offers(dortmund_and_paderborn()) == {"dortmund"}


@rule("CRE-5")
def test_the_post_event_contains_its_space() -> None:
    state = dortmund_and_paderborn()
    play(state, do="create", reward={"post": "dortmund"})
    (post,) = events_of(state, "post")
    assert (post["seat"], post["city"], post["where"]) == (0, "dortmund", "space")
    assert (post["space"], post["tradesman"]) == (1, "trader")


@rule("CRE-5")
@together("steps", range(4))
@together("filled", range(4))
def test_a_space_needs_its_colour_uncovered_and_lower_ones_are_included(
    steps: int, filled: int
) -> None:
    points = {"hannover--minden": ["0t", "0t", "0t"]}
    state = table(points=points, posts={"minden": ["1t"] * filled}, desk={0: {"privilege": steps}})
    assert ("minden" in post_offers(state)) == (filled <= steps)


@rule("CRE-5")
def test_the_privilege_of_another_player_does_not_help() -> None:
    state = table(points={"paderborn--warburg": ["0t"] * 3}, desk={1: {"privilege": 3}})
    assert post_offers(state) == {"paderborn"}


SHAPES = [
    (["0t", "0t", "0t"], {"hannover"}),
    (["0m", "0m", "0m"], {"bremen"}),
    (["0t", "0m", "0t"], {"bremen", "hannover"}),
]


@rule("CRE-5")
@together(("men", "cities"), SHAPES)
def test_a_square_space_takes_a_trader_and_a_round_one_a_merchant(
    men: list[str], cities: set[str]
) -> None:
    state = table(points={"bremen--hannover": men}, desk={0: {"book": 3}})
    assert post_offers(state) == cities


@rule("CRE-5")
@together(("city", "man"), [("bremen", "0m"), ("hannover", "0t")])
def test_the_tradesman_that_fits_the_space_is_the_one_that_stays(city: str, man: str) -> None:
    state = table(points={"bremen--hannover": ["0m", "0t", "0m"]}, desk={0: {"book": 3}})
    play(state, do="create", reward={"post": city})
    assert posts_in(state, city) == [man, None]


@rule("CRE-5")
def test_a_space_that_cannot_be_filled_is_not_skipped() -> None:
    points = {"dortmund--duisburg": ["0t", "0t"]}
    state = table(points=points, desk={0: {"privilege": 3}})
    assert post_offers(state) == {"duisburg"}


@rule("CRE-5")
def test_tradesmen_of_the_supply_establish_no_post() -> None:
    state = table(points={"dortmund--duisburg": ["0t", "0t"]}, supply={0: (5, 1)})
    assert "dortmund" not in post_offers(state)


@rule("CRE-5")
def test_only_the_two_cities_of_the_route_are_offered() -> None:
    state = table(
        points={"kampen--osnabrueck": ["0m", "0t"]}, desk={0: {"privilege": 3, "book": 1}}
    )
    assert post_offers(state) == {"kampen", "osnabrueck"}


@rule("CRE-5")
def test_the_supply_is_untouched_by_a_new_post() -> None:
    state = dortmund_and_paderborn()
    play(state, do="create", reward={"post": "dortmund"})
    assert amounts(state, "supply", 0) == (1, 0)


@rule("CRE-5")
def test_a_space_beside_an_additional_post_is_still_the_leftmost_empty_one() -> None:
    points, more = {"hannover--minden": ["0t"] * 3}, {"minden": ["2t"]}
    state = table(
        points=points, posts={"minden": ["1t"]}, additional=more, desk={0: {"privilege": 1}}
    )
    play(state, do="create", reward={"post": "minden"})
    assert posts_in(state, "minden") == ["1t", "0t", None, None]
    assert seen(state)["cities"]["minden"]["additional"] == ["2t"]


@rule("CRE-5", "EAST-3")
@together(("route", "cities"), [("havelberg--waren", {"havelberg"}), ("dresden--halle", {"halle"})])
def test_a_green_city_takes_no_ordinary_post(route: str, cities: set[str]) -> None:
    men = ["0t"] * (3 if route.startswith("h") else 4)
    assert post_offers(table("east", points={route: men})) == cities


# --- Coins ---------------------------------------------------------------------------------

HANSE = [
    ("groningen", "emden--groningen", 3, 1),
    ("luebeck", "hamburg--luebeck", 3, 1),
    ("coellen", "coellen--warburg", 4, 1),
    ("halle", "halle--quedlinburg", 4, 1),
]
SMALL = [("stade", "hamburg--stade", 3, 1), ("warburg", "coellen--warburg", 4, 1)]
EAST = [
    ("havelberg", "havelberg--waren", 3, 1),
    ("magdeburg", "halle--magdeburg", 3, 1),
    ("thorn", "krakau--thorn", 3, 1),
]
BRITANNIA = [
    ("bristol", "bristol--salisbury", 4, 2),
    ("ipswich", "cambridge--ipswich", 4, 2),
    ("plymouth", "plymouth--salisbury", 4, 2),
]
COINS = [("hanse-4-5", *one) for one in HANSE]
COINS += [("hanse-2-3", *one) for one in HANSE + SMALL]
COINS += [("east", *one) for one in EAST]
COINS += [(board, *one) for one in BRITANNIA for board in ("britannia-4-5", "britannia-2-3")]


@rule("CRE-6")
@together(("board", "city", "route", "points", "coin"), COINS)
def test_a_post_on_a_coin_gives_its_points(
    board: str, city: str, route: str, points: int, coin: int
) -> None:
    men = ["0t", "0m", "0t", "0t"][:points]
    posts = {"plymouth": ["1t"]} if city == "plymouth" else {}
    desk = {0: {"privilege": 1, "book": 1}}
    state = table(board, points={route: men}, posts=posts, desk=desk)
    play(state, do="create", route=route, reward={"post": city})
    assert prestige_for(state, "coin") == [(0, coin, city)]
    assert player(state, 0)["prestige"] == coin


def coins_on(board: str) -> set[tuple[str, int, int]]:
    cities = atlas.load_board(board).words["cities"]
    spaces = [
        (city["id"], n, one["coin"]) for city in cities for n, one in enumerate(city["spaces"])
    ]
    return {(city, number, coin) for city, number, coin in spaces if coin}


@rule("CRE-6")
@together("board", BOARDS)
def test_no_other_space_has_a_coin(board: str) -> None:
    listed = {
        (city, int(city == "plymouth"), coin) for one, city, _, _, coin in COINS if one == board
    }
    assert coins_on(board) == listed


@rule("CRE-6")
def test_the_next_space_of_a_city_with_a_coin_gives_nothing() -> None:
    points, posts = {"halle--quedlinburg": ["0t"] * 4}, {"halle": ["1t"]}
    state = table(points=points, posts=posts, desk={0: {"privilege": 1}})
    play(state, do="create", reward={"post": "halle"})
    assert prestige_for(state, "coin") == []


@rule("CRE-6", "BON-4")
def test_a_post_that_comes_to_a_coin_by_exchange_gets_nothing() -> None:
    state = table(posts={"halle": ["1t", "0t"]}, markers={0: ["exchange-posts"]})
    play(state, do="use", marker="exchange-posts", city="halle")
    assert posts_in(state, "halle") == ["0t", "1t"]
    assert events_of(state, "prestige") == []


@rule("CRE-6", "BON-3")
def test_an_additional_post_beside_a_coin_gets_nothing() -> None:
    points, markers = {"halle--quedlinburg": ["0t"] * 4}, {0: ["additional-post"]}
    state = table(points=points, posts={"halle": ["1t"]}, markers=markers)
    play(state, do="create", reward={"additional": "halle", "tradesman": "trader"})
    assert prestige_for(state, "coin") == []


# --- Completed cities ----------------------------------------------------------------------


@rule("CRE-7")
@together(("filled", "count"), [(2, 4), (3, 5)])
def test_the_last_empty_space_completes_a_city(filled: int, count: int) -> None:
    points, posts = {"hannover--minden": ["0t"] * 3}, {"minden": ["1t"] * filled}
    state = table(points=points, posts=posts, desk={0: {"privilege": 3}}, completed=4)
    play(state, do="create", reward={"post": "minden"})
    assert seen(state)["completed_cities"] == count
    expected = [("minden", 5)] if count == 5 else []
    assert [(one["city"], one["count"]) for one in events_of(state, "city-completed")] == expected


@rule("CRE-7")
def test_a_city_of_one_space_is_completed_at_once() -> None:
    state = table(points={"dortmund--duisburg": ["0t", "0t"]})
    play(state, do="create", reward={"post": "duisburg"})
    assert seen(state)["completed_cities"] == 1


@rule("CRE-7", "BON-3")
@together("posts", [["1t"], ["1t", "1t"]])
def test_a_post_beyond_the_spaces_completes_nothing(posts: list[str]) -> None:
    points, markers = {"halle--quedlinburg": ["0t"] * 4}, {0: ["additional-post"]}
    state = table(points=points, posts={"halle": posts}, markers=markers)
    play(state, do="create", reward={"additional": "halle", "tradesman": "trader"})
    assert seen(state)["completed_cities"] == 0
    assert events_of(state, "city-completed") == []


@rule("CRE-7", "BON-4")
def test_an_exchange_in_a_full_city_does_not_complete_it_again() -> None:
    state = table(posts={"halle": ["1t", "0t"]}, markers={0: ["exchange-posts"]}, completed=1)
    play(state, do="use", marker="exchange-posts", city="halle")
    assert seen(state)["completed_cities"] == 1

"""Two players: what the neutral colour has by the Britannia rules but not by those of 2009 (TWO-6)."""

from pathlib import Path
from typing import Any

import pytest

from referee.engine import game
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import asked, events_of, men_on, offered_routes, play, player, seen, totals
from support.two_player_tables import (
    BOARDS,
    BRITANNIA,
    EAST,
    HANSE,
    displace,
    edited,
    empty_board,
    filled,
    luebeck,
    neutral_prestige,
    two,
)

# -- TWO-6: what the neutral has after Britannia, and has not after 2009


@pytest.mark.parametrize(("neutral", "points"), [("2009", 0), ("britannia", 1)])
@BOARDS
@rule("TWO-6", "CRE-2")
def test_the_neutral_scores_for_its_cities_after_britannia_only(
    board: str, neutral: str, points: int
) -> None:
    route, city = {
        HANSE: ("hannover--minden", "minden"),
        EAST: ("belgard--kulm", "kulm"),
        BRITANNIA: ("coventry--hereford", "hereford"),
    }[board]
    state = two(board, neutral=neutral, points={route: ["0t"] * 3}, posts={city: ["1t", "nt"]})
    play(state, do="create", route=route, reward=None)
    assert neutral_prestige(state) == points
    assert [player(state, seat)["prestige"] for seat in (0, 1)] == [0, 0]
    won = {"event": "prestige", "seat": "n", "points": 1, "why": "control", "city": city}
    assert events_of(state, "prestige") == [won] * points


@BOARDS
@rule("TWO-6", "END-1")
def test_the_neutral_can_end_the_game_with_twenty_points(board: str) -> None:
    route, city = {
        HANSE: ("hannover--minden", "minden"),
        EAST: ("belgard--kulm", "kulm"),
        BRITANNIA: ("coventry--hereford", "hereford"),
    }[board]
    points, posts = {route: ["0t"] * 3}, {city: ["nt"]}
    state = two(board, points=points, posts=posts, prestige={"n": 19})
    play(state, do="create", route=route, reward=None)
    assert events_of(state, "game-over") == [{"event": "game-over", "reason": "prestige"}]


@rule("TWO-6", "END-1")
def test_a_coin_of_its_own_route_can_bring_the_neutral_to_twenty() -> None:
    state = luebeck(prestige={"n": 19})
    play(state, do="neutral-post", city="luebeck")
    assert (asked(state), events_of(state, "game-over")) == (
        None,
        [{"event": "game-over", "reason": "prestige"}],
    )


CHAIN = {"arnheim": ["nt"], "muenster": ["nt"], "minden": ["nt"], "brunswiek": ["nt"]}


@together(("neutral", "points"), [("2009", 0), ("britannia", 7)])
@rule("TWO-6", "CRE-8")
def test_the_neutral_can_close_the_chain_after_britannia_only(neutral: str, points: int) -> None:
    state = filled("perleberg--stendal", "magdeburg--stendal", neutral=neutral, posts=CHAIN)
    play(state, do="neutral-post", city="stendal")
    assert neutral_prestige(state) == points
    assert seen(state)["east_west"] == (["n"] if points else [])
    won = {"event": "prestige", "seat": "n", "points": 7, "why": "east-west", "city": "stendal"}
    assert events_of(state, "prestige") == ([won] if points else [])


@rule("TWO-6", "CRE-8")
def test_after_the_neutrals_chain_the_next_is_the_second() -> None:
    cities = ("arnheim", "muenster", "minden", "brunswiek")
    state = two(
        points={"perleberg--stendal": ["0t", "0t", "0t"]},
        posts={city: ["0m" if city == "muenster" else "0t"] for city in cities},
        east_west=["n"],
        supply={0: (2, 0)},
    )
    play(state, do="create", route="perleberg--stendal", reward={"post": "stendal"})
    assert [(one["why"], one["points"]) for one in events_of(state, "prestige")] == [
        ("east-west", 4)
    ]


@rule("TWO-6", "CRE-8")
def test_after_2009_a_chain_of_the_neutral_takes_no_place() -> None:
    neutral = {"brunswiek": ["nt"], "arnheim": ["nt", "0m"], "stendal": ["nt", "0m"]}
    shared = {"muenster": ["nt", "0t"], "minden": ["nt", "0t"]}
    state = two(
        neutral="2009",
        points={"hannover--minden": ["0t", "0t", "0t"]},
        posts=neutral | shared | {"lueneburg": ["0m"], "perleberg": ["0t"]},
        desk={0: {"book": 3}},
    )
    play(state, do="create", route="hannover--minden", reward={"post": "hannover"})
    assert [one["points"] for one in events_of(state, "prestige") if one["why"] == "east-west"] == [
        7
    ]


@together(
    ("board", "goal", "last"),
    [
        (HANSE, "hamburg--luebeck", "hamburg--stade"),
        (HANSE, "hamburg--stade", "hamburg--luebeck"),
        (HANSE, "coellen--warburg", "paderborn--warburg"),
        (EAST, "danzig--koenigsberg", "belgard--danzig"),
        (EAST, "havelberg--waren", "stettin--waren"),
        (EAST, "breslau--krakau", "krakau--thorn"),
        (BRITANNIA, "plymouth--salisbury", "oxford--salisbury"),
        (BRITANNIA, "cardiff--coventry", "coventry--hereford"),
        (BRITANNIA, "chester--hereford", "coventry--hereford"),
        (BRITANNIA, "durham--york", "durham--lancaster"),
    ],
)
@rule("TWO-6", "TWO-3")
def test_one_trader_stays_at_a_special_city_after_britannia_only(
    board: str, goal: str, last: str
) -> None:
    for neutral, stays in (("britannia", 1), ("2009", 0)):
        state = filled(goal, last, board, neutral=neutral)
        assert events_of(state, "neutral-created")[0]["stays"] == stays
        assert men_on(state, goal) == (["nt"] * stays + [None] * 4)[: len(men_on(state, goal))]


@together(
    ("board", "goal", "last"),
    [
        (HANSE, "hannover--minden", "bremen--minden"),
        (EAST, "belgard--danzig", "danzig--koenigsberg"),
        (BRITANNIA, "coventry--hereford", "chester--hereford"),
    ],
)
@rule("TWO-6")
def test_no_trader_stays_on_other_routes(board: str, goal: str, last: str) -> None:
    state = filled(goal, last, board)
    assert events_of(state, "neutral-created")[0]["stays"] == 0
    assert set(men_on(state, goal)) == {None}


@rule("TWO-6")
def test_the_trader_stays_where_no_post_is_put_either() -> None:
    state = luebeck(posts={"hamburg": ["1t", "1t", "1t"], "luebeck": ["0t", "0t"]})
    assert (men_on(state, "hamburg--luebeck"), asked(state)) == (["nt", None, None], ("turn", 0))


@rule("TWO-6", "TWO-1")
def test_the_trader_that_stays_takes_a_house_before_a_ship(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        BRITANNIA,
        'neutral_start_britannia = ["cardiff"',
        'neutral_start_britannia = ["isle-of-man", "cardiff"',
    )
    points: dict[str, list[str | None]] = {
        "conway--isle-of-man": ["nt", "nt", None],
        "conway--montgomery": ["nt", None, None],
    }
    state = two(path, points=points, posts={"london": ["0t"]})
    displace(state, "conway--montgomery")
    play(state, from_="displaced", route="conway--isle-of-man")
    play(state, do="decline")
    assert men_on(state, "conway--isle-of-man") == [None, None, "nt"]


@rule("TWO-6", "BRI-8")
def test_after_britannia_the_neutral_takes_its_place_in_wales() -> None:
    posts = {"cardiff": ["nt"], "chester": ["nt"], "conway": ["0t"], "pembroke": ["0t", "1t"]}
    state = two(BRITANNIA, posts=posts)
    assert [totals(state, seat)["countries"]["Wales"] for seat in (0, 1)] == [4, 2]


@together(("neutral", "points"), [("2009", [4, 7]), ("britannia", [2, 5])])
@rule("TWO-6", "BRI-8")
def test_the_neutral_takes_a_place_in_majorities_after_britannia_only(
    neutral: str, points: list[int]
) -> None:
    state = two(BRITANNIA, neutral=neutral, posts={"cardiff": ["0t", "nt"], "chester": ["1t"]})
    assert [totals(state, seat)["countries"]["Wales"] for seat in (0, 1)] == points


@together(("neutral", "points"), [("2009", [7, 4]), ("britannia", [7, 2])])
@rule("TWO-6", "BRI-8")
def test_the_neutral_takes_part_among_those_without_a_city(neutral: str, points: list[int]) -> None:
    posts = {"cardiff": ["nt", "nt", "0t", "0m"], "pembroke": ["1t", "0t"]}
    state = two(BRITANNIA, neutral=neutral, posts=posts)
    assert [totals(state, seat)["countries"]["Wales"] for seat in (0, 1)] == points


# -- TWO-6: a spare route for a marker


def no_free_route(board: str, *, pure: list[str], free: str = "", **wanted: Any) -> GameState:
    """Neutral traders stand on every route, with a player's tradesman except on the pure routes."""
    points = empty_board(board)
    for number, (route, men) in enumerate(points.items()):
        house = (
            2 if route in {"malmoe--stralsund", "stralsund--wismar", "conway--isle-of-man"} else 0
        )
        men[house] = "nt"
        if route not in pure:
            men[1] = men[house]
            men[house] = f"{number % 2}t"
    if free:
        points[free] = [None] * len(points[free])
    developed = {"keys": 4, "actions": 5, "privilege": 3}
    state = two(
        board,
        points=points,
        desk={0: developed, 1: developed},
        plates={0: wanted.pop("plate", ["move-3"])},
        supply={0: (0, 0), 1: (0, 0)},
        **wanted,
    )
    play(state, do="end-turn")
    return state


@rule("TWO-6", "BON-2")
def test_without_a_free_route_a_marker_may_join_neutral_traders() -> None:
    pure = ["bremen--minden", "hannover--minden"]
    state = no_free_route(HANSE, pure=pure)
    assert (asked(state), offered_routes(state)) == (("place-marker", 0), set(pure))


@rule("TWO-6", "TWO-4")
def test_on_a_spare_route_no_further_trader_is_put() -> None:
    state = no_free_route(HANSE, pure=["bremen--minden", "hannover--minden"])
    play(state, do="place-marker", route="bremen--minden")
    assert seen(state)["routes"]["bremen--minden"] == {
        "points": ["nt", None, None],
        "marker": "move-3",
    }
    assert events_of(state, "placed") == []


@rule("TWO-6", "BON-2")
def test_after_2009_the_marker_waits_on_the_plate() -> None:
    state = no_free_route(HANSE, pure=["bremen--minden", "hannover--minden"], neutral="2009")
    game.settle(state)
    assert (asked(state), player(state, 0)["plate"]) == (("turn", 1), 1)


@rule("TWO-6", "BON-2")
def test_without_a_spare_route_either_the_marker_waits_on_the_plate() -> None:
    state = no_free_route(HANSE, pure=[])
    game.settle(state)
    assert (asked(state), player(state, 0)["plate"]) == (("turn", 1), 1)


@rule("TWO-6", "BON-2")
def test_a_spare_route_has_no_marker_yet() -> None:
    state = no_free_route(
        HANSE,
        pure=["bremen--minden", "hannover--minden", "minden--muenster"],
        route_markers={"bremen--minden": "plus-3-actions"},
    )
    assert offered_routes(state) == {"hannover--minden", "minden--muenster"}


@rule("TWO-6", "BON-2")
def test_a_spare_route_needs_an_empty_space() -> None:
    state = no_free_route(
        HANSE,
        pure=["arnheim--duisburg", "dortmund--duisburg", "hannover--minden"],
        posts={"dortmund": ["nt", "nt"], "duisburg": ["nt"]},
    )
    assert offered_routes(state) == {"arnheim--duisburg", "hannover--minden"}


@rule("TWO-6", "EAST-4")
def test_a_maritime_route_is_not_a_spare_route() -> None:
    pure = ["malmoe--visby", "belgard--kulm", "elbing--kulm"]
    assert offered_routes(no_free_route(EAST, pure=pure)) == {"belgard--kulm", "elbing--kulm"}


@rule("TWO-6", "BRI-6")
def test_wales_and_permanent_markers_have_no_spare_routes() -> None:
    pure = ["cardiff--montgomery", "calais--canterbury", "durham--york", "cardiff--coventry"]
    assert offered_routes(no_free_route(BRITANNIA, pure=pure)) == {
        "durham--york",
        "cardiff--coventry",
    }


@rule("TWO-6", "BON-2")
def test_with_a_free_route_there_are_no_spare_ones() -> None:
    state = no_free_route(HANSE, pure=["hannover--minden"], free="bremen--minden")
    assert offered_routes(state) == {"bremen--minden"}


@rule("TWO-6", "BON-2")
def test_a_second_marker_needs_a_spare_route_after_the_first_is_placed() -> None:
    state = no_free_route(
        HANSE, pure=["hannover--minden"], free="bremen--minden", plate=["move-3", "move-3"]
    )
    play(state, do="place-marker", route="bremen--minden")
    assert offered_routes(state, do="place-marker") == {"hannover--minden"}

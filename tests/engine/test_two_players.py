"""Two players and a neutral colour, after either rulebook (TWO-1 to TWO-7)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from countries import WALES
from referee import atlas
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
    posts_in,
    rules_for,
    seen,
    table,
    told,
    totals,
)

Edit = Callable[[str, str, str], str]

MAPS = Path(__file__).parents[2] / "maps"
HANSE, EAST, BRITANNIA = "hanse-2-3", "east", "britannia-2-3"
MODES = pytest.mark.parametrize("neutral", ["2009", "britannia"])
BOARDS = pytest.mark.parametrize("board", [HANSE, EAST, BRITANNIA])
ONE_TRADER = {"traders": 1, "merchants": 0}
AT_THE_START = {
    HANSE: {
        *("goettingen--quedlinburg", "emden--groningen", "halle--quedlinburg"),
        *("hamburg--luebeck", "hamburg--stade"),
        *("bremen--osnabrueck", "goslar--hildesheim", "lueneburg--perleberg"),
    },
    EAST: {
        *("breslau--frankfurt", "breslau--krakau", "dresden--halle", "dresden--krakau"),
        *("halle--magdeburg", "havelberg--waren", "stettin--waren", "waren--wismar"),
        *("allenstein--braunsberg", "brandenburg--tangermuende", "kulm--stettin"),
    },
    BRITANNIA: {
        *("cardiff--coventry", "cardiff--montgomery", "cardiff--oxford", "cardiff--pembroke"),
        *("chester--conway", "chester--hereford", "carlisle--newcastle", "durham--newcastle"),
        *("cambridge--london", "canterbury--london", "london--oxford", "plymouth--salisbury"),
        *("cambridge--norwich", "norwich--nottingham", "durham--york", "nottingham--york"),
        *("coventry--nottingham", "lancaster--richmond", "salisbury--southampton"),
    },
}


def two(board: str = HANSE, **wanted: Any) -> GameState:
    wanted["supply"] = {0: (4, 0)} | wanted.get("supply", {})
    return table(board, players=2, **wanted)


def empty_board(board: str) -> dict[str, list[str | None]]:
    routes = seen(table(board, players=2))["routes"]
    return {route: [None] * len(words["points"]) for route, words in routes.items()}


def goals(state: GameState, **wanted: object) -> set[str]:
    return {one["route"] for one in offers(state, **wanted) if "route" in one}


def kinds(state: GameState) -> list[str]:
    return [one["event"] for one in told(state)]


def displace(state: GameState, route: str, tradesman: str = "trader") -> None:
    play(state, do="displace", route=route, point=0, tradesman=tradesman, pay=ONE_TRADER)


def neutral_prestige(state: GameState) -> int:
    won: int = seen(state)["neutral"]["prestige"]
    return won


def filled(goal: str, last: str, board: str = HANSE, **wanted: Any) -> GameState:
    """A displacement has just filled a route with neutral traders.

    Seat 0 displaced the neutral trader of the route `last`; seat 1 put it on the last free point
    of `goal`, and declined the extra.
    """
    points = empty_board(board)
    points[goal] = ["nt"] * (len(points[goal]) - 1) + [None]
    points[last][0] = "nt"
    points |= wanted.pop("points", {})
    state = two(board, points=points, **wanted)
    displace(state, last)
    play(state, do="relocate", from_="displaced", route=goal)
    play(state, do="decline")
    return state


def luebeck(**wanted: Any) -> GameState:
    """Hamburg-Lübeck, which ends at an ability, has just been filled with neutral traders."""
    return filled("hamburg--luebeck", "hamburg--stade", **wanted)


def hannover(**wanted: Any) -> GameState:
    """Hannover-Minden, which has no ability, has just been filled with neutral traders."""
    return filled("hannover--minden", "bremen--minden", **wanted)


@pytest.fixture
def edited(tmp_path: Path) -> Edit:
    """A bundled board with one piece of its file replaced."""

    def write(board: str, old: str, new: str) -> str:
        source = Path(board) if board.endswith(".toml") else MAPS / f"{board}.toml"
        text = source.read_text("utf-8")
        assert text.count(old) == 1
        path = tmp_path / "edited.toml"
        path.write_text(text.replace(old, new), "utf-8")
        return str(path)

    return write


# -- TWO-1: set-up


@MODES
@BOARDS
@rule("TWO-1")
def test_one_neutral_trader_on_each_route_of_an_ability_or_a_marker(
    board: str, neutral: str
) -> None:
    state = table(board, players=2, neutral=neutral, clear=False)
    expected = empty_board(board)
    for route in AT_THE_START[board]:
        expected[route][0] = "nt"
    assert {route: words["points"] for route, words in seen(state)["routes"].items()} == expected


@BOARDS
@rule("TWO-1")
def test_three_players_meet_no_neutral(board: str) -> None:
    state = table(board, players=3, clear=False)
    assert seen(state)["neutral"] is None
    assert not any(any(words["points"]) for words in seen(state)["routes"].values())


@BOARDS
@rule("TWO-1")
def test_the_set_up_tells_the_markers_and_then_each_neutral_trader(board: str) -> None:
    state = game.new_game(atlas.load_board(board), rules_for(board, 2), 1)
    before = told(state)[: kinds(state).index("turn")]
    count = len(AT_THE_START[board])
    assert [one["event"] for one in before] == ["marker-placed"] * 3 + ["placed"] * count
    assert {one["route"] for one in before[3:]} == AT_THE_START[board]
    assert all(one["seat"] == "n" and one["tradesman"] == "trader" for one in before[3:])


@rule("TWO-1")
def test_a_route_with_ability_and_marker_has_one_neutral_trader(edited: Edit) -> None:
    ends = 'ends = ["hamburg", "luebeck"]\n'
    path = edited(HANSE, ends, ends + "tavern = true\n")
    ends = 'ends = ["lueneburg", "perleberg"]\n'
    path = edited(path, ends + "tavern = true\n", ends)
    state = table(path, players=2, clear=False)
    assert seen(state)["routes"]["hamburg--luebeck"]["marker"]
    assert men_on(state, "hamburg--luebeck") == ["nt", None, None]


@rule("TWO-1")
def test_houses_come_before_ships(edited: Edit) -> None:
    path = edited(
        BRITANNIA, 'neutral_start = ["cardiff"', 'neutral_start = ["isle-of-man", "cardiff"'
    )
    state = table(path, players=2, clear=False)
    assert men_on(state, "conway--isle-of-man") == [None, None, "nt"]
    assert men_on(state, "carlisle--isle-of-man") == ["nt", None, None]


@rule("TWO-1")
def test_without_a_word_the_neutral_plays_after_britannia() -> None:
    assert rules_for(HANSE, 2).neutral == "britannia"
    assert rules_for(HANSE, 3).neutral is None


@MODES
@pytest.mark.parametrize("active", [0, 1])
@rule("TWO-1", "BON-7")
def test_move_three_moves_the_neutrals_traders_for_either_player(neutral: str, active: int) -> None:
    state = two(
        neutral=neutral,
        active=active,
        points={"hamburg--stade": ["nt", f"{active}t", None]},
        markers={active: ["move-3"]},
    )
    play(state, do="use", marker="move-3")
    assert [one["point"] for one in offers(state, do="lift")] == [0]


@MODES
@rule("TWO-1", "BON-4")
def test_a_post_can_be_exchanged_with_the_neutrals(neutral: str) -> None:
    state = two(neutral=neutral, posts={"minden": ["0t", "nt"]}, markers={0: ["exchange-posts"]})
    play(state, do="use", marker="exchange-posts", city="minden")
    assert posts_in(state, "minden")[:2] == ["nt", "0t"]


# -- TWO-2: a neutral trader is displaced


@MODES
@pytest.mark.parametrize("active", [0, 1])
@rule("TWO-2", "DIS-1")
def test_a_neutral_trader_is_displaced_at_the_cost_of_one(neutral: str, active: int) -> None:
    state = two(
        neutral=neutral,
        active=active,
        supply={active: (2, 0)},
        points={"hamburg--stade": ["nt", None, None]},
    )
    assert [one["pay"] for one in offers(state, do="displace")] == [ONE_TRADER]
    displace(state, "hamburg--stade")
    assert (men_on(state, "hamburg--stade")[0], amounts(state, "supply", active)) == (
        f"{active}t",
        (0, 0),
    )


@MODES
@pytest.mark.parametrize("active", [0, 1])
@rule("TWO-2")
def test_the_other_player_replaces_it_with_one_extra(neutral: str, active: int) -> None:
    state = two(
        neutral=neutral,
        active=active,
        supply={active: (2, 0)},
        points={"hamburg--stade": ["nt", None, None]},
    )
    displace(state, "hamburg--stade")
    assert asked(state) == ("relocate", 1 - active)
    expected = {
        "route": "hamburg--stade",
        "point": 0,
        "by": active,
        "owner": "n",
        "extras": 1,
        "placed": [],
    }
    assert about(state) == about(state) | expected
    assert seen(state)["in_hand"] == ["nt"]


@MODES
@rule("TWO-2", "DIS-4")
def test_neutral_traders_go_to_the_adjacent_routes(neutral: str) -> None:
    state = two(neutral=neutral, points={"hamburg--stade": ["nt", None, None]})
    displace(state, "hamburg--stade")
    near = {"bremen--hamburg", "hamburg--luebeck", "hamburg--lueneburg"}
    assert goals(state, from_="displaced") == near
    play(state, from_="displaced", route="bremen--hamburg")
    assert goals(state, from_="stock") == near


@MODES
@rule("TWO-2", "DIS-4")
def test_when_those_are_full_neutral_traders_go_further(neutral: str) -> None:
    state = two(
        neutral=neutral,
        points={
            "dortmund--duisburg": ["nt", None],
            "arnheim--duisburg": ["1t"] * 3,
            "dortmund--paderborn": ["1t"] * 3,
        },
        supply={1: (0, 0)},
    )
    displace(state, "dortmund--duisburg")
    further = {
        *("arnheim--kampen", "arnheim--muenster", "hildesheim--paderborn"),
        *("minden--paderborn", "paderborn--warburg"),
    }
    assert goals(state, from_="displaced") == further


@rule("TWO-2", "DIS-2")
def test_the_neutral_extra_may_be_declined_once_the_displaced_stands() -> None:
    state = two(points={"hamburg--stade": ["nt", None, None]})
    displace(state, "hamburg--stade")
    assert offers(state, do="decline") == []
    play(state, from_="displaced", route="bremen--hamburg")
    play(state, do="decline")
    assert (men_on(state, "bremen--hamburg"), asked(state)) == (
        ["nt", None, None, None],
        ("turn", 0),
    )


@rule("TWO-2")
def test_the_neutral_brings_traders_only() -> None:
    state = two(points={"hamburg--stade": ["nt", None, None]})
    displace(state, "hamburg--stade")
    assert {(one["tradesman"], one["from"]) for one in offers(state)} == {
        ("trader", "displaced"),
        ("trader", "stock"),
    }


@rule("TWO-2")
def test_the_neutrals_displacement_is_told() -> None:
    state = two(points={"hamburg--stade": ["nt", None, None]})
    displace(state, "hamburg--stade")
    play(state, from_="displaced", route="bremen--hamburg")
    play(state, from_="stock", route="bremen--hamburg")
    gone = {"seat": "n", "by": 0, "route": "hamburg--stade", "point": 0, "tradesman": "trader"}
    assert told(state, "displaced") == [{"event": "displaced", "with": "trader"} | gone]
    come = {"event": "relocated", "seat": "n", "tradesman": "trader", "route": "bremen--hamburg"}
    assert told(state, "relocated") == [
        come | {"from": "displaced", "point": 0},
        come | {"from": "stock", "point": 1},
    ]


@MODES
@rule("TWO-2", "BRI-3")
def test_from_wales_neutral_traders_stay_in_wales(neutral: str) -> None:
    points = {"chester--conway": ["nt", None, None]}
    state = two(BRITANNIA, neutral=neutral, points=points, posts={"london": ["0t"]})
    displace(state, "chester--conway")
    assert goals(state) == {"conway--isle-of-man", "conway--montgomery"}


@MODES
@rule("TWO-2", "BRI-3")
def test_from_england_neutral_traders_stay_in_england(neutral: str) -> None:
    state = two(BRITANNIA, neutral=neutral, points={"chester--hereford": ["nt", None, None, None]})
    displace(state, "chester--hereford")
    assert goals(state) == {"coventry--hereford", "hereford--lancaster"}


def crowded_wales(neutral: str, free: int) -> GameState:
    """A neutral trader at Chester-Conway, and no free point in Wales but these."""
    points: dict[str, list[str | None]] = {route: ["1t", "0t", "1t"] for route in sorted(WALES)}
    points["chester--conway"] = ["nt", "0t", "1t"]
    points["conway--isle-of-man"] = ["0m", "1m", "1t"]
    points["montgomery--pembroke"][:free] = [None] * free
    developed = {"keys": 4, "actions": 3}
    state = two(
        BRITANNIA,
        neutral=neutral,
        points=points,
        posts={"london": ["0t"]},
        desk={0: developed, 1: developed},
        supply={1: (0, 0)},
    )
    displace(state, "chester--conway")
    return state


@MODES
@rule("TWO-2", "DIS-5")
def test_a_neutral_trader_that_finds_no_point_leaves_the_board(neutral: str) -> None:
    state = crowded_wales(neutral, free=0)
    game.settle(state)
    gone = {
        "event": "relocated",
        "seat": "n",
        "tradesman": "trader",
        "from": "displaced",
        "to": "stock",
    }
    assert told(state, "relocated") == [gone]
    assert (asked(state), seen(state)["in_hand"]) == (("turn", 0), [])


@MODES
@rule("TWO-2", "DIS-4")
def test_the_last_point_is_for_the_displaced_neutral_trader(neutral: str) -> None:
    state = crowded_wales(neutral, free=1)
    assert {one["from"] for one in offers(state)} == {"displaced"}
    game.settle(state)
    assert (men_on(state, "montgomery--pembroke")[0], asked(state)) == ("nt", ("turn", 0))


# -- TWO-3: a route full of neutral traders


@MODES
@rule("TWO-3")
def test_a_displacement_that_fills_a_route_creates_it(neutral: str) -> None:
    state = hannover(neutral=neutral)
    created = {"event": "neutral-created", "route": "hannover--minden", "marker": None, "stays": 0}
    assert told(state, "neutral-created") == [created]
    assert men_on(state, "hannover--minden") == [None, None, None]


@MODES
@rule("TWO-3")
def test_the_active_player_chooses_the_city_of_the_neutral_post(neutral: str) -> None:
    state = hannover(neutral=neutral)
    assert (asked(state), about(state)["route"]) == (("neutral-post", 0), "hannover--minden")
    assert [one["city"] for one in offers(state)] == ["hannover", "minden"]
    play(state, do="neutral-post", city="minden")
    assert (posts_in(state, "minden")[0], asked(state)) == ("nt", ("turn", 0))


@rule("TWO-3")
def test_it_is_the_active_player_also_when_that_is_seat_1() -> None:
    points = {"hannover--minden": ["nt", "nt", None], "bremen--minden": ["nt", None, None]}
    marked = {"hannover--minden": "plus-3-actions"}
    state = two(active=1, points=points, route_markers=marked, draws=["move-3"])
    displace(state, "bremen--minden")
    play(state, from_="displaced", route="hannover--minden")
    play(state, do="decline")
    assert asked(state) == ("neutral-post", 1)
    assert [player(state, seat)["plate"] for seat in (0, 1)] == [0, 1]


@MODES
@rule("TWO-3")
def test_the_creation_waits_for_the_end_of_the_displacement(neutral: str) -> None:
    points = {"hannover--minden": ["nt", "nt", None], "bremen--minden": ["nt", None, None]}
    state = two(neutral=neutral, points=points)
    displace(state, "bremen--minden")
    play(state, from_="displaced", route="hannover--minden")
    assert (men_on(state, "hannover--minden"), asked(state)) == (["nt"] * 3, ("relocate", 1))
    play(state, from_="stock", route="bremen--osnabrueck")
    assert (men_on(state, "hannover--minden"), asked(state)) == ([None] * 3, ("neutral-post", 0))


@MODES
@rule("TWO-3")
def test_the_extra_can_fill_a_route_too(neutral: str) -> None:
    points = {"hannover--minden": ["nt", None, None], "bremen--minden": ["nt", None, None]}
    state = two(neutral=neutral, points=points)
    displace(state, "bremen--minden")
    play(state, from_="displaced", route="hannover--minden")
    play(state, from_="stock", route="hannover--minden")
    assert asked(state) == ("neutral-post", 0)


@rule("TWO-3")
def test_a_route_that_is_shared_with_a_player_is_not_created() -> None:
    state = hannover(points={"hannover--minden": ["nt", "1t", None]})
    assert (told(state, "neutral-created"), asked(state)) == ([], ("turn", 0))


def move_three(state: GameState, lifts: list[tuple[str, int]], puts: list[str]) -> None:
    """Use move-3 from these points onto these routes."""
    play(state, do="use", marker="move-3")
    for route, point in lifts:
        play(state, do="lift", route=route, point=point)
    if len(lifts) < 3 and asked(state) == ("lift", 0):
        play(state, do="stop")
    for route in puts:
        assert told(state, "neutral-created") == []
        play(state, do="put", route=route)


@MODES
@rule("TWO-3", "BON-7")
def test_move_three_that_fills_a_route_creates_it(neutral: str) -> None:
    points = {"kampen--osnabrueck": ["nt", None], "goslar--quedlinburg": ["nt", "1t", None, None]}
    state = two(neutral=neutral, points=points, markers={0: ["move-3"]})
    move_three(state, [("goslar--quedlinburg", 0)], ["kampen--osnabrueck"])
    assert (asked(state), men_on(state, "kampen--osnabrueck")) == (
        ("neutral-post", 0),
        [None, None],
    )


@MODES
@rule("TWO-3", "BON-7", "END-1")
def test_a_route_filled_by_move_three_can_end_the_game(neutral: str) -> None:
    points = {"kampen--osnabrueck": ["nt", None], "goslar--quedlinburg": ["nt", "1t", None, None]}
    state = two(
        neutral=neutral,
        points=points,
        markers={0: ["move-3"]},
        posts={"kampen": ["1t"]},
        prestige={1: 19},
    )
    move_three(state, [("goslar--quedlinburg", 0)], ["kampen--osnabrueck"])
    play(state, do="neutral-post", city="osnabrueck")
    assert (asked(state), kinds(state)[-3]) == (None, "game-over")


@MODES
@rule("TWO-2", "BRI-5")
def test_on_britannia_move_three_keeps_neutral_traders_in_their_country(neutral: str) -> None:
    points = {"chester--conway": ["nt", None, None]}
    state = two(BRITANNIA, neutral=neutral, points=points, markers={0: ["move-3"]})
    play(state, do="use", marker="move-3")
    play(state, do="lift")
    game.settle(state)
    assert goals(state, do="put") == WALES


@MODES
@rule("TWO-3", "EAST-6")
def test_move_any_two_that_fills_a_route_creates_it(neutral: str) -> None:
    points = {
        "stralsund--wismar": ["0m", "0m", "0t"],
        "elbing--kulm": ["nt", None],
        "anklam--stettin": ["nt", None, None],
    }
    state = two(EAST, neutral=neutral, points=points, desk={0: {"book": 1}})
    play(state, do="create", route="stralsund--wismar", reward=None)
    play(state, do="lift", route="anklam--stettin")
    play(state, do="stop")
    play(state, do="put", route="elbing--kulm")
    assert (asked(state), about(state)["route"]) == (("neutral-post", 0), "elbing--kulm")


@MODES
@rule("TWO-3", "BRI-5")
def test_on_britannia_move_any_two_creates_neutral_routes_too(neutral: str) -> None:
    points = {
        "calais--canterbury": ["0t", "0m", "0t"],
        "hereford--lancaster": ["nt", None],
        "durham--lancaster": ["nt", None, None],
    }
    state = two(BRITANNIA, neutral=neutral, points=points)
    play(state, do="create", route="calais--canterbury", reward=None)
    play(state, do="lift", route="durham--lancaster")
    play(state, do="stop")
    play(state, do="put", route="hereford--lancaster")
    play(state, do="neutral-post", city="hereford")
    assert (posts_in(state, "hereford")[0], asked(state)) == ("nt", ("turn", 0))


@MODES
@rule("TWO-3")
def test_several_routes_are_created_in_the_boards_order(neutral: str) -> None:
    points = {
        "kampen--osnabrueck": ["nt", None],
        "dortmund--duisburg": ["nt", None],
        "goslar--quedlinburg": ["nt", "nt", None, None],
    }
    state = two(neutral=neutral, points=points, markers={0: ["move-3"]})
    sources = [("goslar--quedlinburg", 0), ("goslar--quedlinburg", 1)]
    move_three(state, sources, ["kampen--osnabrueck", "dortmund--duisburg"])
    assert about(state)["route"] == "dortmund--duisburg"
    play(state, do="neutral-post", city="dortmund")
    assert about(state)["route"] == "kampen--osnabrueck"
    play(state, do="neutral-post", city="kampen")
    made = [one["route"] for one in told(state, "neutral-created")]
    assert (made, asked(state)) == (["dortmund--duisburg", "kampen--osnabrueck"], ("turn", 0))


@MODES
@rule("TWO-3")
def test_a_route_without_room_for_a_post_does_not_hold_up_the_next(neutral: str) -> None:
    points = {
        "kampen--osnabrueck": ["nt", None],
        "dortmund--duisburg": ["nt", None],
        "goslar--quedlinburg": ["nt", "nt", None, None],
    }
    posts = {"dortmund": ["1m", "1t"], "duisburg": ["1t"]}
    state = two(
        neutral=neutral, points=points, posts=posts, markers={0: ["move-3"]}, supply={1: (0, 0)}
    )
    sources = [("goslar--quedlinburg", 0), ("goslar--quedlinburg", 1)]
    move_three(state, sources, ["kampen--osnabrueck", "dortmund--duisburg"])
    made = [one["route"] for one in told(state, "neutral-created")]
    assert made == ["dortmund--duisburg", "kampen--osnabrueck"]
    assert (asked(state), about(state)["route"]) == (("neutral-post", 0), "kampen--osnabrueck")


@MODES
@rule("TWO-3")
def test_a_displacement_can_fill_two_routes(neutral: str) -> None:
    points = {
        "hannover--minden": ["nt", "nt", None],
        "bremen--minden": ["nt", None, None],
        "bremen--hannover": ["nt", "nt", None],
    }
    state = two(neutral=neutral, points=points)
    displace(state, "bremen--minden")
    play(state, from_="displaced", route="hannover--minden")
    play(state, from_="stock", route="bremen--hannover")
    assert about(state)["route"] == "bremen--hannover"
    play(state, do="neutral-post", city="bremen")
    assert about(state)["route"] == "hannover--minden"


@rule("TWO-3", "CRE-2")
def test_the_post_of_the_first_route_stands_when_the_second_is_created() -> None:
    points = {
        "dortmund--paderborn": ["nt", "nt", None],
        "dortmund--duisburg": ["nt", None],
        "goslar--quedlinburg": ["nt", "nt", None, None],
    }
    state = two(points=points, markers={0: ["move-3"]})
    sources = [("goslar--quedlinburg", 0), ("goslar--quedlinburg", 1)]
    move_three(state, sources, ["dortmund--paderborn", "dortmund--duisburg"])
    play(state, do="neutral-post", city="dortmund")
    won = {"event": "prestige", "seat": "n", "points": 1, "why": "control", "city": "dortmund"}
    assert told(state, "prestige") == [won]


@MODES
@rule("TWO-3", "CRE-2")
def test_controllers_score_when_a_neutral_route_is_created(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t"], "minden": ["1t", "0t"]})
    won = [(one["seat"], one["city"], one["why"]) for one in told(state, "prestige")]
    assert won == [(1, "hannover", "control"), (0, "minden", "control")]
    assert [player(state, seat)["prestige"] for seat in (0, 1)] == [1, 1]


@rule("TWO-3", "CRE-2")
def test_control_counts_before_the_neutrals_own_post() -> None:
    state = hannover(posts={"hannover": ["1t"]})
    play(state, do="neutral-post", city="hannover")
    assert (player(state, 1)["prestige"], neutral_prestige(state)) == (1, 0)
    assert [kind for kind in kinds(state) if kind in {"neutral-created", "prestige", "post"}] == [
        "neutral-created",
        "prestige",
        "post",
    ]


@MODES
@rule("TWO-3", "CRE-3")
def test_the_marker_of_a_neutral_route_goes_out_of_the_game(neutral: str) -> None:
    marked = {"hannover--minden": "plus-3-actions"}
    state = hannover(neutral=neutral, route_markers=marked, draws=["move-3", "develop-ability"])
    assert seen(state)["markers_out"] == ["plus-3-actions"]
    assert seen(state)["routes"]["hannover--minden"]["marker"] is None
    assert [player(state, seat)["markers"] for seat in (0, 1)] == [[], []]
    assert told(state, "neutral-created")[0]["marker"] == "plus-3-actions"


@MODES
@rule("TWO-3", "CRE-3")
def test_its_replacement_goes_onto_the_active_players_plate(neutral: str) -> None:
    marked = {"hannover--minden": "plus-3-actions"}
    state = hannover(neutral=neutral, route_markers=marked, draws=["move-3", "develop-ability"])
    assert [player(state, seat)["plate"] for seat in (0, 1)] == [1, 0]
    assert told(state, "marker-drawn") == [{"event": "marker-drawn", "seat": 0, "left": 1}]
    play(state, do="neutral-post", city="minden")
    play(state, do="end-turn")
    assert asked(state) == ("place-marker", 0)
    assert {one["marker"] for one in offers(state)} == {"move-3"}


@MODES
@rule("TWO-3", "END-1")
def test_without_a_replacement_the_game_ends_after_the_action(neutral: str) -> None:
    state = hannover(
        neutral=neutral, route_markers={"hannover--minden": "plus-3-actions"}, draws=[]
    )
    assert asked(state) == ("neutral-post", 0)
    play(state, do="neutral-post", city="minden")
    assert (posts_in(state, "minden")[0], asked(state)) == ("nt", None)
    assert told(state, "game-over") == [{"event": "game-over", "reason": "markers"}]


@rule("TWO-3")
def test_without_a_marker_nothing_is_drawn() -> None:
    assert told(hannover(), "marker-drawn") == []


@MODES
@rule("TWO-3")
def test_neutral_posts_need_no_privilege_and_no_shape(neutral: str) -> None:
    state = filled("goslar--quedlinburg", "halle--quedlinburg", neutral=neutral)
    play(state, do="neutral-post", city="quedlinburg")
    assert posts_in(state, "quedlinburg") == ["nt", None]
    post = told(state, "post")[0]
    assert (post["seat"], post["where"], post["space"], post["tradesman"]) == (
        "n",
        "space",
        0,
        "trader",
    )


@rule("TWO-3")
def test_a_neutral_post_takes_the_leftmost_empty_space() -> None:
    state = hannover(posts={"minden": ["1t", "0t"]})
    play(state, do="neutral-post", city="minden")
    assert posts_in(state, "minden") == ["1t", "0t", "nt", None]


@MODES
@rule("TWO-3")
def test_a_full_city_takes_no_neutral_post(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t", "0t"]})
    assert [one["city"] for one in offers(state)] == ["minden"]


@MODES
@rule("TWO-3")
def test_between_full_cities_the_route_is_created_without_a_post(neutral: str) -> None:
    posts = {"hannover": ["1t", "0t"], "minden": ["1t", "0t", "1t", "0t"]}
    state = hannover(neutral=neutral, posts=posts)
    assert (asked(state), told(state, "post")) == (("turn", 0), [])
    assert men_on(state, "hannover--minden") == [None, None, None]
    assert len(told(state, "neutral-created")) == 1


@MODES
@rule("TWO-3", "EAST-3")
def test_the_neutral_has_no_posts_in_green_cities(neutral: str) -> None:
    state = filled("belgard--kulm", "belgard--danzig", EAST, neutral=neutral)
    assert [one["city"] for one in offers(state)] == ["kulm"]


@MODES
@rule("TWO-3", "EAST-3")
def test_next_to_a_full_city_an_empty_green_one_is_no_space_for_the_neutral(neutral: str) -> None:
    posts = {"kulm": ["1t", "1t"]}
    state = filled("belgard--kulm", "belgard--danzig", EAST, neutral=neutral, posts=posts)
    assert (asked(state), told(state, "post")) == (("turn", 0), [])


@pytest.mark.parametrize(("neutral", "points"), [("2009", 0), ("britannia", 1)])
@rule("TWO-3", "CRE-6")
def test_a_coin_is_the_neutrals_after_britannia_and_nobodys_after_2009(
    neutral: str, points: int
) -> None:
    state = luebeck(neutral=neutral)
    play(state, do="neutral-post", city="luebeck")
    assert neutral_prestige(state) == points
    coin = {"event": "prestige", "seat": "n", "points": 1, "why": "coin", "city": "luebeck"}
    assert told(state, "prestige") == [coin] * points


@pytest.mark.parametrize(("neutral", "points"), [("2009", 0), ("britannia", 2)])
@rule("TWO-3", "CRE-6")
def test_the_neutrals_coins_on_britannia_are_worth_two(neutral: str, points: int) -> None:
    state = filled("bristol--salisbury", "oxford--salisbury", BRITANNIA, neutral=neutral)
    play(state, do="neutral-post", city="bristol")
    assert neutral_prestige(state) == points


@MODES
@rule("TWO-3", "EAST-5")
def test_the_permanent_marker_of_a_neutral_route_is_not_used(neutral: str) -> None:
    state = filled("malmoe--visby", "danzig--malmoe", EAST, neutral=neutral)
    play(state, do="neutral-post", city="visby")
    assert (asked(state), seen(state)["completed_cities"]) == (("turn", 0), 1)


@MODES
@rule("TWO-3", "CRE-7")
def test_a_neutral_post_can_complete_a_city(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t"]}, completed=3)
    play(state, do="neutral-post", city="hannover")
    assert told(state, "city-completed") == [
        {"event": "city-completed", "city": "hannover", "count": 4}
    ]


@MODES
@rule("TWO-3", "END-1")
def test_a_neutral_post_can_complete_the_last_city_of_the_game(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t"]}, completed=9)
    play(state, do="neutral-post", city="hannover")
    assert told(state, "game-over") == [{"event": "game-over", "reason": "cities"}]


@MODES
@rule("TWO-3", "END-1")
def test_a_neutral_route_can_bring_a_controller_to_twenty(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"minden": ["1t"]}, prestige={1: 19})
    assert asked(state) == ("neutral-post", 0)
    play(state, do="neutral-post", city="hannover")
    assert told(state, "game-over") == [{"event": "game-over", "reason": "prestige"}]


@MODES
@rule("TWO-3")
def test_a_neutral_route_costs_the_active_player_no_action(neutral: str) -> None:
    state = hannover(neutral=neutral, actions=2)
    play(state, do="neutral-post", city="minden")
    assert seen(state)["actions_left"] == 1


@MODES
@rule("TWO-3")
def test_after_the_last_action_too_the_neutral_post_is_put(neutral: str) -> None:
    state = hannover(neutral=neutral, actions=1)
    assert (asked(state), seen(state)["actions_left"]) == (("neutral-post", 0), 0)


# -- TWO-4: a trader with every marker


@MODES
@pytest.mark.parametrize(
    ("board", "route"),
    [(HANSE, "bremen--minden"), (EAST, "belgard--kulm"), (BRITANNIA, "bristol--salisbury")],
)
@rule("TWO-4")
def test_a_neutral_trader_comes_with_every_marker_that_is_placed(
    board: str, route: str, neutral: str
) -> None:
    state = two(board, neutral=neutral, plates={0: ["move-3"]})
    play(state, do="end-turn")
    play(state, do="place-marker", route=route)
    assert (men_on(state, route)[:2], seen(state)["routes"][route]["marker"]) == (
        ["nt", None],
        "move-3",
    )
    trader = {"event": "placed", "seat": "n", "route": route, "point": 0}
    assert told(state, "placed") == [trader | {"tradesman": "trader", "from": "stock"}]


@rule("TWO-4")
def test_the_neutrals_marker_brings_a_trader_as_well() -> None:
    state = hannover(route_markers={"hannover--minden": "plus-3-actions"}, draws=["move-3"])
    play(state, do="neutral-post", city="minden")
    play(state, do="end-turn")
    play(state, do="place-marker", route="hannover--minden")
    assert men_on(state, "hannover--minden") == ["nt", None, None]


@rule("TWO-4", "BON-2")
def test_with_two_markers_each_gets_a_route_and_a_trader_of_its_own() -> None:
    state = two(plates={0: ["move-3", "move-3"]})
    play(state, do="end-turn")
    play(state, do="place-marker", route="bremen--minden")
    assert "bremen--minden" not in goals(state, do="place-marker")
    play(state, do="place-marker", route="hannover--minden")
    assert len(told(state, "placed")) == 2


@rule("TWO-4", "TWO-1")
def test_the_trader_of_a_marker_takes_a_house_before_a_ship(edited: Edit) -> None:
    path = edited(EAST, 'permanent = "move-2-any"\n', "")
    state = two(path, plates={0: ["move-3"]})
    play(state, do="end-turn")
    play(state, do="place-marker", route="stralsund--wismar")
    assert men_on(state, "stralsund--wismar") == [None, None, "nt"]


@rule("TWO-4")
def test_three_players_place_markers_without_a_trader() -> None:
    state = table(HANSE, players=3, plates={0: ["move-3"]})
    play(state, do="end-turn")
    play(state, do="place-marker", route="bremen--minden")
    assert men_on(state, "bremen--minden") == [None, None, None]


# -- TWO-5: ships, and as many as are needed


@MODES
@rule("TWO-5")
def test_displaced_neutral_traders_may_go_onto_ships(neutral: str) -> None:
    state = two(EAST, neutral=neutral, points={"luebeck--wismar": ["nt", None, None]})
    displace(state, "luebeck--wismar")
    ships = [one["point"] for one in offers(state, from_="displaced", route="stralsund--wismar")]
    assert ships == [0, 2]


@MODES
@rule("TWO-5", "BON-7")
def test_moved_neutral_traders_may_go_onto_ships(neutral: str) -> None:
    points = {"luebeck--wismar": ["nt", None, None]}
    state = two(EAST, neutral=neutral, points=points, markers={0: ["move-3"]})
    move_three(state, [("luebeck--wismar", 0)], [])
    play(state, do="put", route="stralsund--wismar", point=0)
    assert men_on(state, "stralsund--wismar") == ["nt", None, None]


@MODES
@rule("TWO-5", "DIS-1")
def test_a_neutral_trader_on_a_ship_is_displaced_by_a_merchant_at_the_cost_of_one(
    neutral: str,
) -> None:
    points = {"stralsund--wismar": ["nt", None, None]}
    state = two(EAST, neutral=neutral, points=points, supply={0: (1, 1)})
    found = [(one["tradesman"], one["pay"]) for one in offers(state, do="displace")]
    assert found == [("merchant", ONE_TRADER)]


@MODES
@rule("TWO-5")
def test_the_neutral_never_runs_out(neutral: str) -> None:
    points = empty_board(HANSE)
    for men in points.values():
        men[:-1] = ["nt"] * (len(men) - 1)
    state = two(neutral=neutral, points=points)
    assert sum(men.count("nt") for men in points.values()) > 2 * 27
    displace(state, "hamburg--stade")
    assert goals(state, from_="stock") == {
        "bremen--hamburg",
        "hamburg--luebeck",
        "hamburg--lueneburg",
    }


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
    assert told(state, "prestige") == [won] * points


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
    assert told(state, "game-over") == [{"event": "game-over", "reason": "prestige"}]


@rule("TWO-6", "END-1")
def test_a_coin_of_its_own_route_can_bring_the_neutral_to_twenty() -> None:
    state = luebeck(prestige={"n": 19})
    play(state, do="neutral-post", city="luebeck")
    assert (asked(state), told(state, "game-over")) == (
        None,
        [{"event": "game-over", "reason": "prestige"}],
    )


CHAIN = {"arnheim": ["nt"], "muenster": ["nt"], "minden": ["nt"], "brunswiek": ["nt"]}


@pytest.mark.parametrize(("neutral", "points"), [("2009", 0), ("britannia", 7)])
@rule("TWO-6", "CRE-8")
def test_the_neutral_can_close_the_chain_after_britannia_only(neutral: str, points: int) -> None:
    state = filled("perleberg--stendal", "magdeburg--stendal", neutral=neutral, posts=CHAIN)
    play(state, do="neutral-post", city="stendal")
    assert neutral_prestige(state) == points
    assert seen(state)["east_west"] == (["n"] if points else [])
    won = {"event": "prestige", "seat": "n", "points": 7, "why": "east-west", "city": "stendal"}
    assert told(state, "prestige") == ([won] if points else [])


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
    assert [(one["why"], one["points"]) for one in told(state, "prestige")] == [("east-west", 4)]


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
    assert [one["points"] for one in told(state, "prestige") if one["why"] == "east-west"] == [7]


@pytest.mark.parametrize(
    ("board", "goal", "last"),
    [
        (HANSE, "hamburg--luebeck", "hamburg--stade"),
        (HANSE, "hamburg--stade", "hamburg--luebeck"),
        (EAST, "havelberg--waren", "stettin--waren"),
        (EAST, "breslau--krakau", "krakau--thorn"),
        (BRITANNIA, "plymouth--salisbury", "oxford--salisbury"),
        (BRITANNIA, "cardiff--coventry", "coventry--hereford"),
        (BRITANNIA, "chester--hereford", "coventry--hereford"),
        (BRITANNIA, "durham--york", "durham--lancaster"),
    ],
)
@rule("TWO-6", "TWO-3")
def test_one_trader_stays_at_a_city_of_the_set_up_after_britannia_only(
    board: str, goal: str, last: str
) -> None:
    for neutral, stays in (("britannia", 1), ("2009", 0)):
        state = filled(goal, last, board, neutral=neutral)
        assert told(state, "neutral-created")[0]["stays"] == stays
        assert men_on(state, goal) == (["nt"] * stays + [None] * 4)[: len(men_on(state, goal))]


@pytest.mark.parametrize(
    ("board", "goal", "last"),
    [
        (HANSE, "hannover--minden", "bremen--minden"),
        (HANSE, "coellen--warburg", "paderborn--warburg"),
        (EAST, "danzig--koenigsberg", "belgard--danzig"),
        (BRITANNIA, "coventry--hereford", "chester--hereford"),
    ],
)
@rule("TWO-6")
def test_no_trader_stays_on_other_routes(board: str, goal: str, last: str) -> None:
    state = filled(goal, last, board)
    assert told(state, "neutral-created")[0]["stays"] == 0
    assert set(men_on(state, goal)) == {None}


@rule("TWO-6")
def test_the_trader_stays_where_no_post_is_put_either() -> None:
    state = luebeck(posts={"hamburg": ["1t", "1t", "1t"], "luebeck": ["0t", "0t"]})
    assert (men_on(state, "hamburg--luebeck"), asked(state)) == (["nt", None, None], ("turn", 0))


@rule("TWO-6", "TWO-1")
def test_the_trader_that_stays_takes_a_house_before_a_ship(edited: Edit) -> None:
    path = edited(
        BRITANNIA, 'neutral_start = ["cardiff"', 'neutral_start = ["isle-of-man", "cardiff"'
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


@pytest.mark.parametrize(("neutral", "points"), [("2009", [4, 7]), ("britannia", [2, 5])])
@rule("TWO-6", "BRI-8")
def test_the_neutrals_cities_are_nobodys_and_its_place_is_taken_after_britannia_only(
    neutral: str, points: list[int]
) -> None:
    state = two(BRITANNIA, neutral=neutral, posts={"cardiff": ["0t", "nt"], "chester": ["1t"]})
    assert [totals(state, seat)["countries"]["Wales"] for seat in (0, 1)] == points


@pytest.mark.parametrize(("neutral", "points"), [("2009", [7, 4]), ("britannia", [7, 2])])
@rule("TWO-6", "BRI-8")
def test_the_neutral_takes_part_among_those_without_a_city(neutral: str, points: list[int]) -> None:
    posts = {"cardiff": ["nt", "nt", "0t", "0m"], "pembroke": ["1t", "0t"]}
    state = two(BRITANNIA, neutral=neutral, posts=posts)
    assert [totals(state, seat)["countries"]["Wales"] for seat in (0, 1)] == points


# -- TWO-6: a spare route for a marker


def no_free_route(board: str, *, pure: list[str], free: str = "", **wanted: Any) -> GameState:
    """Neutral traders stand everywhere, with a player's beside them except on the pure routes."""
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
    assert (asked(state), goals(state)) == (("place-marker", 0), set(pure))


@rule("TWO-6", "TWO-4")
def test_on_a_spare_route_no_further_trader_is_put() -> None:
    state = no_free_route(HANSE, pure=["bremen--minden", "hannover--minden"])
    play(state, do="place-marker", route="bremen--minden")
    assert seen(state)["routes"]["bremen--minden"] == {
        "points": ["nt", None, None],
        "marker": "move-3",
    }
    assert told(state, "placed") == []


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
    assert goals(state) == {"hannover--minden", "minden--muenster"}


@rule("TWO-6", "BON-2")
def test_a_spare_route_needs_an_empty_space() -> None:
    state = no_free_route(
        HANSE,
        pure=["arnheim--duisburg", "dortmund--duisburg", "hannover--minden"],
        posts={"dortmund": ["nt", "nt"], "duisburg": ["nt"]},
    )
    assert goals(state) == {"arnheim--duisburg", "hannover--minden"}


@rule("TWO-6", "EAST-4")
def test_a_maritime_route_is_no_spare_route() -> None:
    pure = ["malmoe--visby", "belgard--kulm", "elbing--kulm"]
    assert goals(no_free_route(EAST, pure=pure)) == {"belgard--kulm", "elbing--kulm"}


@rule("TWO-6", "BRI-6")
def test_wales_and_permanent_markers_have_no_spare_routes() -> None:
    pure = ["cardiff--montgomery", "calais--canterbury", "durham--york", "cardiff--coventry"]
    assert goals(no_free_route(BRITANNIA, pure=pure)) == {"durham--york", "cardiff--coventry"}


@rule("TWO-6", "BON-2")
def test_with_a_free_route_there_are_no_spare_ones() -> None:
    state = no_free_route(HANSE, pure=["hannover--minden"], free="bremen--minden")
    assert goals(state) == {"bremen--minden"}


@rule("TWO-6", "BON-2")
def test_the_second_marker_needs_a_spare_route_when_the_first_took_the_free_one() -> None:
    state = no_free_route(
        HANSE, pure=["hannover--minden"], free="bremen--minden", plate=["move-3", "move-3"]
    )
    play(state, do="place-marker", route="bremen--minden")
    assert goals(state, do="place-marker") == {"hannover--minden"}


# -- TWO-7: the end


@MODES
@BOARDS
@rule("TWO-7", "SCO-1")
def test_nobody_gets_the_points_of_the_neutrals_cities(board: str, neutral: str) -> None:
    city, other = {
        HANSE: ("minden", "hannover"),
        EAST: ("thorn", "kulm"),
        BRITANNIA: ("hereford", "coventry"),
    }[board]
    state = two(board, neutral=neutral, posts={city: ["0t", "nt"], other: ["nt", "1t"]})
    assert [totals(state, seat)["cities"] for seat in (0, 1)] == [0, 2]


@MODES
@rule("TWO-7")
def test_the_neutral_has_no_total_and_no_rank(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t"]}, completed=9, prestige={0: 3})
    play(state, do="neutral-post", city="hannover")
    assert [one["seat"] for one in told(state, "scored")] == [0, 1]
    assert sorted(totals(state, seat)["rank"] for seat in (0, 1)) == [1, 2]
    assert len(game.standings(state)) == 2


@rule("TWO-7")
def test_the_neutrals_many_points_win_it_nothing() -> None:
    state = two(prestige={"n": 19, 0: 2, 1: 1})
    assert [totals(state, seat)["rank"] for seat in (0, 1)] == [1, 2]


@MODES
@rule("TWO-7", "TURN-3")
def test_the_neutral_has_no_turn_of_its_own(neutral: str) -> None:
    state = two(neutral=neutral)
    for seat in (1, 0, 1):
        end_turn(state)
        assert asked(state) == ("turn", seat)

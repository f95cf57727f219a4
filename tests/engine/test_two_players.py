"""Two players and a neutral colour: set-up, markers, ships and the end (TWO-1, TWO-4, TWO-5, TWO-7)."""

from pathlib import Path

import pytest

from referee import atlas
from referee.engine import game
from support.rule_marker import rule
from support.table import (
    asked,
    end_turn,
    event_kinds,
    events_of,
    men_on,
    offered_routes,
    offers,
    play,
    posts_in,
    rules_for,
    seen,
    table,
    totals,
)
from support.two_player_tables import (
    BOARDS,
    BRITANNIA,
    EAST,
    HANSE,
    MODES,
    ONE_TRADER,
    displace,
    edited,
    empty_board,
    hannover,
    move_three,
    two,
)

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
        *("chester--conway", "chester--hereford", "carlisle--newcastle", "durham--newcastle"),
        *("cambridge--london", "canterbury--london", "london--oxford"),
        *("cambridge--norwich", "norwich--nottingham", "durham--york", "nottingham--york"),
        *("coventry--nottingham", "lancaster--richmond", "salisbury--southampton"),
    },
}
# Routes of special cities without an ability: special prestige, and permits on Britannia.
MORE_IN_BRITANNIA = {
    HANSE: {"coellen--warburg"},
    EAST: {"danzig--koenigsberg"},
    BRITANNIA: {
        *("cardiff--coventry", "cardiff--montgomery", "cardiff--oxford", "cardiff--pembroke"),
        "plymouth--salisbury",
    },
}


def at_the_start(board: str, neutral: str = "britannia") -> set[str]:
    more = MORE_IN_BRITANNIA[board] if neutral == "britannia" else set()
    return AT_THE_START[board] | more


# -- TWO-1: set-up


@MODES
@BOARDS
@rule("TWO-1")
def test_one_neutral_trader_on_each_route_of_a_special_city_or_a_marker(
    board: str, neutral: str
) -> None:
    state = table(board, players=2, neutral=neutral, clear=False)
    expected = empty_board(board)
    for route in at_the_start(board, neutral):
        expected[route][0] = "nt"
    assert {route: words["points"] for route, words in seen(state)["routes"].items()} == expected


@BOARDS
@rule("TWO-1")
def test_with_three_players_there_is_no_neutral_colour(board: str) -> None:
    state = table(board, players=3, clear=False)
    assert seen(state)["neutral"] is None
    assert not any(any(words["points"]) for words in seen(state)["routes"].values())


@BOARDS
@rule("TWO-1")
def test_the_set_up_emits_the_markers_and_then_each_neutral_trader(board: str) -> None:
    state = game.new_game(atlas.load_board(board), rules_for(board, 2), 1)
    before = events_of(state)[: event_kinds(state).index("turn")]
    count = len(at_the_start(board))
    assert [one["event"] for one in before] == ["marker-placed"] * 3 + ["placed"] * count
    assert {one["route"] for one in before[3:]} == at_the_start(board)
    assert all(one["seat"] == "n" and one["tradesman"] == "trader" for one in before[3:])


@rule("TWO-1")
def test_a_route_with_ability_and_marker_has_one_neutral_trader(tmp_path: Path) -> None:
    ends = 'ends = ["hamburg", "luebeck"]\n'
    path = edited(tmp_path, HANSE, ends, ends + "tavern = true\n")
    ends = 'ends = ["lueneburg", "perleberg"]\n'
    path = edited(tmp_path, path, ends + "tavern = true\n", ends)
    state = table(path, players=2, clear=False)
    assert seen(state)["routes"]["hamburg--luebeck"]["marker"]
    assert men_on(state, "hamburg--luebeck") == ["nt", None, None]


@rule("TWO-1")
def test_houses_come_before_ships(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        BRITANNIA,
        'neutral_start_britannia = ["cardiff"',
        'neutral_start_britannia = ["isle-of-man", "cardiff"',
    )
    state = table(path, players=2, clear=False)
    assert men_on(state, "conway--isle-of-man") == [None, None, "nt"]
    assert men_on(state, "carlisle--isle-of-man") == ["nt", None, None]


@rule("TWO-1")
def test_by_default_the_neutral_plays_by_the_britannia_rules() -> None:
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
    assert events_of(state, "placed") == [trader | {"tradesman": "trader", "from": "stock"}]


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
    assert "bremen--minden" not in offered_routes(state, do="place-marker")
    play(state, do="place-marker", route="hannover--minden")
    assert len(events_of(state, "placed")) == 2


@rule("TWO-4", "TWO-1")
def test_the_trader_of_a_marker_takes_a_house_before_a_ship(tmp_path: Path) -> None:
    path = edited(tmp_path, EAST, 'permanent = "move-2-any"\n', "")
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
def test_a_merchant_displaces_a_neutral_trader_on_a_ship_for_one(
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
    assert offered_routes(state, from_="stock") == {
        "bremen--hamburg",
        "hamburg--luebeck",
        "hamburg--lueneburg",
    }


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
    assert [one["seat"] for one in events_of(state, "scored")] == [0, 1]
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

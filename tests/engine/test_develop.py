"""What a route may give instead of a post: an ability, or special prestige (CRE-9, CRE-10)."""

from __future__ import annotations

from typing import Any

from referee import atlas
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import amounts, events_of, offers, play, player, seen, table, totals

FULL_TRACK = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}

# Which abilities are pictured where.
CITIES = {
    "hanse-4-5": {
        "groningen": ["book"],
        "stade": ["privilege"],
        "luebeck": ["bank"],
        "goettingen": ["actions"],
        "halle": ["keys"],
    },
    "hanse-2-3": {
        "groningen": ["book"],
        "stade": ["privilege"],
        "luebeck": ["bank"],
        "goettingen": ["actions"],
        "halle": ["keys"],
    },
    "east": {
        "breslau": ["book"],
        "magdeburg": ["privilege"],
        "waren": ["actions", "bank"],
        "dresden": ["keys"],
    },
    "britannia-4-5": {
        "norwich": ["book"],
        "london": ["privilege"],
        "newcastle": ["bank"],
        "chester": ["actions"],
        "york": ["keys"],
    },
    "britannia-2-3": {
        "norwich": ["book"],
        "london": ["privilege"],
        "newcastle": ["bank"],
        "chester": ["actions"],
        "york": ["keys"],
    },
}
# A route at the city of each ability, with its number of points.
AT = {
    "keys": ("halle--quedlinburg", 4),
    "actions": ("goettingen--warburg", 3),
    "privilege": ("hamburg--stade", 3),
    "book": ("emden--groningen", 3),
    "bank": ("hamburg--luebeck", 3),
}
SPECIAL = {
    "hanse-4-5": "coellen--warburg",
    "hanse-2-3": "coellen--warburg",
    "east": "danzig--koenigsberg",
    "britannia-4-5": "plymouth--salisbury",
    "britannia-2-3": "plymouth--salisbury",
}


def offered(state: GameState, what: str) -> list[Any]:
    found = [words["reward"] for words in offers(state, do="create")]
    return [reward[what] for reward in found if reward and what in reward]


def at(ability: str, **more: Any) -> GameState:
    """Traders of seat 0 hold all points of a route at the city of an ability."""
    route, points = AT[ability]
    return table(points={route: ["0t"] * points}, **more)


# --- Abilities -----------------------------------------------------------------------------


@rule("CRE-9", "EAST-2")
@together("board", CITIES)
def test_a_route_offers_the_abilities_pictured_at_its_two_cities(board: str) -> None:
    for route in atlas.load_board(board).words["routes"]:
        kinds = {"house": "0t", "ship": "0m"}
        men = [kinds[point["type"]] for point in route["points"]]
        state = table(board, points={route["id"]: men}, desk={0: {"book": 2}}, supply={0: (0, 0)})
        pictured = [ability for end in route["ends"] for ability in CITIES[board].get(end, [])]
        assert sorted(offered(state, "develop")) == sorted(pictured)


@rule("CRE-9")
@together("ability", AT)
def test_the_leftmost_tradesman_of_the_track_goes_to_the_supply(ability: str) -> None:
    state = at(ability, supply={0: (1, 0)})
    play(state, do="create", reward={"develop": ability})
    assert player(state, 0)["desk"] == {**dict.fromkeys(FULL_TRACK, 0), ability: 1}
    assert amounts(state, "supply", 0) == ((1, 1) if ability == "book" else (2, 0))


@rule("CRE-9", "CRE-11")
@together("ability", AT)
def test_all_tradesmen_of_the_route_return_when_an_ability_is_developed(ability: str) -> None:
    state = at(ability)
    traders, merchants = amounts(state, "stock", 0)
    play(state, do="create", reward={"develop": ability})
    assert amounts(state, "stock", 0) == (traders + AT[ability][1], merchants)


@rule("CRE-9")
@together("ability", AT)
def test_the_developed_event_contains_the_steps_reached(ability: str) -> None:
    state = at(ability, desk={0: {ability: 1}})
    play(state, do="create", reward={"develop": ability})
    (event,) = events_of(state, "developed")
    assert (event["seat"], event["ability"], event["steps"]) == (0, ability, 2)


@rule("CRE-9")
@together("ability", AT)
def test_an_ability_can_be_developed_to_its_end_and_no_further(ability: str) -> None:
    last = FULL_TRACK[ability]
    assert offered(at(ability, desk={0: {ability: last - 1}}), "develop") == [ability]
    assert offered(at(ability, desk={0: {ability: last}}), "develop") == []


@rule("CRE-9")
def test_the_track_of_another_player_does_not_matter() -> None:
    assert offered(at("bank", desk={1: {"bank": 3}}), "develop") == ["bank"]


@rule("CRE-9")
def test_an_ability_is_offered_also_at_a_full_city() -> None:
    state = at("bank", posts={"luebeck": ["1t", "1t"]})
    assert offered(state, "develop") == ["bank"]


@rule("CRE-9", "TURN-4")
@together(("steps", "gained"), [(0, 1), (1, 0), (2, 1), (3, 0), (4, 1)])
def test_a_higher_value_of_actions_gives_one_more_at_once(steps: int, gained: int) -> None:
    state = at("actions", desk={0: {"actions": steps}}, actions=1)
    play(state, do="create", reward={"develop": "actions"})
    assert seen(state)["actions_left"] == gained
    expected = [(0, 1, "actions")] * gained
    got = [(one["seat"], one["actions"], one["why"]) for one in events_of(state, "actions-gained")]
    assert got == expected


@rule("CRE-9")
def test_a_new_privilege_holds_in_the_same_turn() -> None:
    points = {"hamburg--stade": ["0t"] * 3, "paderborn--warburg": ["0t"] * 3}
    state = table(points=points)
    assert "warburg" not in offered(state, "post")
    play(state, do="create", reward={"develop": "privilege"})
    assert "warburg" in offered(state, "post")


# --- Special prestige ----------------------------------------------------------------------


def special_route(board: str, men: tuple[str, ...] = ("0t", "0m", "0t", "0t"), **more: Any) -> Any:
    return table(board, points={SPECIAL[board]: list(men)}, supply={0: (0, 0)}, **more)


@rule("CRE-10")
def test_at_coellen_red_may_take_eight_or_a_post_on_either_side() -> None:
    state = special_route("hanse-4-5", desk={0: {"privilege": 1}})
    listed = [words["reward"] for words in offers(state, do="create")]
    assert len(listed) == 5
    for reward in (None, {"special": 7}, {"special": 8}, {"post": "coellen"}, {"post": "warburg"}):
        assert reward in listed


@rule("CRE-10", "CRE-11")
def test_at_coellen_the_merchant_takes_the_eight_and_three_return() -> None:
    state = special_route("hanse-4-5", desk={0: {"privilege": 1}})
    play(state, do="create", reward={"special": 8})
    assert seen(state)["special_prestige"] == [None, 0, None, None]
    assert events_of(state, "created")[0]["returned"] == {"traders": 3, "merchants": 0}


@rule("CRE-10", "CRE-5")
def test_at_coellen_the_trader_may_go_to_orange_warburg_instead() -> None:
    state = special_route("hanse-4-5", desk={0: {"privilege": 1}})
    play(state, do="create", reward={"post": "warburg"})
    assert seen(state)["cities"]["warburg"]["posts"] == ["0t", None]
    assert player(state, 0)["prestige"] == 0


@rule("CRE-10", "CRE-6")
def test_at_coellen_the_trader_may_go_to_white_coellen_for_its_coin() -> None:
    state = special_route("hanse-4-5", desk={0: {"privilege": 1}})
    play(state, do="create", reward={"post": "coellen"})
    assert seen(state)["cities"]["coellen"]["posts"] == ["0t", None]
    assert player(state, 0)["prestige"] == 1


@rule("CRE-10")
@together("board", SPECIAL)
@together(("steps", "spaces"), [(0, [7]), (1, [7, 8]), (2, [7, 8, 9]), (3, [7, 8, 9, 11])])
def test_the_spaces_ask_for_white_orange_pink_and_black(
    board: str, steps: int, spaces: list[int]
) -> None:
    state = special_route(board, desk={0: {"privilege": steps}})
    assert sorted(offered(state, "special")) == spaces


@rule("CRE-10")
@together("board", SPECIAL)
def test_special_prestige_is_offered_on_no_other_route(board: str) -> None:
    for route in atlas.load_board(board).words["routes"]:
        men = ["0t" if point["type"] == "house" else "0m" for point in route["points"]]
        men[0] = "0m"
        state = table(board, points={route["id"]: men}, desk={0: {"book": 3}}, supply={0: (0, 0)})
        assert bool(offered(state, "special")) == (route["id"] == SPECIAL[board])


@rule("CRE-10")
@together("board", SPECIAL)
def test_without_a_merchant_on_the_route_there_is_no_special_prestige(board: str) -> None:
    state = special_route(board, ("0t", "0t", "0t", "0t"), desk={0: {"privilege": 3}})
    assert offered(state, "special") == []


@rule("CRE-10")
def test_a_merchant_of_the_supply_does_not_help() -> None:
    state = table(points={"coellen--warburg": ["0t"] * 4}, supply={0: (0, 1)})
    assert offered(state, "special") == []


@rule("CRE-10")
@together("owner", [0, 2])
def test_an_occupied_space_is_not_offered_whoever_holds_it(owner: int) -> None:
    desk = {0: {"privilege": 3, "book": 1}, 2: {"book": 1}}
    state = special_route("hanse-4-5", special=[None, owner, None, None], desk=desk)
    assert sorted(offered(state, "special")) == [7, 9, 11]


@rule("CRE-10")
def test_with_all_four_spaces_taken_none_is_offered() -> None:
    desk = {0: {"privilege": 3}, **{seat: {"book": 2} for seat in (1, 2, 3)}}
    state = special_route("hanse-4-5", special=[1, 1, 2, 3], desk=desk)
    assert offered(state, "special") == []


@rule("CRE-10")
@together(("points", "index"), [(7, 0), (8, 1), (9, 2), (11, 3)])
def test_spaces_may_be_skipped(points: int, index: int) -> None:
    state = special_route("hanse-4-5", desk={0: {"privilege": 3}})
    play(state, do="create", reward={"special": points})
    assert seen(state)["special_prestige"].index(0) == index
    (event,) = events_of(state, "special-prestige")
    assert (event["seat"], event["points"]) == (0, points)


@rule("CRE-10")
def test_special_prestige_is_not_on_the_track_but_counted_at_the_end() -> None:
    state = special_route("hanse-4-5", desk={0: {"privilege": 2}})
    play(state, do="create", reward={"special": 9})
    assert player(state, 0)["prestige"] == 0
    assert totals(state, 0)["special"] == 9


@rule("CRE-10")
def test_one_player_may_take_several_spaces_one_at_a_time() -> None:
    men = ("0m", "0m", "0t", "0t")
    state = special_route(
        "hanse-4-5", men, special=[0, None, None, None], desk={0: {"book": 2, "privilege": 1}}
    )
    play(state, do="create", reward={"special": 8})
    assert seen(state)["special_prestige"] == [0, 0, None, None]
    assert events_of(state, "created")[0]["returned"] == {"traders": 2, "merchants": 1}

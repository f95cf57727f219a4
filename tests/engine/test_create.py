"""Creating a trade route: who may, what it gives, and what returns (CRE-1 to CRE-4, CRE-9 to CRE-12)."""

from __future__ import annotations

from typing import Any

from referee import atlas
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import (
    amounts,
    asked,
    events_of,
    men_on,
    offers,
    play,
    player,
    posts_in,
    seen,
    table,
)

BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]
ROUTE = "dortmund--paderborn"
FULL = {ROUTE: ["0t", "0t", "0t"]}
TAVERN = "bremen--osnabrueck"


def rewards(state: GameState, route: str) -> list[Any]:
    return [words["reward"] for words in offers(state, do="create", route=route)]


def names(state: GameState) -> list[str]:
    return [event["event"] for event in events_of(state)]


def men_for(board: str, route: str, man: str) -> list[str]:
    (words,) = [one for one in atlas.load_board(board).words["routes"] if one["id"] == route]
    return [man if point["type"] == "house" else man[0] + "m" for point in words["points"]]


# --- Only one's own full routes ------------------------------------------------------------


@rule("CRE-1")
@together("board", BOARDS)
def test_a_route_full_of_own_tradesmen_can_be_created(board: str) -> None:
    for words in atlas.load_board(board).words["routes"]:
        route = words["id"]
        state = table(board, points={route: men_for(board, route, "0t")}, desk={0: {"book": 3}})
        assert {one["route"] for one in offers(state, do="create")} == {route}


@rule("CRE-1")
@together("board", BOARDS)
def test_a_route_with_one_free_point_cannot_be_created(board: str) -> None:
    for words in atlas.load_board(board).words["routes"]:
        route = words["id"]
        men: list[str | None] = [*men_for(board, route, "0t")[:-1], None]
        state = table(board, points={route: men}, desk={0: {"book": 3}})
        assert offers(state, do="create") == []


@rule("CRE-1")
@together("other", ["1t", "1m"])
def test_a_route_with_a_tradesman_of_another_player_cannot_be_created(other: str) -> None:
    state = table(points={ROUTE: ["0t", other, "0t"]}, supply={1: (2, 0)})
    assert offers(state, do="create") == []


@rule("CRE-1")
def test_a_route_with_a_neutral_trader_cannot_be_created() -> None:
    state = table("hanse-2-3", players=2, points={ROUTE: ["0t", "nt", "0t"]})
    assert offers(state, do="create") == []


@rule("CRE-1")
def test_a_full_route_of_another_player_cannot_be_created() -> None:
    state = table(points={ROUTE: ["1t", "1t", "1t"]})
    assert offers(state, do="create") == []


@rule("CRE-1")
def test_traders_and_merchants_together_fill_a_route() -> None:
    state = table(points={ROUTE: ["0t", "0m", "0t"]}, supply={0: (0, 0)})
    assert offers(state, do="create", route=ROUTE) != []


@rule("CRE-1")
def test_filling_the_last_point_does_not_create_the_route() -> None:
    state = table(points={ROUTE: ["0t", "0t", None]}, actions=1)
    play(state, do="place", route=ROUTE, tradesman="trader")
    assert events_of(state, "created") == []
    assert men_on(state, ROUTE) == ["0t", "0t", "0t"]


@rule("CRE-1")
def test_without_an_action_left_no_route_is_created() -> None:
    state = table(points=FULL, actions=0)
    assert offers(state, do="create") == []


@rule("CRE-1")
def test_creating_a_route_is_one_action() -> None:
    state = table(points=FULL, actions=2)
    play(state, do="create", route=ROUTE, reward=None)
    assert seen(state)["actions_left"] == 1
    (action,) = events_of(state, "action")
    assert (action["seat"], action["left"]) == (0, 1)


@rule("CRE-1")
def test_two_full_routes_are_two_actions() -> None:
    state = table(points={**FULL, "kampen--osnabrueck": ["0t", "0t"]}, actions=2)
    play(state, do="create", route=ROUTE, reward=None)
    assert men_on(state, "kampen--osnabrueck") == ["0t", "0t"]
    play(state, do="create", route="kampen--osnabrueck", reward=None)
    assert seen(state)["actions_left"] == 0


# --- First: the controllers of both cities -------------------------------------------------


def control(state: GameState) -> dict[str, int | str]:
    """The cities that gave a point, and the seat that got it."""
    given = [one for one in events_of(state, "prestige") if one["why"] == "control"]
    assert all(one["points"] == 1 for one in given)
    return {one["city"]: one["seat"] for one in given}


@rule("CRE-2")
def test_dortmund_scores_for_red_and_paderborn_for_blue_further_right() -> None:
    posts = {"dortmund": ["0m"], "paderborn": ["0t", "1m"]}
    state = table(points=FULL, posts=posts, supply={0: (0, 0), 1: (0, 0)})
    play(state, do="create", route=ROUTE, reward=None)
    assert control(state) == {"dortmund": 0, "paderborn": 1}
    assert [player(state, seat)["prestige"] for seat in range(4)] == [1, 1, 0, 0]


@rule("CRE-2")
def test_cities_without_posts_score_for_nobody() -> None:
    state = table(points=FULL)
    play(state, do="create", route=ROUTE, reward=None)
    assert events_of(state, "prestige") == []


@rule("CRE-2")
def test_the_controller_of_both_cities_gets_two_points() -> None:
    posts = {"dortmund": ["2m"], "paderborn": ["2t"]}
    state = table(points=FULL, posts=posts, supply={2: (1, 0)})
    play(state, do="create", route=ROUTE, reward=None)
    assert control(state) == {"dortmund": 2, "paderborn": 2}
    assert player(state, 2)["prestige"] == 2


CONTROLLED: list[tuple[list[str], list[str], int]] = [
    (["1t", "1t", "2t"], [], 1),  # the majority, wherever it is
    (["1t", "2t", "2t", "1t"], [], 1),  # a tie: furthest right
    (["1t", "2t", "1t", "2t"], [], 2),
    (["2t", "1t", "1t", "2t"], ["3t"], 2),
    (["1t", "2t"], ["1t", "2t", "3t"], 2),  # of the tied
    (["1t", "1t", "2t", "3t"], ["2t"], 2),  # the third player's rightmost post is not of the tied
    (["1t", "2t"], ["1t"], 1),  # an additional post counts like any other
    (["1t", "1t"], ["2t", "2t"], 1),  # and is worth less than any space
    (["3t"], ["1t", "2t", "2t", "1t"], 1),  # among additional ones, furthest right too
    (["3t"], ["2t", "1t", "1t", "2t"], 2),
    (["1t"], ["2t"], 1),
]


@rule("CRE-2")
@together(("posts", "additional", "controller"), CONTROLLED)
def test_most_posts_control_and_a_tie_goes_to_the_tied_post_furthest_right(
    posts: list[str], additional: list[str], controller: int
) -> None:
    points = {"minden--paderborn": ["0t", "0t", "0t"]}
    state = table(points=points, posts={"minden": posts}, additional={"minden": additional})
    play(state, do="create", route="minden--paderborn", reward=None)
    assert control(state) == {"minden": controller}


@rule("CRE-2")
def test_the_post_of_this_action_comes_too_late_to_control() -> None:
    state = table(points=FULL)
    play(state, do="create", route=ROUTE, reward={"post": "paderborn"})
    assert control(state) == {}


@rule("CRE-2", "BON-3")
def test_an_additional_post_of_this_action_comes_too_late_to_control() -> None:
    posts, more = {"paderborn": ["1t"]}, {"paderborn": ["0t"]}
    state = table(points=FULL, posts=posts, additional=more, markers={0: ["additional-post"]})
    play(state, do="create", route=ROUTE, reward={"additional": "paderborn", "tradesman": "trader"})
    assert control(state) == {"paderborn": 1}


@rule("CRE-2")
def test_posts_in_a_green_city_control_it() -> None:
    route = "dresden--halle"
    state = table("east", points={route: ["0t"] * 4}, posts={"dresden": ["1t", "2t"]})
    play(state, do="create", route=route, reward=None)
    assert control(state) == {"dresden": 2}


@rule("CRE-2", "BON-3", "EAST-3")
def test_an_additional_post_in_a_green_city_is_left_of_the_others() -> None:
    route, posts, more = "dresden--halle", {"dresden": ["1t"]}, {"dresden": ["2t"]}
    state = table("east", points={route: ["0t"] * 4}, posts=posts, additional=more)
    play(state, do="create", route=route, reward=None)
    assert control(state) == {"dresden": 1}


@rule("CRE-2", "TWO-6")
@together(("neutral", "scored"), [("britannia", {"dortmund": "n"}), ("2009", {})])
def test_a_city_of_the_neutral_scores_for_no_player(
    neutral: str, scored: dict[str, object]
) -> None:
    state = table("hanse-2-3", players=2, neutral=neutral, points=FULL, posts={"dortmund": ["nt"]})
    play(state, do="create", route=ROUTE, reward=None)
    assert control(state) == scored
    assert [player(state, seat)["prestige"] for seat in range(2)] == [0, 0]


# --- Then: the bonus marker ----------------------------------------------------------------


def at_the_tavern(marker: str = "plus-3-actions", **more: Any) -> GameState:
    return table(points={TAVERN: ["0t", "0t", "0t"]}, route_markers={TAVERN: marker}, **more)


@rule("CRE-3")
def test_the_marker_of_the_route_is_taken_face_up() -> None:
    state = at_the_tavern()
    play(state, do="create", route=TAVERN, reward=None)
    assert player(state, 0)["markers"] == ["plus-3-actions"]
    assert seen(state)["routes"][TAVERN]["marker"] is None
    (taken,) = events_of(state, "marker-taken")
    assert (taken["seat"], taken["route"], taken["marker"]) == (0, TAVERN, "plus-3-actions")


@rule("CRE-3")
def test_a_replacement_is_drawn_onto_the_plate() -> None:
    state = at_the_tavern(draws=["move-3", "exchange-posts"])
    play(state, do="create", route=TAVERN, reward=None)
    assert player(state, 0)["plate"] == 1
    assert seen(state)["marker_supply"] == 1
    (drawn,) = events_of(state, "marker-drawn")
    assert (drawn["seat"], drawn["left"]) == (0, 1)


@rule("CRE-3")
@together("seat", range(4))
def test_nobody_sees_the_replacement_that_was_drawn(seat: int) -> None:
    one = at_the_tavern(draws=["move-3", "block"])
    other = at_the_tavern(draws=["plus-4-actions", "tribute"])
    for state in (one, other):
        play(state, do="create", route=TAVERN, reward=None)
    assert seen(one, seat) == seen(other, seat)
    assert events_of(one) == events_of(other)


@rule("CRE-3")
def test_a_route_without_a_marker_draws_none() -> None:
    state = table(points=FULL)
    play(state, do="create", route=ROUTE, reward=None)
    assert events_of(state, "marker-taken") == events_of(state, "marker-drawn") == []
    assert player(state, 0)["plate"] == 0


@rule("CRE-3", "TURN-2")
def test_the_marker_is_usable_once_the_action_is_finished() -> None:
    state = at_the_tavern(actions=1)
    assert offers(state, do="use") == []
    play(state, do="create", route=TAVERN, reward=None)
    assert [one["marker"] for one in offers(state, do="use")] == ["plus-3-actions"]


@rule("CRE-3", "TURN-2", "BON-3")
def test_an_additional_post_won_by_this_action_is_not_used_in_it() -> None:
    state = at_the_tavern("additional-post", posts={"osnabrueck": ["1t"], "bremen": ["1t"]})
    assert not [one for one in rewards(state, TAVERN) if one and "additional" in one]


@rule("CRE-3")
def test_with_no_replacement_to_draw_the_game_ends_after_the_action() -> None:
    state = at_the_tavern(draws=[])
    play(state, do="create", route=TAVERN, reward={"post": "osnabrueck"})
    assert asked(state) is None
    assert posts_in(state, "osnabrueck") == ["0t", None, None]
    assert events_of(state, "marker-drawn") == []


@rule("CRE-3")
def test_drawing_the_last_replacement_does_not_end_the_game() -> None:
    state = at_the_tavern(draws=["move-3"])
    play(state, do="create", route=TAVERN, reward=None)
    assert asked(state) == ("turn", 0)


@rule("CRE-3")
def test_without_a_marker_on_the_route_an_empty_supply_does_not_matter() -> None:
    state = table(points=FULL, draws=[])
    play(state, do="create", route=ROUTE, reward=None)
    assert asked(state) == ("turn", 0)


# --- Then: one reward at most --------------------------------------------------------------


@rule("CRE-4")
def test_the_rewards_are_nothing_or_one_of_those_that_are_possible() -> None:
    state = table(points={"hamburg--luebeck": ["0t", "0t", "0t"]})
    listed = rewards(state, "hamburg--luebeck")
    assert len(listed) == 4
    for reward in (None, {"post": "hamburg"}, {"post": "luebeck"}, {"develop": "bank"}):
        assert reward in listed


@rule("CRE-4")
@together("reward", [{"post": "coellen"}, {"special": 7}, None])
def test_one_reward_excludes_the_others(reward: dict[str, object] | None) -> None:
    state = table(points={"coellen--warburg": ["0t", "0t", "0m", "0t"]}, supply={0: (0, 0)})
    play(state, do="create", route="coellen--warburg", reward=reward)
    assert asked(state) == ("turn", 0)
    assert len(events_of(state, "post")) + len(events_of(state, "special-prestige")) == bool(reward)


REWARDS: list[dict[str, object] | None] = [
    None,
    {"post": "coellen"},
    {"special": 7},
    {"additional": "warburg", "tradesman": "merchant"},
]


@rule("CRE-4")
@together("reward", REWARDS)
def test_the_created_event_contains_the_reward(reward: dict[str, object] | None) -> None:
    route, markers = "coellen--warburg", {0: ["additional-post"]}
    men, posts = {route: ["0t", "0t", "0m", "0t"]}, {"warburg": ["1t"]}
    state = table(points=men, posts=posts, markers=markers, supply={0: (0, 0)})
    play(state, do="create", route=route, reward=reward)
    (created,) = events_of(state, "created")
    assert (created["seat"], created["route"], created["reward"]) == (0, route, reward)


# --- The tradesmen go back -----------------------------------------------------------------


@rule("CRE-11")
@together(
    ("reward", "traders", "merchants"),
    [(None, 3, 1), ({"special": 7}, 3, 0), ({"post": "coellen"}, 2, 1)],
)
def test_all_tradesmen_that_are_not_used_return_to_the_stock(
    reward: dict[str, object] | None, traders: int, merchants: int
) -> None:
    state = table(points={"coellen--warburg": ["0t", "0m", "0t", "0t"]}, supply={0: (2, 0)})
    before = amounts(state, "stock", 0)
    play(state, do="create", route="coellen--warburg", reward=reward)
    assert amounts(state, "stock", 0) == (before[0] + traders, before[1] + merchants)
    assert amounts(state, "supply", 0) == (2, 0)
    assert events_of(state, "created")[0]["returned"] == {
        "traders": traders,
        "merchants": merchants,
    }


@rule("CRE-11")
@together("reward", [None, {"post": "hamburg"}, {"develop": "bank"}])
def test_the_route_is_empty_afterwards(reward: dict[str, object] | None) -> None:
    state = table(points={"hamburg--luebeck": ["0t", "0t", "0t"]})
    play(state, do="create", route="hamburg--luebeck", reward=reward)
    assert men_on(state, "hamburg--luebeck") == [None, None, None]
    assert seen(state)["in_hand"] == []


@rule("CRE-12")
def test_with_both_cities_full_a_route_still_gives_points_and_its_marker() -> None:
    posts = {"goslar": ["1t", "1t"], "hildesheim": ["0t", "2t"]}
    route = "goslar--hildesheim"
    state = table(points={route: ["0t", "0t", "0t"]}, posts=posts, desk={0: {"privilege": 3}})
    assert rewards(state, route) == [None]
    play(state, do="create", route=route)
    assert control(state) == {"goslar": 1, "hildesheim": 2}
    assert len(player(state, 0)["markers"]) == 1


@rule("CRE-12")
def test_a_route_may_be_created_without_any_reward() -> None:
    state = table(points=FULL)
    play(state, do="create", route=ROUTE, reward=None)
    assert names(state) == ["action", "created"]

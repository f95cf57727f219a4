"""Bonus markers that change cities, desk and turn, and where replacements go (BON-1 to BON-6)."""

from __future__ import annotations

from typing import Any

from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import (
    amounts,
    asked,
    events_of,
    offers,
    play,
    player,
    posts_in,
    seen,
    table,
    totals,
)

ABILITIES = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}


def used(state: GameState) -> list[dict[str, Any]]:
    return events_of(state, "marker-used")


# --- Markers are kept ----------------------------------------------------------------------


@rule("BON-1")
def test_used_and_unused_markers_count_the_same_at_the_end() -> None:
    state = table(markers={0: ["move-3"]}, used={0: ["exchange-posts", "move-3"]})
    assert totals(state, 0)["markers"] == 3
    assert totals(table(used={0: ["move-3"] * 3}), 0)["markers"] == 3


@rule("BON-1")
def test_using_a_marker_does_not_lose_its_points() -> None:
    state = table(markers={0: ["plus-3-actions"]})
    play(state, do="use", marker="plus-3-actions")
    assert (player(state, 0)["markers"], player(state, 0)["used_markers"]) == (
        [],
        ["plus-3-actions"],
    )
    assert totals(state, 0)["markers"] == 1


@rule("BON-1")
def test_replacements_on_the_plate_do_not_count() -> None:
    state = table(plates={0: ["move-3", "move-3"]}, markers={0: ["move-3"]})
    assert totals(state, 0)["markers"] == 1


# --- Additional post -----------------------------------------------------------------------

HANNOVER = "bremen--hannover"


def at_hannover(men: list[str] | None = None, **more: Any) -> GameState:
    """Red holds Bremen-Hannover and an additional-post marker; Hannover is full of others."""
    settings: dict[str, Any] = {
        "points": {HANNOVER: men or ["0t", "0t", "0t"]},
        "posts": {"hannover": ["1t", "2t"]},
        "markers": {0: ["additional-post"]},
        "supply": {0: (2, 0)},
    }
    return table(**(settings | more))


def additional_offers(state: GameState) -> list[tuple[str, str]]:
    found = [one["reward"] for one in offers(state, do="create") if one["reward"]]
    return sorted((one["additional"], one["tradesman"]) for one in found if "additional" in one)


def add(state: GameState, city: str = "hannover", tradesman: str = "trader") -> None:
    play(state, do="create", reward={"additional": city, "tradesman": tradesman})


@rule("BON-3")
def test_at_hannover_red_places_a_tradesman_left_of_the_full_spaces() -> None:
    state = at_hannover()
    add(state)
    assert seen(state)["cities"]["hannover"] == {"posts": ["1t", "2t"], "additional": ["0t"]}
    assert player(state, 0)["used_markers"] == ["additional-post"]


@rule("BON-3")
def test_a_second_additional_post_goes_left_of_the_first() -> None:
    state = at_hannover(additional={"hannover": ["3t"]})
    add(state)
    assert seen(state)["cities"]["hannover"]["additional"] == ["0t", "3t"]


@rule("BON-3")
def test_any_kind_of_tradesman_on_the_route_will_do() -> None:
    state = at_hannover(["0t", "0m", "0t"])
    assert additional_offers(state) == [("hannover", "merchant"), ("hannover", "trader")]
    add(state, tradesman="merchant")
    assert seen(state)["cities"]["hannover"]["additional"] == ["0m"]
    assert events_of(state, "created")[0]["returned"] == {"traders": 2, "merchants": 0}


@rule("BON-3")
def test_only_tradesmen_of_the_route_will_do() -> None:
    assert additional_offers(at_hannover(supply={0: (2, 1)})) == [("hannover", "trader")]


@rule("BON-3")
def test_the_leftmost_space_must_be_occupied() -> None:
    assert additional_offers(at_hannover(posts={})) == []


@rule("BON-3")
@together("owner", ["0t", "3t"])
def test_an_additional_post_needs_only_the_first_space_to_be_occupied(
    owner: str,
) -> None:
    state = at_hannover(posts={"hannover": [owner]})
    add(state)
    assert seen(state)["cities"]["hannover"] == {"posts": [owner, None], "additional": ["0t"]}


@rule("BON-3")
def test_an_additional_post_needs_no_privilege_and_no_shape() -> None:
    state = at_hannover(["0m", "0m", "0m"], desk={0: {"book": 3}})
    assert additional_offers(state) == [("hannover", "merchant")]


@rule("BON-3")
def test_both_cities_of_the_route_are_offered() -> None:
    state = at_hannover(posts={"hannover": ["1t"], "bremen": ["2t"]})
    assert additional_offers(state) == [("bremen", "trader"), ("hannover", "trader")]


@rule("BON-3")
@together("more", [{"markers": {}}, {"markers": {1: ["additional-post"]}}])
def test_without_an_own_unused_marker_there_is_no_additional_post(
    more: dict[str, Any],
) -> None:
    assert additional_offers(at_hannover(**more)) == []


@rule("BON-3")
def test_a_used_additional_post_is_not_used_again() -> None:
    state = at_hannover(markers={}, used={0: ["additional-post"]})
    assert additional_offers(state) == []


@rule("BON-3")
def test_an_additional_post_is_used_only_within_a_creation() -> None:
    assert offers(at_hannover(), do="use") == []


@rule("BON-3")
def test_one_marker_gives_one_additional_post_and_no_ordinary_one() -> None:
    state = at_hannover(posts={"hannover": ["1t"]}, desk={0: {"privilege": 3}})
    add(state)
    assert posts_in(state, "hannover") == ["1t", None]
    assert len(events_of(state, "post")) == 1


@rule("BON-3")
def test_the_post_event_says_that_a_post_is_additional() -> None:
    state = at_hannover()
    add(state)
    ((marker,), (post,)) = (used(state), events_of(state, "post"))
    assert (marker["seat"], marker["marker"]) == (0, "additional-post")
    assert (post["seat"], post["city"], post["where"]) == (0, "hannover", "additional")
    assert (post["space"], post["tradesman"]) == (None, "trader")


@rule("BON-3", "CRE-3")
def test_the_marker_won_meanwhile_stays_unused() -> None:
    state = at_hannover(route_markers={HANNOVER: "additional-post"})
    add(state)
    assert player(state, 0)["markers"] == ["additional-post"]
    assert player(state, 0)["used_markers"] == ["additional-post"]


@rule("BON-3", "SCO-1", "SCO-2")
def test_an_additional_post_counts_in_control_and_network() -> None:
    state = table(posts={"hannover": ["0t", "1t"]}, additional={"hannover": ["0t"]})
    assert totals(state, 0)["cities"] == 2
    assert totals(state, 0)["network"] == 2


@rule("BON-3", "SCO-1")
def test_an_additional_post_loses_every_tie() -> None:
    state = table(posts={"hannover": ["1t"]}, additional={"hannover": ["0t"]})
    assert (totals(state, 0)["cities"], totals(state, 1)["cities"]) == (0, 2)


@rule("BON-3", "EAST-3")
def test_a_green_city_needs_no_occupied_space() -> None:
    points, markers = {"havelberg--waren": ["0t"] * 3}, {0: ["additional-post"]}
    state = table("east", points=points, posts={}, markers=markers)
    assert additional_offers(state) == [("waren", "trader")]


# --- Exchange posts ------------------------------------------------------------------------


def exchanges(state: GameState) -> list[tuple[str, list[int]]]:
    return [
        (one["city"], one["spaces"]) for one in offers(state, do="use", marker="exchange-posts")
    ]


def with_exchange(posts: dict[str, list[str]], **more: Any) -> GameState:
    desk = {seat: {"book": 1} for seat in range(3)}
    return table(posts=posts, markers={0: ["exchange-posts"]}, desk=desk, **more)


@rule("BON-4")
def test_an_exchange_ignores_shape_and_privilege_of_the_spaces() -> None:
    state = with_exchange({"perleberg": ["2t", "0t", "1m"]})
    play(state, do="use", marker="exchange-posts", city="perleberg", spaces=[1, 2])
    assert posts_in(state, "perleberg") == ["2t", "1m", "0t"]
    assert player(state, 0)["used_markers"] == ["exchange-posts"]


@rule("BON-4")
def test_an_exchange_emits_an_event_and_costs_no_action() -> None:
    state = with_exchange({"perleberg": ["0t", "1t"]}, actions=2)
    play(state, do="use", marker="exchange-posts")
    assert [one["event"] for one in events_of(state)] == ["marker-used", "exchanged"]
    ((marker,), (event,)) = (used(state), events_of(state, "exchanged"))
    for one in (marker, event):
        assert (one["seat"], one["city"], one["spaces"]) == (0, "perleberg", [0, 1])
    assert seen(state)["actions_left"] == 2


@rule("BON-4")
def test_an_exchange_may_change_control() -> None:
    state = with_exchange({"perleberg": ["0t", "1t"]})
    assert (totals(state, 0)["cities"], totals(state, 1)["cities"]) == (0, 2)
    play(state, do="use", marker="exchange-posts")
    assert (totals(state, 0)["cities"], totals(state, 1)["cities"]) == (2, 0)


@rule("BON-4")
def test_two_posts_of_one_owner_are_not_exchanged() -> None:
    assert exchanges(with_exchange({"perleberg": ["0t", "0t", "0m"]})) == []


@rule("BON-4")
def test_posts_that_are_not_neighbours_are_not_exchanged() -> None:
    state = with_exchange({"minden": ["0t", "1t", "2t", "1t"]})
    assert exchanges(state) == [("minden", [0, 1])]


@rule("BON-4")
def test_posts_of_two_cities_are_not_exchanged() -> None:
    state = with_exchange(
        {"coellen": ["1t", "1t"], "dortmund": ["0t", "0t", "0t"], "duisburg": ["1t"]}
    )
    assert exchanges(state) == []


@rule("BON-4")
def test_an_empty_space_takes_no_part_in_an_exchange() -> None:
    assert exchanges(with_exchange({"minden": ["0t"]})) == []


@rule("BON-4")
def test_big_box_one_of_the_two_posts_must_be_own() -> None:
    state = with_exchange({"minden": ["1t", "2t", "0t", "1t"], "osnabrueck": ["1t", "2t"]})
    assert exchanges(state) == [("minden", [1, 2]), ("minden", [2, 3])]


@rule("BON-4")
def test_2009_neither_post_must_be_own_but_the_owners_differ() -> None:
    posts = {"minden": ["1t", "2t", "0t", "1t"], "hildesheim": ["1t", "1t"]}
    state = with_exchange(posts, edition="original")
    assert exchanges(state) == [("minden", [0, 1]), ("minden", [1, 2]), ("minden", [2, 3])]


@rule("BON-4")
def test_2009_two_others_change_places() -> None:
    state = with_exchange({"perleberg": ["1t", "2t", "1m"]}, edition="original")
    play(state, do="use", marker="exchange-posts", spaces=[1, 2])
    assert posts_in(state, "perleberg") == ["1t", "1m", "2t"]


@rule("BON-4")
@together("edition", ["bigbox", "original"])
def test_additional_posts_are_never_exchanged(edition: str) -> None:
    more = {"minden": ["1t", "0t"]}
    assert exchanges(with_exchange({"minden": ["1t"]}, additional=more, edition=edition)) == []


@rule("BON-4", "EAST-3")
@together("edition", ["bigbox", "original"])
def test_posts_in_green_cities_are_never_exchanged(edition: str) -> None:
    posts, more = {"waren": ["0t", "1t"]}, {"waren": ["1t", "0t"]}
    markers = {0: ["exchange-posts"]}
    state = table("east", posts=posts, additional=more, markers=markers, edition=edition)
    assert exchanges(state) == []


@rule("BON-4", "TWO-1")
def test_a_post_of_the_neutral_is_an_opponents_post() -> None:
    markers = {0: ["exchange-posts"]}
    state = table("hanse-2-3", players=2, posts={"minden": ["0t", "nt"]}, markers=markers)
    play(state, do="use", marker="exchange-posts", city="minden", spaces=[0, 1])
    assert posts_in(state, "minden") == ["nt", "0t", None, None]


# --- Develop an ability, more actions ------------------------------------------------------


def developable(state: GameState) -> set[str]:
    return {one["ability"] for one in offers(state, do="use", marker="develop-ability")}


@rule("BON-5")
def test_any_ability_whose_track_is_not_empty_can_be_developed() -> None:
    desk = {0: {"bank": 3, "keys": 3}}
    state = table(markers={0: ["develop-ability"]}, desk=desk)
    assert developable(state) == {"keys", "actions", "privilege", "book"}


@rule("BON-5")
def test_with_every_track_empty_the_marker_cannot_be_used() -> None:
    assert offers(table(markers={0: ["develop-ability"]}, desk={0: ABILITIES}), do="use") == []


@rule("BON-5")
@together("ability", ABILITIES)
def test_the_tradesman_of_the_ability_comes_to_the_supply(ability: str) -> None:
    state = table(markers={0: ["develop-ability"]}, supply={0: (1, 0)})
    play(state, do="use", marker="develop-ability", ability=ability)
    assert player(state, 0)["desk"][ability] == 1
    assert amounts(state, "supply", 0) == ((1, 1) if ability == "book" else (2, 0))


@rule("BON-5")
def test_developing_by_marker_emits_an_event_and_costs_no_action() -> None:
    state = table(markers={0: ["develop-ability"]}, actions=1)
    play(state, do="use", marker="develop-ability", ability="bank")
    assert [one["event"] for one in events_of(state)] == ["marker-used", "developed"]
    assert used(state)[0]["ability"] == "bank"
    assert seen(state)["actions_left"] == 1


@rule("BON-5", "TURN-4")
@together(("steps", "gained"), [(0, 1), (1, 0), (2, 1), (3, 0), (4, 1)])
def test_raising_actions_by_marker_gives_one_more_at_once(steps: int, gained: int) -> None:
    state = table(markers={0: ["develop-ability"]}, desk={0: {"actions": steps}}, actions=0)
    play(state, do="use", marker="develop-ability", ability="actions")
    assert seen(state)["actions_left"] == gained


@rule("BON-6")
@together(("marker", "more"), [("plus-3-actions", 3), ("plus-4-actions", 4)])
@together("left", [0, 2])
def test_that_many_more_actions_this_turn(marker: str, more: int, left: int) -> None:
    state = table(markers={0: [marker]}, actions=left)
    play(state, do="use", marker=marker)
    assert (seen(state)["actions_left"], seen(state)["extra_actions"]) == (left + more, more)
    (event,) = events_of(state, "actions-gained")
    assert (event["seat"], event["actions"], event["why"]) == (0, more, marker)


@rule("BON-6")
def test_several_such_markers_add_up() -> None:
    state = table(markers={0: ["plus-3-actions", "plus-4-actions", "plus-3-actions"]}, actions=1)
    for marker in ("plus-3-actions", "plus-3-actions", "plus-4-actions"):
        play(state, do="use", marker=marker)
    assert (seen(state)["actions_left"], seen(state)["extra_actions"]) == (11, 10)


@rule("BON-6")
def test_unused_extra_actions_are_lost_at_the_end_of_the_turn() -> None:
    state = table(markers={0: ["plus-4-actions"]})
    play(state, do="use", marker="plus-4-actions")
    play(state, do="end-turn")
    assert asked(state) == ("turn", 1)
    assert (seen(state)["actions_left"], seen(state)["extra_actions"]) == (2, 0)

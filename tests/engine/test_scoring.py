"""The total, the network, the ranks and the missions (SCO-1 to SCO-4)."""

from __future__ import annotations

from typing import Any

from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import seen, table, totals

PARTS = ("track", "abilities", "markers", "special", "cities", "network", "missions")
FULL = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}


def with_missions(*cards: int, **more: Any) -> GameState:
    """A game with these mission cards, by seat."""
    return table(missions=cards, **more)


# --- The total -----------------------------------------------------------------------------


@rule("SCO-1")
def test_at_the_beginning_everything_is_zero() -> None:
    state = table()
    assert all(totals(state, seat)[part] == 0 for seat in range(4) for part in (*PARTS, "total"))


@rule("SCO-1")
def test_the_total_is_the_sum_of_its_parts() -> None:
    state = table(
        prestige={0: 13},
        desk={0: {"bank": 3, "keys": 1, "book": 2}},
        markers={0: ["move-3"]},
        used={0: ["move-3"]},
        special=[None, 0, None, None],
        posts={"minden": ["0t", "0t"], "hannover": ["1t", "0t"]},
    )
    parts = [totals(state, 0)[part] for part in PARTS]
    assert parts == [13, 4, 3, 8, 4, 6, 0]
    assert totals(state, 0)["total"] == 38


@rule("SCO-1")
@together("ability", ["actions", "privilege", "book", "bank"])
def test_a_fully_uncovered_ability_gives_four(ability: str) -> None:
    assert totals(table(desk={0: {ability: FULL[ability]}}), 0)["abilities"] == 4
    assert totals(table(desk={0: {ability: FULL[ability] - 1}}), 0)["abilities"] == 0


@rule("SCO-1")
def test_city_keys_give_nothing_for_being_uncovered() -> None:
    assert totals(table(desk={0: {"keys": 4}}), 0)["abilities"] == 0


@rule("SCO-1")
def test_all_abilities_give_sixteen() -> None:
    assert totals(table(desk={0: FULL}), 0)["abilities"] == 16


MARKER_POINTS = [0, 1, 3, 3, 6, 6, 10, 10, 15, 15, 21, 21, 21]


@rule("SCO-1")
@together(("count", "points"), list(enumerate(MARKER_POINTS)))
@together("edition", ["bigbox", "original"])
def test_markers_give_points_by_their_number(count: int, points: int, edition: str) -> None:
    unused, used = ["additional-post"] * (count // 2), ["exchange-posts"] * (count - count // 2)
    state = table(markers={0: unused}, used={0: used}, edition=edition)
    assert totals(state, 0)["markers"] == points


@rule("SCO-1", "CRE-10")
@together(
    ("spaces", "points"),
    [([1, 0, 1, 1], 8), ([0, 1, 1, 0], 18), ([0, 0, 0, 0], 35), ([1, 1, None, None], 0)],
)
def test_special_prestige_is_added(spaces: list[int | None], points: int) -> None:
    state = table(special=spaces, desk={0: {"book": 3}, 1: {"book": 3}}, supply={0: (0, 0)})
    assert totals(state, 0)["special"] == points


@rule("SCO-1")
@together(
    ("posts", "points"),
    [
        ({}, [0, 0, 0, 0]),
        ({"minden": ["0t"], "hannover": ["0t", "1t"], "stendal": ["2t"]}, [2, 2, 2, 0]),
        ({"minden": ["0t", "0t", "1t"], "goslar": ["0t", "0t"]}, [4, 0, 0, 0]),
        ({"minden": ["1t", "2t", "1t", "2t"]}, [0, 0, 2, 0]),
    ],
)
def test_each_controlled_city_gives_two_to_one_player_only(
    posts: dict[str, list[str]], points: list[int]
) -> None:
    state = table(posts=posts)
    assert [totals(state, seat)["cities"] for seat in range(4)] == points


@rule("SCO-1", "EAST-3")
def test_a_green_city_gives_two_like_any_other() -> None:
    state = table("east", posts={"waren": ["0t", "1t"]}, additional={"waren": ["0t"]})
    assert [totals(state, seat)["cities"] for seat in range(2)] == [2, 0]


@rule("SCO-1", "TWO-7")
@together("neutral", ["britannia", "2009"])
def test_a_city_of_the_neutral_gives_nobody_two(neutral: str) -> None:
    posts = {"minden": ["0t", "nt"], "hannover": ["1t"]}
    state = table("hanse-2-3", players=2, neutral=neutral, posts=posts)
    assert [totals(state, seat)["cities"] for seat in range(2)] == [0, 2]


@rule("SCO-1", "CRE-7")
def test_completed_cities_as_such_give_nothing() -> None:
    assert totals(table(completed=9), 0)["total"] == 0


# --- The network ---------------------------------------------------------------------------


@rule("SCO-2")
def test_nine_linked_posts_with_key_three_give_27_and_a_lone_one_nothing() -> None:
    posts = {city: ["0t"] for city in ("perleberg", "hannover", "paderborn")}
    posts |= {city: ["0m"] for city in ("lueneburg", "muenster", "kampen")}
    posts |= {"stendal": ["0t", "0m"], "minden": ["0t", "0t"]}
    state = table(posts=posts, desk={0: {"keys": 3, "book": 3}}, supply={0: (1, 0)})
    assert totals(state, 0)["network"] == 27


@rule("SCO-2", "SET-3")
@together(("steps", "value"), list(enumerate([1, 2, 2, 3, 4])))
def test_each_post_of_the_network_gives_the_value_of_the_city_keys(steps: int, value: int) -> None:
    posts = {"minden": ["0t", "0t"], "hannover": ["0t"]}
    assert totals(table(posts=posts, desk={0: {"keys": steps}}), 0)["network"] == 3 * value


@rule("SCO-2")
def test_the_group_with_the_most_posts_counts_not_with_the_most_cities() -> None:
    posts = {"stendal": ["0t"], "perleberg": ["0t"], "lueneburg": ["0t"], "arnheim": ["0t"] * 4}
    assert totals(table(posts=posts, supply={0: (0, 0)}), 0)["network"] == 4


@rule("SCO-2")
def test_groups_that_are_apart_are_not_added() -> None:
    posts = {"stendal": ["0t"] * 3, "arnheim": ["0t"] * 3}
    assert totals(table(posts=posts), 0)["network"] == 3


@rule("SCO-2")
def test_a_city_of_others_between_two_does_not_connect_them() -> None:
    posts = {"stendal": ["0t"], "brunswiek": ["1t"], "minden": ["0t"]}
    assert totals(table(posts=posts), 0)["network"] == 1


@rule("SCO-2")
def test_cities_need_a_route_between_them() -> None:
    state = table(posts={"hildesheim": ["0t"], "goettingen": ["0t"], "brunswiek": ["0t"]})
    assert totals(state, 0)["network"] == 1


@rule("SCO-2")
def test_branches_and_rings_count_every_post_once() -> None:
    ring = ["minden", "hannover", "bremen"]
    posts = {city: ["0t"] for city in [*ring, "osnabrueck", "muenster"]}
    assert totals(table(posts=posts), 0)["network"] == 5


@rule("SCO-2")
def test_posts_count_whoever_controls_the_city() -> None:
    posts = {"minden": ["0t", "1t", "1t"], "hannover": ["0t", "1t"]}
    state = table(posts=posts)
    assert [totals(state, seat)["network"] for seat in range(3)] == [2, 3, 0]


@rule("SCO-2", "BON-3")
def test_additional_posts_connect_and_count() -> None:
    posts = {"minden": ["0t"], "hannover": ["1t"], "lueneburg": ["0t"]}
    state = table(posts=posts, additional={"hannover": ["0t", "2t", "0t"]})
    assert totals(state, 0)["network"] == 4


@rule("SCO-2", "EAST-3")
def test_green_cities_connect_and_count() -> None:
    posts = {"anklam": ["0t"], "danzig": ["0t"], "belgard": ["1t", "0t"]}
    assert totals(table("east", posts=posts), 0)["network"] == 3


@rule("SCO-2")
def test_sea_routes_connect_too() -> None:
    posts = {"calais": ["0t"], "southampton": ["0t"], "canterbury": ["0t"]}
    assert totals(table("britannia-4-5", posts=posts), 0)["network"] == 3


@rule("SCO-2", "SCO-1")
def test_tradesmen_on_points_do_not_count_as_posts() -> None:
    state = table(points={"hannover--minden": ["0t"] * 3}, posts={"minden": ["0t"]})
    assert totals(state, 0)["network"] == 1


# --- Ranks ---------------------------------------------------------------------------------


def ranks(state: GameState) -> list[int]:
    return [totals(state, seat)["rank"] for seat in range(state.rules.players)]


@rule("SCO-3")
@together("edition", ["bigbox", "original"])
def test_players_rank_by_total(edition: str) -> None:
    state = table(prestige={0: 3, 1: 9, 2: 1, 3: 5}, edition=edition)
    assert ranks(state) == [3, 1, 4, 2]


@rule("SCO-3")
@together("edition", ["bigbox", "original"])
@together(
    ("prestige", "expected"),
    [
        ({0: 5, 1: 5, 2: 1}, [1, 1, 3, 4]),
        ({0: 5, 1: 3, 2: 3, 3: 1}, [1, 2, 2, 4]),
        ({0: 3, 1: 3, 2: 5, 3: 3}, [2, 2, 1, 2]),
        ({}, [1, 1, 1, 1]),
    ],
)
def test_after_a_tie_the_next_rank_is_skipped(
    edition: str, prestige: dict[int | str, int], expected: list[int]
) -> None:
    assert ranks(table(prestige=prestige, edition=edition)) == expected


@rule("SCO-3")
def test_big_box_a_tie_goes_to_fewer_steps_of_actions() -> None:
    state = table(desk={0: {"actions": 2}, 1: {"actions": 1}, 2: {"actions": 3}, 3: {"actions": 4}})
    assert ranks(state) == [2, 1, 3, 4]


@rule("SCO-3")
def test_a_higher_total_wins_however_many_actions_were_developed() -> None:
    assert ranks(table(prestige={0: 1}, desk={0: {"actions": 4}})) == [1, 2, 2, 2]


def tied_with_networks(edition: str, **more: Any) -> GameState:
    """All seats except seat 3 have 9 points; 5, 3 and 1 of these come from the network."""
    posts = {"minden": ["0t", "0t", "0t", "0t"], "hannover": ["0t"], "stendal": ["1t"] * 3}
    posts["arnheim"] = ["2t"]
    prestige: dict[int | str, int] = {0: 0, 1: 4, 2: 6}  # and 4, 2 and 2 by cities
    return table(posts=posts, prestige=prestige, edition=edition, **more)


@rule("SCO-3")
def test_big_box_then_to_more_network_points() -> None:
    state = tied_with_networks("bigbox")
    assert [totals(state, seat)["total"] for seat in range(3)] == [9, 9, 9]
    assert ranks(state) == [1, 2, 3, 4]


@rule("SCO-3")
def test_big_box_actions_come_before_the_network() -> None:
    state = tied_with_networks("bigbox", desk={0: {"actions": 1}, 1: {"actions": 1}})
    assert ranks(state) == [2, 3, 1, 4]


@rule("SCO-3")
def test_network_points_and_not_posts_break_the_tie() -> None:
    posts = {"minden": ["0t", "0t"], "hannover": ["1t"]}
    state = table(posts=posts, desk={1: {"keys": 4}}, prestige={0: 2})
    assert [totals(state, seat)["total"] for seat in range(2)] == [6, 6]
    assert ranks(state)[:2] == [2, 1]


@rule("SCO-3")
def test_2009_has_no_tie_break() -> None:
    state = tied_with_networks("original", desk={0: {"actions": 1}})
    assert ranks(state) == [1, 1, 1, 4]


# --- Missions ------------------------------------------------------------------------------

# The first card: Osnabrück, Stendal, Paderborn.


@rule("SCO-4")
@together(
    ("posts", "points"),
    [
        ({}, 0),
        ({"stendal": ["0t"]}, 1),
        ({"stendal": ["0t", "0m"], "minden": ["0t"]}, 1),
        ({"osnabrueck": ["0t"], "stendal": ["0t", "1m"]}, 2),
        ({"osnabrueck": ["0t"], "stendal": ["0t", "1m"], "paderborn": ["0t"]}, 3),
        ({"osnabrueck": ["0t"], "stendal": ["0t", "0m", "1t"], "paderborn": ["0t"]}, 8),
        ({"osnabrueck": ["1t", "0t"], "stendal": ["0t"], "paderborn": ["0t"]}, 8),
        ({"osnabrueck": ["0t", "1t"], "stendal": ["0t"], "paderborn": ["0t"]}, 3),
    ],
)
def test_a_mission_gives_one_for_each_city_and_five_for_controlling_all(
    posts: dict[str, list[str]], points: int
) -> None:
    state = with_missions(0, 1, 2, 3, posts=posts, supply={0: (0, 0), 1: (0, 0)})
    assert totals(state, 0)["missions"] == points


@rule("SCO-4")
def test_mission_points_are_part_of_the_total() -> None:
    state = with_missions(0, 1, 2, 3, posts={"stendal": ["0t"]})
    assert totals(state, 0)["total"] == 1 + 2 + 1  # mission, city, network


@rule("SCO-4", "BON-3")
def test_an_additional_post_is_a_post_for_a_mission() -> None:
    state = with_missions(0, 1, 2, 3, posts={"stendal": ["1t"]}, additional={"stendal": ["0t"]})
    assert totals(state, 0)["missions"] == 1


@rule("SCO-4")
def test_every_seat_scores_its_own_card() -> None:
    posts = {"stendal": ["0t", "1m"], "lueneburg": ["1m"], "arnheim": ["3t"]}
    state = with_missions(8, 1, 2, 5, posts=posts, desk={1: {"book": 2}})
    assert [totals(state, seat)["missions"] for seat in range(4)] == [1, 1, 0, 1]
    assert seen(state, 3)["mission"] == ["arnheim", "osnabrueck", "hildesheim"]


@rule("SCO-4")
def test_without_missions_there_are_no_mission_points() -> None:
    posts = {"osnabrueck": ["0t"], "stendal": ["0t"], "paderborn": ["0t"]}
    assert all(totals(table(posts=posts, seed=seed), 0)["missions"] == 0 for seed in range(5))

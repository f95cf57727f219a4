"""When and how the game ends (END-1)."""

from __future__ import annotations

from typing import Any

from referee.engine import game
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import (
    asked,
    events_of,
    men_on,
    offers,
    play,
    player,
    posts_in,
    seen,
    table,
    totals,
)

ROUTE = "dortmund--paderborn"
TAVERN = "bremen--osnabrueck"
LIMITS = {"hanse-4-5": 10, "hanse-2-3": 10, "east": 10, "britannia-4-5": 8, "britannia-2-3": 8}
# A city with one space that seat 0 may complete, and a route of traders to it.
LAST_SPACE = {
    "hanse-4-5": ("duisburg", "dortmund--duisburg", 2),
    "hanse-2-3": ("duisburg", "dortmund--duisburg", 2),
    "east": ("tangermuende", "brandenburg--tangermuende", 2),
    "britannia-4-5": ("richmond", "lancaster--richmond", 2),
    "britannia-2-3": ("richmond", "lancaster--richmond", 2),
}


def at_dortmund(prestige: dict[int | str, int], **more: Any) -> GameState:
    """Seat 0 may create a route where seat 1 controls one city, and seat 0 none."""
    settings: dict[str, Any] = {"points": {ROUTE: ["0t"] * 3}, "posts": {"paderborn": ["1t"]}}
    return table(prestige=prestige, **(settings | more))


def before_the_last_city(board: str, completed: int, **more: Any) -> GameState:
    _, route, points = LAST_SPACE[board]
    desk = {0: {"privilege": 1}}
    return table(board, points={route: ["0t"] * points}, completed=completed, desk=desk, **more)


def complete(state: GameState) -> None:
    city, route, _ = LAST_SPACE[state.board.id]
    play(state, do="create", route=route, reward={"post": city})


def reason(state: GameState) -> str:
    (event,) = events_of(state, "game-over")
    return str(event["reason"])


# --- Twenty points -------------------------------------------------------------------------


@rule("END-1")
def test_the_game_ends_when_a_player_reaches_twenty() -> None:
    state = at_dortmund({0: 19}, posts={"paderborn": ["0t"]})
    play(state, do="create", route=ROUTE, reward=None)
    assert asked(state) is None
    assert (reason(state), player(state, 0)["prestige"]) == ("prestige", 20)


@rule("END-1")
def test_nineteen_points_do_not_end_the_game() -> None:
    state = at_dortmund({0: 18, 1: 18}, posts={"paderborn": ["0t"]})
    play(state, do="create", route=ROUTE, reward=None)
    assert asked(state) == ("turn", 0)
    assert events_of(state, "game-over") == []


@rule("END-1")
def test_any_player_may_reach_twenty_in_anybodys_turn() -> None:
    state = at_dortmund({1: 19})
    play(state, do="create", route=ROUTE, reward=None)
    assert asked(state) is None
    assert reason(state) == "prestige"


@rule("END-1")
def test_a_coin_may_end_the_game() -> None:
    state = table(points={"hamburg--luebeck": ["0t"] * 3}, prestige={0: 19})
    play(state, do="create", reward={"post": "luebeck"})
    assert reason(state) == "prestige"


@rule("END-1", "CRE-8")
def test_the_chain_may_end_the_game_and_the_track_goes_beyond_twenty() -> None:
    posts = {city: ["0t"] for city in ("stendal", "brunswiek", "muenster", "arnheim")}
    points = {"bremen--minden": ["0t"] * 3}
    state = table(points=points, posts=posts, prestige={0: 17}, supply={0: (0, 0)})
    play(state, do="create", reward={"post": "minden"})
    assert (asked(state), totals(state, 0)["track"]) == (None, 24)


@rule("END-1")
def test_the_action_is_carried_out_to_its_end() -> None:
    state = at_dortmund(
        {1: 19}, posts={"paderborn": ["1t"], "dortmund": ["1t"]}, desk={0: {"privilege": 1}}
    )
    play(state, do="create", route=ROUTE, reward={"post": "dortmund"})
    assert posts_in(state, "dortmund") == ["1t", "0t", None]
    assert men_on(state, ROUTE) == [None, None, None]
    assert player(state, 1)["prestige"] == 21


@rule("END-1")
def test_remaining_actions_and_the_turns_of_others_are_lost() -> None:
    state = at_dortmund({1: 19}, actions=5)
    play(state, do="create", route=ROUTE, reward=None)
    assert game.pending(state) is None
    assert state.over
    assert events_of(state, "turn") == []


# --- No replacement ------------------------------------------------------------------------


def with_the_last_marker(**more: Any) -> GameState:
    markers = {TAVERN: "plus-4-actions"}
    state = table(points={TAVERN: ["0t"] * 3}, route_markers=markers, draws=[], **more)
    play(state, do="create", route=TAVERN, reward={"post": "osnabrueck"})
    return state


@rule("END-1", "CRE-3")
def test_the_game_ends_when_a_replacement_could_not_be_drawn() -> None:
    state = with_the_last_marker()
    assert (asked(state), reason(state)) == (None, "markers")
    assert posts_in(state, "osnabrueck") == ["0t", None, None]


@rule("END-1")
def test_the_marker_just_won_is_not_used_but_counts() -> None:
    state = with_the_last_marker()
    assert asked(state) is None
    assert player(state, 0)["markers"] == ["plus-4-actions"]
    assert totals(state, 0)["markers"] == 1


@rule("END-1", "BON-1")
def test_replacements_on_the_plate_are_lost() -> None:
    state = with_the_last_marker(plates={0: ["move-3", "move-3"]})
    assert events_of(state, "marker-placed") == []
    assert totals(state, 0)["markers"] == 1


# --- Completed cities ----------------------------------------------------------------------


@rule("END-1", "EAST-1", "BRI-1")
@together("board", LIMITS)
def test_the_tenth_completed_city_ends_the_game_on_britannia_the_eighth(board: str) -> None:
    state = before_the_last_city(board, LIMITS[board] - 1)
    complete(state)
    assert (asked(state), reason(state)) == (None, "cities")
    assert seen(state)["completed_cities"] == LIMITS[board]


@rule("END-1")
@together("board", LIMITS)
def test_one_completed_city_fewer_does_not_end_the_game(board: str) -> None:
    state = before_the_last_city(board, LIMITS[board] - 2)
    complete(state)
    assert asked(state) == ("turn", 0)


@rule("END-1", "BON-4")
def test_a_post_that_completes_no_city_does_not_end_the_game() -> None:
    state = table(points={"hamburg--luebeck": ["0t"] * 3}, completed=9)
    play(state, do="create", reward={"post": "luebeck"})
    assert asked(state) == ("turn", 0)


# --- Several reasons, and the events -------------------------------------------------------


@rule("END-1")
@together(
    ("prestige", "draws", "first"),
    [
        (19, [], "prestige"),
        (19, ["move-3"], "prestige"),
        (0, [], "markers"),
        (0, ["move-3"], "cities"),
    ],
)
def test_of_several_reasons_prestige_comes_first_then_markers_then_cities(
    prestige: int, draws: list[str], first: str
) -> None:
    more: dict[str, Any] = {"posts": {"dortmund": ["1t"]}, "prestige": {1: prestige}}
    markers: dict[str, str | None] = {"dortmund--duisburg": "move-3"}
    state = before_the_last_city("hanse-4-5", 9, draws=draws, route_markers=markers, **more)
    complete(state)
    assert reason(state) == first


@rule("END-1")
def test_the_end_emits_one_game_over_and_scores_every_seat() -> None:
    state = at_dortmund({1: 19})
    play(state, do="create", route=ROUTE, reward=None)
    assert len(events_of(state, "game-over")) == 1
    assert [one["seat"] for one in events_of(state, "scored")] == [0, 1, 2, 3]


@rule("END-1", "SCO-1")
def test_the_scored_event_contains_the_parts_of_the_total() -> None:
    state = at_dortmund({1: 19})
    play(state, do="create", route=ROUTE, reward=None)
    parts = ("total", "track", "abilities", "markers", "special", "cities", "network", "missions")
    scored, standing = events_of(state, "scored")[1], totals(state, 1)
    assert {part: scored[part] for part in parts} == {part: standing[part] for part in parts}
    assert (scored["track"], scored["cities"], scored["network"]) == (20, 2, 1)


# --- Permanent markers ---------------------------------------------------------------------


def at_sea(**more: Any) -> GameState:
    """Seat 0 creates Malmö-Visby, whose permanent marker is a green post."""
    settings: dict[str, Any] = {
        "points": {"malmoe--visby": ["0t", "0m", "0t"]},
        "posts": {"malmoe": ["1t"]},
        "supply": {0: (1, 0)},
    }
    state = table("east", **(settings | more))
    play(state, do="create", route="malmoe--visby", reward=None)
    return state


@rule("END-1", "EAST-5")
def test_a_permanent_marker_is_still_used_when_the_game_is_about_to_end() -> None:
    state = at_sea(prestige={1: 19})
    assert asked(state) == ("permanent", 0)
    assert events_of(state, "game-over") == []
    play(state, do="green-post", city="belgard", tradesman="trader")
    assert (asked(state), reason(state)) == (None, "prestige")
    assert posts_in(state, "belgard") == ["0t"]


@rule("END-1", "EAST-5")
def test_a_permanent_marker_may_be_declined_at_the_end_too() -> None:
    state = at_sea(prestige={1: 19})
    play(state, do="decline")
    assert (asked(state), reason(state)) == (None, "prestige")


@rule("END-1", "EAST-3", "EAST-7")
def test_a_green_post_may_complete_the_tenth_city() -> None:
    state = at_sea(completed=9)
    play(state, do="green-post", city="belgard", tradesman="trader")
    assert (asked(state), reason(state)) == (None, "cities")


@rule("END-1", "EAST-8")
def test_tradesmen_of_the_last_route_are_still_placed() -> None:
    points = {"danzig--malmoe": ["0t", "0t", "0t", "0m"]}
    state = table(
        "east", points=points, posts={"danzig": ["1t"]}, prestige={1: 19}, supply={0: (1, 0)}
    )
    play(state, do="create", reward=None)
    for route in ("krakau--thorn", "elbing--kulm"):
        play(state, do="place", route=route, tradesman="trader")
    assert (asked(state), reason(state)) == (None, "prestige")
    assert men_on(state, "elbing--kulm") == ["0t", None]


# --- Adjudicated games ---------------------------------------------------------------------


@rule("END-1")
@together("limit", [1, 6])
def test_a_game_with_a_turn_limit_is_scored_after_that_turn(limit: int) -> None:
    state = table(max_turns=limit)
    for _ in range(limit):
        assert asked(state) is not None
        play(state, do="end-turn")
    assert (asked(state), reason(state)) == (None, "max-turns")
    assert len(events_of(state, "scored")) == 4


@rule("END-1")
def test_without_a_limit_the_turns_continue() -> None:
    state = table(turn=2001)
    play(state, do="end-turn")
    assert asked(state) == ("turn", 1)


@rule("END-1")
def test_a_reason_of_the_rules_comes_before_the_limit() -> None:
    state = at_dortmund({1: 19}, max_turns=1)
    play(state, do="create", route=ROUTE, reward=None)
    assert reason(state) == "prestige"


@rule("END-1")
def test_the_last_turn_of_a_limited_game_is_finished() -> None:
    state = at_dortmund({}, max_turns=1, plates={0: ["move-3"]})
    play(state, do="create", route=ROUTE, reward=None)
    assert offers(state, do="end-turn") != []
    play(state, do="end-turn")
    play(state, do="place-marker", route="kampen--osnabrueck")
    assert reason(state) == "max-turns"

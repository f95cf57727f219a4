"""Where replacement markers are placed at the end of a turn (BON-2)."""

from __future__ import annotations

from typing import Any

from referee import atlas
from referee.engine import game
from referee.engine.state import GameState
from support.groups import together
from support.rule_marker import rule
from support.table import (
    about,
    asked,
    end_turn,
    events_of,
    men_on,
    offers,
    play,
    player,
    seen,
    table,
)

BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]


def words_of(board: str) -> Any:
    return atlas.load_board(board).words


def routes_offered(state: GameState, marker: str = "move-3") -> set[str]:
    return {one["route"] for one in offers(state, do="place-marker", marker=marker)}


def to_place(board: str = "hanse-4-5", **more: Any) -> GameState:
    """Seat 0 has one marker on the plate and ends the turn."""
    state = table(board, plates=more.pop("plates", {0: ["move-3"]}), **more)
    play(state, do="end-turn")
    return state


def crowded(*empty: str, **more: Any) -> GameState:
    """There is a tradesman on every route of the board except these."""
    points: dict[str, list[str | None]] = {}
    for number, route in enumerate(words_of("hanse-4-5")["routes"]):
        if route["id"] not in empty:
            points[route["id"]] = [f"{number % 4}t"] + [None] * (len(route["points"]) - 1)
    supply = dict.fromkeys(range(4), (1, 1))
    return table(points=points, supply=supply, plates={0: ["move-3"]}, **more)


def allowed(board: str) -> set[str]:
    """Routes that can ever get a marker: without a permanent marker, and not abroad."""
    countries = words_of(board)["countries"]
    return {
        route["id"]
        for route in words_of(board)["routes"]
        if not route["permanent"] and (not countries or countries[route["country"]].get("home"))
    }


@rule("BON-2", "EAST-4", "BRI-6")
@together("board", BOARDS)
def test_at_first_every_route_without_a_marker_is_offered(board: str) -> None:
    state = to_place(board)
    taverns = {route["id"] for route in words_of(board)["routes"] if route["tavern"]}
    assert asked(state) == ("place-marker", 0)
    assert routes_offered(state) == allowed(board) - taverns


@rule("BON-2")
@together("board", BOARDS)
@together("man", ["0t", "1t"])
def test_a_route_with_a_tradesman_on_it_takes_no_marker(board: str, man: str) -> None:
    for route in sorted(allowed(board))[:8]:
        (words,) = [one for one in words_of(board)["routes"] if one["id"] == route]
        men = [man, *[None] * (len(words["points"]) - 1)]
        assert route not in routes_offered(to_place(board, points={route: men}))


@rule("BON-2")
def test_a_route_with_a_marker_takes_no_other() -> None:
    state = to_place(route_markers={"kampen--osnabrueck": "plus-3-actions"})
    assert "kampen--osnabrueck" not in routes_offered(state)


DUISBURG_FULL = {"duisburg": ["1t"]}


@rule("BON-2")
@together(
    ("posts", "offered"),
    [
        (DUISBURG_FULL, True),  # Dortmund has empty spaces
        (DUISBURG_FULL | {"dortmund": ["1m", "1t"]}, True),
        (DUISBURG_FULL | {"dortmund": ["1m", "1t", "1t"]}, False),
        ({"dortmund": ["1m", "1t", "1t"]}, True),  # Duisburg has one
    ],
)
def test_one_of_the_two_cities_has_an_empty_space(posts: dict[str, Any], offered: bool) -> None:
    state = to_place(posts=posts, supply={1: (0, 0)})
    assert ("dortmund--duisburg" in routes_offered(state)) == offered


@rule("BON-2", "BON-3")
def test_an_additional_post_fills_no_space() -> None:
    posts, more = DUISBURG_FULL | {"dortmund": ["1m", "1t"]}, {"dortmund": ["2t", "2t"]}
    state = to_place(posts=posts, additional=more, supply={1: (0, 0)})
    assert "dortmund--duisburg" in routes_offered(state)


@rule("BON-2", "EAST-3")
@together(("green", "offered"), [([], True), (["1t"], False)])
def test_an_empty_green_city_counts_as_an_empty_space(green: list[str], offered: bool) -> None:
    posts = {"waren": green, "stettin": ["1t", "2t"]}
    assert ("stettin--waren" in routes_offered(to_place("east", posts=posts))) == offered


@rule("BON-2")
def test_the_marker_is_placed_face_up_and_emits_an_event() -> None:
    state = to_place()
    play(state, do="place-marker", marker="move-3", route="kampen--osnabrueck")
    assert seen(state)["routes"]["kampen--osnabrueck"]["marker"] == "move-3"
    assert player(state, 0)["plate"] == 0
    (event,) = events_of(state, "marker-placed")
    assert (event["seat"], event["route"], event["marker"]) == (0, "kampen--osnabrueck", "move-3")


@rule("BON-2", "TURN-3")
def test_the_next_turn_begins_when_the_plate_is_empty() -> None:
    state = to_place(plates={0: ["move-3", "move-3"]})
    play(state, do="place-marker", route="kampen--osnabrueck")
    assert asked(state) == ("place-marker", 0)
    play(state, do="place-marker", route="dortmund--duisburg")
    assert asked(state) == ("turn", 1)


@rule("BON-2", "TURN-3")
def test_several_markers_are_placed_in_an_order_of_choice() -> None:
    state = to_place(plates={0: ["move-3", "plus-4-actions"]})
    assert about(state)["left"] == 2
    assert routes_offered(state) == routes_offered(state, "plus-4-actions") != set()
    play(state, do="place-marker", marker="plus-4-actions", route="kampen--osnabrueck")
    assert about(state)["left"] == 1
    assert {one["marker"] for one in offers(state)} == {"move-3"}
    assert "kampen--osnabrueck" not in routes_offered(state)


@rule("BON-2")
def test_the_route_just_created_is_empty_again() -> None:
    route = "bremen--osnabrueck"
    state = table(points={route: ["0t"] * 3}, draws=["move-3"])
    play(state, do="create", route=route, reward=None)
    play(state, do="end-turn")
    assert route in routes_offered(state)


@rule("BON-2", "TURN-3")
def test_the_replacement_waits_for_the_extra_actions() -> None:
    route = "bremen--osnabrueck"
    markers = {0: ["plus-3-actions"]}
    state = table(points={route: ["0t"] * 3}, actions=1, markers=markers, draws=["move-3"])
    play(state, do="create", route=route, reward=None)
    play(state, do="use", marker="plus-3-actions")
    assert asked(state) == ("turn", 0)
    play(state, do="end-turn")
    assert asked(state) == ("place-marker", 0)


@rule("BON-2")
def test_where_no_route_qualifies_the_marker_stays_on_the_plate() -> None:
    state = crowded()
    play(state, do="end-turn")
    assert asked(state) == ("turn", 1)
    assert player(state, 0)["plate"] == 1
    assert events_of(state, "marker-placed") == []


@rule("BON-2", "TURN-3")
def test_a_plate_of_which_nothing_can_be_placed_is_not_looked_at() -> None:
    state = crowded()
    play(state, do="end-turn")
    assert seen(state, 0)["plate_seen"] == []


@rule("BON-2", "TURN-3")
def test_a_marker_that_stays_while_another_is_placed_was_looked_at() -> None:
    state = crowded("kampen--osnabrueck")
    state.plates[0] = state.plates[0] * 2
    end_turn(state)
    assert seen(state, 0)["plate_seen"] == ["move-3"]


@rule("BON-2")
def test_the_one_route_that_qualifies_must_take_it() -> None:
    state = crowded("kampen--osnabrueck")
    end_turn(state)
    assert seen(state)["routes"]["kampen--osnabrueck"]["marker"] == "move-3"


@rule("BON-2")
def test_a_marker_left_on_the_plate_is_not_placed_in_the_turn_of_another() -> None:
    state = crowded("kampen--osnabrueck", active=1)
    play(state, do="end-turn")
    assert asked(state) == ("turn", 2)
    assert player(state, 0)["plate"] == 1


@rule("BON-2")
def test_a_marker_left_on_the_plate_is_placed_at_the_end_of_a_later_turn() -> None:
    state = crowded()
    route = "arnheim--duisburg"  # where one trader of seat 0 stands alone
    for _ in range(4):
        play(state, do="end-turn")
    play(state, do="move")
    play(state, do="lift", route=route, point=0)
    play(state, do="stop")
    play(state, do="put", route="arnheim--kampen", point=1)
    assert men_on(state, route) == [None, None, None]
    end_turn(state)
    assert seen(state)["routes"][route]["marker"] == "move-3"
    assert (player(state, 0)["plate"], asked(state)) == (0, ("turn", 1))


@rule("BON-2")
def test_a_marker_left_on_the_plate_is_placed_together_with_newer_ones() -> None:
    route = "bremen--osnabrueck"
    points = {route: ["0t"] * 3}
    state = table(points=points, plates={0: ["move-3"]}, draws=["plus-4-actions", "move-3"])
    play(state, do="create", route=route, reward=None)
    assert player(state, 0)["plate"] == 2
    play(state, do="end-turn")
    assert about(state)["left"] == 2
    assert {one["marker"] for one in offers(state)} == {"move-3", "plus-4-actions"}


@rule("BON-2", "FAV-1")
def test_a_favour_turn_too_places_what_was_left_on_the_plate() -> None:
    markers = {0: ["plus-3-actions", "plus-4-actions"]}
    state = table(plates={0: ["move-3"]}, markers=markers, display=["patron"])
    play(state, do="favour", tile="patron")
    end_turn(state)
    assert asked(state) == ("place-marker", 0)


@rule("BON-2")
def test_of_two_markers_and_one_route_one_stays() -> None:
    state = crowded("kampen--osnabrueck")
    state.plates[0] = state.plates[0] * 2
    end_turn(state)
    assert asked(state) == ("turn", 1)
    assert player(state, 0)["plate"] == 1


@rule("BON-2")
def test_only_the_owner_sees_which_markers_must_be_placed() -> None:
    one, other = to_place(), to_place(plates={0: ["plus-4-actions"]})
    assert seen(one, 1) == seen(other, 1)
    assert events_of(one) == events_of(other)
    assert game.choices(one) != game.choices(other)

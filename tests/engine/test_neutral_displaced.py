"""Two players: a neutral trader is displaced (TWO-2)."""

import pytest

from referee.engine import game
from referee.engine.state import GameState
from support.countries import WALES
from support.rule_marker import rule
from support.table import (
    about,
    amounts,
    asked,
    events_of,
    men_on,
    offered_routes,
    offers,
    play,
    seen,
)
from support.two_player_tables import BRITANNIA, MODES, ONE_TRADER, displace, two

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
    assert offered_routes(state, from_="displaced") == near
    play(state, from_="displaced", route="bremen--hamburg")
    assert offered_routes(state, from_="stock") == near


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
    assert offered_routes(state, from_="displaced") == further


@rule("TWO-2", "DIS-2")
def test_the_neutral_extra_may_be_declined_after_the_displaced() -> None:
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
def test_displacing_a_neutral_trader_emits_events() -> None:
    state = two(points={"hamburg--stade": ["nt", None, None]})
    displace(state, "hamburg--stade")
    play(state, from_="displaced", route="bremen--hamburg")
    play(state, from_="stock", route="bremen--hamburg")
    gone = {"seat": "n", "by": 0, "route": "hamburg--stade", "point": 0, "tradesman": "trader"}
    assert events_of(state, "displaced") == [{"event": "displaced", "with": "trader"} | gone]
    come = {"event": "relocated", "seat": "n", "tradesman": "trader", "route": "bremen--hamburg"}
    assert events_of(state, "relocated") == [
        come | {"from": "displaced", "point": 0},
        come | {"from": "stock", "point": 1},
    ]


@MODES
@rule("TWO-2", "BRI-3")
def test_from_wales_neutral_traders_stay_in_wales(neutral: str) -> None:
    points = {"chester--conway": ["nt", None, None]}
    state = two(BRITANNIA, neutral=neutral, points=points, posts={"london": ["0t"]})
    displace(state, "chester--conway")
    assert offered_routes(state) == {"conway--isle-of-man", "conway--montgomery"}


@MODES
@rule("TWO-2", "BRI-3")
def test_from_england_neutral_traders_stay_in_england(neutral: str) -> None:
    state = two(BRITANNIA, neutral=neutral, points={"chester--hereford": ["nt", None, None, None]})
    displace(state, "chester--hereford")
    assert offered_routes(state) == {"coventry--hereford", "hereford--lancaster"}


def crowded_wales(neutral: str, free: int) -> GameState:
    """A neutral trader at Chester-Conway, and only these free points in Wales."""
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
    assert events_of(state, "relocated") == [gone]
    assert (asked(state), seen(state)["in_hand"]) == (("turn", 0), [])


@MODES
@rule("TWO-2", "DIS-4")
def test_the_last_point_is_for_the_displaced_neutral_trader(neutral: str) -> None:
    state = crowded_wales(neutral, free=1)
    assert {one["from"] for one in offers(state)} == {"displaced"}
    game.settle(state)
    assert (men_on(state, "montgomery--pembroke")[0], asked(state)) == ("nt", ("turn", 0))

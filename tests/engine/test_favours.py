"""Emperor's Favour: the actions of a turn for a tile, and what each tile does (FAV-1, FAV-2)."""

from itertools import combinations
from typing import Any

import pytest

from referee.engine import game
from referee.engine.errors import RulesRefused
from referee.engine.state import GameState
from support.groups import together
from support.paths import ROOT
from support.rule_marker import rule
from support.table import (
    about,
    amounts,
    asked,
    end_turn,
    events_of,
    men_on,
    offers,
    play,
    player,
    posts_in,
    rules_for,
    seen,
    table,
    totals,
)

HANSE = together("board", ["hanse-4-5", "hanse-2-3"])
PAIR = ["plus-3-actions", "move-3"]
ONE_TRADER = {"traders": 1, "merchants": 0}


def court(board: str = "hanse-2-3", **wanted: Any) -> GameState:
    """A game with Emperor's Favour."""
    return table(board, **{"favours": {}, **wanted})


def seat_1_is_displaced(tile: str | None, man: str = "1t", **wanted: Any) -> GameState:
    """Seat 0 has just displaced a tradesman of seat 1 on the first point of Hamburg-Lübeck."""
    state = court(
        points={"hamburg--luebeck": [man, None, None], **wanted.pop("points", {})},
        supply={0: (3, 0), **wanted.pop("supply", {})},
        favours={1: [tile]} if tile else {},
        **wanted,
    )
    play(state, do="displace", route="hamburg--luebeck", point=0)
    return state


def goals(state: GameState, **wanted: object) -> set[str]:
    """The routes of the choices that are offered."""
    return {choice["route"] for choice in offers(state, **wanted) if "route" in choice}


# -- FAV-1: a tile for the actions of a turn


@HANSE
@rule("FAV-1")
def test_any_two_unused_markers_buy_any_displayed_tile(board: str) -> None:
    held = ["additional-post", *PAIR]
    state = court(board, markers={0: held}, display=["levy", "patron", "scholar"])
    found = sorted((choice["tile"], *choice["markers"]) for choice in offers(state, do="favour"))
    expected = [
        (tile, *pair) for tile in ("levy", "patron", "scholar") for pair in combinations(held, 2)
    ]
    assert found == sorted(expected)


@rule("FAV-1")
def test_two_markers_of_one_kind_are_a_pair() -> None:
    state = court(markers={0: ["plus-3-actions", "plus-3-actions"]}, display=["levy"])
    pair = ["plus-3-actions", "plus-3-actions"]
    assert offers(state, do="favour") == [{"do": "favour", "tile": "levy", "markers": pair}]


@together(
    ("unused", "used", "display"),
    [
        (["move-3"], ["plus-3-actions", "plus-4-actions"], ["levy"]),
        ([], PAIR, ["levy"]),
        (PAIR, [], []),
    ],
)
@rule("FAV-1")
def test_without_two_unused_markers_or_a_tile_there_is_no_favour(
    unused: list[str], used: list[str], display: list[str]
) -> None:
    assert offers(court(markers={0: unused}, used={0: used}, display=display), do="favour") == []


@rule("FAV-1")
def test_favours_are_offered_only_where_they_are_played() -> None:
    assert offers(table("hanse-2-3", markers={0: PAIR}), do="favour") == []


@together("board", ["east", "britannia-2-3", "britannia-4-5"])
@rule("FAV-1")
def test_only_the_hanse_boards_have_favours(board: str) -> None:
    with pytest.raises(RulesRefused):
        rules_for(board, favours=True)


@HANSE
@rule("FAV-1", "TURN-2")
def test_a_favour_costs_all_actions_and_the_turn_goes_on_with_markers(board: str) -> None:
    points = {"hamburg--luebeck": ["1t", None, None]}
    held = [*PAIR, "develop-ability", "move-3"]
    state = court(board, markers={0: held}, display=["levy", "patron"], points=points)
    play(state, do="favour", tile="levy", markers=PAIR)
    assert (asked(state), seen(state)["actions_left"]) == (("turn", 0), 0)
    assert {choice["do"] for choice in offers(state)} == {"use", "end-turn"}
    play(state, do="use", marker="move-3")
    play(state, do="lift")
    game.settle(state)
    play(state, do="put", route="bremen--hamburg")
    play(state, do="use", marker="develop-ability", ability="book")
    game.settle(state)
    assert asked(state) == ("turn", 1)


@rule("FAV-1")
def test_more_actions_are_not_offered_after_a_favour() -> None:
    held = [*PAIR, "plus-3-actions", "plus-4-actions"]
    state = court(markers={0: held}, display=["levy"])
    play(state, do="favour", tile="levy", markers=PAIR)
    assert offers(state, do="use") == []


@rule("FAV-1", "TURN-4")
def test_developing_actions_gives_no_action_after_a_favour() -> None:
    state = court(markers={0: [*PAIR, "develop-ability"]}, display=["extra-action"])
    play(state, do="favour", markers=PAIR)
    play(state, do="use", marker="develop-ability", ability="actions")
    assert (player(state, 0)["desk"]["actions"], seen(state)["actions_left"]) == (1, 0)
    assert events_of(state, "actions-gained") == []


@rule("FAV-1")
def test_in_the_next_turn_the_actions_are_back() -> None:
    state = court(markers={0: PAIR}, display=["extra-action"])
    play(state, do="favour")
    for _ in range(3):
        end_turn(state)
    assert (asked(state), seen(state)["actions_left"], seen(state)["forgone"]) == (
        ("turn", 0),
        3,
        False,
    )


@together("used", ["move-3", "develop-ability", "swap-marker"])
@rule("FAV-1", "TURN-2")
def test_markers_may_be_used_before_a_favour(used: str) -> None:
    state = court(
        markers={0: [*PAIR, used]},
        used={1: ["exchange-posts"]},
        display=["levy"],
        points={"hamburg--luebeck": ["1t", None, None]},
        promos=True,
    )
    play(state, do="use", marker=used, **({"ability": "actions"} if "develop" in used else {}))
    while asked(state) != ("turn", 0):
        game.apply(state, 0)
    assert seen(state)["fresh"] is False
    assert seen(state)["acted"] is False
    assert offers(state, do="favour", tile="levy")


@rule("FAV-1")
def test_after_more_actions_it_is_too_late_for_a_favour() -> None:
    state = court(markers={0: [*PAIR, "plus-4-actions"]}, display=["levy"])
    play(state, do="use", marker="plus-4-actions")
    assert offers(state, do="favour") == []


@rule("FAV-1")
def test_one_favour_a_turn() -> None:
    state = court(markers={0: [*PAIR, *PAIR]}, display=["levy", "patron"])
    play(state, do="favour", tile="levy", markers=PAIR)
    assert offers(state, do="favour") == []


@rule("FAV-1")
def test_the_tile_goes_from_the_display_to_the_buyer() -> None:
    state = court(markers={0: PAIR}, display=["levy", "patron"])
    play(state, do="favour", tile="patron")
    assert (seen(state)["favours"], player(state, 0)["favours"]) == (["levy"], ["patron"])


@rule("FAV-1")
def test_the_two_markers_are_turned_over_and_still_count_at_the_end() -> None:
    state = court(markers={0: PAIR}, display=["levy"])
    play(state, do="favour")
    assert (player(state, 0)["markers"], player(state, 0)["used_markers"]) == ([], PAIR)
    assert totals(state, 0)["markers"] == 3


@rule("FAV-1")
def test_turning_markers_over_does_not_use_them() -> None:
    state = court(markers={0: PAIR}, display=["levy"])
    play(state, do="favour")
    first, *_ = events_of(state)
    assert first == {"event": "favour-taken", "seat": 0, "tile": "levy", "markers": PAIR}
    assert (
        events_of(state, "marker-used")
        == events_of(state, "actions-gained")
        == events_of(state, "action")
        == []
    )


@rule("FAV-1")
def test_after_an_action_it_is_too_late_for_a_favour() -> None:
    state = court(markers={0: PAIR}, display=["levy"], supply={0: (5, 1)})
    play(state, do="place", route="hamburg--luebeck", tradesman="trader")
    assert offers(state, do="favour") == []


@rule("FAV-1")
def test_a_second_tile_waits_for_the_next_turn() -> None:
    state = court(markers={0: [*PAIR, *PAIR]}, display=["levy", "patron"])
    play(state, do="favour", tile="levy", markers=PAIR)
    game.settle(state)
    for _ in range(2):
        end_turn(state)
    assert asked(state) == ("turn", 0)
    assert [choice["tile"] for choice in offers(state, do="favour")] == ["patron"]


@rule("FAV-1", "BON-2")
def test_a_marker_left_on_the_plate_is_placed_at_the_end_of_a_favour_turn() -> None:
    state = court(markers={0: PAIR}, display=["levy"], plates={0: ["develop-ability"]})
    play(state, do="favour")
    play(state, do="end-turn")
    assert (asked(state), seen(state)["actions_left"]) == (("place-marker", 0), 0)


# -- FAV-2: relocate anywhere


@rule("FAV-2")
def test_without_the_tile_the_displaced_tradesman_stays_near() -> None:
    state = seat_1_is_displaced(None)
    assert goals(state) == {"bremen--hamburg", "hamburg--lueneburg", "hamburg--stade"}


@rule("FAV-2")
def test_relocate_anywhere_reaches_every_route_and_the_displacements_own() -> None:
    state = seat_1_is_displaced("relocate-anywhere")
    assert goals(state, from_="displaced") == set(seen(state)["routes"])
    assert offers(state, from_="displaced", route="hamburg--luebeck")[0]["point"] == 1


@rule("FAV-2")
def test_relocate_anywhere_takes_free_points_only() -> None:
    state = seat_1_is_displaced("relocate-anywhere", points={"dortmund--duisburg": ["2t", "2t"]})
    assert "dortmund--duisburg" not in goals(state)


@rule("FAV-2")
def test_relocate_anywhere_is_for_the_extras_too() -> None:
    state = seat_1_is_displaced("relocate-anywhere")
    play(state, from_="displaced", route="halle--quedlinburg")
    assert goals(state, from_="stock") == set(seen(state)["routes"])


@rule("FAV-2", "DIS-3")
def test_an_extra_from_a_point_does_not_go_back_to_that_point() -> None:
    state = seat_1_is_displaced(
        "relocate-anywhere",
        points={"goslar--magdeburg": ["1t", "2t"]},
        supply={1: (0, 0)},
        stock={1: (0, 0)},
    )
    play(state, from_="displaced", route="halle--quedlinburg")
    moves = offers(state, from_="point", from_route="goslar--magdeburg", from_point=0)
    assert "arnheim--kampen" in {choice["route"] for choice in moves}
    assert "goslar--magdeburg" not in {choice["route"] for choice in moves}


@rule("FAV-2")
def test_relocate_anywhere_of_the_displacer_does_not_help_the_displaced() -> None:
    state = court(
        points={"hamburg--luebeck": ["1t", None, None]},
        supply={0: (3, 0)},
        favours={0: ["relocate-anywhere"]},
    )
    play(state, do="displace", route="hamburg--luebeck", point=0)
    assert "halle--quedlinburg" not in goals(state)


@rule("FAV-2", "DIS-4")
def test_relocate_anywhere_does_not_put_a_trader_on_a_ship(sea: str) -> None:
    state = court(
        sea,
        players=3,
        points={"luebeck--wismar": ["1t", None, None]},
        supply={0: (3, 0), 1: (0, 0)},
        favours={1: ["relocate-anywhere"]},
    )
    play(state, do="displace", route="luebeck--wismar", point=0)
    displaced = offers(state, from_="displaced", route="malmoe--stralsund")
    merchants = offers(state, from_="stock", tradesman="merchant", route="malmoe--stralsund")
    assert ([one["point"] for one in displaced], [one["point"] for one in merchants]) == (
        [2],
        [0, 2],
    )


@pytest.fixture
def sea(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Eastern board, changed to allow Emperor's Favour."""
    path = tmp_path_factory.mktemp("maps") / "sea.toml"
    text = (ROOT / "maps" / "east.toml").read_text("utf-8")
    path.write_text(
        text.replace("completed_cities_limit", "favours = true\ncompleted_cities_limit", 1)
    )
    return str(path)


@together("tile", ["relocate-anywhere", "reinforce"])
@together("holder", [0, 1])
@together("neutral", ["2009", "britannia"])
@rule("FAV-2", "TWO-2")
def test_the_tiles_do_not_work_for_neutral_traders(neutral: str, holder: int, tile: str) -> None:
    state = court(
        players=2,
        neutral=neutral,
        points={"hamburg--luebeck": ["nt", None, None]},
        supply={0: (3, 0)},
        favours={holder: [tile]},
    )
    play(state, do="displace", route="hamburg--luebeck", point=0)
    assert (asked(state), about(state)["extras"]) == (("relocate", 1), 1)
    assert goals(state) == {"bremen--hamburg", "hamburg--lueneburg", "hamburg--stade"}


# -- FAV-2: extra action


@together(("steps", "actions"), [(0, 3), (1, 4), (5, 6)])
@rule("FAV-2")
def test_the_extra_action_is_one_more_each_turn(steps: int, actions: int) -> None:
    state = court(favours={1: ["extra-action"]}, desk={1: {"actions": steps}})
    end_turn(state)
    assert seen(state)["actions_left"] == actions
    assert events_of(state, "turn") == [{"event": "turn", "turn": 2, "seat": 1, "actions": actions}]


@rule("FAV-2")
def test_the_extra_action_begins_with_the_turn_after_the_favour() -> None:
    state = court(markers={0: PAIR}, display=["extra-action"])
    play(state, do="favour")
    game.settle(state)
    for _ in range(2):
        end_turn(state)
    assert [one["actions"] for one in events_of(state, "turn")] == [2, 2, 3]


@rule("FAV-2")
def test_the_extra_action_is_one_of_the_turns_own() -> None:
    state = court(favours={1: ["extra-action"]})
    end_turn(state)
    assert (seen(state)["actions_left"], seen(state)["extra_actions"]) == (3, 0)


# -- FAV-2: levy


@together(("tradesman", "after"), [("trader", (6, 0)), ("merchant", (5, 1))])
@rule("FAV-2")
def test_another_players_income_lets_the_holder_levy_either_kind(
    tradesman: str, after: tuple[int, int]
) -> None:
    state = court(favours={1: ["levy"]}, supply={1: (5, 0)}, stock={1: (4, 1)})
    play(state, do="income", traders=3, merchants=0)
    assert (asked(state), about(state)) == (("levy", 1), {"by": 0})
    play(state, do="levy", tradesman=tradesman)
    assert amounts(state, "supply", 1) == after
    assert sum(amounts(state, "stock", 1)) == 4


@rule("FAV-2")
def test_a_levy_may_be_declined() -> None:
    state = court(favours={1: ["levy"]}, supply={1: (5, 0)}, stock={1: (4, 1)})
    play(state, do="income", traders=1, merchants=0)
    play(state, do="decline")
    assert (amounts(state, "supply", 1), events_of(state, "levied")) == ((5, 0), [])
    assert asked(state) == ("turn", 0)


@rule("FAV-2")
def test_the_levied_event_follows_the_income_and_the_turn_continues() -> None:
    state = court(favours={1: ["levy"]}, stock={1: (4, 0)})
    play(state, do="income", traders=2, merchants=0)
    play(state, do="levy", tradesman="trader")
    assert [one["event"] for one in events_of(state)] == ["action", "income", "levied"]
    assert events_of(state)[-1] == {"event": "levied", "seat": 1, "traders": 1, "merchants": 0}
    assert asked(state) == ("turn", 0)


@rule("FAV-2")
def test_only_what_the_stock_has_can_be_levied() -> None:
    state = court(favours={1: ["levy"]}, stock={1: (0, 1)})
    play(state, do="income", traders=1, merchants=0)
    assert offers(state, do="levy") == [{"do": "levy", "tradesman": "merchant"}]


@rule("FAV-2")
def test_with_an_empty_stock_nothing_is_levied() -> None:
    state = court(favours={1: ["levy"]}, stock={1: (0, 0)})
    play(state, do="income", traders=1, merchants=0)
    game.settle(state)
    assert (asked(state), events_of(state, "levied")) == (("turn", 0), [])


@rule("FAV-2")
def test_the_own_income_brings_no_levy() -> None:
    state = court(favours={0: ["levy"]})
    play(state, do="income", traders=1, merchants=0)
    assert asked(state) == ("turn", 0)


@rule("FAV-2")
def test_every_income_of_a_turn_brings_a_levy() -> None:
    state = court(favours={2: ["levy"]}, supply={2: (0, 0)}, stock={2: (4, 0)})
    for _ in range(2):
        play(state, do="income", traders=1, merchants=0)
        play(state, do="levy", tradesman="trader")
    game.settle(state)
    assert amounts(state, "supply", 2) == (2, 0)


@rule("FAV-2")
def test_the_levy_of_the_last_action_comes_before_the_next_turn() -> None:
    state = court(favours={1: ["levy"]}, actions=1)
    play(state, do="income", traders=1, merchants=0)
    assert asked(state) == ("levy", 1)


# -- FAV-2: reinforce


@together(
    ("tile", "man", "extras"),
    [(None, "1t", 1), ("reinforce", "1t", 2), (None, "1m", 2), ("reinforce", "1m", 2)],
)
@rule("FAV-2")
def test_reinforce_gives_two_extras_for_a_trader_as_for_a_merchant(
    tile: str | None, man: str, extras: int
) -> None:
    state = seat_1_is_displaced(tile, man, supply={1: (5, 0)})
    assert about(state)["extras"] == extras


@rule("FAV-2")
def test_a_reinforced_trader_costs_the_displacer_no_more() -> None:
    state = court(
        points={"hamburg--luebeck": ["1t", None, None]},
        supply={0: (3, 0)},
        favours={1: ["reinforce"]},
    )
    assert [one["pay"] for one in offers(state, do="displace")] == [ONE_TRADER]


@rule("FAV-2")
def test_a_reinforced_trader_brings_two_more_onto_the_board() -> None:
    state = seat_1_is_displaced("reinforce")
    play(state, from_="displaced", route="hamburg--stade")
    play(state, from_="stock", route="hamburg--stade", tradesman="trader")
    play(state, from_="stock", route="hamburg--stade", tradesman="trader")
    assert men_on(state, "hamburg--stade") == ["1t", "1t", "1t"]
    assert asked(state) == ("turn", 0)


@rule("FAV-2")
def test_reinforce_of_the_displacer_does_not_help_the_displaced() -> None:
    state = court(
        points={"hamburg--luebeck": ["1t", None, None]},
        supply={0: (3, 0)},
        favours={0: ["reinforce"]},
    )
    play(state, do="displace", route="hamburg--luebeck", point=0)
    assert about(state)["extras"] == 1


# -- FAV-2: patron and scholar


@together(("tiles", "points"), [([], 4), (["patron"], 8), (["scholar"], 4)])
@rule("FAV-2")
def test_the_patron_has_four_for_each_controlled_city(tiles: list[str], points: int) -> None:
    posts = {"hamburg": ["0t"], "minden": ["0t", "1t", "0t"], "goettingen": ["0t", "1t"]}
    state = court(posts=posts, favours={0: tiles})
    assert posts_in(state, "hamburg")[0] == "0t"
    assert (totals(state, 0)["cities"], totals(state, 1)["cities"]) == (points, 2)


@together(("tiles", "points"), [([], 8), (["scholar"], 14), (["patron"], 8)])
@rule("FAV-2")
def test_the_scholar_has_seven_for_each_full_ability(tiles: list[str], points: int) -> None:
    state = court(desk={0: {"privilege": 3, "bank": 3, "book": 2}}, favours={0: tiles})
    assert totals(state, 0)["abilities"] == points


@rule("FAV-2")
def test_the_scholar_has_nothing_for_city_keys() -> None:
    state = court(desk={0: {"keys": 4}, 1: {"bank": 3}}, favours={0: ["scholar"]})
    assert (totals(state, 0)["abilities"], totals(state, 1)["abilities"]) == (0, 4)

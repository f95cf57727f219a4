"""The promo markers: swap marker, tribute and block (BON-9)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee import atlas
from referee.engine import game
from referee.engine.errors import RulesRefused
from referee.engine.state import GameState
from referee.engine.terms import MARKERS
from support.groups import together
from support.rule_marker import rule
from support.small_board import ISLAND
from support.table import (
    amounts,
    count_tradesmen,
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

BOARDS = ["hanse-4-5", "hanse-2-3", "east", "britannia-4-5", "britannia-2-3"]
PROMOS = {"swap-marker", "tribute", "block"}
SUPPLY = Counter(
    {
        "additional-post": 3,
        "exchange-posts": 2,
        "develop-ability": 2,
        "plus-3-actions": 2,
        "plus-4-actions": 2,
        "move-3": 1,
        "swap-marker": 2,
        "tribute": 2,
        "block": 2,
    }
)
HERE, THERE = "dortmund--duisburg", "kampen--osnabrueck"


def promo_table(board: str = "hanse-4-5", **more: Any) -> GameState:
    return table(board, promos=True, **more)


def laid(marker: str, *routes: str, **more: Any) -> GameState:
    """Seat 0 has just laid a marker above each of these routes."""
    traders, merchants = more.pop("supply", {}).get(0, (0, 0))
    more["supply"] = {0: (traders + len(routes), merchants)}
    state = promo_table(markers={0: [marker] * len(routes)}, **more)
    for route in routes:
        play(state, do="use", marker=marker, route=route)
    return state


def supplies(promos: bool) -> list[Counter[str]]:
    board = atlas.load_board("hanse-4-5")
    rules = rules_for(board, promos=promos)
    orders = [game.new_game(board, rules, seed).supply_order for seed in range(60)]
    return [Counter(MARKERS[marker] for marker in order) for order in orders]


# --- Set-up --------------------------------------------------------------------------------


@rule("BON-9")
@together("board", BOARDS)
def test_with_promos_the_supply_still_has_twelve_markers(board: str) -> None:
    assert (
        seen(game.new_game(atlas.load_board(board), rules_for(board, promos=True), 7))[
            "marker_supply"
        ]
        == 12
    )


@rule("BON-9")
def test_twelve_of_the_eighteen_become_the_supply() -> None:
    for supply in supplies(promos=True):
        assert supply.total() == 12
        assert supply <= SUPPLY


@rule("BON-9")
def test_chance_decides_how_many_promos_take_part() -> None:
    numbers = {sum(supply[name] for name in PROMOS) for supply in supplies(promos=True)}
    assert len(numbers) >= 4


@rule("BON-9")
def test_every_kind_may_take_part_with_all_its_markers_or_be_missing() -> None:
    found = supplies(promos=True)
    assert all(max(supply[name] for supply in found) == SUPPLY[name] for name in SUPPLY)
    assert all(min(supply[name] for supply in found) == 0 for name in PROMOS)


@rule("BON-9")
def test_the_start_markers_are_never_promos() -> None:
    board = atlas.load_board("hanse-4-5")
    for seed in range(20):
        state = game.new_game(board, rules_for(board, promos=True), seed)
        found = [route["marker"] for route in seen(state)["routes"].values() if route["marker"]]
        assert sorted(found) == ["additional-post", "exchange-posts", "move-3"]


@rule("BON-9")
def test_without_the_option_there_are_no_promos() -> None:
    assert all(not PROMOS & set(supply) for supply in supplies(promos=False))


@rule("BON-9")
def test_promos_are_refused_in_the_edition_of_2009() -> None:
    with pytest.raises(RulesRefused):
        rules_for("hanse-4-5", edition="original", promos=True)


def island_with(tmp_path: Path, replaces: str) -> str:
    """The island as a map file that replaces some markers by others."""
    path = tmp_path / "island.toml"
    path.write_text(ISLAND.replace("aspect = 1.5", f"replaces = {replaces}"), "utf-8")
    return str(path)


@rule("BON-9", "SET-4")
def test_a_tribute_that_replaces_another_marker_pays_without_the_option(
    tmp_path: Path,
) -> None:
    board, route = island_with(tmp_path, '{develop-ability = "tribute"}'), "westport--market"
    state = table(board, players=3, markers={0: ["tribute"]}, points={route: ["0t"] * 3})
    play(state, do="use", marker="tribute", route=route)
    play(state, do="create", route=route, reward={"post": "westport"})
    assert [(one["seat"], one["traders"]) for one in events_of(state, "tribute")] == [(0, 2)]


@rule("BON-9", "SET-4")
def test_a_board_can_have_another_marker_for_a_promo_too(tmp_path: Path) -> None:
    board = island_with(tmp_path, '{block = "tribute"}')
    markers = Counter(MARKERS[one] for one in rules_for(board, 3, promos=True).supply_markers)
    assert markers == SUPPLY + Counter(tribute=2) - Counter(block=2)


# --- Swap marker ---------------------------------------------------------------------------


def swaps(state: GameState) -> list[tuple[int, str]]:
    found = offers(state, do="use", marker="swap-marker")
    return sorted((one["owner"], one["takes"]) for one in found)


def with_swap(**more: Any) -> GameState:
    return promo_table(markers={0: ["swap-marker"], **more.pop("markers", {})}, **more)


@rule("BON-9")
def test_a_swap_takes_any_one_marker_of_the_used_pile_of_another() -> None:
    used = {1: ["move-3", "plus-3-actions", "move-3"], 2: ["move-3"]}
    state = with_swap(used=used)
    assert swaps(state) == [(1, "move-3"), (1, "plus-3-actions"), (2, "move-3")]


@rule("BON-9")
def test_the_swap_marker_goes_to_that_pile_and_the_other_comes_face_up() -> None:
    state = with_swap(used={1: ["move-3", "plus-3-actions"]})
    play(state, do="use", marker="swap-marker", owner=1, takes="plus-3-actions")
    assert sorted(player(state, 1)["used_markers"]) == ["move-3", "swap-marker"]
    assert player(state, 0)["markers"] == ["plus-3-actions"]
    assert player(state, 0)["used_markers"] == []


@rule("BON-9")
def test_what_a_swap_brings_can_be_used_at_once() -> None:
    state = with_swap(used={1: ["plus-3-actions"]}, actions=0)
    play(state, do="use", marker="swap-marker", owner=1)
    play(state, do="use", marker="plus-3-actions")
    assert seen(state)["actions_left"] == 3


@rule("BON-9")
def test_a_swap_never_takes_another_swap_marker() -> None:
    assert swaps(with_swap(used={1: ["swap-marker", "move-3"]})) == [(1, "move-3")]


@rule("BON-9")
@together(
    "more",
    [
        {},
        {"used": {1: ["swap-marker"]}},
        {"used": {0: ["move-3"]}},  # the own pile
        {"markers": {1: ["move-3"]}},  # not used yet
    ],
)
def test_without_anything_to_take_a_swap_cannot_be_used(more: dict[str, Any]) -> None:
    assert swaps(with_swap(**more)) == []


@rule("BON-9")
def test_a_laid_marker_is_in_no_pile_and_cannot_be_taken() -> None:
    state = laid("tribute", HERE)
    play(state, do="end-turn")
    state.markers[1] = (MARKERS.index("swap-marker"),)
    state.options = None
    assert swaps(state) == []


@rule("BON-9")
def test_the_marker_used_event_of_a_swap_names_marker_and_owner() -> None:
    state = with_swap(used={2: ["move-3"]}, actions=1)
    play(state, do="use", marker="swap-marker")
    (event,) = events_of(state, "marker-used")
    assert (event["seat"], event["marker"]) == (0, "swap-marker")
    assert (event["owner"], event["takes"]) == (2, "move-3")
    assert seen(state)["actions_left"] == 1


@rule("BON-9")
def test_a_swap_leaves_both_with_as_many_markers_as_before() -> None:
    state = with_swap(used={1: ["move-3"]})
    play(state, do="use", marker="swap-marker")
    assert (totals(state, 0)["markers"], totals(state, 1)["markers"]) == (1, 1)


# --- Laying tribute and block --------------------------------------------------------------


@rule("BON-9")
@together("board", BOARDS)
@together("marker", ["tribute", "block"])
def test_tribute_and_block_are_laid_above_any_route(board: str, marker: str) -> None:
    state = promo_table(board, markers={0: [marker]})
    found = [one["route"] for one in offers(state, do="use", marker=marker)]
    assert found == [route["id"] for route in atlas.load_board(board).words["routes"]]


@rule("BON-9")
@together("marker", ["tribute", "block"])
def test_a_promo_marker_may_be_laid_above_any_route(marker: str) -> None:
    points, posts = {HERE: ["1t", "1t"]}, {"duisburg": ["2t"]}
    state = laid(marker, HERE, HERE, points=points, posts=posts)
    assert seen(state)["laid"] == [{"marker": marker, "route": HERE, "seat": 0}] * 2


@rule("BON-9")
@together("marker", ["tribute", "block"])
def test_laying_takes_a_trader_of_the_supply_and_no_action(marker: str) -> None:
    state = laid(marker, HERE, supply={0: (2, 1)}, actions=1)
    assert amounts(state, "supply", 0) == (2, 1)
    assert (seen(state)["actions_left"], men_on(state, HERE)) == (1, [None, None])
    assert count_tradesmen(state, 0) == (27, 4)


@rule("BON-9")
@together("marker", ["tribute", "block"])
def test_without_a_trader_in_the_supply_nothing_can_be_laid(marker: str) -> None:
    state = promo_table(markers={0: [marker]}, supply={0: (0, 1)})
    assert offers(state, do="use") == []


@rule("BON-9")
@together("marker", ["tribute", "block"])
def test_a_laid_marker_is_neither_unused_nor_in_the_used_pile(marker: str) -> None:
    state = laid(marker, HERE)
    assert (player(state, 0)["markers"], player(state, 0)["used_markers"]) == ([], [])
    (event,) = events_of(state, "marker-used")
    assert (event["seat"], event["marker"], event["route"]) == (0, marker, HERE)


@rule("BON-9")
@together("marker", ["tribute", "block"])
def test_a_laid_marker_counts_for_its_owner_at_the_end(marker: str) -> None:
    assert totals(laid(marker, HERE, THERE), 0)["markers"] == 3


@rule("BON-9")
@together("marker", ["tribute", "block"])
def test_a_laid_marker_stays_for_the_rest_of_the_game(marker: str) -> None:
    state = laid(marker, HERE, points={HERE: ["0t", "0t"]})
    play(state, do="create", route=HERE, reward=None)
    for _ in range(4):
        end_turn(state)
    assert seen(state)["laid"] == [{"marker": marker, "route": HERE, "seat": 0}]


@rule("BON-9", "BON-2")
@together("marker", ["tribute", "block"])
def test_a_laid_marker_leaves_the_place_for_a_bonus_marker_free(marker: str) -> None:
    state = laid(marker, HERE, plates={0: ["move-3"]})
    play(state, do="end-turn")
    assert offers(state, do="place-marker", route=HERE) != []


@rule("BON-9", "CRE-3")
@together("marker", ["tribute", "block"])
def test_a_bonus_marker_below_a_laid_one_is_still_taken(marker: str) -> None:
    points, on = {HERE: ["0t", "0t"]}, {HERE: "move-3"}
    state = laid(marker, HERE, points=points, route_markers=on)
    play(state, do="create", route=HERE, reward=None)
    assert player(state, 0)["markers"] == ["move-3"]
    assert posts_in(state, "duisburg") == [None]

"""Options with a value: chosen promo markers, ties in countries, and the use of permanent markers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from referee.engine import game
from referee.engine.errors import RulesRefused
from referee.engine.state import GameState
from referee.engine.terms import MARKERS
from referee.engine.variants.countries import share
from support.combinations import ALL_PROMOS, named
from support.groups import together
from support.rule_marker import rule
from support.table import (
    about,
    amounts,
    asked,
    event_kinds,
    events_of,
    men_on,
    offered_routes,
    offers,
    play,
    rules_for,
    table,
)

TWELVE = tuple(ALL_PROMOS.removeprefix("promo_markers=").split(","))
MUST: dict[str, Any] = {"edition": "original", "permanent_markers": "must"}


# -- promo_markers


@rule("BON-9", "SET-4")
def test_the_supply_is_the_twelve_markers_that_the_players_chose() -> None:
    board, rules = named(f"hanse-4-5:4:bigbox+promos+{ALL_PROMOS}")
    orders = [game.new_game(board, rules, seed).supply_order for seed in range(9)]
    for order in orders:
        assert Counter([MARKERS[marker] for marker in order]) == Counter(TWELVE)
    assert len(set(orders)) > 1


@together(
    ("markers", "reason"),
    [
        (TWELVE[1:], "must name exactly 12 markers of the supply, not 11"),
        ((*TWELVE, "develop-ability"), "must name exactly 12 markers of the supply, not 13"),
        (("tribute",) * 12, "tribute is there 2 times at most, not 12 times"),
        ((*TWELVE[1:], "remove-3"), "'remove-3' is not a marker of this supply; the markers are "),
        ((*TWELVE[1:], "tributes"), "'tributes' is not a marker of this supply; the markers are "),
    ],
)
@rule("BON-9")
def test_other_than_twelve_markers_that_exist_are_refused(
    markers: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(RulesRefused, match=reason):
        rules_for("hanse-4-5", promos=True, promo_markers=markers)


@rule("BON-9")
def test_markers_are_chosen_only_in_games_with_promos() -> None:
    with pytest.raises(RulesRefused, match="only be set in games with promos"):
        rules_for("hanse-4-5", promo_markers=TWELVE)


# -- country_ties

PRESTIGE = (7, 4, 2)
TIES = [
    # scores (cities, posts), then shared, then next-lower
    ([(2, 3), (2, 3), (1, 1)], [5, 5, 2], [5, 5, 2]),
    ([(2, 3), (1, 1), (1, 1)], [7, 3, 3], [7, 3, 3]),
    ([(1, 1), (1, 1), (1, 1), (0, 1)], [4, 4, 4, 0], [3, 3, 3, 0]),
    ([(2, 1), (1, 1), (1, 1), (1, 1)], [7, 2, 2, 2], [7, 2, 2, 2]),
    ([(1, 1), (1, 1), (1, 1), (1, 1)], [3, 3, 3, 3], [2, 2, 2, 2]),
    ([(1, 1), (0, 2), (0, 2), (0, 2)], [7, 2, 2, 2], [7, 2, 2, 2]),
]


@together(("scores", "shared", "next_lower"), TIES)
@rule("BRI-8")
def test_a_full_tie_shares_all_its_places_or_its_own_and_the_next_lower(
    scores: list[tuple[int, int]], shared: list[int], next_lower: list[int]
) -> None:
    for ties, expected in (("shared", shared), ("next-lower", next_lower)):
        places = rules_for("britannia-4-5", country_ties=ties).tied_places
        assert [share(score, scores, PRESTIGE, places) for score in scores] == expected


@rule("BRI-8")
def test_ties_in_countries_are_an_option_where_countries_give_prestige() -> None:
    assert rules_for("britannia-4-5").country_ties == "shared"
    assert rules_for("east").country_ties is None
    with pytest.raises(RulesRefused, match="none of its countries gives prestige"):
        rules_for("east", country_ties="shared")
    with pytest.raises(RulesRefused, match="the values are shared, next-lower"):
        rules_for("britannia-4-5", country_ties="lower")


# -- permanent_markers

PLACE_2, MOVE_2 = "calais--southampton", "calais--canterbury"
PLACE_2_MEN, MOVE_2_MEN = ["0t", "0m", "0m"], ["0t", "0m", "0t"]


def created(route: str, men: list[str], **wanted: Any) -> GameState:
    """Seat 0 has just created a route with a permanent marker, which must be used."""
    points = {route: men, **wanted.pop("points", {})}
    wanted = {"supply": {0: (2, 0)}, "desk": {0: {"book": 2}}, "stock": {0: (2, 0)}, **wanted}
    state = table("britannia-4-5", points=points, **MUST, **wanted)
    assert offers(state, do="create") == [{"do": "create", "route": route, "reward": None}]
    play(state, do="create", route=route)
    return state


@together(("board", "edition"), [("britannia-4-5", "bigbox"), ("east", "original")])
@rule("EAST-5")
def test_must_is_an_option_of_boards_with_countries_in_edition_original(
    board: str, edition: str
) -> None:
    assert rules_for("britannia-4-5", edition="original").permanent_markers == "may"
    assert rules_for(board, edition=edition).permanent_markers is None
    with pytest.raises(RulesRefused, match="boards with countries in edition 'original'"):
        rules_for(board, edition=edition, permanent_markers="may")


@rule("EAST-5", "BRI-7")
def test_a_marker_that_must_be_used_comes_before_the_reward() -> None:
    state = created(PLACE_2, PLACE_2_MEN, posts={"calais": ["1t"]})
    assert event_kinds(state) == ["action", "prestige"]
    assert (asked(state), about(state)["marker"]) == (("permanent", 0), "place-2-abroad")
    assert men_on(state, PLACE_2) == PLACE_2_MEN
    play(state, do="place", route="cardiff--pembroke", tradesman="trader")
    play(state, do="decline")
    assert (asked(state), about(state)) == (("reward", 0), {"route": PLACE_2})
    play(state, do="create", reward={"post": "southampton"})
    assert (asked(state), men_on(state, PLACE_2)) == (("turn", 0), [None, None, None])
    assert event_kinds(state)[2:] == ["placed", "created", "post"]


@rule("EAST-5", "BRI-7")
def test_a_marker_that_must_be_used_is_not_declined_at_once() -> None:
    state = created(PLACE_2, PLACE_2_MEN)
    assert offers(state, do="decline") == []
    state = created(MOVE_2, MOVE_2_MEN, points={"durham--york": ["1t", None, None]})
    assert (asked(state), offers(state, do="stop")) == (("lift", 0), [])
    play(state, do="lift", route="durham--york")
    assert asked(state) == ("put", 0)
    assert about(state)["created"] == MOVE_2


@rule("EAST-5", "BRI-7")
def test_the_tradesmen_of_the_route_stay_until_the_marker_is_used() -> None:
    state = created(MOVE_2, MOVE_2_MEN, points={"durham--york": ["1t", None, None]})
    assert offered_routes(state, do="lift") == {"durham--york"}
    nothing = {"stock": {0: (0, 0)}, "supply": {0: (0, 0)}}
    state = created(PLACE_2, PLACE_2_MEN, points={"durham--york": ["0t", None, None]}, **nothing)
    assert {one["from_route"] for one in offers(state, do="place")} == {"durham--york"}
    assert amounts(state, "stock", 0) == (0, 0)


@rule("EAST-5", "BRI-7")
def test_a_marker_that_cannot_be_used_is_passed_over() -> None:
    state = created(PLACE_2, PLACE_2_MEN, stock={0: (0, 0)}, supply={0: (0, 0)})
    assert asked(state) == ("reward", 0)
    state = created(MOVE_2, MOVE_2_MEN)
    assert asked(state) == ("reward", 0)


@rule("EAST-5", "CRE-2")
def test_control_is_scored_before_a_marker_that_must_be_used() -> None:
    state = created(MOVE_2, MOVE_2_MEN, posts={"canterbury": ["0t"]})
    (scored,) = events_of(state, "prestige")
    assert (scored["seat"], scored["city"]) == (0, "canterbury")


@rule("EAST-5")
def test_other_routes_are_created_with_their_reward_at_once() -> None:
    points = {"durham--york": ["0t", "0t", "0t"]}
    state = table("britannia-4-5", points=points, **MUST)
    assert len(offers(state, do="create")) > 1
    play(state, do="create", reward={"post": "york"})
    assert asked(state) == ("turn", 0)

"""Click paths reach exactly the legal choices, in every kind of decision of every ruleset."""

from collections.abc import Iterator
from functools import cache

import pytest

from referee.engine import game
from referee.engine.board import Board
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, DOINGS
from referee.web.play.click_paths import AskedChoices, ClickPaths, ListItem, Tree
from support.combinations import representative
from support.random_games import kind_of, sampled

PLACES = {"point", "route", "city", "space", "special"}
NAMES = ["ann", "bob", "cid", "dan", "eve"]


@cache
def paths_on(board: Board) -> ClickPaths:
    return ClickPaths(board, NAMES)


def asked(state: GameState) -> AskedChoices:
    return paths_on(state.board).asked(state, game.choices(state))


def leaves(tree: Tree) -> Iterator[int]:
    for pick in tree["picks"]:
        assert ("index" in pick) != ("then" in pick)
        if "then" in pick:
            yield from leaves(pick["then"])
        else:
            yield pick["index"]


def listed(items: list[ListItem]) -> Iterator[int]:
    for item in items:
        assert ("index" in item) != ("items" in item)
        if "items" in item:
            yield from listed(item["items"])
        else:
            yield item["index"]


def nodes(tree: Tree) -> Iterator[Tree]:
    yield tree
    for pick in tree["picks"]:
        if "then" in pick:
            yield from nodes(pick["then"])


def states() -> Iterator[GameState]:
    for name in representative():
        yield from (state for state in sampled(name) if len(game.choices(state)) > 1)


@pytest.mark.parametrize("name", representative())
def test_click_paths_and_list_reach_exactly_the_legal_choices(name: str) -> None:
    for state in sampled(name):
        offered = game.choices(state)
        if len(offered) < 2:
            continue  # nobody is asked
        found = asked(state)
        every = list(range(len(offered)))
        assert sorted(set(leaves(found["tree"]))) == every, kind_of(state)
        assert sorted(listed(found["list"])) == every
        assert len(found["labels"]) == len(offered)
        for tree in nodes(found["tree"]):
            targets = [pick["at"] for pick in tree["picks"]]
            assert len(targets) > 1, "the page asks only where something is left to choose"
            assert len(set(targets)) == len(targets)
            assert all(pick["label"] and tree["ask"] for pick in tree["picks"])


def test_the_sampled_positions_have_every_kind_of_decision_and_choice() -> None:
    kinds, doings = set(), set()
    for state in states():
        kinds.add(kind_of(state))
        doings |= {DOINGS[choice.do] for choice in game.choices(state)}
    assert kinds == set(DECISIONS)
    assert doings == set(DOINGS)


def test_targets_on_the_board_exist() -> None:
    for state in states():
        board = state.board
        limits = {
            "point": len(state.points),
            "route": len(board.routes),
            "city": len(board.city_ids),
            "space": len(state.posts),
            "special": len(board.special_points),
        }
        for tree in nodes(asked(state)["tree"]):
            for pick in tree["picks"]:
                for target in (pick["at"], *pick.get("also", ())):
                    kind, _, number = target.partition(":")
                    assert kind not in PLACES or int(number) < limits[kind]


def test_points_that_stand_for_another_one_are_not_targets_themselves() -> None:
    for state in states():
        for tree in nodes(asked(state)["tree"]):
            targets = [pick["at"] for pick in tree["picks"]]
            alike = [other for pick in tree["picks"] for other in pick.get("also", ())]
            assert len({*targets, *alike}) == len(targets) + len(alike)

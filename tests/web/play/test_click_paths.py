"""Click paths reach exactly the legal choices, in every kind of decision of every ruleset."""

from collections.abc import Iterator
from functools import cache

from referee.engine import game
from referee.engine.board import Board
from referee.engine.state import GameState
from referee.engine.terms import DOINGS, EXCHANGE_POSTS
from referee.web.play.click_paths import AskedChoices, ClickPaths, ListItem, Tree
from support.combinations import WITH_LEVY, named, representative
from support.groups import each_of
from support.random_games import kind_of, sampled

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


def board_targets(state: GameState) -> dict[str, int]:
    """Return how many places of each kind the board has."""
    board = state.board
    return {
        "point": len(state.points),
        "route": len(board.routes),
        "city": len(board.city_ids),
        "space": len(state.posts),
        "special": len(board.special_points),
    }


def check_tree(tree: Tree, limits: dict[str, int]) -> None:
    """Check that each question has several targets, which exist, with a label."""
    for node in nodes(tree):
        targets = [pick["at"] for pick in node["picks"]]
        alike = [other for pick in node["picks"] for other in pick.get("also", ())]
        assert len(targets) > 1, "the page asks only where something is left to choose"
        assert len({*targets, *alike}) == len(targets) + len(alike)
        assert all(pick["label"] and node["ask"] for pick in node["picks"])
        for target in (*targets, *alike):
            kind, _, number = target.partition(":")
            assert kind not in limits or int(number) < limits[kind]


@each_of(representative())
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
        check_tree(found["tree"], board_targets(state))


def test_every_kind_of_choice_has_a_path() -> None:
    assert set(range(len(DOINGS))) == set(ClickPaths(sampled(WITH_LEVY)[0].board, NAMES).makers)


def test_two_posts_to_exchange_can_be_clicked_in_any_order() -> None:
    board, rules = named("hanse-4-5:4:bigbox")
    state = game.new_game(board, rules, 1)
    choices = [board.tables.exchange[EXCHANGE_POSTS][space] for space in (0, 1)]
    _, tree = paths_on(board).tree(state, choices, "?")
    (first,) = (pick for pick in tree["picks"] if pick["at"] == "space:1")
    assert [(pick["at"], pick["index"]) for pick in first["then"]["picks"]] == [
        ("space:0", 0),
        ("space:2", 1),
    ]

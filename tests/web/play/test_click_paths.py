"""Click paths reach exactly the legal choices, in every kind of decision of every ruleset."""

from collections.abc import Iterator
from functools import cache

from referee.engine import game
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.state import GameState
from referee.engine.terms import (
    ADDITIONAL,
    BLOCK,
    DO_CREATE,
    DO_FAVOUR,
    DO_PLACE_FREELY,
    DO_USE,
    DOINGS,
    EXCHANGE_POSTS,
    FROM_POINT,
    MERCHANT,
    NO_REWARD,
    PATRON,
    PLUS_3_ACTIONS,
    POST,
    SPECIAL,
    SWAP_MARKER,
    TRADER,
)
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


def labels(tree: Tree) -> list[list[str]]:
    """Return the labels of every path through a tree."""
    return [
        [pick["label"], *rest]
        for pick in tree["picks"]
        for rest in (labels(pick["then"]) if "then" in pick else [[]])
    ]


def labelled(*choices: Choice) -> tuple[list[str], list[list[str]]]:
    """Return the labels of the picks that need no click, and of the paths to these choices."""
    board, rules = named("hanse-4-5:4:bigbox")
    given, tree = paths_on(board).tree(game.new_game(board, rules, 1), choices, "?")
    return given, labels(tree)


def test_the_special_prestige_is_worth_its_points() -> None:
    found = labelled(*(Choice(DO_CREATE, route=0, reward=SPECIAL, special=number) for number in (0, 3)), Choice(DO_CREATE, route=0, reward=NO_REWARD))  # fmt: skip
    assert [path[0] for path in found[1]] == [
        "Take the special prestige (7 points)",
        "Take the special prestige (11 points)",
        "Nothing more",
    ]


def test_a_marker_to_swap_is_clicked_at_its_owner() -> None:
    swaps = [Choice(DO_USE, marker=SWAP_MARKER, seat=seat, other=PLUS_3_ACTIONS) for seat in (1, 3)]
    assert labelled(*swaps) == (
        ["Use “swap marker”"],
        [["bob's “+3 actions”"], ["dan's “+3 actions”"]],
    )


def test_two_markers_for_a_favour_are_given_up_in_any_order() -> None:
    alike, different = (
        Choice(DO_FAVOUR, tile=PATRON, marker=PLUS_3_ACTIONS, other=other)
        for other in (PLUS_3_ACTIONS, BLOCK)
    )
    assert labelled(alike, different) == (
        ["Take the favour “patron”"],
        [
            ["Give up “+3 actions”", "Give up “+3 actions”"],
            ["Give up “+3 actions”", "Give up “block”"],
            ["Give up “block”"],
        ],
    )


def test_a_tradesman_from_the_board_is_clicked_where_it_stands() -> None:
    moves = [
        Choice(DO_PLACE_FREELY, point=0, kind=kind, source=FROM_POINT, origin=origin)
        for kind, origin in ((TRADER, 4), (MERCHANT, 5))
    ]
    ((goal,), paths) = labelled(*moves)
    assert goal.startswith("To ")
    assert [path[0].partition(" at ")[0] for path in paths] == ["The trader", "The merchant"]


def test_a_pick_that_leads_to_one_other_pick_asks_only_what_follows() -> None:
    """Both choices of the first route have the same first two picks."""
    create = [
        Choice(DO_CREATE, route=route, reward=reward, city=city, kind=kind)
        for route, reward, city, kind in (
            (0, ADDITIONAL, 0, TRADER),
            (0, ADDITIONAL, 0, MERCHANT),
            (1, POST, 2, TRADER),
        )
    ]
    _, paths = labelled(*create)
    assert [path[1:] for path in paths] == [
        ["additional, with a trader"],
        ["additional, with a merchant"],
        [],
    ]

"""Which combinations of board, edition, players and options are allowed."""

from typing import Any

import pytest

from referee import atlas
from referee.engine import game
from referee.engine.errors import RulesRefused
from support.groups import together
from support.table import rules_for, seen

GAMES = [
    *[("hanse-4-5", n) for n in (4, 5)],
    *[("hanse-2-3", n) for n in (2, 3)],
    *[("east", n) for n in (2, 3, 4, 5)],
    *[("britannia-4-5", n) for n in (4, 5)],
    *[("britannia-2-3", n) for n in (2, 3)],
]


@together(
    ("board", "players", "options"),
    [
        ("hanse-4-5", 3, {}),
        ("hanse-4-5", 6, {}),
        ("hanse-2-3", 4, {}),
        ("hanse-2-3", 1, {}),
        ("east", 1, {}),
        ("east", 6, {}),
        ("britannia-4-5", 3, {}),
        ("britannia-2-3", 4, {}),
        ("east", 3, {"missions": True}),
        ("britannia-4-5", 4, {"missions": True}),
        ("east", 3, {"favours": True}),
        ("britannia-2-3", 3, {"favours": True}),
        ("hanse-2-3", 3, {"neutral": "2009"}),
        ("hanse-2-3", 2, {"neutral": "2010"}),
        ("hanse-4-5", 4, {"permits": True}),
        ("east", 4, {"permits": True}),
        ("hanse-4-5", 4, {"promos": True, "edition": "original"}),
        ("hanse-4-5", 4, {"edition": "1999"}),
        ("hanse-4-5", 4, {"max_turns": -1}),
    ],
)
def test_a_combination_that_is_not_allowed_is_refused_with_a_sentence(
    board: str, players: int, options: dict[str, Any]
) -> None:
    with pytest.raises(RulesRefused, match=r"\w+ \w+ \w+"):
        rules_for(board, players, **options)


@together(
    ("board", "players", "options"),
    [
        *[(board, players, {}) for board, players in GAMES],
        *[(board, players, {"edition": "original"}) for board, players in GAMES],
        ("hanse-4-5", 5, {"missions": True, "favours": True, "promos": True}),
        ("hanse-2-3", 2, {"missions": True, "favours": True, "edition": "original"}),
        *[(board, 2, {"neutral": "2009"}) for board in ("hanse-2-3", "east", "britannia-2-3")],
        ("hanse-2-3", 2, {"neutral": "britannia"}),
        ("britannia-2-3", 2, {"permits": True, "promos": True, "max_turns": 9}),
        ("britannia-4-5", 4, {"permits": True, "edition": "original"}),
    ],
)
def test_an_allowed_combination_starts_a_game(
    board: str, players: int, options: dict[str, Any]
) -> None:
    rules = rules_for(board, players, **options)
    state = game.new_game(atlas.load_board(board), rules, seed=1)
    assert len(seen(state)["players"]) == players

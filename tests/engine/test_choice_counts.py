"""How many ways there are to choose so many times in a row: from the start, and from the middle of a game.

A number that changes says that a choice appeared or was lost somewhere below; the table of a whole
board is made anew by `python tests/engine/test_choice_counts.py`.
"""

from __future__ import annotations

import pytest

from combinations import named
from golden_games import kept, read
from referee.engine import game
from referee.engine.state import GameState


def ways(state: GameState, depth: int) -> int:
    """The number of different sequences of `depth` choices; those that end the game earlier are none."""
    offered = game.choices(state)
    if depth == 1:
        return len(offered)
    total = 0
    for index in range(len(offered)):
        twin = state.copy()
        game.apply(twin, index)
        total += ways(twin, depth - 1)
    return total


START = {
    "hanse-4-5:4:bigbox": (),
    "hanse-4-5:5:original": (),
    "hanse-2-3:2:bigbox": (),
    "hanse-2-3:3:bigbox+missions+favours": (),
    "east:2:original+neutral=2009": (),
    "east:4:bigbox+promos": (),
    "britannia-4-5:4:bigbox+permits": (),
    "britannia-2-3:2:bigbox": (),
    "britannia-2-3:3:original": (),
}

# By golden game and how many of its choices were made.
MIDDLE = {
    ("hanse-4-5:4:bigbox+missions+favours+promos", 150): (),
    ("hanse-4-5:5:original+missions+favours", 500): (),
    ("hanse-2-3:3:bigbox+favours+promos", 250): (),
    ("hanse-2-3:2:original+favours+neutral=2009", 120): (),
    ("east:5:bigbox+promos", 300): (),
    ("east:2:bigbox+neutral=2009", 300): (),
    ("britannia-4-5:4:bigbox+permits+promos", 250): (),
    ("britannia-2-3:3:bigbox+permits", 300): (),
    ("britannia-2-3:2:original+permits+neutral=britannia", 300): (),
}


def start_of(name: str) -> GameState:
    return game.new_game(*named(name), 1, events=False)


def middle_of(name: str, choices: int) -> GameState:
    one = kept(read(name))
    return game.replay(one.board, one.rules, one.seed, one.indices[:choices], events=False)


@pytest.mark.parametrize("name", START)
def test_from_the_start_there_are_so_many_ways(name: str) -> None:
    state = start_of(name)
    assert tuple(ways(state, depth) for depth in (1, 2, 3)) == START[name]


@pytest.mark.parametrize(("name", "choices"), MIDDLE)
def test_from_the_middle_there_are_so_many_ways(name: str, choices: int) -> None:
    state = middle_of(name, choices)
    assert tuple(ways(state, depth) for depth in (1, 2)) == MIDDLE[name, choices]

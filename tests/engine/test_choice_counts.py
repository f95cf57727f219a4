"""The number of different sequences of choices, from the start and from the middle of a game.

If a number changes, a choice was added or lost somewhere.
"""

from __future__ import annotations

from referee.engine import game
from referee.engine.state import GameState
from support.combinations import named
from support.golden_games import game_of, read
from support.groups import together


def count_sequences(state: GameState, depth: int) -> int:
    """The number of different sequences of `depth` choices. Games that end earlier do not count."""
    offered = game.choices(state)
    if depth == 1:
        return len(offered)
    total = 0
    for index in range(len(offered)):
        twin = state.copy()
        game.apply(twin, index)
        total += count_sequences(twin, depth - 1)
    return total


START = {
    "hanse-4-5:4:bigbox": (72, 4096, 13364),
    "hanse-4-5:5:original": (72, 4096, 13364),
    "hanse-2-3:2:bigbox": (95, 5062, 21944),
    "hanse-2-3:3:bigbox+missions+favours": (68, 3664, 11940),
    "east:2:original+neutral=2009": (105, 5777, 29914),
    "east:4:bigbox+promos": (72, 3950, 13054),
    "britannia-4-5:4:bigbox+permits": (61, 2872, 9438),
    "britannia-2-3:2:bigbox": (111, 5453, 32149),
    "britannia-2-3:3:original": (63, 3061, 10064),
}

# By golden game and the number of its choices played before.
MIDDLE = {
    ("hanse-4-5:4:bigbox+missions+favours+promos", 150): (50, 194, 3784),
    ("hanse-4-5:5:original+missions+favours", 500): (50, 1924, 48974),
    ("hanse-2-3:3:bigbox+favours+promos", 250): (41, 138, 2829),
    ("hanse-2-3:2:original+favours+neutral=2009", 120): (1, 22, 880),
    ("east:5:bigbox+promos", 300): (98, 5606, 18467),
    ("east:2:bigbox+neutral=2009", 300): (42, 162, 3560),
    ("britannia-4-5:4:bigbox+permits+promos", 250): (1, 42, 1540),
    ("britannia-2-3:3:bigbox+permits", 300): (37, 1185, 35650),
    ("britannia-2-3:2:original+permits+neutral=britannia", 300): (1, 47, 1425),
}


def start_of(name: str) -> GameState:
    return game.new_game(*named(name), 1, events=False)


def middle_of(name: str, choices: int) -> GameState:
    one = game_of(read(name))
    return game.replay(one.board, one.rules, one.seed, one.indices[:choices], events=False)


@together("name", ["hanse-4-5:4:bigbox", "hanse-2-3:3:original", "east:5:bigbox"])
def test_the_first_decision_is_income_any_free_point_or_the_end(name: str) -> None:
    """One to three traders; a trader or a merchant for a house, a merchant for a ship; end-turn."""
    board, _ = named(name)
    types = [{point["type"] for point in route["points"]} for route in board.words["routes"]]
    places = sum(2 * ("house" in found) + ("ship" in found) for found in types)
    assert count_sequences(start_of(name), 1) == 3 + places + 1


@together("name", START)
def test_the_number_of_sequences_from_the_start_is_known(name: str) -> None:
    state = start_of(name)
    assert tuple(count_sequences(state, depth) for depth in (1, 2, 3)) == START[name]


@together(("name", "choices"), MIDDLE)
def test_the_number_of_sequences_from_the_middle_is_known(name: str, choices: int) -> None:
    state = middle_of(name, choices)
    assert tuple(count_sequences(state, depth) for depth in (1, 2, 3)) == MIDDLE[name, choices]

"""The house bots answer every kind of decision, and play games on every board with every variant."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS
from support.combinations import ALL_PROMOS, WITH_LEVY, WITH_VALUES, named
from support.random_games import first_of_each_kind, seat_of
from support.table import table

# Every option, every board and every number of seats occurs at least once.
# The games end early: `test_processes.py` has games that end by the rules.
GAMES = (
    "hanse-4-5:5:bigbox+missions+favours+promos+max_turns=10",
    "hanse-2-3:2:original+missions+favours+neutral=2009+max_turns=24",
    f"hanse-2-3:3:bigbox+promos+{ALL_PROMOS}+max_turns=9",
    "east:2:bigbox+neutral=britannia+max_turns=6",
    "britannia-4-5:4:bigbox+permits+promos+max_turns=8",
    "britannia-2-3:3:original+permits+country_ties=next-lower+permanent_markers=must+max_turns=9",
)
HOUSE: tuple[tuple[str, dict[str, int]], ...] = (
    ("trader", {}),
    ("greedy", {}),
    ("merchant", {}),
    ("navigator", {"nodes": 1}),
)
LONGEST = 3000  # decisions; these games need about a hundred


def new_game(name: str, seed: int = 7) -> GameState:
    board, rules = named(name)
    return game.new_game(board, rules, seed, events=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end(name: str, seated: Any, play_on: Any) -> None:
    state = new_game(name)
    answers = {}
    for seat in range(state.rules.players):
        bot, options = HOUSE[(seat + len(name)) % len(HOUSE)]
        answers[seat] = seated(bot, state, seat, **options)
    play_on(state, answers, LONGEST)
    assert state.is_over


@pytest.mark.parametrize(("bot", "options"), HOUSE)
def test_a_decision_of_every_kind_is_answered(
    bot: str, options: dict[str, Any], seated: Any
) -> None:
    positions = first_of_each_kind((*WITH_VALUES, WITH_LEVY))
    assert positions.keys() == set(DECISIONS)
    for state in positions.values():
        assert seated(bot, state, seat_of(state), **options)(state) < len(game.choices(state))


@pytest.mark.parametrize(("bot", "options"), HOUSE)
def test_the_same_game_is_played_the_same_way_again(
    bot: str, options: dict[str, Any], seated: Any, play_on: Any
) -> None:
    indices = []
    for _ in range(2):
        state = new_game("hanse-2-3:3:bigbox")
        answers = {seat: seated(bot, state, seat, **options) for seat in range(3)}
        indices.append(play_on(state, answers, 9))
    assert indices[0] == indices[1]


@pytest.mark.parametrize(("bot", "options"), HOUSE[1:])  # trader takes rewards at random
def test_a_held_route_is_created_for_one_more_action(
    bot: str, options: dict[str, Any], seated: Any
) -> None:
    state = table(points={"goettingen--warburg": ["0t"] * 3})
    answer = seated(bot, state, 0, **options)
    while state.active == 0 and not state.desk[1]:
        game.apply(state, answer(state))
    assert state.desk[1] == 1

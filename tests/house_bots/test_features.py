"""The numbers that describe a position to the learnt value."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine import game
from referee.engine.state import GameState
from referee.thinking.features import FEATURES, features
from support.combinations import WITH_VALUES, named
from support.table import table

GOETTINGEN = "goettingen--warburg"


def seat_row(state: GameState, seat: int, *, is_turn_over: bool = False) -> dict[str, float]:
    return dict(zip(FEATURES, features(state, is_turn_over=is_turn_over)[seat], strict=True))


@pytest.mark.parametrize("name", WITH_VALUES)
def test_every_seat_has_a_row_of_moderate_numbers_in_every_game(name: str) -> None:
    board, rules = named(name)
    state = game.new_game(board, rules, seed=3, events=False)
    rng = Random(3)
    for number in range(300):
        if state.over:
            break
        if number % 60 == 0:
            rows = features(state)
            assert [len(row) for row in rows] == [len(FEATURES)] * rules.players
            assert all(-10 < value < 30 for row in rows for value in row)
        game.apply(state, rng.randrange(len(game.choices(state))))


def test_a_full_route_is_counted_with_what_it_brings() -> None:
    row = seat_row(table(points={GOETTINGEN: ["0t"] * 3}), 0)
    assert row["full_routes"] == 1
    assert row["full_actions"] == 1
    assert row["full_post"] >= 1
    assert row["route_traders"] == 3 / 6


def test_a_route_with_tradesmen_of_others_is_contested() -> None:
    state = table(points={GOETTINGEN: ["0t", "1t", "1t"]})
    assert seat_row(state, 0)["outnumbered_tradesmen"] == 1
    assert seat_row(state, 0)["two_missing_routes"] == 1
    assert seat_row(state, 1)["outnumbered_tradesmen"] == 0
    assert seat_row(state, 1)["one_missing_routes"] == 1


def test_an_ended_turn_has_no_actions_left() -> None:
    state = table()
    assert seat_row(state, 0)["actions_left"] > 0
    assert seat_row(state, 0, is_turn_over=True)["actions_left"] == 0


def test_a_lead_on_the_track_is_seen_from_both_sides() -> None:
    state = table(prestige={0: 8, 1: 3})
    assert seat_row(state, 0)["track_ahead"] == 0.5
    assert seat_row(state, 1)["track_ahead"] == -0.5
    assert seat_row(state, 0)["progress"] == 8 / 20

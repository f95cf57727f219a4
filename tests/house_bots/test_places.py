"""The numbers that say who is where, on every board."""

from __future__ import annotations

from random import Random

import pytest

from referee import Game, atlas
from referee.engine import game
from referee.engine.state import GameState
from referee.thinking.cities import Cities
from referee.thinking.features import FEATURES, features
from referee.thinking.places import place_names, places
from support.table import table

GOETTINGEN = "goettingen--warburg"


def seat_row(state: GameState, seat: int) -> dict[str, float]:
    return dict(zip(place_names(state.board), places(state, Cities(state))[seat], strict=True))


def test_a_route_is_seen_by_each_seat() -> None:
    state = table(points={GOETTINGEN: ["0t", "1t", "1t"]})
    own, others = f"own part {GOETTINGEN}", f"others' part {GOETTINGEN}"
    parts = [(seat_row(state, seat)[own], seat_row(state, seat)[others]) for seat in range(3)]
    assert parts == [
        pytest.approx((1 / 3, 2 / 3)),
        pytest.approx((2 / 3, 1 / 3)),
        pytest.approx((0, 1)),
    ]


@pytest.mark.parametrize("board", atlas.board_names())
def test_posts_and_control_are_those_of_the_position(board: str) -> None:
    players = atlas.load_board(board).players[1]
    state = Game(players=players, board=board, seed=5).engine_state
    rng = Random(5)
    while not state.over and state.turn < 100:
        game.apply(state, rng.randrange(len(game.choices(state))))
    cities = Cities(state)
    rows = [seat_row(state, seat) for seat in range(players)]
    assert any(count for counts in cities.counts for count in counts)
    for number, city in enumerate(state.board.city_ids):
        assert [row[f"posts {city}"] for row in rows] == cities.counts[number][:players]
        holders = [seat for seat, row in enumerate(rows) if row[f"controls {city}"]]
        assert holders == [seat for seat in range(players) if seat == cities.controllers[number]]


def test_places_follow_the_other_features() -> None:
    state = table(points={GOETTINGEN: ["0t", None, None]})
    plain, rows = features(state), features(state, with_places=True)
    added = places(state, Cities(state))
    assert rows == [one + other for one, other in zip(plain, added, strict=True)]
    assert len(rows[0]) == len(FEATURES) + len(place_names(state.board))

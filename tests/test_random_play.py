"""Random play: how likely every kind of choice is, and the same game for the same seed."""

from collections import Counter
from random import Random

import pytest

from referee import atlas
from referee.engine import game
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ruleset import Ruleset, make_ruleset
from referee.random_play import SEEDS, Picker, draw_seed, kind_first, play_game, uniform


def small_game() -> tuple[Board, Ruleset]:
    board = atlas.load_board("hanse-2-3")
    return board, make_ruleset(atlas.load_components(), board, 3, max_turns=30)


def share(pick: Picker, kinds: list[int], draws: int = 12_000) -> dict[int, float]:
    """Return how often each index is picked among choices of these kinds."""
    rng = Random(1)
    offered = [Choice(kind) for kind in kinds]
    picked = Counter(pick(offered, rng) for _ in range(draws))
    return {index: picked[index] / draws for index in range(len(kinds))}


def test_kind_first_picks_every_kind_equally_often() -> None:
    shares = share(kind_first, [0, 1, 1, 1, 1, 8])
    assert shares == pytest.approx(
        {0: 1 / 3, **dict.fromkeys(range(1, 5), 1 / 12), 5: 1 / 3}, abs=0.02
    )


def test_kind_first_among_one_kind_is_uniform() -> None:
    assert share(kind_first, [4] * 4) == pytest.approx(dict.fromkeys(range(4), 1 / 4), abs=0.02)


def test_uniform_picks_every_choice_equally_often() -> None:
    assert share(uniform, [0, 1, 1, 8]) == pytest.approx(dict.fromkeys(range(4), 1 / 4), abs=0.02)


@pytest.mark.parametrize("pick", [kind_first, uniform])
def test_a_seed_determines_the_game(pick: Picker) -> None:
    board, ruleset = small_game()
    one, two, other = (play_game(board, ruleset, seed, pick=pick) for seed in (3, 3, 4))
    assert one.tally == two.tally
    assert one.state.digest() == two.state.digest() != other.state.digest()


def test_the_indices_replay_the_game() -> None:
    board, ruleset = small_game()
    played = play_game(board, ruleset, 3)
    again = game.replay(board, ruleset, 3, played.tally.indices)
    assert again.digest() == played.state.digest()
    assert 0 < played.tally.open_decisions <= len(played.tally.indices)


def test_without_events_the_same_game_is_played() -> None:
    board, ruleset = small_game()
    logged, silent = (play_game(board, ruleset, 3, events=events) for events in (True, False))
    assert logged.state.digest() == silent.state.digest()
    assert silent.state.events is None


def test_a_drawn_seed_is_valid() -> None:
    assert all(0 <= draw_seed() < SEEDS for _ in range(100))

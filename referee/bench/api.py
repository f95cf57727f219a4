"""How fast a search is with `Game`, compared with the same search on the engine's own functions.

The search is a flat Monte-Carlo player: from a position in the middle of a game it draws what its
seat cannot know, tries a choice, and plays at random to the end. Both sides take the same random
numbers, so they play the same games; they take turns, so that a busy machine slows both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Final, NamedTuple

from referee.api.game import Game
from referee.bench.common import heading, rounded
from referee.bench.engine import MAX_TURNS
from referee.engine import game
from referee.engine.restore import redraw
from referee.engine.state import GameState

TRIED: Final = 4  # choices in a round, each with one random game
BEFORE: Final = 200  # decisions before the position that is searched
FEWEST_ROUNDS: Final = 3


class Searched(NamedTuple):
    """What a search found, and how many decisions that took."""

    scores: list[int]  # of the searching seat, by choice
    decisions: int


@dataclass(frozen=True, slots=True)
class ApiSpeed:
    """Decisions per second in the search on one board."""

    board: str
    seats: int
    engine: float
    api: float
    share: float  # of the engine's speed that the API has, in the median round
    rounds: int


def measure_api(board: str, seats: int, seconds: float) -> ApiSpeed:
    """Measure one board for about this many seconds."""
    root = middle_of_game(board, seats)
    works = (
        lambda seed: search_engine(root.engine_state, seed),
        lambda seed: search_api(root, seed),
    )
    rounds: list[tuple[float, ...]] = []
    began = time.perf_counter()
    while len(rounds) < FEWEST_ROUNDS or time.perf_counter() - began < seconds:
        rounds.append(tuple([_speed(work, len(rounds)) for work in works]))
    engine, api = (median(speeds) for speeds in zip(*rounds, strict=True))
    return ApiSpeed(
        board=root.rules["board"],
        seats=seats,
        engine=engine,
        api=api,
        share=median(speeds[1] / speeds[0] for speeds in rounds),
        rounds=len(rounds),
    )


def to_dict(speeds: Sequence[ApiSpeed]) -> dict[str, object]:
    """Return every figure by board, for JSON."""
    figures = ("seats", "engine", "api", "share", "rounds")
    return {
        **heading("api"),
        "choices": TRIED,
        **{
            figure: {speed.board: rounded(getattr(speed, figure), 3) for speed in speeds}
            for figure in figures
        },
    }


def middle_of_game(board: str, seats: int) -> Game:
    """Return a game after some random choices; it has no events, as in a search."""
    played, rng = Game(seats, board=board, seed=1, max_turns=MAX_TURNS).copy(), Random(1)
    for _ in range(BEFORE):
        played.play(int(rng.random() * played.choice_count))
    return played


def search_api(root: Game, seed: int) -> Searched:
    """Search with the public API."""
    random, seat = Random(seed).random, root.seat
    assert seat is not None
    scores, decisions = [], 0
    for index in range(min(TRIED, root.choice_count)):
        tried = root.copy(view=seat, seed=seed)
        tried.play(index)
        while not tried.over:
            tried.play(int(random() * tried.choice_count))
            decisions += 1
        scores.append(tried.scores[seat])
    return Searched(scores, decisions)


def search_engine(root: GameState, seed: int) -> Searched:
    """Search with the functions that the public API is made of."""
    random, seat = Random(seed).random, root.agenda[-1].seat
    scores, decisions = [], 0
    for index in range(min(TRIED, len(game.choices(root)))):
        tried = root.copy()
        redraw(tried, seat, seed)
        game.play(tried, index)
        while not tried.is_over:
            game.play(tried, int(random() * len(game.choices(tried))))
            decisions += 1
        scores.append(game.standings(tried)[seat].total)
    return Searched(scores, decisions)


def _speed(work: Callable[[int], Searched], seed: int) -> float:
    """Return the decisions per second of CPU time in one round."""
    began = time.process_time()
    decisions = work(seed).decisions
    return decisions / (time.process_time() - began)

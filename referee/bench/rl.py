"""How fast random play is in the learning environments, beside the engine.

Every round uses the engine, the environment and the batch one after the other, so that a busy machine
slows all of them and their ratios stay the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Final

import numpy as np

from referee.bench.common import heading
from referee.bench.engine import MAX_TURNS
from referee.engine import game
from referee.engine.state import GameState
from referee.options import GameOptions, LoadedGame, load_game
from referee.random_play import play_game, rng_of, uniform
from referee.rl import Batch, Kind, pick_uniformly, raw_env

GAMES: Final = 2  # of a round, in the engine and in the environment
BATCH: Final = 256  # games at once
BATCH_STEPS: Final = 10  # of a round
POSITIONS: Final = 16  # of one game, in which games of the batch begin
FEWEST_ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class RlSpeed:
    """Decisions per second on one board, and the sizes of its actions and observations."""

    board: str
    seats: int
    actions: int
    row: int
    engine: float
    environment: float
    batch: float
    share: float  # of the engine's speed that the environment has, in the median round
    batch_share: float
    rounds: int


def measure_rl(board: str, seats: int, seconds: float) -> RlSpeed:
    """Measure one board for about this many seconds."""
    loaded = load_game(GameOptions(board=board, max_turns=MAX_TURNS), seats)
    kind = Kind(*loaded)
    environment = raw_env(seats, board=board, max_turns=MAX_TURNS)
    batch, chance = Batch(kind, BATCH), np.random.default_rng(0)
    batch.resume(_positions(loaded))
    works = (
        lambda: _play_engine(loaded),
        lambda: _play_environment(environment),
        lambda: _play_batch(batch, chance),
    )
    rounds: list[tuple[float, ...]] = []
    began = time.perf_counter()
    while len(rounds) < FEWEST_ROUNDS or time.perf_counter() - began < seconds:
        rounds.append(tuple(map(_speed, works)))
    engine, through, batched = (median(speeds) for speeds in zip(*rounds, strict=True))
    return RlSpeed(
        board=loaded.board.id,
        seats=seats,
        actions=kind.numbering.size,
        row=kind.row_size,
        engine=engine,
        environment=through,
        batch=batched,
        share=median(speeds[1] / speeds[0] for speeds in rounds),
        batch_share=median(speeds[2] / speeds[0] for speeds in rounds),
        rounds=len(rounds),
    )


def to_dict(speeds: Sequence[RlSpeed]) -> dict[str, object]:
    """Return every figure by board, for JSON."""
    figures = ("engine", "environment", "batch", "share", "batch_share")
    sizes = ("seats", "actions", "row", "rounds")
    return {
        **heading("rl"),
        "batch_games": BATCH,
        **{name: {speed.board: getattr(speed, name) for speed in speeds} for name in sizes},
        **{
            name: {speed.board: round(getattr(speed, name), 3) for speed in speeds}
            for name in figures
        },
    }


def _speed(work: Callable[[], int]) -> float:
    """Return the decisions per second of CPU time in one round."""
    began = time.process_time()
    decisions = work()
    return decisions / (time.process_time() - began)


def _positions(loaded: LoadedGame) -> list[GameState]:
    """Positions of all phases of random games, as a batch has them that has played for a while."""
    found: list[GameState] = []
    for seed in range(BATCH // POSITIONS):
        played = play_game(*loaded, seed, pick=uniform, events=False).tally.indices
        chosen = set(rng_of(seed).sample(range(len(played)), POSITIONS))
        state = game.new_game(*loaded, seed, events=False)
        for number, index in enumerate(played):
            if number in chosen:
                found.append(state.copy())
            game.apply(state, index)
    return found


def _play_engine(loaded: LoadedGame) -> int:
    games = [play_game(*loaded, seed, pick=uniform) for seed in range(GAMES)]
    return sum(played.tally.open_decisions for played in games)


def _play_environment(environment: raw_env) -> int:
    """Play at random through `last` and `step`, as a learner does; return the number of decisions."""
    chance, steps = Random(0), 0
    for seed in range(GAMES):
        environment.reset(seed=seed)
        for _ in environment.agent_iter():
            seen, _, terminated, _, _ = environment.last()
            if terminated:
                environment.step(None)
                continue
            legal = seen["action_mask"].view(bool).nonzero()[0]
            environment.step(legal[int(chance.random() * len(legal))])
            steps += 1
    return steps


def _play_batch(batch: Batch, chance: np.random.Generator) -> int:
    for _ in range(BATCH_STEPS):
        batch.rows()
        batch.step(pick_uniformly(batch.masks(), chance))
    return BATCH_STEPS * BATCH

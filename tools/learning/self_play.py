"""Games of the planner with itself: the positions that networks learn from, and how the games ended.

All seats play almost equally well, so that a position and not the strength of a player decides the
game. Some turns are chosen at random among the better ones, and in a quarter of the games some seats value
things differently from the start to the end: without them, the games would be too much alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from referee import Game, RefereeError
from referee.engine import game
from referee.engine.state import GameState
from referee.engine.terms import TURN
from referee.thinking.cache import EvaluationCache
from referee.thinking.candidates import Breadth
from referee.thinking.decisions import best_index
from referee.thinking.evaluation import Evaluator
from referee.thinking.features import features
from referee.thinking.judges import LearntJudge
from referee.thinking.learnt_value import OUTPUTS, LearntValue, points_by_part
from referee.thinking.plan import Line, best_lines, distinct
from referee.thinking.tuned_weights import tuned_weights
from referee.thinking.weights import Weights, varied

MOST_SEATS: Final = 5
BREADTH: Final = Breadth(positions=5, places=7, displaces=4, moves=2)
_PLAYERS: Final = {
    "hanse-4-5": (4, 4, 4, 5),
    "hanse-2-3": (3, 3, 2),
    "east": (4, 4, 3, 3, 2, 5),
    "britannia-4-5": (4, 4, 4, 5),
    "britannia-2-3": (3, 3, 2),
}
BOARDS: Final = tuple(_PLAYERS)
_DEFAULT_RULES: Final = 0.75  # of the games; the others have options at random
_RANDOM_TURNS: Final = (0.05, 0.12)  # of the turns; each game has one of these
_RANDOM_AMONG: Final = 12  # turns, the best ones
_VARIED_GAMES: Final = 0.25  # of the games, in which ...
_VARIED_SEATS: Final = 0.6  # ... so many of the seats value things differently, ...
_SPREAD: Final = 0.3  # ... by this much
_SEEN_AT_START: Final = 0.4  # of the turns: how often their first position is kept, too
_MOST_TURNS: Final = 400

Floats = npt.NDArray[np.float32]
SmallFloats = npt.NDArray[np.float16]  # for many rows


@dataclass(frozen=True)
class Sample:
    """Positions of one game, and its end; seats that the game does not have are filled up."""

    rows: SmallFloats  # by position, seat and feature
    ranks: Floats  # by seat; 0 for a seat that the game does not have
    parts: Floats  # by seat and part of the final score


def play(board: str, seed: int, learnt: LearntValue | None) -> Sample:
    """Play one game; without a network, the planner's own value decides."""
    rng = Random(f"{board} {seed}")
    state = new_game(board, seed, rng, _DEFAULT_RULES)
    minds = _minds(board, state.rules.players, rng)
    random_turns = rng.choice(_RANDOM_TURNS)
    rows: list[list[list[float]]] = []
    while not state.over and state.turn < _MOST_TURNS:
        asked = state.agenda[-1].seat
        evaluator = Evaluator(state, asked, EvaluationCache(state, minds[asked]))
        if state.agenda[-1].kind != TURN:
            game.apply(state, best_index(state, evaluator))
            continue
        if rng.random() < _SEEN_AT_START:
            rows.append(features(state, with_places=True))
        lines = _lines(state, evaluator, learnt)
        is_random = rng.random() < random_turns
        line = rng.choice(lines[:_RANDOM_AMONG]) if is_random else lines[0]
        for _, index in line.trail:
            if index == len(game.choices(state)) - 1 and state.agenda[-1].kind == TURN:
                rows.append(features(state, is_turn_over=True, with_places=True))
            game.apply(state, index)
    return _sample(state, rows)


def _minds(board: str, players: int, rng: Random) -> list[Weights]:
    """The weights of each seat."""
    plain = tuned_weights(board)
    if rng.random() >= _VARIED_GAMES:
        return [plain] * players
    return [
        varied(plain, rng.randrange(1 << 30), _SPREAD) if rng.random() < _VARIED_SEATS else plain
        for _ in range(players)
    ]


def new_game(board: str, seed: int, rng: Random, default_rules: float) -> GameState:
    """A game with a random number of players; without the default rules, with random options."""
    players = rng.choice(_PLAYERS[board])
    if rng.random() < default_rules:
        return Game(players=players, board=board, seed=seed).engine_state
    while True:
        options: dict[str, Any] = {
            "edition": rng.choice(("bigbox", "original")),
            "missions": rng.random() < 0.4,
            "favours": rng.random() < 0.4,
            "promos": rng.random() < 0.3,
            "permits": rng.random() < 0.3,
            "neutral": rng.choice((None, "2009", "britannia")),
        }
        try:
            return Game(players=players, board=board, seed=seed, **options).engine_state
        except RefereeError:  # there are no such rules; draw again
            continue


def _lines(state: GameState, evaluator: Evaluator, learnt: LearntValue | None) -> list[Line]:
    lines = distinct(best_lines(state, evaluator, BREADTH))
    if learnt is None:
        return lines
    return LearntJudge(learnt, evaluator.weights).ranked(lines, evaluator.seat)


def _sample(state: GameState, rows: list[list[list[float]]]) -> Sample:
    standings = game.standings(state)
    seats = len(standings)
    filled = np.zeros((len(rows), MOST_SEATS, len(rows[0][0])), np.float16)
    filled[:, :seats] = rows
    ranks = np.zeros(MOST_SEATS, np.float32)
    ranks[:seats] = [standing.rank for standing in standings]
    parts = np.zeros((MOST_SEATS, len(OUTPUTS) - 1), np.float32)
    parts[:seats] = [points_by_part(standing) for standing in standings]
    return Sample(filled, ranks, parts)

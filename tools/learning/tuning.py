"""Tunes weights by SPSA: two sets, a little more and a little less of each weight, play each other.

The weights then move towards the set that did better. They are logarithms here, so that all of them
move by shares of themselves. Some of the seats belong to players of another mind, so that the weights
do not only learn to beat themselves.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cache
from itertools import product
from math import tanh
from random import Random
from runpy import run_path
from statistics import fmean
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from learning.self_play import new_game
from referee.bots.find import BUNDLED
from referee.engine import game
from referee.engine.ending import Standing
from referee.engine.state import GameState
from referee.engine.terms import TURN
from referee.thinking.cache import EvaluationCache
from referee.thinking.candidates import Breadth
from referee.thinking.decisions import best_index
from referee.thinking.evaluation import Evaluator
from referee.thinking.plan import best_lines
from referee.thinking.weights import DEFAULT_WEIGHTS, Weights

SPREAD: Final = 0.35  # of the logarithms: how far the two sets are from the middle
BREADTH: Final = Breadth(positions=3, places=5, displaces=3, moves=2)  # of all planners
RATE: Final = 0.022  # of the steps; it falls in the second half of the iterations
LAST_RATE: Final = 0.2  # of the rate, in the last iteration
TWO_OF_EACH: Final = 0.75  # of the games with four seats and more
POINTS: Final = 6.0  # a lead of so many points is a clear one
DEFAULT_RULES: Final = 0.75  # of the games; the others have options at random
MOST_TURNS: Final = 400
STRANGERS: Final = ("rusher", "builder", "blocker")
PLUS, MINUS, MIDDLE, STRANGER = "+", "-", "0", "?"
_NAMES: Final = tuple(n for n, one in asdict(DEFAULT_WEIGHTS).items() if isinstance(one, float))

Floats = npt.NDArray[np.float64]


def point_of(weights: Weights) -> Floats:
    """The logarithms of the weights that are tuned: all but those that are whole numbers."""
    given = asdict(weights)
    found: Floats = np.log([*[given[name] for name in _NAMES], *weights.uses])
    return found


def weights_at(point: Floats) -> Weights:
    """The weights with these logarithms."""
    values = [float(one) for one in np.exp(point)]
    named: dict[str, Any] = dict(zip(_NAMES, values, strict=False))
    named["open_city"] = min(1.0, named["open_city"])
    return replace(DEFAULT_WEIGHTS, **named, uses=tuple(values[len(_NAMES) :]))


def step(point: Floats, board: str, number: int, done: float) -> Floats:
    """How the point moves in the iteration with this number, after a share `done` of all iterations."""
    rng = Random(f"weights {board} {number}")
    signs = np.array([rng.choice((-1.0, 1.0)) for _ in point])
    sets = {
        PLUS: weights_at(point + SPREAD * signs),
        MINUS: weights_at(point - SPREAD * signs),
        MIDDLE: weights_at(point),
    }
    lead = _lead(board, rng.randrange(1 << 40), sets)
    falling = max(0.0, 2 * done - 1)
    rate = RATE * (1 - (1 - LAST_RATE) * falling)
    moved: Floats = rate * lead * signs
    return moved


def without_chance(moved: Floats, variance: float) -> Floats:
    """What is left of moves if chance alone has this variance; small ones disappear."""
    left: Floats = moved * np.maximum(0, 1 - variance / np.maximum(moved * moved, 1e-12))
    return left


def _lead(board: str, seed: int, sets: dict[str, Weights]) -> float:
    """The lead of PLUS over MINUS in two games with the same seed, with their seats exchanged."""
    leads: list[float] = []
    for exchanged in (False, True):
        rng = Random(seed)
        state = new_game(board, seed, rng, DEFAULT_RULES)
        labels = _labels(state.rules.players, rng)
        players = [rng.choice(_strangers()) if one == STRANGER else sets[one] for one in labels]
        if exchanged:
            other = {PLUS: MINUS, MINUS: PLUS}
            labels = [other.get(one, one) for one in labels]
            players = [
                sets[one] if one in other else player
                for one, player in zip(labels, players, strict=True)
            ]
        play_out(state, players)
        leads.append(_lead_in(game.standings(state), labels))
    return fmean(leads)


def _labels(seats: int, rng: Random) -> list[str]:
    """Who sits where: one or two of each set, and others."""
    each = 2 if seats >= 4 and rng.random() < TWO_OF_EACH else 1
    labels = [PLUS] * each + [MINUS] * each
    labels += [rng.choice((MIDDLE, STRANGER)) for _ in range(seats - len(labels))]
    rng.shuffle(labels)
    return labels


@cache
def _strangers() -> tuple[Weights, ...]:
    """The first weights, and those of bots with another mind."""
    bots = [run_path(str(BUNDLED / name / "bot.py"))["WEIGHTS"] for name in STRANGERS]
    return (DEFAULT_WEIGHTS, *bots)


def play_out(state: GameState, players: list[Weights]) -> None:
    """Play the game to its end; the planner plays each seat with the weights of its player."""
    while not state.over and state.turn < MOST_TURNS:
        seat = state.agenda[-1].seat
        evaluator = Evaluator(state, seat, EvaluationCache(state, players[seat]))
        if state.agenda[-1].kind != TURN:
            game.apply(state, best_index(state, evaluator))
            continue
        for _, index in best_lines(state, evaluator, BREADTH)[0].trail:
            game.apply(state, index)


def _lead_in(standings: list[Standing], labels: list[str]) -> float:
    """From -1 to 1: how much better PLUS did against all others than MINUS."""
    gains: dict[str, list[float]] = {PLUS: [], MINUS: []}
    for one, other in product(standings, standings):
        label = labels[one.seat]
        if label in gains and labels[other.seat] != label:
            gains[label].append(_gain(one, other))
    return (fmean(gains[PLUS]) - fmean(gains[MINUS])) / 2


def _gain(one: Standing, other: Standing) -> float:
    """From -1 to 1: half for the better rank, half for the lead in points, which says more."""
    ahead = (one.rank < other.rank) - (one.rank > other.rank)
    return (ahead + tanh((one.total - other.total) / POINTS)) / 2

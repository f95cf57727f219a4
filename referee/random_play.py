"""Random play from a seed: kind-first (a kind of choice, then one of that kind) or uniform.

Kind-first play creates a route as readily as it places a tradesman, however many points are free.
Neither plays to win: without a limit of turns a game takes about ten thousand decisions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from random import Random, SystemRandom
from typing import NamedTuple, TypeAlias

from referee.engine import game
from referee.engine.board import Board
from referee.engine.choice import Choice
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState

Picker: TypeAlias = Callable[[Sequence[Choice], Random], int]

SEEDS = 2**53
_do = attrgetter("do")


class Tally(NamedTuple):
    """The index applied at each decision, and how many decisions had two or more choices."""

    indices: list[int]
    open_decisions: int


@dataclass(frozen=True, slots=True)
class Playout:
    """A game that was played to its end, and how."""

    ruleset: Ruleset
    seed: int
    state: GameState
    tally: Tally


def draw_seed() -> int:
    """A random seed from the operating system."""
    return SystemRandom().randrange(SEEDS)


def kind_first(offered: Sequence[Choice], rng: Random) -> int:
    """The index of a random choice: all kinds are equally likely, then all choices of that kind."""
    last = offered[-1].do
    starts = [0]
    while offered[starts[-1]].do != last:
        start = starts[-1]
        starts.append(bisect_right(offered, offered[start].do, start, key=_do))
    kind = int(rng.random() * len(starts))
    first = starts[kind]
    starts.append(len(offered))
    return first + int(rng.random() * (starts[kind + 1] - first))


def uniform(offered: Sequence[Choice], rng: Random) -> int:
    """The index of a random choice, all equally likely."""
    return int(rng.random() * len(offered))


def play_out(state: GameState, rng: Random, pick: Picker = kind_first) -> Tally:
    """Play to the end; returns the applied indices and how many decisions had several choices."""
    indices: list[int] = []
    open_decisions = 0
    while not state.over:
        offered = game.choices(state)
        index = 0
        if len(offered) > 1:
            open_decisions += 1
            index = pick(offered, rng)
        game.apply(state, index)
        indices.append(index)
    return Tally(indices, open_decisions)


def play_game(
    board: Board, ruleset: Ruleset, seed: int, *, pick: Picker = kind_first, events: bool = True
) -> Playout:
    """Play one game in which `pick` chooses for every seat; the same seed plays the same game."""
    state = game.new_game(board, ruleset, seed, events=events)
    return Playout(ruleset, seed, state, play_out(state, rng_of(seed), pick))


def rng_of(seed: int) -> Random:
    """Random numbers for the seats, independent of the engine's own for the same seed."""
    return Random(f"random play {seed}")

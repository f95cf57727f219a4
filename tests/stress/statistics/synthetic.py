"""Simulated results of games, drawn from known strengths.

Each single game follows the Plackett-Luce model exactly, with seats of different worth. The games of
a block may still depend on each other, because the seed favours a bot or a seat in all of them, and
places may be tied; neither changes the strengths that a fit should find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from referee.tournament.ratings.arrays import Floats, Ints
from referee.tournament.ratings.estimates import ELO
from referee.tournament.results import Block, BlockResult, GameResult

Favour = Literal["nobody", "bots", "seats"]


@dataclass(frozen=True, slots=True)
class Field:
    """Bots of known strengths, and how their games are simulated."""

    elo: tuple[float, ...]  # the strengths, by bot
    seats: tuple[float, ...]  # the worth of each seat, in Elo
    favour: Favour = "nobody"  # whom the seed of a block favours in all its games
    likeness: float = 0.6  # the correlation of luck in two games of a block, if it favours anybody
    ties: float = 0.0  # the chance that two neighbouring places of equal bots are tied
    rare: bool = False  # whether later bots play less often

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots, in the order of their strengths as given."""
        return tuple(f"bot-{number:02}" for number in range(len(self.elo)))


def draw_results(field: Field, blocks: int, rng: np.random.Generator) -> list[BlockResult]:
    """Return the results of this many finished blocks."""
    return results_of(field, draw_sets(field, blocks, rng), rng)


def draw_sets(field: Field, blocks: int, rng: np.random.Generator) -> Ints:
    """Return an array (block, seat): who plays in which block, in cyclic order."""
    keys = rng.gumbel(size=(blocks, len(field.elo)))
    if field.rare:
        keys -= np.log1p(np.arange(len(field.elo)))
    return rng.permuted(np.argsort(-keys, axis=1)[:, : len(field.seats)], axis=1)


def results_of(field: Field, sets: Ints, rng: np.random.Generator) -> list[BlockResult]:
    """Return the results of these sets of bots, each played in all rotations."""
    seats = sets.shape[1]
    turn = (np.arange(seats)[:, None] + np.arange(seats)) % seats  # (game, seat): place in the set
    seated = sets[:, turn]
    strengths = (np.array(field.elo)[seated] + np.array(field.seats)) / ELO
    places = np.argsort(-(strengths + _luck(field, sets, turn, rng)), axis=2)
    sorted_ranks = _tied(np.exp(np.take_along_axis(strengths, places, axis=2)), field.ties, rng)
    ranks = np.empty_like(sorted_ranks)
    np.put_along_axis(ranks, places, sorted_ranks, axis=2)
    names = field.names
    return [
        _block_result(names, number, *block)
        for number, block in enumerate(
            zip(sets.tolist(), seated.tolist(), ranks.tolist(), strict=True)
        )
    ]


def _luck(field: Field, sets: Ints, turn: Ints, rng: np.random.Generator) -> Floats:
    """Return an array (block, game, seat) of Gumbel noise, which gives Plackett-Luce rankings.

    If games share a positive stable factor, the noise of each game is still Gumbel; in the same way,
    the sum of a shared and an own normal number is normal. Copies of a bot share its luck.
    """
    blocks, seats = sets.shape
    own = rng.gumbel(size=(blocks, seats, seats))
    if field.favour == "nobody":
        return own
    scale = float(np.sqrt(1 - field.likeness))
    common = np.log(_positive_stable(scale, (blocks, seats), rng))
    first_copies = np.argmax(sets[:, :, None] == sets[:, None, :], axis=2)
    by_bot = np.take_along_axis(common, first_copies, axis=1)
    shared = by_bot[:, turn] if field.favour == "bots" else common[:, None, :]
    luck: Floats = scale * (own + shared)
    return luck


def _positive_stable(index: float, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Positive stable numbers, drawn by Kanter's method."""
    angle = rng.uniform(0, np.pi, shape)
    waiting = rng.exponential(size=shape)
    bend = np.sin((1 - index) * angle) / waiting
    drawn: Floats = np.sin(index * angle) / np.sin(angle) ** (1 / index) * bend ** (1 / index - 1)
    return drawn


def _tied(strengths: Floats, ties: float, rng: np.random.Generator) -> Ints:
    """Return ranks for strengths in the order of places; sometimes two neighbours share one.

    Both orders of two neighbours are tied equally often, so that breaking a tie at random gives the
    order of the model again.
    """
    blocks, games, seats = strengths.shape
    ranks = np.tile(np.arange(1, seats + 1), (blocks, games, 1))
    at = rng.integers(0, seats - 1, (blocks, games, 1))
    rest = np.take_along_axis(np.cumsum(strengths[:, :, ::-1], axis=2)[:, :, ::-1], at, axis=2)
    first = np.take_along_axis(strengths, at, axis=2)
    second = np.take_along_axis(strengths, at + 1, axis=2)
    other_order = (rest - first) / (rest - second)  # how likely it is, compared with this one
    tied = rng.random((blocks, games, 1)) < ties * np.minimum(1, other_order)
    below = np.take_along_axis(ranks, at + 1, axis=2)
    np.put_along_axis(ranks, at + 1, below - tied, axis=2)
    return ranks


def _block_result(
    names: Sequence[str],
    number: int,
    players: list[int],
    seated: list[list[int]],
    ranks: list[list[int]],
) -> BlockResult:
    none = (0,) * len(players)
    block = Block(f"b{number}", "synthetic", tuple(names[one] for one in players), number)
    games = tuple(
        GameResult(
            table="synthetic",
            bots=tuple(names[one] for one in bots),
            ranks=tuple(places),
            totals=none,
            faults=none,
            out=(False,) * len(players),
        )
        for bots, places in zip(seated, ranks, strict=True)
    )
    return BlockResult(block, games)

"""A model of tuning, without games: how much of a loss do the steps of `referee tune` regain?

The strength is a bowl: Elo falls with the square of the distance from the best position, for each
parameter with another weight. A block gives the expected share of plus, with the noise of a block.
The best position and the start are drawn as the weights of a bot are spoilt: by factors of 2 to 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp
from random import Random
from statistics import fmean, quantiles
from typing import Final, TypeAlias

import msgspec

from referee.bots.parameters import Parameter
from referee.tournament.ratings.estimates import expected_score
from referee.tournament.request import TournamentRequest
from referee.tuning.steps import Position, first_position, present, step, variants
from referee.tuning.terms import Terms

BLOCK_NOISE: Final = 0.17  # standard deviation of the share of a block of four seats
Search: TypeAlias = Callable[["Bowl", Terms, Random], Position]


@dataclass(frozen=True)
class Bowl:
    """A strength that falls from the best position in all directions."""

    best: Position
    weights: tuple[float, ...]  # Elo, for the distance of a whole range

    def elo(self, position: Position) -> float:
        """Return the strength relative to that of the best position."""
        gaps = zip(self.weights, position, self.best, strict=True)
        return -sum(weight * (at - best) ** 2 for weight, at, best in gaps)

    def share(self, one: Position, other: Position, blocks: int, rng: Random) -> float:
        """Return the share that the first one wins in some blocks."""
        mean = expected_score(self.elo(one), self.elo(other))
        return min(max(rng.gauss(mean, BLOCK_NOISE / blocks**0.5), 0.0), 1.0)


def draw_bowl(parameters: int, loss: float, terms: Terms, rng: Random) -> tuple[Bowl, Terms]:
    """Return a bowl, and the terms with a start that is this many Elo below its best position."""
    best = tuple(rng.uniform(0.1, 0.6) for _ in range(parameters))
    start = [_spoilt(share, rng) for share in best]
    weights = [exp(rng.gauss(0, 1)) for _ in best]
    bowl = Bowl(best, tuple(weights))
    scale = -loss / bowl.elo(tuple(start))
    bowl = Bowl(best, tuple(weight * scale for weight in weights))
    names = [f"p{number}" for number in range(parameters)]
    tuned = tuple(Parameter(name, "float", 0.5, 0.0, 1.0) for name in names)
    return bowl, msgspec.structs.replace(
        terms, tuned=tuned, start=dict(zip(names, start, strict=True)), seed=rng.randrange(2**30)
    )


def _spoilt(share: float, rng: Random) -> float:
    factor = rng.uniform(2, 4)
    return min(share * factor if rng.random() < 0.5 else share / factor, 1.0)


def by_steps(bowl: Bowl, terms: Terms, rng: Random) -> Position:
    """Tune as `referee tune` does."""
    positions = [first_position(terms)]
    for iteration in range(terms.iterations):
        plus, minus = variants(terms, iteration, positions[-1])
        share = bowl.share(plus, minus, terms.blocks, rng)
        positions.append(step(terms, iteration, positions[-1], share))
    return present(positions)


def by_evolution(bowl: Bowl, terms: Terms, rng: Random) -> Position:
    """Tune with as many blocks by the simplest evolution strategy: the child that wins replaces its parent."""
    parent = first_position(terms)
    for iteration in range(terms.iterations):
        spread = 0.12 * (0.3 ** (iteration / terms.iterations))
        child = tuple(min(max(rng.gauss(at, spread), 0.0), 1.0) for at in parent)
        if bowl.share(child, parent, terms.blocks, rng) > 0.5:
            parent = child
    return parent


@dataclass(frozen=True)
class Regained:
    """The share of the loss that a search regains: its mean, and what nine of ten searches reach."""

    mean: float
    most: float


def regained(
    search: Search, parameters: int, loss: float, *, terms: Terms, trials: int, seed: int
) -> Regained:
    """Return how much a search regains, over some bowls; all searches get the same ones."""
    shares = []
    for trial in range(trials):
        bowl, own = draw_bowl(parameters, loss, terms, Random(f"bowl {seed} {trial}"))
        last = search(bowl, own, Random(f"noise {seed} {trial}"))
        shares.append(1 - bowl.elo(last) / bowl.elo(first_position(own)))
    return Regained(fmean(shares), quantiles(shares, n=10)[0])


def model_terms(iterations: int, blocks: int) -> Terms:
    """Return the default terms with this many iterations and blocks."""
    return Terms("model", TournamentRequest(seats=4), (), {}, iterations=iterations, blocks=blocks)

"""The arithmetic of a tuning: SPSA, simultaneous perturbation stochastic approximation.

A position is a point in a cube: for each tuned parameter, the share of the way through its range. In
every iteration two variants, on opposite sides of the position, play each other. The position then
moves towards the variant that did better, the further the more it won.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from operator import add, mul, sub
from typing import Final, TypeAlias

from referee.bots.parameters import Parameter, Value
from referee.tournament.schedule.draws import Draws
from referee.tuning.terms import Terms

Position: TypeAlias = tuple[float, ...]

SERIES: Final = "t"  # begins the ids of all blocks of a tuning
_SETTLING: Final = 0.1  # of the iterations: the steps stay large until then
_DECAY: Final = 0.602  # the standard exponent of SPSA
_HALF_AN_INT: Final = 0.55  # a little more, because of rounding
_AVERAGED: Final = 0.5  # of the iterations: the present position is the mean of the last ones


def first_position(terms: Terms) -> Position:
    """Return the position of the values that a tuning starts with."""
    return tuple(one.share_of(terms.start[one.name]) for one in terms.tuned)


def values_at(terms: Terms, position: Position) -> dict[str, Value]:
    """Return the value of every parameter of the bot; those that are not tuned stay as they were."""
    tuned = {
        one.name: one.short_at(share) for one, share in zip(terms.tuned, position, strict=True)
    }
    return terms.start | tuned


def variants(terms: Terms, iteration: int, middle: Position) -> tuple[Position, Position]:
    """Return the two positions that play each other, plus and minus.

    Near the end of a range both are moved inside, so that they are always as far from each other.
    """
    reaches = [_reach(terms, iteration, one) for one in terms.tuned]
    centres = [min(max(at, far), 1 - far) for at, far in zip(middle, reaches, strict=True)]
    moves = list(map(mul, _directions(terms, iteration), reaches))
    return tuple(map(add, centres, moves)), tuple(map(sub, centres, moves))


def step(terms: Terms, iteration: int, middle: Position, share: float) -> Position:
    """Return the position after an iteration in which plus beat this share of its opponents."""
    settling = _SETTLING * terms.iterations + 1
    size = terms.step * (settling / (settling + iteration)) ** _DECAY * (2 * share - 1)
    directions = _directions(terms, iteration)
    return tuple(_inside(at + size * way) for at, way in zip(middle, directions, strict=True))


def present(positions: Sequence[Position]) -> Position:
    """Return the mean of the last positions: a single one follows the luck of its last blocks."""
    steps = len(positions) - 1
    last = positions[-ceil(_AVERAGED * steps) :] if steps else positions[-1:]
    return tuple(sum(shares) / len(last) for shares in zip(*last, strict=True))


def _directions(terms: Terms, iteration: int) -> list[int]:
    """Return 1 or -1 for each tuned parameter, at random."""
    draws = Draws(terms.seed, series=SERIES)
    numbers = [draws.number("direction", iteration, one.name) for one in terms.tuned]
    return [1 if number & 1 else -1 for number in numbers]


def _reach(terms: Terms, iteration: int, parameter: Parameter) -> float:
    """Return how far a variant is from the middle; two variants of an int differ by one at least."""
    done = iteration / max(1, terms.iterations - 1)
    reach: float = terms.first_reach * (terms.last_reach / terms.first_reach) ** done
    if parameter.type == "float":
        return reach
    return max(reach, _HALF_AN_INT / (parameter.high - parameter.low + 1))


def _inside(share: float) -> float:
    return min(max(share, 0.0), 1.0)

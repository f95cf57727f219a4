"""Weights as other players might have them: the search does not rely on one opinion of what is good."""

from __future__ import annotations

from dataclasses import asdict, replace
from math import exp
from random import Random
from typing import Any, Final

from referee.thinking.weights import Weights

SPREAD: Final = 0.3  # standard deviation of the logarithms
_KEPT: Final = ("rounds", "last_rounds", "open_city")  # they say how long a game is, and a share


def varied(weights: Weights, number: int) -> Weights:
    """Weights like these, each a little more or less; the same number gives the same ones."""
    rng = Random(number)
    named: dict[str, Any] = {
        name: value * exp(rng.gauss(0.0, SPREAD))
        for name, value in asdict(weights).items()
        if isinstance(value, float) and name not in _KEPT
    }
    uses = tuple([value * exp(rng.gauss(0.0, SPREAD)) for value in weights.uses])
    return replace(weights, **named, uses=uses)

"""Random numbers: SplitMix64, Fisher-Yates and rejection, so that a seed gives the same game everywhere."""

from __future__ import annotations

from typing import Final

from referee.engine.errors import SeedRefused

LARGEST_SEED: Final = (1 << 53) - 1
_ALL_BITS: Final = (1 << 64) - 1


class Rng:
    """A stream of random numbers that the seed determines."""

    def __init__(self, seed: int) -> None:
        self._state = check_seed(seed)

    def bits(self) -> int:
        """The next 64 bits of the stream."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _ALL_BITS
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _ALL_BITS
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _ALL_BITS
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, all equally likely."""
        fair = (1 << 64) - (1 << 64) % bound
        while True:
            drawn = self.bits()
            if drawn < fair:
                return drawn % bound

    def shuffled(self, things: tuple[int, ...]) -> tuple[int, ...]:
        """The same items in a random order; every order is equally likely."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


def check_seed(seed: int) -> int:
    """The seed itself; SeedRefused unless it is a whole number from 0 to LARGEST_SEED."""
    if type(seed) is not int or not 0 <= seed <= LARGEST_SEED:
        raise SeedRefused(f"seed {seed!r} is not a whole number from 0 to {LARGEST_SEED}")
    return seed

"""Draws: everything random in a schedule, drawn from the tournament's seed by SHA-256."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import factorial, prod
from typing import Final

from referee.tournament.results import Block, TableKind

SEED_BITS: Final = 53  # the engine takes seeds from 0 to 2^53 - 1


@dataclass(frozen=True, slots=True)
class Draws:
    """What one seed of a tournament draws.

    Every draw has a label of its own, so that one reveals nothing about another. The tournament's
    seed stands in all of them: they are as hard to guess as it is.
    """

    seed: int
    all_orders: bool = False
    series: str = "b"  # ids begin with it; other series are other draws

    def order(self, names: Iterable[str], label: str, *parts: object) -> list[str]:
        """Return the names in a random order; the order of two names does not depend on the others."""
        start = _text(label, self.seed, self.series, *parts) + b"\0"
        return sorted(names, key=lambda name: sha256(start + name.encode()).digest())

    def block(self, table: TableKind, bots: Sequence[str], number: int | str, stage: int) -> Block:
        """The block of this number for a set of bots: its id, seed and cyclic order.

        The same series, kind of orders, table, set and number are the same block, whatever else is
        played.
        """
        chosen = sorted(bots)
        orders = "all" if self.all_orders else "rotations"
        what = _text(self.seed, self.series, orders, table.name, number, *chosen)
        return Block(
            id=f"{self.series}-{_drawn('id', what).hex()[:16]}",
            table=table.name,
            bots=_arranged(chosen, int.from_bytes(_drawn("order", what))),
            seed=int.from_bytes(_drawn("seed", what)) >> (256 - SEED_BITS),
            stage=stage,
            all_orders=self.all_orders,
        )

    def games_of(self, bots: Sequence[str]) -> int:
        """How many games a block of these bots has; copies that change seats do not make another game."""
        if not self.all_orders:
            return len(bots)
        return factorial(len(bots)) // prod(map(factorial, Counter(bots).values()))


def game_id(block: Block, index: int) -> str:
    """The public id of a game of a block; it reveals nothing about the seed."""
    return "g-" + sha256(_text("game", block.id, index)).hexdigest()[:16]


def _text(*parts: object) -> bytes:
    return "\0".join(map(str, parts)).encode()


def _drawn(label: str, what: bytes) -> bytes:
    return sha256(label.encode() + b"\0" + what).digest()


def _arranged(names: Sequence[str], lot: int) -> tuple[str, ...]:
    """One of the orders of a few names; `lot` is a random number far larger than the number of orders."""
    left, arranged = list(names), []
    while left:
        lot, index = divmod(lot, len(left))
        arranged.append(left.pop(index))
    return tuple(arranged)

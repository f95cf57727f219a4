"""Everything random in a schedule, derived from the tournament's seed with SHA-256."""

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
    """The random choices that follow from the seed of a tournament.

    Every choice has its own label, so that one reveals nothing about another. All of them depend on
    the tournament's seed, and are as hard to guess as that seed.
    """

    seed: int
    all_orders: bool = False
    series: str = "b"  # the beginning of all ids; another series gives other blocks

    def order(self, names: Iterable[str], label: str, *parts: object) -> list[str]:
        """Return the names in random order; the order of two names does not depend on the others."""
        start = _text(label, self.seed, self.series, *parts) + b"\0"
        return sorted(names, key=lambda name: sha256(start + name.encode()).digest())

    def number(self, label: str, *parts: object) -> int:
        """Return a random number of 256 bits."""
        return int.from_bytes(_hash(label, _text(self.seed, self.series, *parts)))

    def block(self, table: TableKind, bots: Sequence[str], number: int | str, stage: int) -> Block:
        """Return block `number` of a set of bots, with its id, seed and cyclic order.

        It depends only on the seed, the series, `all_orders`, the table, the set and the number.
        """
        chosen = sorted(bots)
        orders = "all" if self.all_orders else "rotations"
        content = _text(self.seed, self.series, orders, table.name, number, *chosen)
        return Block(
            id=f"{self.series}-{_hash('id', content).hex()[:16]}",
            table=table.name,
            bots=_permutation(chosen, int.from_bytes(_hash("order", content))),
            seed=int.from_bytes(_hash("seed", content)) >> (256 - SEED_BITS),
            stage=stage,
            all_orders=self.all_orders,
        )

    def games_of(self, bots: Sequence[str]) -> int:
        """Return the number of games in a block of these bots; exchanging two copies is the same game."""
        if not self.all_orders:
            return len(bots)
        return factorial(len(bots)) // prod(map(factorial, Counter(bots).values()))


def game_id(block: Block, index: int) -> str:
    """Return the public id of a game in a block; it reveals nothing about the seed."""
    return "g-" + sha256(_text("game", block.id, index)).hexdigest()[:16]


def _text(*parts: object) -> bytes:
    return "\0".join(map(str, parts)).encode()


def _hash(label: str, content: bytes) -> bytes:
    return sha256(label.encode() + b"\0" + content).digest()


def _permutation(names: Sequence[str], number: int) -> tuple[str, ...]:
    """Return one permutation of the names; `number` is random and far larger than their number."""
    left, chosen = list(names), []
    while left:
        number, index = divmod(number, len(left))
        chosen.append(left.pop(index))
    return tuple(chosen)

"""Every set of bots in turn: one block a set in each pass, in a random order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from math import comb

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.base import NOTHING, MeetingCounts, Stage
from referee.tournament.schedule.draws import Draws


def number_of_sets(bots: int, seats: int) -> int:
    """How many sets of bots there are, where a small field is filled up with copies."""
    return comb(bots, seats if seats <= bots else seats % bots)


def sets_of(bots: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Every set of bots that fills the seats.

    A field that is too small sits down as often as it can; copies take the rest of the seats, in
    all the ways there are. So two bots at four seats are one set, with two of each.
    """
    whole, rest = divmod(seats, len(bots)) if seats > len(bots) else (0, seats)
    return (tuple(bots) * whole + some for some in combinations(bots, rest))


@dataclass(frozen=True, slots=True)
class Span:
    """The passes of one stage: from the first up to but without the end; None has no end."""

    stage: int
    first: int
    end: int | None


@dataclass(frozen=True, slots=True)
class EverySet:
    """A table where every set of the field plays one block a pass, together with `always`.

    The block of a set in a pass is the same however many bots and passes there are: a larger
    tournament holds the blocks of a smaller one that needed no copies, and with a bot that is out
    only its own sets go.
    """

    draws: Draws
    table: TableKind
    field: tuple[str, ...]
    always: tuple[str, ...] = ()

    @property
    def blocks_a_pass(self) -> float:
        """How many blocks a pass has."""
        return number_of_sets(len(self.field), self._seats)

    def stage(self, span: Span, _: Sequence[BlockResult], out: frozenset[str]) -> Stage:
        """The passes of a span; what is finished changes nothing."""
        sets = self._sets(out)
        if not sets:
            return NOTHING
        if span.end is None:
            return Stage(None, None, lambda: self._blocks(span, sets))
        passes = span.end - span.first
        games = sum(map(self.draws.games_of, sets))
        return Stage(passes * len(sets), passes * games, lambda: self._blocks(span, sets))

    def tally(self, passes: int, into: MeetingCounts) -> None:
        """Count the games of so many passes."""
        for bots in self._sets(frozenset()):
            into.add(bots, passes * self.draws.games_of(bots))

    @property
    def _seats(self) -> int:
        return self.table.seats - len(self.always)

    def _sets(self, out: frozenset[str]) -> list[tuple[str, ...]]:
        """The sets of those who are left; a field that had no need of copies gets none."""
        left = [bot for bot in self.field if bot not in out]
        copies = len(self.field) < self._seats
        fewest = (1 if self.always else 2) if copies else self._seats
        if len(left) < fewest or out.intersection(self.always):
            return []
        return [self.always + some for some in sets_of(left, self._seats)]

    def _blocks(self, span: Span, sets: Sequence[tuple[str, ...]]) -> Iterator[Block]:
        passes = count(span.first) if span.end is None else range(span.first, span.end)
        named = {"\0".join(bots): bots for bots in sets}
        for number in passes:
            for name in self.draws.order(named, "pass", self.table.name, number):
                yield self.draws.block(self.table, named[name], number, span.stage)

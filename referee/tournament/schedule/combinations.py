"""Every set of bots: in each pass, every set plays one block, in a random order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from math import comb

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.base import EMPTY_STAGE, MeetingCounts, Stage
from referee.tournament.schedule.draws import Draws


def number_of_sets(bots: int, seats: int) -> int:
    """Return the number of sets of bots that fill the seats; a field that is too small uses copies."""
    return comb(bots, seats if seats <= bots else seats % bots)


def sets_of(bots: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Yield every set of bots that fills the seats.

    If there are fewer bots than seats, all bots sit down as often as they fit, and every possible set
    of copies takes the remaining seats. So two bots at four seats are one set, with two of each.
    """
    whole, rest = divmod(seats, len(bots)) if seats > len(bots) else (0, seats)
    return (tuple(bots) * whole + copies for copies in combinations(bots, rest))


@dataclass(frozen=True, slots=True)
class Span:
    """The passes of one stage: from `first` to before `end`; None means that they never end."""

    stage: int
    first: int
    end: int | None


@dataclass(frozen=True, slots=True)
class EverySet:
    """A table where every set of the field plays one block per pass, together with `always`.

    The block of a set in a pass does not depend on the number of bots and passes. So a larger
    tournament contains the blocks of a smaller one (unless that needed copies), and a
    disqualification removes only the sets with that bot.
    """

    draws: Draws
    table: TableKind
    field: tuple[str, ...]
    always: tuple[str, ...] = ()

    @property
    def blocks_per_pass(self) -> float:
        """The number of blocks in a pass."""
        return number_of_sets(len(self.field), self._seats)

    def stage(self, span: Span, _: Sequence[BlockResult], out: frozenset[str]) -> Stage:
        """Return the passes of a span; they do not depend on the finished blocks."""
        sets = self._sets(out)
        if not sets:
            return EMPTY_STAGE
        if span.end is None:
            return Stage(None, None, lambda: self._blocks(span, sets))
        passes = span.end - span.first
        games = sum(map(self.draws.games_of, sets))
        return Stage(passes * len(sets), passes * games, lambda: self._blocks(span, sets))

    def count_meetings(self, passes: int, into: MeetingCounts) -> None:
        """Add the games of this many passes to `into`."""
        for bots in self._sets(frozenset()):
            into.add(bots, passes * self.draws.games_of(bots))

    @property
    def _seats(self) -> int:
        return self.table.seats - len(self.always)

    def _sets(self, out: frozenset[str]) -> list[tuple[str, ...]]:
        """Return the sets of the remaining bots; there are copies only if the whole field needed them."""
        left = [bot for bot in self.field if bot not in out]
        has_copies = len(self.field) < self._seats
        fewest = (1 if self.always else 2) if has_copies else self._seats
        if len(left) < fewest or out.intersection(self.always):
            return []
        return [self.always + bots for bots in sets_of(left, self._seats)]

    def _blocks(self, span: Span, sets: Sequence[tuple[str, ...]]) -> Iterator[Block]:
        passes = count(span.first) if span.end is None else range(span.first, span.end)
        named = {"\0".join(bots): bots for bots in sets}
        for number in passes:
            for name in self.draws.order(named, "pass", self.table.name, number):
                yield self.draws.block(self.table, named[name], number, span.stage)

"""Every set of bots: in each pass, every set plays one block, in a random order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count
from math import comb
from typing import Final

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.base import EMPTY_STAGE, MeetingCounts, Stage
from referee.tournament.schedule.draws import Draws

MOST_SORTED: Final = 500  # sets; more of them are shuffled without a list, to save memory
FEISTEL_ROUNDS: Final = 4


def seat_shares(bots: int, seats: int) -> tuple[int, int]:
    """Return how often every bot sits at a table, and how many further seats bots take in turn."""
    return divmod(seats, bots) if seats > bots else (0, seats)


def number_of_sets(bots: int, seats: int) -> int:
    """Return the number of sets of bots that fill the seats; a field that is too small uses copies."""
    return comb(bots, seat_shares(bots, seats)[1])


def sets_of(bots: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Yield every set of bots that fills the seats.

    If there are fewer bots than seats, all bots sit down as often as they fit, and every possible set
    of copies takes the remaining seats. So two bots at four seats are one set, with two of each.
    """
    whole, rest = seat_shares(len(bots), seats)
    return (tuple(bots) * whole + copies for copies in combinations(bots, rest))


def combination(bots: Sequence[str], size: int, index: int) -> tuple[str, ...]:
    """Return the set at this index of `combinations(bots, size)`."""
    chosen: list[str] = []
    for place, bot in enumerate(bots):
        if len(chosen) == size:
            break
        with_bot = comb(len(bots) - place - 1, size - len(chosen) - 1)
        if index < with_bot:
            chosen.append(bot)
        else:
            index -= with_bot
    return tuple(chosen)


def shuffled(total: int, number: Callable[[int, int], int]) -> Iterator[int]:
    """Yield 0 to `total` - 1 in a random order, without a list of them.

    `number(round, half)` returns random numbers. A Feistel network permutes the numbers of the next
    even number of bits; those that are too large are left out.
    """
    half = (max(total - 1, 1).bit_length() + 1) // 2
    mask = (1 << half) - 1
    for index in range(1 << 2 * half):
        left, right = index >> half, index & mask
        for turn in range(FEISTEL_ROUNDS):
            left, right = right, left ^ (number(turn, right) & mask)
        if (place := left << half | right) < total:
            yield place


@dataclass(frozen=True, slots=True)
class Span:
    """The passes of one stage: from `first` to before `end`; None means that they never end."""

    stage: int
    first: int
    end: int | None
    is_whole: bool = False  # it is the only stage of the plan

    def at(self, table: TableKind) -> Span:
        """Return the passes at one table, which depend on its weight."""
        end = None if self.end is None else table.weighted(self.end)
        return replace(self, first=table.weighted(self.first), end=end)


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
        left = tuple(bot for bot in self.field if bot not in out)
        if not is_playable(left, self.always, out):
            return EMPTY_STAGE
        if span.end is None:
            return Stage(None, None, lambda: self._blocks(span, left))
        blocks = (span.end - span.first) * number_of_sets(len(left), self._seats)
        return Stage(blocks, blocks * self._games(left), lambda: self._blocks(span, left))

    def count_meetings(self, passes: int, into: MeetingCounts) -> None:
        """Add the games of this many passes to `into`: all bots play and meet equally often."""
        bots, (whole, rest) = len(self.field), seat_shares(len(self.field), self._seats)
        games = passes * self._games(self.field)
        own = comb(bots, rest) if whole else comb(bots - 1, rest - 1)
        shared = comb(bots, rest) if whole else comb(bots - 2, rest - 2) if rest > 1 else 0
        for bot in self.field:
            into.games[bot] += own * games
        for pair in combinations(sorted(self.field), 2):
            into.meetings[pair] += shared * games

    @property
    def _seats(self) -> int:
        return self.table.seats - len(self.always)

    def _games(self, left: Sequence[str]) -> int:
        """Return the games of one block; it is the same for all sets."""
        return self.draws.games_of((*self.always, *next(sets_of(left, self._seats))))

    def _blocks(self, span: Span, left: Sequence[str]) -> Iterator[Block]:
        for number in count(span.first) if span.end is None else range(span.first, span.end):
            for bots in self._pass(left, number):
                yield self.draws.block(self.table, self.always + bots, number, span.stage)

    def _pass(self, left: Sequence[str], number: int) -> Iterator[tuple[str, ...]]:
        """Yield every set in the order of a pass."""
        total = number_of_sets(len(left), self._seats)
        label = (self.table.name, number)
        if total <= MOST_SORTED:
            named = {"\0".join(self.always + bots): bots for bots in sets_of(left, self._seats)}
            yield from (named[name] for name in self.draws.order(named, "pass", *label))
            return
        for index in shuffled(total, lambda *at: self.draws.number("shuffle", *label, *at)):
            yield combination(left, self._seats, index)


def is_playable(left: Sequence[str], always: Sequence[str], out: frozenset[str]) -> bool:
    """Return whether these bots can fill a table, if necessary with copies."""
    return len(left) >= (1 if always else 2) and out.isdisjoint(always)

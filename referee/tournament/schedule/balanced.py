"""A balanced design: every bot plays the same number of blocks, and all pairs meet about equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from operator import add
from typing import Final, TypeAlias

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.base import EMPTY_STAGE, MeetingCounts, Stage, fixed_stage
from referee.tournament.schedule.combinations import Span, is_playable, seat_shares
from referee.tournament.schedule.draws import Draws

MOST_AHEAD: Final = 2048  # blocks of an endless plan that workers may finish before an earlier one


class LargeField:
    """Counts the blocks of each bot and pair, and chooses the bots of the next block.

    Bots are numbers here. The next block takes the bots with the fewest blocks, among them those
    that met each other least, and is random among equals. So the counts never differ by more than
    one, if they did not before. A design that continues after an interruption chooses the same
    blocks as one that was never interrupted.
    """

    def __init__(self, draws: Draws, table: str, field: Sequence[str], seats: int) -> None:
        self.draws = draws
        self.table = table
        self.field = field
        self.seats = seats
        self.index = {bot: number for number, bot in enumerate(field)}
        self.counts = [0] * len(field)
        self.meetings = [[0] * len(field) for _ in field]
        self._waiting: list[int] = []  # the bots with the fewest blocks, in random order
        self._level = -1
        self._random_order: list[int] = []

    def note(self, chosen: Sequence[int]) -> None:
        """Count a block of these bots."""
        for bot in chosen:
            self.counts[bot] += 1
            met = self.meetings[bot]
            for other in chosen:
                met[other] += 1

    def note_played(self, played: Iterable[Block]) -> None:
        """Count blocks that were played; bots that are not in this field are ignored."""
        for block in played:
            self.note([self.index[bot] for bot in set(block.bots) if bot in self.index])
        self._waiting = []

    def blocks_until(self, target: int) -> int:
        """Return how many more blocks are needed until every bot has played `target` blocks.

        A bot sits only once in a block, so in a very uneven field the bot with the fewest blocks
        decides.
        """
        lacking = [max(0, target - count) for count in self.counts]
        return max(*lacking, -(-sum(lacking) // self.seats))

    def choose(self) -> tuple[int, list[int]]:
        """Return how many blocks the first bot of the next block has played, and the bots of the block.

        No set is returned twice with the same number: its bots have played one block more then.
        """
        waiting = self._waiting or self._lowest(())
        chosen = [waiting.pop(0)]
        level = self.counts[chosen[0]]
        met = self.meetings[chosen[0]]
        while len(chosen) < self.seats:
            if len(chosen) > 1:
                met = list(map(add, met, self.meetings[chosen[-1]]))
            waiting = waiting or self._lowest(chosen)
            best = min(waiting, key=met.__getitem__)
            waiting.remove(best)
            chosen.append(best)
        self._waiting = waiting if waiting and self.counts[waiting[0]] == level else []
        self.note(chosen)
        return level, chosen

    def _lowest(self, chosen: Sequence[int]) -> list[int]:
        """Return the bots with the fewest blocks that are not chosen, in random order."""
        left = {bot: count for bot, count in enumerate(self.counts) if bot not in chosen}
        level = min(left.values())
        return [bot for bot in self._order(level) if left.get(bot) == level]

    def _order(self, level: int) -> list[int]:
        if level != self._level:
            drawn = self.draws.order(self.field, "turn", self.table, level)
            self._level, self._random_order = level, [self.index[bot] for bot in drawn]
        return self._random_order


class SmallField:
    """The same for fewer bots than seats: all bots play in every block, some of them twice or more.

    The copies are of the bots that had the fewest so far, at random among equals.
    """

    def __init__(self, draws: Draws, table: str, field: Sequence[str], seats: int) -> None:
        self.draws = draws
        self.table = table
        self.field = field
        self.whole, self.rest = seat_shares(len(field), seats)
        self.index = {bot: number for number, bot in enumerate(field)}
        self.counts = [0] * len(field)
        self.meetings = [[0] * len(field) for _ in field]
        self._copies = [0] * len(field)

    def note_played(self, played: Iterable[Block]) -> None:
        """Count blocks that were played; bots that are not in this field are ignored."""
        for block in played:
            seats = Counter(bot for bot in block.bots if bot in self.index)
            for bot, taken in seats.items():
                self.counts[self.index[bot]] += 1
                self._copies[self.index[bot]] += taken - 1
            for one, other in combinations([self.index[bot] for bot in seats], 2):
                self.meetings[one][other] += 1
                self.meetings[other][one] += 1

    def blocks_until(self, target: int) -> int:
        """Return how many more blocks are needed until every bot has played `target` blocks."""
        return max(0, target - min(self.counts))

    def choose(self) -> tuple[int, list[int]]:
        """Return how many blocks the first bot has played, and the bots of the next block by seat."""
        level = self.counts[0]
        drawn = [self.index[bot] for bot in self.draws.order(self.field, "turn", self.table, level)]
        twice = sorted(drawn, key=self._copies.__getitem__)[: self.rest]
        chosen = list(range(len(self.field))) * self.whole + twice
        self.note_played([Block("", self.table, tuple(self.field[bot] for bot in chosen), 0)])
        return level, chosen


Design: TypeAlias = LargeField | SmallField


@dataclass(frozen=True, slots=True)
class Balanced:
    """A table where every bot of the field plays one block per pass, together with `always`.

    A plan with more passes contains the blocks of one with fewer. That is not possible with other
    bots or after a disqualification: then the finished blocks stay, and the rest of the plan starts
    from their counts. The blocks of this rest have a higher `stage`, so that it stays the same when
    some of them are finished.
    """

    draws: Draws
    table: TableKind
    field: tuple[str, ...]
    always: tuple[str, ...] = ()

    @property
    def blocks_per_pass(self) -> float:
        """The number of blocks in a pass, on average."""
        return max(1.0, len(self.field) / self._seats)

    def stage(self, span: Span, finished: Sequence[BlockResult], out: frozenset[str]) -> Stage:
        """Return the blocks of a span.

        If blocks outside of this design are finished, return them and a new plan for the rest.
        """
        here = sorted(result.block for result in finished if self._belongs_here(result.block))
        latest = span.stage
        if span.is_whole:
            latest = max((block.stage for block in here), default=latest)
        here = [block for block in here if block.stage <= latest]
        for start in sorted({span.stage, latest}):
            base = [block for block in here if block.stage < start]
            stage = self._after(base, span, start, out)
            own = [block for block in here if block.stage >= start]
            if stage is EMPTY_STAGE or self._fits(own, stage, len(here), out):
                return stage
        return self._after(here, span, latest + span.is_whole, out)

    def _after(self, played: Sequence[Block], span: Span, stage: int, out: frozenset[str]) -> Stage:
        """Return the played blocks of the span, and then the rest of it with this number of stage."""
        rest = self.rest(replace(span, stage=stage), played, out)
        if rest is EMPTY_STAGE:
            return rest
        kept = [
            block for block in played if block.stage >= span.stage and out.isdisjoint(block.bots)
        ]
        return fixed_stage(self.draws, kept, rest) if kept else rest

    def rest(self, span: Span, played: Sequence[Block], out: frozenset[str]) -> Stage:
        """Return the blocks to play after these, until every bot has played its passes."""
        left = tuple(bot for bot in self.field if bot not in out)
        if not is_playable(left, self.always, out):
            return EMPTY_STAGE
        games = self._games(left)
        length = None
        if span.end is not None:
            length = self._design(left, played).blocks_until(span.end)
        return Stage(
            length,
            None if length is None else length * games,
            lambda: islice(self._blocks(span.stage, left, played), length),
        )

    def count_meetings(self, passes: int, into: MeetingCounts) -> None:
        """Add the games of this many passes to `into`."""
        design = self._design(self.field, ())
        for _ in range(design.blocks_until(passes)):
            design.choose()
        games = self._games(self.field)
        for bot, count in zip(self.field, design.counts, strict=True):
            into.games[bot] += count * games
        for pair in combinations(sorted(self.field), 2):
            row, column = (design.index[bot] for bot in pair)
            into.meetings[pair] += design.meetings[row][column] * games

    @property
    def _seats(self) -> int:
        return self.table.seats - len(self.always)

    def _belongs_here(self, block: Block) -> bool:
        """Return whether a block is of this table and series, and has all bots of `always`."""
        return (
            block.table == self.table.name
            and block.id.startswith(f"{self.draws.series}-")
            and set(self.always).issubset(block.bots)
        )

    @staticmethod
    def _fits(own: Sequence[Block], whole: Stage, played: int, out: frozenset[str]) -> bool:
        """Return whether the blocks belong to the plan, of which so many blocks are played.

        An endless plan is searched only after a disqualification, and only its beginning.
        """
        if not own or (whole.length is None and not out):
            return True
        first = whole if whole.length is not None else islice(whole, played + MOST_AHEAD)
        return _contains_all(first, own)

    def _design(self, left: Sequence[str], played: Iterable[Block]) -> Design:
        kind = LargeField if len(left) >= self._seats else SmallField
        design = kind(self.draws, self.table.name, left, self._seats)
        design.note_played(played)
        return design

    def _games(self, left: tuple[str, ...]) -> int:
        """Return the games of one block; it is the same for all sets."""
        whole, rest = seat_shares(len(left), self._seats)
        return self.draws.games_of(self.always + left * whole + left[:rest])

    def _blocks(self, stage: int, left: Sequence[str], played: Sequence[Block]) -> Iterator[Block]:
        design = self._design(left, played)
        taken = {block.id for block in played}
        while True:
            level, chosen = design.choose()
            bots = self.always + tuple(left[number] for number in chosen)
            yield self._new(bots, level, stage, taken)

    def _new(self, bots: Sequence[str], level: int, stage: int, taken: set[str]) -> Block:
        """Return a block that was not played yet; if its id is taken, vary the number."""
        block = self.draws.block(self.table, bots, level, stage)
        further = 0
        while block.id in taken:
            further += 1
            block = self.draws.block(self.table, bots, f"{level}+{further}", stage)
        return block


def _contains_all(planned: Iterable[Block], blocks: Iterable[Block]) -> bool:
    """Return whether all of these blocks are planned."""
    missing = {block.id for block in blocks}
    for block in planned:
        missing.discard(block.id)
        if not missing:
            return True
    return False

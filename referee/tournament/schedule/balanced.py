"""A balanced design: where there are too many sets, every bot plays as many blocks as any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from operator import add

from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule.base import NOTHING, MeetingCounts, Stage, listed
from referee.tournament.schedule.combinations import Span
from referee.tournament.schedule.draws import Draws


class Design:
    """Who has played how many blocks, and with whom; and who should play next.

    Bots are numbers here. The next block takes those with the fewest blocks, among them those who
    met each other least, chosen at random among equals. So the counts of an even field are never more than one
    apart, and the design that goes on from what was played is the one that was never interrupted.
    """

    def __init__(self, draws: Draws, table: str, field: Sequence[str], seats: int) -> None:
        self.draws = draws
        self.table = table
        self.field = field
        self.seats = seats
        self.index = {bot: number for number, bot in enumerate(field)}
        self.counts = [0] * len(field)
        self.meetings = [[0] * len(field) for _ in field]
        self._waiting: list[int] = []  # with the fewest blocks, in the random order
        self._level = -1
        self._lot: list[int] = []

    def note(self, chosen: Sequence[int]) -> None:
        """Count a block of these bots."""
        for one in chosen:
            self.counts[one] += 1
            met = self.meetings[one]
            for other in chosen:
                met[other] += 1

    def note_played(self, played: Iterable[Block]) -> None:
        """Blocks that were played, as far as this field sat in them."""
        for block in played:
            self.note([self.index[bot] for bot in set(block.bots) if bot in self.index])
        self._waiting = []

    def blocks_until(self, target: int) -> int:
        """How many blocks it takes until every bot has played so many.

        Nobody sits twice in a block, so the one who lacks most sets the pace in a field that is
        very uneven.
        """
        lacking = [max(0, target - count) for count in self.counts]
        return max(*lacking, -(-sum(lacking) // self.seats))

    def choose(self) -> tuple[int, list[int]]:
        """The bots of the next block, and how many blocks the first of them has played.

        A set never comes twice with the same number: its bots have played one more by then.
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
        """Those with the fewest blocks who are not chosen, in the random order."""
        left = {one: count for one, count in enumerate(self.counts) if one not in chosen}
        level = min(left.values())
        return [one for one in self._order(level) if left.get(one) == level]

    def _order(self, level: int) -> list[int]:
        if level != self._level:
            drawn = self.draws.order(self.field, "turn", self.table, level)
            self._level, self._lot = level, [self.index[bot] for bot in drawn]
        return self._lot


@dataclass(frozen=True, slots=True)
class Balanced:
    """A table where every bot of the field plays one block a pass, together with `always`.

    More passes hold the blocks of fewer ones. With other bots or after a disqualification that
    cannot be: then what was played stays, and the rest is planned from what it adds up to.
    """

    draws: Draws
    table: TableKind
    field: tuple[str, ...]
    always: tuple[str, ...] = ()

    @property
    def blocks_a_pass(self) -> float:
        """How many blocks a pass has on average."""
        return len(self.field) / self._seats

    def stage(self, span: Span, finished: Sequence[BlockResult], out: frozenset[str]) -> Stage:
        """The design of a span, or the rest of it where what is finished does not belong to it."""
        here = sorted(result.block for result in finished if self._is_of_here(result.block))
        whole = self.rest(span, [block for block in here if block.stage < span.stage], out)
        own = [block for block in here if block.stage >= span.stage]
        if whole is NOTHING or self._fits(own, whole, out):
            return whole
        kept = [block for block in own if out.isdisjoint(block.bots)]
        return listed(self.draws, kept, self.rest(span, here, out))

    def rest(self, span: Span, played: Sequence[Block], out: frozenset[str]) -> Stage:
        """What is to be played after these blocks, until every bot has had its passes."""
        left = tuple(bot for bot in self.field if bot not in out)
        if len(left) < self._seats or out.intersection(self.always):
            return NOTHING
        games = self.draws.games_of(left[: self._seats] + self.always)
        length = None
        if span.end is not None:
            length = self._design(left, played).blocks_until(span.end)
        return Stage(
            length,
            None if length is None else length * games,
            lambda: islice(self._blocks(span.stage, left, played), length),
        )

    def tally(self, passes: int, into: MeetingCounts) -> None:
        """Count the games of so many passes."""
        design = self._design(self.field, ())
        for _ in range(design.blocks_until(passes)):
            design.choose()
        games = self.draws.games_of(self.field[: self._seats] + self.always)
        for bot, count in zip(self.field, design.counts, strict=True):
            into.games[bot] += count * games
        for pair in combinations(sorted(self.field), 2):
            one, other = (design.index[bot] for bot in pair)
            into.meetings[pair] += design.meetings[one][other] * games

    @property
    def _seats(self) -> int:
        return self.table.seats - len(self.always)

    def _is_of_here(self, block: Block) -> bool:
        """Whether it was played at this table, in this series, and with those who always play."""
        return (
            block.table == self.table.name
            and block.id.startswith(f"{self.draws.series}-")
            and set(self.always).issubset(block.bots)
        )

    @staticmethod
    def _fits(own: Sequence[Block], whole: Stage, out: frozenset[str]) -> bool:
        """Whether what was played belongs to the plan; an endless one is not searched for it."""
        return not own or (not out if whole.length is None else _holds(whole, own))

    def _design(self, left: Sequence[str], played: Iterable[Block]) -> Design:
        design = Design(self.draws, self.table.name, left, self._seats)
        design.note_played(played)
        return design

    def _blocks(self, stage: int, left: Sequence[str], played: Sequence[Block]) -> Iterator[Block]:
        design = self._design(left, played)
        taken = {block.id for block in played}
        while True:
            level, chosen = design.choose()
            bots = self.always + tuple(left[one] for one in chosen)
            yield self._new(bots, level, stage, taken)

    def _new(self, bots: Sequence[str], level: int, stage: int, taken: set[str]) -> Block:
        """A block that is not among those played: where its number is taken, a further one."""
        block = self.draws.block(self.table, bots, level, stage)
        further = 0
        while block.id in taken:
            further += 1
            block = self.draws.block(self.table, bots, f"{level}+{further}", stage)
        return block


def _holds(stage: Stage, blocks: Iterable[Block]) -> bool:
    """Whether all of these blocks are in the stage."""
    missing = {block.id for block in blocks}
    for block in stage:
        missing.discard(block.id)
        if not missing:
            return True
    return False

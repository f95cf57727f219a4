"""The plan of a tuning: every iteration is a stage, whose blocks follow from the results before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Final, NamedTuple

from referee.bots.parameters import Value, Values, settings_of
from referee.tournament.ratings.estimates import elo_of_score, t_quantile
from referee.tournament.results import Block, BlockResult, TableKind
from referee.tournament.schedule import Stage
from referee.tournament.schedule.base import fixed_stage
from referee.tournament.schedule.draws import Draws
from referee.tournament.sprt import hero_share
from referee.tuning.steps import (
    SERIES,
    Position,
    first_position,
    present,
    step,
    values_at,
    variants,
)
from referee.tuning.terms import Terms

# The names of the bot with different values. A plus and a minus play each other; what is reached so
# far (NOW) plays the start, which measures the gain.
PLUS, MINUS, NOW, START = "plus", "minus", "now", "start"
NAMES: Final = (PLUS, MINUS, NOW, START)
CHECKS: Final = 1  # blocks of an iteration that measure the gain
_FEWEST_CHECKS: Final = 6  # for an interval
_INVENTED: Final = 0.25  # squares of the deviations of an invented block
_NEAREST: Final = 0.001  # a share of 0 or 1 would be an infinite number of Elo points


class Gain(NamedTuple):
    """The measured strength over the start in Elo, with its 95 % interval."""

    elo: float
    low: float
    high: float
    blocks: int


@dataclass(frozen=True)
class TuningState:
    """Where a tuning is after some iterations."""

    terms: Terms
    positions: tuple[Position, ...]  # before the first iteration, and after each
    checks: tuple[float, ...]  # the share of starts that the present values beat, by iteration

    @property
    def iteration(self) -> int:
        """The number of finished iterations."""
        return len(self.positions) - 1

    @property
    def position(self) -> Position:
        """Where the values are now, as shares of their ranges."""
        return present(self.positions)

    @property
    def values(self) -> dict[str, Value]:
        """The present value of every parameter of the bot."""
        return values_at(self.terms, self.position)

    def path(self) -> list[dict[str, Value]]:
        """Return the present values at the start and after each iteration."""
        ends = range(1, len(self.positions) + 1)
        return [values_at(self.terms, present(self.positions[:end])) for end in ends]

    def gain(self) -> Gain | None:
        """Return the gain in the second half of the iterations; None if there are too few of them."""
        last = self.checks[len(self.checks) // 2 :]
        if len(last) < _FEWEST_CHECKS:
            return None
        mean = fmean(last)
        # One invented block, half lost and half won: equal shares do not look like certainty.
        squares = sum((share - mean) ** 2 for share in last) + _INVENTED
        half = t_quantile(len(last) - 1) * sqrt(squares) / len(last)
        low, middle, high = (
            elo_of_score(min(max(share, _NEAREST), 1 - _NEAREST))
            for share in (mean - half, mean, mean + half)
        )
        return Gain(middle, low, high, len(last))


def first_state(terms: Terms) -> TuningState:
    """Return the state before the first iteration."""
    return TuningState(terms, (first_position(terms),), ())


def state_after(
    before: TuningState, iterations: int, finished: Iterable[BlockResult]
) -> TuningState:
    """Return the state after these iterations, which must be finished; later ones do not count.

    `before` is the state after fewer of them, perhaps none.
    """
    terms, first = before.terms, before.iteration
    by_iteration: defaultdict[int, list[BlockResult]] = defaultdict(list)
    for result in finished:
        if first <= result.block.stage < iterations:
            by_iteration[result.block.stage].append(result)
    positions, checks = list(before.positions), list(before.checks)
    for iteration in range(first, iterations):
        # Sorted, because a sum of floats depends on its order.
        results = sorted(by_iteration[iteration], key=lambda result: result.block.id)
        shares = [hero_share(result, PLUS) for result in results if PLUS in result.block.bots]
        share = fmean(shares) if shares else 0.5  # all blocks are void
        positions.append(step(terms, iteration, positions[-1], share))
        checks += [hero_share(result, NOW) for result in results if NOW in result.block.bots]
    return TuningState(terms, tuple(positions), tuple(checks))


class TuningPlan:
    """The iterations of a tuning; `state` is the one before the stage that was asked for last."""

    def __init__(self, terms: Terms, table: TableKind) -> None:
        self.terms = terms
        self.stages = terms.iterations
        self.state = first_state(terms)
        self._table = table
        self._draws = Draws(terms.seed, series=SERIES)

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """Return the blocks of an iteration; None after the last one, or if a bot is out."""
        is_next = number > self.state.iteration
        self.state = state_after(
            self.state if is_next else first_state(self.terms), number, finished
        )
        if number >= self.stages or out:
            return None
        plus, minus = variants(self.terms, number, self.state.positions[-1])
        blocks = self._blocks(
            number, self.terms.blocks, {PLUS: self._at(plus), MINUS: self._at(minus)}
        )
        blocks += self._blocks(number, CHECKS, {NOW: self.state.values, START: self.terms.start})
        return fixed_stage(self._draws, blocks)

    def spread(self) -> None:
        """Return None: all games are between variants of one bot."""

    def lacks_bots(self, out: frozenset[str]) -> str | None:
        """Return why no game is possible: the bot is out under one of its names."""
        if not out:
            return None
        return (
            f"the bot is disqualified as {' and '.join(sorted(out))}, and every iteration needs it"
        )

    def _at(self, position: Position) -> Values:
        return values_at(self.terms, position)

    def _blocks(self, iteration: int, count: int, pair: Mapping[str, Values]) -> list[Block]:
        """Return blocks of two variants; if the number of seats is odd, each has one more in turn."""
        names = tuple(pair)
        settings = tuple((name, tuple(settings_of(pair[name]))) for name in names)
        half, rest = divmod(self._table.seats, 2)
        blocks = []
        for number in range(iteration * count, (iteration + 1) * count):
            bots = names * half + (names[number % 2],) * rest
            block = self._draws.block(self._table, bots, number, iteration)
            blocks.append(block._replace(settings=settings))
        return blocks

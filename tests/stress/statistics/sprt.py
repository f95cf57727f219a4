"""How often a sequential test is wrong, and how many blocks it takes.

A hero of known strength plays gauntlets until the test has a verdict, again and again: in one half of
the tests its strength is exactly the lower bound, in the other half exactly the upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice, permutations
from statistics import fmean
from typing import Final

import numpy as np

from referee.tournament import schedule
from referee.tournament.ratings.arrays import Ints
from referee.tournament.ratings.estimates import expected_score
from referee.tournament.results import TableKind
from referee.tournament.schedule.round_robin import BY_BOT
from referee.tournament.sprt import Sprt, SprtRun, SprtState, hero_share
from stress.program import heading
from stress.statistics.intervals import SEATS
from stress.statistics.synthetic import Favour, Field, results_of

BATCH: Final = 20  # how many blocks are drawn at once
MOST_BLOCKS: Final = 5000


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """A test, and the field in which the hero is tested."""

    low: float
    high: float
    seats: int = 4
    opponents: tuple[float, ...] = (100.0, 50.0, 0.0, -50.0, -100.0)  # their strengths in Elo
    favour: Favour = "bots"
    ties: float = 0.2

    @property
    def is_comparison(self) -> bool:
        """Whether the hero and its only opponent share the seats evenly."""
        return len(self.opponents) == 1


GAUNTLETS: Final = (
    Gauntlet(0, 20),
    Gauntlet(0, 50),
    Gauntlet(0, 50, favour="nobody"),
    Gauntlet(0, 50, favour="seats"),
    Gauntlet(-30, 0, seats=5),
    Gauntlet(0, 100, seats=3, opponents=(0.0, 0.0)),
    Gauntlet(100, 200),
    Gauntlet(100, 200, seats=2, opponents=(0.0,)),
    Gauntlet(0, 50, opponents=(0.0,)),
    Gauntlet(0, 50, opponents=(0.0,), favour="nobody"),
    Gauntlet(0, 50, opponents=(0.0,), favour="seats"),
    Gauntlet(0, 50, seats=3, opponents=(0.0,)),
    Gauntlet(0, 50, seats=5, opponents=(0.0,), favour="seats"),
)


@dataclass(frozen=True, slots=True)
class Errors:
    """The share of wrong verdicts, and the average number of blocks to a verdict."""

    gauntlet: Gauntlet
    repetitions: int
    false_pass: float  # of heroes that are worth the lower bound
    false_fail: float  # of heroes that are worth the upper bound
    undecided: float  # of all tests, after MOST_BLOCKS blocks
    blocks_at_low: float
    blocks_at_high: float


def measure_errors(gauntlet: Gauntlet, repetitions: int, seed: int = 0) -> Errors:
    """Run this many tests of each of the two heroes, the same ones on every machine."""
    rng = np.random.default_rng(seed)
    low, high = (
        [_test(gauntlet, field_of(gauntlet, elo), rng) for _ in range(repetitions)]
        for elo in (gauntlet.low, gauntlet.high)
    )
    return Errors(
        gauntlet=gauntlet,
        repetitions=repetitions,
        false_pass=fmean(state.verdict == "pass" for state in low),
        false_fail=fmean(state.verdict == "fail" for state in high),
        undecided=fmean(state.verdict is None for state in (*low, *high)),
        blocks_at_low=fmean(state.blocks for state in low),
        blocks_at_high=fmean(state.blocks for state in high),
    )


def to_dict(errors: Sequence[Errors]) -> dict[str, object]:
    """Every figure, for JSON: a list of gauntlets."""
    sprt = Sprt(0, 1)
    return {
        **heading("statistics sprt"),
        "numpy": np.__version__,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "gauntlets": [asdict(one) for one in errors],
    }


def field_of(gauntlet: Gauntlet, elo: float) -> Field:
    """Return a field whose first bot, the hero, scores against the rest like a bot of `elo`.

    Its strength is not exactly `elo`, because opponents and seats differ and chances are not linear.
    """
    wanted = expected_score(elo, 0)
    low, high = -2000.0, 2000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _share(gauntlet, middle) < wanted else (low, middle)
    strengths = (low, *gauntlet.opponents)
    return Field(strengths, SEATS[gauntlet.seats], gauntlet.favour, ties=gauntlet.ties)


def _share(gauntlet: Gauntlet, strength: float) -> float:
    """Return the average share of opponents that the hero beats, over all opponents and seats."""
    return fmean(
        expected_score(strength + own, other + theirs)
        for other in gauntlet.opponents
        for own, theirs in permutations(SEATS[gauntlet.seats], 2)
    )


def _test(gauntlet: Gauntlet, field: Field, rng: np.random.Generator) -> SprtState:
    run = SprtRun(Sprt(gauntlet.low, gauntlet.high))
    sets = _even_sets(field, rng) if gauntlet.is_comparison else _random_sets(field, rng)
    for share in _shares(field, sets, rng):
        if run.add(share).verdict:
            break
    return run.state


def _shares(field: Field, sets: Iterator[Ints], rng: np.random.Generator) -> Iterator[float]:
    """Yield the share of opponents that the hero beats in each block."""
    for batch in islice(sets, MOST_BLOCKS // BATCH):
        for result in results_of(field, batch, rng):
            yield hero_share(result, field.names[0])


def _random_sets(field: Field, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield batches of blocks: the hero with random opponents, in a random order."""
    while True:
        others = 1 + rng.random((BATCH, len(field.elo) - 1)).argsort(axis=1)
        hero = np.zeros((BATCH, 1), dtype=np.int64)
        yield rng.permuted(np.hstack([hero, others[:, : len(field.seats) - 1]]), axis=1)


def _even_sets(field: Field, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield batches of the blocks that a comparison of two bots plays."""
    hero, other = field.names
    table = TableKind("synthetic", len(field.seats))
    plan = schedule.Gauntlet(
        int(rng.integers(1 << 53)), [table], hero, [other], None, even_seats=True, most_sets=BY_BOT
    )
    blocks = iter(plan.stage(0, (), frozenset()) or ())
    while True:
        yield np.array(
            [[bot == other for bot in block.bots] for block in islice(blocks, BATCH)], int
        )

"""How often the intervals of ratings hold the truth, and what a rating costs.

Results are drawn from known strengths again and again, and rated as a tournament's are. A bootstrap
of blocks can be measured beside it: what one would get by drawing blocks again and again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np
from referee.bench.synthetic import Favour, Field, draw_results

from referee.bench.common import heading
from referee.tournament.ratings import MEAN, Ratings, rate
from referee.tournament.results import BlockResult

SEATS: Final = {
    2: (30.0, -30.0),
    3: (50.0, 0.0, -50.0),
    4: (60.0, 20.0, -20.0, -60.0),
    5: (60.0, 30.0, 0.0, -30.0, -60.0),
}
SIZES: Final = ((12, 2_500), (100, 25_000))  # bots and blocks, at four seats


@dataclass(frozen=True, slots=True)
class Scenario:
    """Bots 300 Elo apart from the first to the last, at seats that are worth something."""

    bots: int
    seats: int
    blocks: int
    favour: Favour = "nobody"
    ties: float = 0.0
    rare: bool = False

    @property
    def field(self) -> Field:
        """The known strengths."""
        elo = np.linspace(150, -150, self.bots).tolist()
        return Field(tuple(elo), SEATS[self.seats], self.favour, ties=self.ties, rare=self.rare)


SCENARIOS: Final = (
    *[Scenario(4, 4, blocks) for blocks in (4, 8, 15, 30, 60, 200)],
    *[Scenario(4, 4, blocks, "bots") for blocks in (4, 8, 15, 30, 60, 200)],
    *[Scenario(4, 4, blocks, "seats") for blocks in (8, 30, 200)],
    Scenario(2, 2, 10),
    Scenario(2, 2, 60, "bots"),
    Scenario(5, 3, 30, "bots", ties=0.5),
    Scenario(6, 5, 30, "seats", ties=0.5),
    Scenario(8, 4, 60, "bots", rare=True),
    Scenario(12, 4, 200, "bots", ties=0.2),
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often 95 % intervals held the truth, as shares, and how far estimates were off."""

    scenario: Scenario
    repetitions: int
    ratings: float
    differences: float  # between any two bots
    seats: float
    bootstrap: float | None  # of ratings, if it was asked for
    bias: float  # Elo; above 0: bots are rated too far from the mean
    half_width: float  # Elo; of the interval of a rating, on average
    ms: float  # CPU time of one rating


class _Span(NamedTuple):
    """An interval, and the truth that it ought to hold."""

    low: float
    high: float
    truth: float

    @property
    def holds(self) -> bool:
        return self.low <= self.truth <= self.high


class _Trial(NamedTuple):
    """One rated tournament against the truth."""

    ratings: list[_Span]
    differences: list[_Span]
    seats: list[_Span]
    bootstrap: list[_Span]
    outward: list[float]
    seconds: float


@dataclass(frozen=True, slots=True)
class Speed:
    """What one rating of many games costs, in seconds of CPU time."""

    bots: int
    games: int
    seconds: float


def measure_coverage(scenario: Scenario, repetitions: int, resamples: int = 0) -> Coverage:
    """So many tournaments, each rated; the same ones on every machine."""
    rng = np.random.default_rng(0)
    trials = [_trial(scenario, resamples, rng) for _ in range(repetitions)]
    ratings = [span for trial in trials for span in trial.ratings]
    return Coverage(
        scenario=scenario,
        repetitions=repetitions,
        ratings=fmean(span.holds for span in ratings),
        differences=fmean(span.holds for trial in trials for span in trial.differences),
        seats=fmean(span.holds for trial in trials for span in trial.seats),
        bootstrap=(
            fmean(span.holds for trial in trials for span in trial.bootstrap) if resamples else None
        ),
        bias=fmean(error for trial in trials for error in trial.outward),
        half_width=fmean((span.high - span.low) / 2 for span in ratings),
        ms=1000 * fmean(trial.seconds for trial in trials),
    )


def measure_speed(bots: int, blocks: int) -> Speed:
    """One rating of many games."""
    elo = tuple(np.linspace(300, -300, bots).tolist())
    results = draw_results(Field(elo, SEATS[4]), blocks, np.random.default_rng(0))
    begin = time.process_time()
    rated = rate(results)
    return Speed(bots, rated.games, time.process_time() - begin)


def as_words(coverages: Sequence[Coverage], speeds: Sequence[Speed]) -> dict[str, object]:
    """One object with a list of scenarios and a list of sizes."""
    return {
        **heading("ratings"),
        "numpy": np.__version__,
        "scenarios": [asdict(coverage) for coverage in coverages],
        "speeds": [asdict(speed) for speed in speeds],
    }


def _trial(scenario: Scenario, resamples: int, rng: np.random.Generator) -> _Trial:
    field = scenario.field
    results = draw_results(field, scenario.blocks, rng)
    begin = time.process_time()
    rated = rate(results)
    seconds = time.process_time() - begin
    truth = _truth(field, rated)
    errors = [(one.rating - truth[one.bot], truth[one.bot] - MEAN) for one in rated.entries]
    return _Trial(
        ratings=_spans((one.low, one.high, truth[one.bot]) for one in rated.entries),
        differences=_spans(_differences(rated, truth)),
        seats=_spans((one.low, one.high, field.seats[one.seat]) for one in rated.seats),
        bootstrap=_bootstrap(results, truth, resamples, rng) if resamples else [],
        outward=[error if beyond > 0 else -error for error, beyond in errors],
        seconds=seconds,
    )


def _truth(field: Field, rated: Ratings) -> dict[str, float]:
    """The ratings that ought to be found: the mean of those that played is at its place."""
    known = dict(zip(field.names, field.elo, strict=True))
    middle = fmean(known[one.bot] for one in rated.entries)
    return {one.bot: MEAN + known[one.bot] - middle for one in rated.entries}


def _spans(found: Iterable[tuple[float | None, float | None, float]]) -> list[_Span]:
    return [
        _Span(low, high, truth)
        for low, high, truth in found
        if low is not None and high is not None
    ]


def _differences(
    rated: Ratings, truth: Mapping[str, float]
) -> Iterator[tuple[float | None, float | None, float]]:
    for one, other in combinations(sorted(truth), 2):
        gap = rated.difference(one, other)
        yield gap.low, gap.high, truth[one] - truth[other]


def _bootstrap(
    results: Sequence[BlockResult],
    truth: Mapping[str, float],
    resamples: int,
    rng: np.random.Generator,
) -> list[_Span]:
    """Between which ratings the middle 95 % lie, when blocks are drawn anew with replacement."""
    drawn = [_redrawn(results, truth, rng) for _ in range(resamples)]
    bounds = np.quantile(np.array(drawn), (0.025, 0.975), axis=0)
    return [_Span(*one) for one in zip(*bounds.tolist(), truth.values(), strict=True)]


def _redrawn(
    results: Sequence[BlockResult], bots: Iterable[str], rng: np.random.Generator
) -> list[float]:
    chosen = rng.integers(0, len(results), len(results)).tolist()
    again = [
        results[one]._replace(block=results[one].block._replace(id=f"again-{number}"))
        for number, one in enumerate(chosen)
    ]
    found = {one.bot: one.rating for one in rate(again, bots=tuple(bots)).entries}
    return [found[bot] for bot in bots]

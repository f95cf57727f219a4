"""How often the confidence intervals of ratings contain the true value, and how long a rating takes.

Many tournaments are simulated with known strengths, and rated like real ones. A bootstrap of blocks
can be measured for comparison.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from referee.tournament.ratings import MEAN, Ratings, rate
from referee.tournament.results import BlockResult
from stress.program import heading
from stress.statistics.synthetic import Favour, Field, draw_results

SEATS: Final = {
    2: (30.0, -30.0),
    3: (50.0, 0.0, -50.0),
    4: (60.0, 20.0, -20.0, -60.0),
    5: (60.0, 30.0, 0.0, -30.0, -60.0),
}
SIZES: Final = ((12, 2_500), (100, 25_000))  # bots and blocks, at four seats


@dataclass(frozen=True, slots=True)
class Scenario:
    """Simulated bots, 300 Elo apart from the first to the last, and seats of different worth."""

    bots: int
    seats: int
    blocks: int
    favour: Favour = "nobody"
    ties: float = 0.0
    rare: bool = False

    @property
    def field(self) -> Field:
        """The bots with their known strengths."""
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
    """The share of 95 % intervals that contained the true value, and the bias of the ratings."""

    scenario: Scenario
    repetitions: int
    ratings: float
    differences: float  # between any two bots
    seats: float
    bootstrap: float | None  # of ratings, if it was asked for
    bias: float  # Elo; above 0: bots are rated too far from the mean
    half_width: float  # Elo; of the interval of a rating, on average
    ms: float  # CPU time of one rating


class _Interval(NamedTuple):
    """An interval, and the true value that it should contain."""

    low: float
    high: float
    truth: float

    @property
    def contains_truth(self) -> bool:
        return self.low <= self.truth <= self.high


class _Trial(NamedTuple):
    """One rated tournament, compared with the true values."""

    ratings: list[_Interval]
    differences: list[_Interval]
    seats: list[_Interval]
    bootstrap: list[_Interval]
    outward: list[float]
    seconds: float


@dataclass(frozen=True, slots=True)
class Speed:
    """What one rating of many games costs, in seconds of CPU time."""

    bots: int
    games: int
    seconds: float


def measure_coverage(
    scenario: Scenario, repetitions: int, resamples: int = 0, seed: int = 0
) -> Coverage:
    """Simulate and rate this many tournaments, the same ones on every machine."""
    rng = np.random.default_rng(seed)
    trials = [_trial(scenario, resamples, rng) for _ in range(repetitions)]
    ratings = [span for trial in trials for span in trial.ratings]
    return Coverage(
        scenario=scenario,
        repetitions=repetitions,
        ratings=fmean(span.contains_truth for span in ratings),
        differences=fmean(span.contains_truth for trial in trials for span in trial.differences),
        seats=fmean(span.contains_truth for trial in trials for span in trial.seats),
        bootstrap=(
            fmean(span.contains_truth for trial in trials for span in trial.bootstrap)
            if resamples
            else None
        ),
        bias=fmean(error for trial in trials for error in trial.outward),
        half_width=fmean((span.high - span.low) / 2 for span in ratings),
        ms=1000 * fmean(trial.seconds for trial in trials),
    )


def measure_speed(bots: int, blocks: int) -> Speed:
    """Time one rating of many games."""
    elo = tuple(np.linspace(300, -300, bots).tolist())
    results = draw_results(Field(elo, SEATS[4]), blocks, np.random.default_rng(0))
    begin = time.process_time()
    rated = rate(results)
    return Speed(bots, rated.games, time.process_time() - begin)


def to_dict(coverages: Sequence[Coverage], speeds: Sequence[Speed]) -> dict[str, object]:
    """Every figure, for JSON: a list of scenarios and a list of sizes."""
    return {
        **heading("statistics intervals"),
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
        ratings=_intervals((one.low, one.high, truth[one.bot]) for one in rated.entries),
        differences=_intervals(_differences(rated, truth)),
        seats=_intervals((one.low, one.high, field.seats[one.seat]) for one in rated.seats),
        bootstrap=_bootstrap(results, truth, resamples, rng) if resamples else [],
        outward=[error if beyond > 0 else -error for error, beyond in errors],
        seconds=seconds,
    )


def _truth(field: Field, rated: Ratings) -> dict[str, float]:
    """Return the true ratings, shifted so that the bots that played have the mean MEAN."""
    known = dict(zip(field.names, field.elo, strict=True))
    middle = fmean(known[one.bot] for one in rated.entries)
    return {one.bot: MEAN + known[one.bot] - middle for one in rated.entries}


def _intervals(found: Iterable[tuple[float | None, float | None, float]]) -> list[_Interval]:
    return [
        _Interval(low, high, truth)
        for low, high, truth in found
        if low is not None and high is not None
    ]


def _differences(
    rated: Ratings, truth: Mapping[str, float]
) -> Iterator[tuple[float | None, float | None, float]]:
    for first, second in combinations(sorted(truth), 2):
        gap = rated.difference(first, second)
        yield gap.low, gap.high, truth[first] - truth[second]


def _bootstrap(
    results: Sequence[BlockResult],
    truth: Mapping[str, float],
    resamples: int,
    rng: np.random.Generator,
) -> list[_Interval]:
    """Return the intervals with the middle 95 % of ratings of blocks drawn with replacement."""
    drawn = [_resampled(results, truth, rng) for _ in range(resamples)]
    bounds = np.quantile(np.array(drawn), (0.025, 0.975), axis=0)
    return [_Interval(*one) for one in zip(*bounds.tolist(), truth.values(), strict=True)]


def _resampled(
    results: Sequence[BlockResult], bots: Iterable[str], rng: np.random.Generator
) -> list[float]:
    chosen = rng.integers(0, len(results), len(results)).tolist()
    again = [
        results[one]._replace(block=results[one].block._replace(id=f"again-{number}"))
        for number, one in enumerate(chosen)
    ]
    found = {one.bot: one.rating for one in rate(again, bots=tuple(bots)).entries}
    return [found[bot] for bot in bots]

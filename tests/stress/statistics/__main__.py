"""`python -m stress.statistics`: how often confidence intervals and sequential tests are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from referee import terminal
from referee.cli.lazy import examples
from referee.terminal import bench
from referee.terminal.bench import BenchTable, Column
from stress import program
from stress.statistics import intervals as interval_test
from stress.statistics import sprt as sprt_test
from stress.statistics.intervals import Coverage, Scenario, Speed
from stress.statistics.sprt import Errors

TITLE: Final = "Python {python}, numpy {numpy}"
INTERVAL_NOTE: Final = (
    "How often 95 % intervals contained the true value, in %: of ratings, of differences between two"
    " bots, of seats. The seed of a block favours bots, seats or nobody in all its games. Bias is in"
    " Elo, above 0 if bots are rated too far from the mean; ± is half the interval of a rating."
    " Times are CPU time."
)

seed = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed."
)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _scenario(scenario: Scenario) -> str:
    ties = ", ties" if scenario.ties else ""
    rare = ", rare" if scenario.rare else ""
    return f"{scenario.bots}, {scenario.seats}{ties}{rare}"


COVERAGE: Final = BenchTable[Coverage](
    (
        Column("bots, seats", lambda one: _scenario(one.scenario), is_text=True),
        Column("favoured", lambda one: one.scenario.favour, is_text=True),
        Column("blocks", lambda one: str(one.scenario.blocks)),
        Column("ratings", lambda one: _percent(one.ratings)),
        Column("pairs", lambda one: _percent(one.differences)),
        Column("seats", lambda one: _percent(one.seats)),
        Column("boot-\nstrap", lambda one: _percent(one.bootstrap)),
        Column("bias", lambda one: f"{one.bias:+.1f}"),
        Column("±", lambda one: f"{one.half_width:.0f}"),
    ),
    title=TITLE,
)

ERRORS: Final = BenchTable[Errors](
    (
        Column("low", lambda one: f"{one.gauntlet.low:g}"),
        Column("high", lambda one: f"{one.gauntlet.high:g}"),
        Column("seats", lambda one: str(one.gauntlet.seats)),
        Column("others", lambda one: str(len(one.gauntlet.opponents))),
        Column("the seed\nfavours", lambda one: one.gauntlet.favour, is_text=True),
        Column("false\npass %", lambda one: _percent(one.false_pass)),
        Column("false\nfail %", lambda one: _percent(one.false_fail)),
        Column("open\n%", lambda one: _percent(one.undecided)),
        Column("blocks\nat low", lambda one: f"{one.blocks_at_low:.0f}"),
        Column("blocks\nat high", lambda one: f"{one.blocks_at_high:.0f}"),
    ),
    title=TITLE,
)


@click.group(
    cls=program.StressPrograms,
    epilog=examples("python -m stress.statistics intervals", "python -m stress.statistics sprt"),
)
def main() -> None:
    """Test the statistics on simulated games of bots whose strengths are known."""


@main.command(
    epilog=examples(
        "python -m stress.statistics intervals",
        "python -m stress.statistics intervals --most-blocks 8 --repetitions 50 --bootstrap 100",
    ),
)
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=400,
    show_default=True,
    help="How many tournaments to draw for each scenario.",
)
@click.option(
    "--most-blocks",
    type=click.IntRange(min=1),
    help="Leave out scenarios with more blocks, and the speed.",
)
@click.option(
    "--bootstrap",
    "resamples",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Measure a bootstrap of N samples for comparison; slow.",
)
@seed
@program.as_json
def intervals(
    repetitions: int, most_blocks: int | None, resamples: int, seed: int, as_json: bool
) -> None:
    """Measure how often 95 % intervals contain the true value, and how long a rating takes.

    Results are drawn from known strengths; the seed of a block may favour a bot or a seat in all of
    its games.
    """
    scenarios = [
        one for one in interval_test.SCENARIOS if most_blocks is None or one.blocks <= most_blocks
    ]
    coverages = [
        interval_test.measure_coverage(one, repetitions, resamples, seed)
        for one in terminal.progress(scenarios, lambda one: f"{one.bots} bots, {one.blocks} blocks")
    ]
    sizes = interval_test.SIZES if most_blocks is None else ()
    speeds = [interval_test.measure_speed(*size) for size in sizes]
    figures = interval_test.to_dict(coverages, speeds)
    notes = [*_speeds(speeds), INTERVAL_NOTE]
    bench.show(figures, COVERAGE, coverages, notes, as_json=as_json)


def _speeds(speeds: Sequence[Speed]) -> list[str]:
    return [f"{one.games:,} games of {one.bots} bots: {one.seconds:.2f} s" for one in speeds]


@main.command(
    epilog=examples(
        "python -m stress.statistics sprt",
        "python -m stress.statistics sprt --repetitions 100 --json",
    ),
)
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=400,
    show_default=True,
    help="How many tests to run for each hero.",
)
@seed
@program.as_json
def sprt(repetitions: int, seed: int, as_json: bool) -> None:
    """Measure how often a sequential test is wrong, and how many blocks it takes.

    The strength of the hero is exactly the lower bound in one half of the tests, and the upper one
    in the other.
    """
    steps = terminal.progress(sprt_test.GAUNTLETS, lambda one: f"{one.low:g} to {one.high:g}")
    errors = [sprt_test.measure_errors(one, repetitions, seed) for one in steps]
    figures = sprt_test.to_dict(errors)
    notes = (f"Promised: {figures['alpha']:.0%} of either error at most.",)
    bench.show(figures, ERRORS, errors, notes, as_json=as_json)


if __name__ == "__main__":
    main(prog_name="python -m stress.statistics")

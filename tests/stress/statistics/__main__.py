"""`referee bench ratings` and `referee bench sprt`: whether intervals and verdicts hold what they say."""

from __future__ import annotations

import click
from referee.console_ratings_bench import show_coverages, show_errors

from referee import terminal
from referee.bench import ratings as ratings_bench
from referee.bench import sprt as sprt_bench
from referee.cli.bench import options
from referee.cli.examples import examples


@click.command(
    epilog=examples(
        "referee bench ratings",
        "referee bench ratings --most-blocks 8 --repetitions 50 --bootstrap 100",
    )
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
    help="Measure a bootstrap of so many samples beside it; slow.",
)
@options.as_json
def ratings(repetitions: int, most_blocks: int | None, resamples: int, as_json: bool) -> None:
    """How often 95 % intervals hold the truth, and what a rating costs.

    Results are drawn from known strengths; the seed of a block may favour a bot or a seat in all of
    its games.
    """
    scenarios = [
        one for one in ratings_bench.SCENARIOS if most_blocks is None or one.blocks <= most_blocks
    ]
    coverages = [
        ratings_bench.measure_coverage(one, repetitions, resamples)
        for one in terminal.progress(scenarios, lambda one: f"{one.bots} bots, {one.blocks} blocks")
    ]
    sizes = ratings_bench.SIZES if most_blocks is None else ()
    speeds = [ratings_bench.measure_speed(*size) for size in sizes]
    words = ratings_bench.as_words(coverages, speeds)
    if as_json:
        terminal.show_json(words)
    else:
        show_coverages(words, coverages, speeds)


@click.command(epilog=examples("referee bench sprt", "referee bench sprt --repetitions 100 --json"))
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=400,
    show_default=True,
    help="How many tests to make of each hero.",
)
@options.as_json
def sprt(repetitions: int, as_json: bool) -> None:
    """How often a sequential test goes wrong, and how many blocks it takes.

    The hero is worth exactly the lower bound in one half of the tests, and the upper one in the
    other.
    """
    steps = terminal.progress(sprt_bench.GAUNTLETS, lambda one: f"{one.low:g} to {one.high:g}")
    errors = [sprt_bench.measure_errors(one, repetitions) for one in steps]
    words = sprt_bench.as_words(errors)
    if as_json:
        terminal.show_json(words)
    else:
        show_errors(words, errors)

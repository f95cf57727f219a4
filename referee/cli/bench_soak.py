"""`referee bench soak`: hours of one tournament, a third of its bots bad."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from referee import console
from referee.bench import soak as soak_bench
from referee.cli import bench_options
from referee.cli.examples import examples
from referee.console_soak import say_where_it_stands, show_soak
from referee.match.limits import Level
from referee.tournament.workers.pool import default_workers

FAILED = 1


@click.command(epilog=examples("referee bench soak --hours 0.1", "referee bench soak --json"))
@click.option(
    "--hours",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    help="How long to play.",
)
@click.option("--workers", type=click.IntRange(min=1), help="How many.  [default: one a core]")
@bench_options.sandbox
@bench_options.as_json
def soak(hours: float, workers: int | None, sandbox: Level | None, as_json: bool) -> int:
    """Play one tournament for hours, with a third of its bots bad, and look for leaks.

    The bad ones crash, cheat, mumble, sleep, flood, hoard memory, leave children behind, or end at
    once. No game may be lost or doubled, every record must be whole, and memory, descriptors,
    processes and the disk beside the records must not grow. The exit status is 1 if one of it is
    not so.
    """
    with tempfile.TemporaryDirectory(prefix="referee-soak-") as folder:
        found = soak_bench.soak(
            Path(folder), hours, workers or default_workers(), sandbox, say_where_it_stands
        )
    if as_json:
        console.show_json(soak_bench.as_words(found))
    else:
        show_soak(found)
    return 0 if found.is_clean else FAILED

"""`referee bench`: what things cost on this machine."""

from __future__ import annotations

from typing import ClassVar

import click

from referee.cli.examples import examples
from referee.cli.lazy import LazyGroup


class Benches(LazyGroup):
    """What can be measured, by the module that measures it."""

    modules: ClassVar = {
        "engine": "referee.cli.bench_game",
        "fuzz": "referee.cli.bench_fuzz",
        "hostile": "referee.cli.bench_hostile",
        "kills": "referee.cli.bench_tournament",
        "match": "referee.cli.bench_game",
        "ratings": "referee.cli.bench_ratings",
        "replay": "referee.cli.bench_game",
        "rl": "referee.cli.bench_rl",
        "sandbox": "referee.cli.bench_hostile",
        "soak": "referee.cli.bench_soak",
        "sprt": "referee.cli.bench_ratings",
        "tournament": "referee.cli.bench_tournament",
        "verify": "referee.cli.bench_game",
    }


@click.group(cls=Benches, epilog=examples("referee bench engine", "referee bench match --help"))
def bench() -> None:
    """Measure what things cost on this machine."""

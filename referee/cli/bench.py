"""`referee bench`: what things cost on this machine."""

from __future__ import annotations

from typing import ClassVar

import click

from referee.cli.lazy import LazyGroup


class Benches(LazyGroup):
    """What can be measured, by the module that measures it."""

    modules: ClassVar = {
        "engine": "referee.cli.bench_game",
        "kills": "referee.cli.bench_tournament",
        "match": "referee.cli.bench_game",
        "ratings": "referee.cli.bench_ratings",
        "replay": "referee.cli.bench_game",
        "sprt": "referee.cli.bench_ratings",
        "tournament": "referee.cli.bench_tournament",
        "verify": "referee.cli.bench_game",
    }


@click.group(cls=Benches)
def bench() -> None:
    """Measure what things cost on this machine."""

"""`referee bench`: measure how fast the referee is on this machine."""

from __future__ import annotations

from typing import ClassVar, Final

import click

from referee.cli.lazy import LazyGroup, examples
from referee.errors import BenchRefused

# Commands of earlier versions, and the tox environments that replace them.
MOVED: Final = {
    "fuzz": "fuzz",
    "hostile": "hostile",
    "kills": "kills",
    "ratings": "statistics",
    "soak": "soak",
    "sprt": "statistics",
}


class Benches(LazyGroup):
    """The benchmarks, each with its module."""

    modules: ClassVar = {
        "api": "referee.cli.bench.performance",
        "dataset": "referee.cli.bench.performance",
        "engine": "referee.cli.bench.performance",
        "match": "referee.cli.bench.performance",
        "replay": "referee.cli.bench.performance",
        "rl": "referee.cli.bench.performance",
        "sandbox": "referee.cli.bench.performance",
        "tournament": "referee.cli.bench.tournament",
        "verify": "referee.cli.bench.performance",
        "web": "referee.cli.bench.web",
    }

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names; BenchRefused if it has moved."""
        if args[0] in MOVED and not ctx.resilient_parsing:
            raise BenchRefused(
                f"`referee bench {args[0]}` moved to the project's tests;"
                f" run `tox -e {MOVED[args[0]]}` in a checkout"
            )
        return super().resolve_command(ctx, args)


@click.group(cls=Benches, epilog=examples("referee bench engine", "referee bench match --help"))
def bench() -> None:
    """Measure how fast the referee and bots are on this machine."""

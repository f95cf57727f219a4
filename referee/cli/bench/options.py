"""Options that several benchmarks share."""

from __future__ import annotations

import click

from referee.cli import completion

boards = click.option(
    "--board",
    "boards",
    multiple=True,
    metavar="NAME|FILE",
    shell_complete=completion.boards,
    help="Board to measure; may be repeated.  [default: all bundled boards]",
)
seats = click.option(
    "--seats",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of seats.  [default: 4, or the nearest number that the board allows]",
)
seconds = click.option(
    "--seconds",
    type=click.FloatRange(min=0, max=3600),
    default=3.0,
    show_default=True,
    metavar="N",
    help="Approximate time to measure each board.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

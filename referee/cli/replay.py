"""`referee replay`: a recorded game, to be watched."""

from __future__ import annotations

from pathlib import Path

import click

from referee import console
from referee.cli.maps import examples
from referee.viewer.page import write_page


@click.command(
    epilog=examples(
        "referee replay game.jsonl --html game.html",
        "referee replay game.jsonl --html game.html --seat 1",
    )
)
@click.argument("record", type=click.Path(path_type=Path), metavar="RECORD")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    required=True,
    help="Write the game as one web page that needs nothing else.",
)
@click.option(
    "--seat", type=click.IntRange(0), metavar="N", help="Show only what this seat could see."
)
def replay(record: Path, page: Path, seat: int | None) -> None:
    """Watch a recorded game."""
    write_page(record, page, seat)
    console.say(f"Written: {page}")

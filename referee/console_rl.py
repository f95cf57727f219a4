"""The figures of `bench rl`, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from referee.bench.rl import BATCH, RlSpeed
from referee.terminal import OUT, say
from referee.terminal.game.score_tables import plain_table


def show_rl_speeds(words: Mapping[str, object], speeds: Sequence[RlSpeed]) -> None:
    """A row for each board."""
    table = plain_table()
    table.add_column("board", no_wrap=True)
    for header in (
        "seats",
        "engine\nper s",
        "environment\nper s",
        "of the\nengine",
        f"{BATCH} at once\nper s",
        "of the\nengine",
    ):
        table.add_column(header, justify="right", no_wrap=True)
    for speed in speeds:
        table.add_row(
            speed.board,
            str(speed.seats),
            f"{speed.engine:,.0f}",
            f"{speed.environment:,.0f}",
            Text(f"{speed.share:.0%}", style="bold"),
            f"{speed.batch:,.0f}",
            f"{speed.batch_share:.0%}",
        )
    say("")
    OUT.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    OUT.print(table)
    say("Decisions a second of uniform random play; shares are medians of rounds by turns.")
    say("")

"""The results of `bench replay`, and the screens that it measures."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from referee.bench.replay import SIZES, Frame, ReplaySpeed
from referee.console_replay import Screen
from referee.console_table import plain_table
from referee.replay.controller import ReplayController


def coloured_screen(controller: ReplayController) -> Frame:
    """A screen in full colour, whatever this terminal supports."""
    out = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor")
    return Screen(controller, out).frame


def show_replay_speeds(words: Mapping[str, object], speeds: Sequence[ReplaySpeed]) -> None:
    """Print a table with a row for each board."""
    table = plain_table()
    table.add_column("board", no_wrap=True)
    heads = [f"jump\n{columns}x{rows}" for columns, rows in SIZES]
    slow = [f"worst\n{columns}x{rows}" for columns, rows in SIZES]
    for head in ("steps", "start\ns", "open\ns", *heads, *slow):
        table.add_column(head, justify="right", no_wrap=True)
    for speed in speeds:
        times = (*speed.jump_ms, *speed.slowest_jump_ms)
        table.add_row(
            speed.board,
            f"{speed.decisions:,}",
            Text(f"{speed.command_s:.2f}", style="bold"),
            f"{speed.open_s:.2f}",
            *[f"{ms:.1f}" for ms in times],
        )
    out = Console(highlight=False)
    out.print()
    out.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    out.print(table)
    out.print(
        Text(
            "CPU time. 'start' is the whole command up to the first position, 'open' the part of it"
            " that reads, checks and draws; a jump to a random step with its screen is in ms.\n"
        )
    )

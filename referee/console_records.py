"""Records in the terminal: verdicts, progress, the bench of verifying. A stranger's words are made visible."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from referee.atlas.shape import visible
from referee.bench.verify import VerifySpeed
from referee.console_table import plain_table
from referee.records.verify import Verdict

Item = TypeVar("Item")

FEW: Final = 20  # up to so many records each has its own line
_STYLES: Final = {"fine": "green", "incomplete": "yellow", "void": "yellow", "wrong": "bold red"}
_WIDEST: Final = max(map(len, _STYLES))
_REFRESH_S: Final = 0.1

_out = Console(highlight=False)
_err = Console(stderr=True, highlight=False)


def counted(results: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """The results as they come, with a bar on a terminal.

    It is drawn between results, by no thread of its own: worker processes are forked meanwhile.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(
        *columns,
        TimeRemainingColumn(),
        console=_err,
        transient=True,
        auto_refresh=False,
        disable=not _err.is_terminal or total == 1,
    )
    with bar:
        task = bar.add_task(what, total=total)
        drawn = 0.0
        for result in results:
            bar.advance(task)
            if time.monotonic() - drawn > _REFRESH_S:
                bar.refresh()
                drawn = time.monotonic()
            yield result


def print_json(words: Mapping[str, object]) -> None:
    """One object on one line, in ASCII: nothing in it can be taken for a command to a terminal."""
    sys.stdout.write(json.dumps(words) + "\n")


def show_verdict(verdict: Verdict) -> None:
    """One line, or more if there is more to say."""
    status = Text(verdict.verdict.ljust(_WIDEST), style=_STYLES[verdict.verdict])
    where = visible(verdict.record)
    if verdict.line is not None:
        where += f", line {verdict.line}"
    _out.print(Text.assemble(status, "  ", where, ": ", _said(verdict)), soft_wrap=True)


def _said(verdict: Verdict) -> str:
    if verdict.why is not None:
        return visible(verdict.why)
    faults = f", {_many(verdict.faults, 'fault')}" if verdict.faults else ""
    return f"{_many(verdict.turns, 'turn')}, {_many(verdict.decisions, 'decision')}{faults}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def show_summary(verdicts: Sequence[Verdict], seconds: float) -> None:
    """How many of each kind."""
    counts = Counter[str](verdict.verdict for verdict in verdicts)
    parts = [
        Text(f"{counts[kind]:,} {kind}", style=_STYLES[kind]) for kind in _STYLES if counts[kind]
    ]
    decisions = sum(verdict.decisions for verdict in verdicts)
    told = f" ({_many(decisions, 'decision')} in {seconds:.1f} s)"
    _out.print(Text.assemble(Text(", ").join(parts), (told, "dim")), soft_wrap=True)


def show_verify_speeds(words: Mapping[str, object], speeds: Sequence[VerifySpeed]) -> None:
    """The figures of `bench verify`, a row for each board."""
    table = plain_table()
    table.add_column("board", no_wrap=True)
    for header in (
        "seats",
        "engine\nper s",
        "verify\nper s",
        "ratio",
        "decisions",
        "MB of\nrecords",
    ):
        table.add_column(header, justify="right", no_wrap=True)
    for speed in speeds:
        table.add_row(
            speed.board,
            str(speed.seats),
            f"{speed.engine_decisions_per_s:,.0f}",
            Text(f"{speed.verify_decisions_per_s:,.0f}", style="bold"),
            Text(f"{speed.ratio:.2f}", style="bold"),
            f"{speed.decisions:,}",
            f"{speed.bytes / 1e6:.1f}",
        )
    _out.print()
    _out.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    _out.print(table)
    _out.print(Text("Decisions a second of CPU time of one process, both on the same games."))
    _out.print()

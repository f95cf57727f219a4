"""The figures of `bench soak`: a line at each look, and a table in the end."""

from __future__ import annotations

from rich.text import Text

from referee.bench.soak import Soaked
from referee.terminal import OUT, explain, note, say
from referee.terminal.game.score_tables import plain_table


def say_where_it_stands(soaked: Soaked) -> None:
    """One line on stderr."""
    look = soaked.looks[-1]
    note(
        f"{look.seconds / 60:7.1f} min  {look.games:,} games, {soaked.faults.total():,} faults;"
        f" {look.own_mib:.1f} and {look.workers_mib:.1f} MiB, {look.descriptors} descriptors,"
        f" {look.processes} processes, {look.rest_mib:.1f} MiB on disk beside the records"
    )


def show_soak(soaked: Soaked) -> None:
    """What was played, what went wrong, and what grew."""
    table = plain_table()
    table.add_column("", no_wrap=True)
    for header in ("first", "mean", "most", "growth", "allowed"):
        table.add_column(header, justify="right", no_wrap=True)
    for one in soaked.trends():
        figures = (one.first, one.mean, one.most, one.growth, one.allowed)
        style = "" if one.is_flat else "bold red"
        table.add_row(one.name, *(f"{figure:,.1f}" for figure in figures), style=style)
    say("")
    title = f"{soaked.hours:g} hours, {soaked.workers} workers, sandbox {soaked.sandbox}"
    OUT.print(Text(title, style="bold"))
    explain(
        f"{soaked.games:,} games of {soaked.bots} bots, {soaked.bad} of them bad;"
        f" {soaked.decisions:,} decisions."
    )
    by_kind = ", ".join(f"{kind} {count:,}" for kind, count in sorted(soaked.faults.items()))
    explain(f"Faults: {by_kind or 'none'}; {soaked.innocent} of them by good bots.")
    explain(
        f"Blocks: {soaked.blocks:,}, {soaked.lost} lost, {soaked.doubled} doubled,"
        f" {soaked.void} void. Records: {soaked.games:,} read, {soaked.verified_records:,} played"
        f" again, {soaked.broken_records} missing or wrong."
    )
    lags = soaked.lags
    above = ", ".join(f"{count:,} above {bound} ms" for bound, count in lags.above_ms().items())
    explain(f"Lag: worst {lags.worst_ms:.1f} ms of {lags.count:,} ({above}).")
    explain(
        f"Left at the end: {soaked.left_running} processes, {soaked.left_open} descriptors."
        f" Store: {soaked.store_mib:.1f} MiB."
    )
    OUT.print(table)
    explain("Nothing was lost, and nothing grows." if soaked.is_clean else "It is not clean.")

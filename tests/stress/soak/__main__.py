"""`python -m stress.soak`: play one tournament for hours; a third of its bots misbehave."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import click

from referee.bots.sandbox.limits import Level
from referee.cli.lazy import examples
from referee.system import core_count
from referee.terminal import bench, note
from referee.terminal.bench import BenchTable, Column
from stress import program
from stress.soak import run
from stress.soak.leaks import Trend
from stress.soak.run import Soaked

TRENDS: Final = BenchTable[Trend](
    (
        Column("", lambda one: one.name, is_text=True),
        Column("first", lambda one: f"{one.first:,.1f}"),
        Column("mean", lambda one: f"{one.mean:,.1f}"),
        Column("most", lambda one: f"{one.most:,.1f}"),
        Column("growth", lambda one: f"{one.growth:,.1f}"),
        Column("allowed", lambda one: f"{one.allowed:,.1f}"),
    ),
    title="{hours:g} hours, {workers} workers, sandbox {sandbox}",
    has_failed=lambda one: not one.is_flat,
)


@click.command(
    cls=program.StressProgram,
    epilog=examples("python -m stress.soak --hours 0.1", "python -m stress.soak --json"),
)
@click.option(
    "--hours",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    help="How long to play.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="How many workers.  [default: one per core]"
)
@program.sandbox
@program.seed
@program.as_json
def soak(hours: float, workers: int | None, sandbox: Level | None, seed: int, as_json: bool) -> int:
    """Play one tournament for hours, in which a third of the bots misbehave, and look for leaks.

    These bots crash, cheat, write nonsense, sleep, flood, use too much memory, leave children behind,
    or end at once. No game may be lost or doubled, and every record must be complete. Memory,
    descriptors, processes, and the disk space without the records must not grow. The exit status is
    1 if any of this fails.
    """
    with tempfile.TemporaryDirectory(prefix="referee-soak-") as folder:
        found = run.soak(
            Path(folder), hours, workers or core_count(), sandbox, _show_progress, seed
        )
    bench.show(run.to_dict(found), TRENDS, found.trends(), _notes(found), as_json=as_json)
    return 0 if found.is_clean else program.FAILED


def _show_progress(soaked: Soaked) -> None:
    """Print the last measurement as one line on stderr."""
    last = soaked.measurements[-1]
    note(
        f"{last.seconds / 60:7.1f} min  {last.games:,} games, {soaked.faults.total():,} faults;"
        f" {last.own_mib:.1f} and {last.workers_mib:.1f} MiB, {last.descriptors} descriptors,"
        f" {last.processes} processes, {last.rest_mib:.1f} MiB on disk without the records"
    )


def _notes(soaked: Soaked) -> list[str]:
    by_kind = ", ".join(f"{kind} {count:,}" for kind, count in sorted(soaked.faults.items()))
    lags = soaked.lags
    above = ", ".join(f"{count:,} above {bound} ms" for bound, count in lags.above_ms().items())
    played = (
        f"{soaked.games:,} games of {soaked.bots} bots, {soaked.bad} of them bad;"
        f" {soaked.decisions:,} decisions."
    )
    faults = f"Faults: {by_kind or 'none'}; {soaked.innocent} of them by good bots."
    blocks = (
        f"Blocks: {soaked.blocks:,}, {soaked.lost} lost, {soaked.doubled} doubled,"
        f" {soaked.void} void."
    )
    records = (
        f"Records: {soaked.games:,} read, {soaked.verified_records:,} verified,"
        f" {soaked.broken_records} missing or wrong."
    )
    lag = f"Lag: worst {lags.worst_ms:.1f} ms of {lags.count:,} ({above})."
    left = (
        f"Left at the end: {soaked.left_running} processes, {soaked.left_open} descriptors."
        f" Store: {soaked.store_mib:.1f} MiB."
    )
    verdict = (
        "Nothing was lost, and nothing grows."
        if soaked.is_clean
        else "Something was lost, was left behind, or grows."
    )
    return [played, faults, blocks, records, lag, left, verdict]


if __name__ == "__main__":
    soak(prog_name="python -m stress.soak")

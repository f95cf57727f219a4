"""The figures of `bench fuzz`: a bar while it goes on, and what became of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from referee.bench.build import build_name
from referee.bench.fuzz import Fuzzed
from referee.bench.fuzz_files import FuzzedFiles
from referee.terminal import explain, say

_err = Console(stderr=True, highlight=False)


@contextmanager
def counting(count: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal; whoever counts tells it how far it is."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_err, transient=True, disable=not _err.is_terminal) as bar:
        task = bar.add_task("", total=count)
        yield lambda done: bar.update(task, completed=done)


def show_replies(found: Fuzzed, what: str) -> None:
    """How many of them ended how."""
    faults = ", ".join(f"{name} {count:,}" for name, count in sorted(found.faults.items()))
    explain(
        f"{found.replies:,} {'replies' if what == 'replies' else 'replies through pipes'} in"
        f" {found.games:,} games, seed {found.seed} ({build_name()}):"
        f" {found.legal:,} legal choices; faults: {faults}."
    )
    say(f"{found.seconds:,.0f} s, {found.replies / found.seconds:,.0f} a second.")
    explain(
        f"Memory {found.early_mib:.1f} MiB after a tenth, {found.late_mib:.1f} MiB in the end;"
        f" left: {found.left_running} processes, {found.left_open} descriptors."
    )
    _show_wrong(found.wrong)


def show_files(found: FuzzedFiles) -> None:
    """How many of each kind were read, and how many refused."""
    say(f"{found.files:,} files, seed {found.seed}, in {found.seconds:,.0f} s.")
    for kind in sorted(found.read | found.refused):
        say(f"  {kind}: {found.read[kind]:,} read, {found.refused[kind]:,} refused in a sentence")
    explain(
        f"Slowest {found.slowest_s:.2f} s. Memory {found.early_mib:.1f} MiB after a tenth,"
        f" {found.late_mib:.1f} MiB in the end; left: {found.left_open} descriptors."
    )
    _show_wrong(found.wrong)


def _show_wrong(wrong: Sequence[str]) -> None:
    for one in wrong:
        say(f"Wrong: {one}")
    if not wrong:
        say("Nothing was wrong.")

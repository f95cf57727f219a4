"""What `referee check` prints: a line for each check, and details of a failed one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from referee.check.registry import Check
from referee.check.run import Finding
from referee.check.verdict import STATUSES
from referee.terminal import OUT

_MARKS: Final = {
    "passed": ("passed", "green"),
    "failed": ("FAILED", "bold red"),
    "warning": ("warning", "yellow"),
    "skipped": ("skipped", "dim"),
}
_PARTS: Final = ("sent", "received", "stderr", "hint")
_STYLES: Final = {"hint": "bold"}


def show_finding(finding: Finding, width: int) -> None:
    """Print one finding; `width` is that of the longest name of a check."""
    verdict = finding.verdict
    word, style = _MARKS[verdict.status]
    row = _grid(width)
    row.add_row(Text(word, style=style), finding.check.name, Text(verdict.sentence))
    OUT.print(row)
    for part in _PARTS:
        detail = getattr(verdict, part)
        if detail is not None:
            OUT.print(_detail(part, detail))


def _grid(width: int) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=max(len(word) for word, _ in _MARKS.values()), no_wrap=True)
    grid.add_column(width=width, no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _detail(part: str, text: str) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=7)
    grid.add_column(width=8, style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("", part, Text(text, style=_STYLES.get(part, "")))
    return grid


def show_summary(name: str, findings: Sequence[Finding]) -> None:
    """Print how many checks passed, failed, gave a warning or were skipped."""
    statuses = [finding.verdict.status for finding in findings]
    counts = [f"{statuses.count(status)} {status}" for status in STATUSES if status in statuses]
    style = "bold red" if "failed" in statuses else "bold green"
    seconds = sum(finding.seconds for finding in findings)
    OUT.print()
    OUT.print(Text(f"{name}: {', '.join(counts)} ({seconds:.1f} s)", style=style))


def show_checks(checks: Sequence[Check]) -> None:
    """Print the name and the claim of each check."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for check in checks:
        grid.add_row(check.name, check.claim)
    OUT.print(grid)

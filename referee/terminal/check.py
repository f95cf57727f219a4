"""What `referee check` prints: a line for each check, and details of a failed one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from referee.check.registry import Check
from referee.check.run import Finding
from referee.check.verdict import STATUSES, Status
from referee.terminal import OUT
from referee.text import plural

_MARKS: Final = {
    "passed": ("passed", "green"),
    "failed": ("FAILED", "bold red"),
    "warning": ("warning", "yellow"),
    "skipped": ("skipped", "dim"),
}
_WORD: Final = max(len(word) for word, _ in _MARKS.values()) + 2  # columns
_LABEL: Final = 10  # columns
_PARTS: Final = ("sent", "received", "stderr", "hint")
_STYLES: Final = {"hint": "bold"}


def show_finding(finding: Finding, width: int) -> None:
    """Print one finding, unless it was skipped; `width` is that of the longest name of a check."""
    verdict = finding.verdict
    if verdict.status == "skipped":
        return
    sentence = verdict.sentence
    if verdict.same_as is not None:
        sentence = f"for the same reason as {verdict.same_as}"
    _print_beside(
        Text.assemble(_mark(verdict.status), finding.check.name.ljust(width + 2)), Text(sentence)
    )
    for part in _PARTS:
        detail = getattr(verdict, part)
        if detail is not None:
            label = Text.assemble(" " * _WORD, (part.ljust(_LABEL), "dim"))
            _print_beside(label, Text(detail, style=_STYLES.get(part, "")))


def _mark(status: str) -> Text:
    word, style = _MARKS[status]
    return Text.assemble((word, style), " " * (_WORD - len(word)))


def _print_beside(label: Text, text: Text) -> None:
    """Print a text beside its label; it is folded on a terminal only, so that JSON can be copied."""
    width = max(OUT.width - label.cell_len, 20)
    for line in text.split("\n"):
        for part in line.wrap(OUT, width, overflow="fold") if OUT.is_terminal else [line]:
            part.rstrip()
            OUT.print(label.append_text(part), soft_wrap=True)
            label = Text(" " * (OUT.width - width))


def show_summary(name: str, findings: Sequence[Finding]) -> None:
    """Print which checks were skipped, and how many passed, failed or gave a warning."""
    skipped: dict[str, list[str]] = {}
    for finding in findings:
        if finding.verdict.status == "skipped":
            skipped.setdefault(finding.verdict.sentence, []).append(finding.check.name)
    for reason, names in skipped.items():
        _print_beside(_mark("skipped"), Text(f"{', '.join(names)}: {reason}", style="dim"))
    statuses = [finding.verdict.status for finding in findings]
    counts = [_count(status, findings) for status in STATUSES if status in statuses]
    style = "bold red" if "failed" in statuses else "bold green"
    seconds = sum(finding.seconds for finding in findings)
    OUT.print()
    OUT.print(Text(f"{name}: {', '.join(counts)} ({seconds:.1f} s)", style=style), soft_wrap=True)


def _count(status: Status, findings: Sequence[Finding]) -> str:
    verdicts = [finding.verdict for finding in findings if finding.verdict.status == status]
    reasons = sum(verdict.same_as is None for verdict in verdicts)
    same = f" for {plural(reasons, 'reason')}" if reasons < len(verdicts) else ""
    return f"{len(verdicts)} {status}{same}"


def show_checks(checks: Sequence[Check]) -> None:
    """Print the name and the claim of each check."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for check in checks:
        grid.add_row(check.name, check.claim)
    OUT.print(grid)

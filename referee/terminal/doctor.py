"""What `referee doctor` prints: a line for each part of the machine, and advice."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from referee.doctor import MachineFinding, TerminalFacts, is_ready
from referee.terminal import OUT


def terminal_findings() -> TerminalFacts:
    """Return size and abilities of the terminal on stdout."""
    size = OUT.size
    return TerminalFacts(
        is_terminal=OUT.is_terminal and not OUT.is_dumb_terminal,
        colours=OUT.color_system,
        columns=size.width,
        rows=size.height,
        unicode=OUT.encoding.startswith("utf"),
    )


def show_findings(findings: list[MachineFinding]) -> None:
    """Print all findings, then whether anything that the referee needs is missing."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for finding in findings:
        grid.add_row(_mark(finding), finding.part, Text(finding.found))
        if finding.advice:
            grid.add_row("", "", Text(finding.advice, style="dim" if finding.good else "bold"))
    OUT.print(grid)
    OUT.print()
    OUT.print(_verdict(findings))


def _mark(finding: MachineFinding) -> Text:
    if finding.good:
        return Text("good", style="green")
    return Text("missing", style="bold red" if finding.needed else "yellow")


def _verdict(findings: Iterable[MachineFinding]) -> Text:
    if is_ready(findings):
        return Text("Everything that the referee needs is here.", style="bold green")
    return Text("Something that the referee needs is missing.", style="bold red")

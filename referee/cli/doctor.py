"""`referee doctor`: what this machine can do, and what to do about the rest."""

from __future__ import annotations

import click

from referee import terminal
from referee.cli.lazy import examples
from referee.doctor import as_words, examine, is_ready
from referee.terminal.doctor import show_findings, terminal_findings

READY, NOT_READY = 0, 1


@click.command(epilog=examples("referee doctor", "referee doctor --json"))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(as_json: bool) -> int:
    """Say what this machine can do.

    Python and packages, the build in use, the sandbox, cores and memory, the terminal, the tools
    that bots in other languages need, and extras. Each is good, or missing with what to do about it.

    The exit status is 0, or 1 if something is missing that is needed.
    """
    findings = examine(terminal_findings())
    if as_json:
        terminal.show_json(as_words(findings))
    else:
        show_findings(findings)
    return READY if is_ready(findings) else NOT_READY

"""`referee doctor`: check what this machine has, and say how to get what is missing."""

from __future__ import annotations

import click

from referee import terminal
from referee.cli.lazy import examples
from referee.doctor import examine, is_ready, to_dict
from referee.terminal.doctor import show_findings, terminal_findings

READY, NOT_READY = 0, 1


@click.command(epilog=examples("referee doctor", "referee doctor --json"))
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON object.")
def doctor(as_json: bool) -> int:
    """Check what this machine can do and what is missing.

    Checks Python and its packages, the engine's build, the sandbox, cores and memory, the terminal,
    the tools that bots in other languages need, and the optional packages. Says how to get what is
    missing.

    The exit status is 0 when nothing that the referee needs is missing, else 1.
    """
    findings = examine(terminal_findings())
    if as_json:
        terminal.show_json(to_dict(findings))
    else:
        show_findings(findings)
    return READY if is_ready(findings) else NOT_READY

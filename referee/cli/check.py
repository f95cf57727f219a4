"""`referee check`: a bot is tried, check by check."""

from __future__ import annotations

import click

from referee import terminal
from referee.adjudication.clock import ClockRules
from referee.bots.build import build_bot
from referee.bots.find import find_bot
from referee.bots.reaper import REAPER
from referee.bots.sandbox.levels import put_inside
from referee.bots.sandbox.limits import parse_grants
from referee.check.registry import CHECKS, NAMES
from referee.check.run import is_clean, report, run, trial
from referee.cli import completion
from referee.cli.lazy import examples
from referee.cli.options import SandboxGiven, sandbox_options
from referee.terminal.check import show_checks, show_finding, show_summary

CHECK_FAILED = 1
_USUAL = ClockRules()


@click.command(
    epilog=examples(
        "referee check random",
        "referee check ./my-bot",
        'referee check "python my_bot.py --codes" --json',
        "referee check ./my-bot --only pieces --only quit",
        "referee check --list",
    )
)
@click.argument("bot", required=False, metavar="BOT", shell_complete=completion.bots)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--only",
    type=click.Choice(NAMES),
    multiple=True,
    metavar="NAME",
    help="Run only this check; may be given again.",
)
@click.option("--list", "list_them", is_flag=True, help="List the checks, and run none.")
@click.option(
    "--start-ms",
    type=click.IntRange(min=1),
    default=_USUAL.start_ms,
    show_default=True,
    metavar="N",
    help="The time from start to hello, and from start to ready.",
)
@click.option(
    "--move-ms",
    type=click.IntRange(min=1),
    default=_USUAL.move_ms,
    show_default=True,
    metavar="N",
    help="The time for one answer.",
)
@sandbox_options
@click.pass_context
def check(
    context: click.Context,
    bot: str | None,
    as_json: bool,
    only: tuple[str, ...],
    list_them: bool,
    start_ms: int,
    move_ms: int,
    inside: SandboxGiven,
) -> None:
    """Check whether BOT keeps to the protocol.

    BOT is a folder with bot.toml, the name of a bundled bot, or a command line in quotes. Each check
    is passed, failed or a warning; a failed one shows what was sent, what came back and how to mend
    it. The exit status is 0 when none has failed, else 1.
    """
    if list_them:
        _list(as_json)
        return
    if bot is None:
        raise click.UsageError("a BOT is needed, or --list")
    found = find_bot(bot)
    clock = ClockRules(start_ms=start_ms, move_ms=move_ms)
    chosen = [one for one in CHECKS if not only or one.name in only]
    grants = parse_grants(inside.limit)
    sandboxed = put_inside([found], inside.sandbox, grants=grants)
    (found,) = sandboxed.bots
    with trial(found, clock) as subject:
        if not as_json:
            terminal.aside(sandboxed.description)
        build_bot(found, terminal.note)
        REAPER.take_charge()
        findings = []
        width = max(len(one.name) for one in chosen)
        for finding in run(subject, terminal.progress(chosen, lambda one: one.name)):
            findings.append(finding)
            if not as_json:
                show_finding(finding, width)
        words = report(subject, findings)
    if as_json:
        terminal.show_json({**words, "sandbox": sandboxed.description})
    else:
        show_summary(found.name, findings)
    if not is_clean(findings):
        context.exit(CHECK_FAILED)


def _list(as_json: bool) -> None:
    if as_json:
        listed = [{"name": one.name, "claim": one.claim} for one in CHECKS]
        terminal.show_json({"checks": listed})
    else:
        show_checks(CHECKS)

"""`referee check`: test whether a bot follows the protocol."""

from __future__ import annotations

from dataclasses import replace

import click

from referee import terminal
from referee.adjudication.clock import ClockRules
from referee.bots.build import build_bot
from referee.bots.find import find_bot
from referee.bots.reaper import REAPER
from referee.check.registry import CHECKS, NAMES
from referee.check.run import is_clean, report, run, trial
from referee.cli import completion
from referee.cli.lazy import examples
from referee.cli.options import SandboxGiven, sandbox_options
from referee.terminal.check import show_checks, show_finding, show_summary

CHECK_FAILED = 1
_DEFAULT_CLOCK = ClockRules()
_STRICTER = (
    "A tournament is stricter where it can be: in the strict sandbox a bot has no network, and no"
    " files but its own."
)

_IN_STRICT = (
    "The bot ran in the strict sandbox, as in a tournament: it sees no files but its own."
    " --sandbox limits shows whether that is the reason."
)


@click.command(
    epilog=examples(
        "referee check random",
        "referee check ./my-bot",
        'referee check "python my_bot.py --codes" --json',
        "referee check ./my-bot --first",
        "referee check ./my-bot --only pieces --only quit",
        "referee check --list",
    )
)
@click.argument("bot", required=False, metavar="BOT", shell_complete=completion.bots)
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON object.")
@click.option(
    "--only",
    type=click.Choice(NAMES),
    multiple=True,
    metavar="NAME",
    help="Run only this check; may be repeated.",
)
@click.option("--first", is_flag=True, help="Stop at the first check that fails.")
@click.option("--list", "only_list", is_flag=True, help="List all checks and exit.")
@click.option(
    "--start-ms",
    type=click.IntRange(min=1),
    default=_DEFAULT_CLOCK.start_ms,
    show_default=True,
    metavar="N",
    help="Milliseconds the bot has to start, and then to get ready for each game.",
)
@click.option(
    "--move-ms",
    type=click.IntRange(min=1),
    default=_DEFAULT_CLOCK.move_ms,
    show_default=True,
    metavar="N",
    help="Milliseconds the bot has for one answer.",
)
@sandbox_options
@click.pass_context
def check(
    context: click.Context,
    bot: str | None,
    as_json: bool,
    only: tuple[str, ...],
    first: bool,
    only_list: bool,
    start_ms: int,
    move_ms: int,
    isolation: SandboxGiven,
) -> None:
    """Check whether BOT follows the protocol.

    BOT is a folder with bot.toml, the name of a bundled bot (such as random), or a command in
    quotes. A failed check shows what was sent, what came back and how to fix it. The bot runs in the
    sandbox that a tournament uses, if that works here.

    The exit status is 0 when no check failed, 1 when one failed, and 2 when BOT cannot be checked.
    """
    if only_list:
        _list(as_json)
        return
    if bot is None:
        raise click.UsageError("a BOT or --list is missing")
    found = find_bot(bot)
    clock = ClockRules(start_ms=start_ms, move_ms=move_ms)
    chosen = [check for check in CHECKS if not only or check.name in only]
    sandboxed = isolation.put([found], default="strict")
    (found,) = sandboxed.bots
    with trial(found, clock) as subject:
        if not as_json:
            terminal.aside(sandboxed.description)
        REAPER.take_charge()
        # The build of your own bot is trusted, unless you ask for a sandbox.
        build_bot(found if isolation.sandbox else replace(found, level="limits"), terminal.note)
        findings = []
        width = max(len(check.name) for check in chosen)
        for finding in run(subject, terminal.progress(chosen, lambda check: check.name)):
            findings.append(finding)
            if not as_json:
                show_finding(finding, width)
            if first and finding.verdict.status == "failed":
                break
        words = report(subject, findings)
    if as_json:
        terminal.show_json({**words, "sandbox": sandboxed.description})
    else:
        show_summary(found.name, findings)
        if sandboxed.level != "strict":
            terminal.explain(_STRICTER)
        elif findings[0].verdict.figures.get("fault") == "crash":
            terminal.explain(_IN_STRICT)
    if not is_clean(findings):
        context.exit(CHECK_FAILED)


def _list(as_json: bool) -> None:
    if as_json:
        listed = [{"name": check.name, "claim": check.claim} for check in CHECKS]
        terminal.show_json({"checks": listed})
    else:
        show_checks(CHECKS)

"""`referee compare`: find out whether the new version of a bot is better than the old one."""

from __future__ import annotations

from typing import Any, Final

import click
from click.core import ParameterSource

from referee import terminal
from referee.bots.reaper import REAPER
from referee.cli import completion
from referee.cli.help_sections import SectionedCommand
from referee.cli.lazy import examples
from referee.cli.options import (
    ClockGiven,
    FaultsGiven,
    SandboxGiven,
    clock_options,
    fault_options,
    rules_options,
    sandbox_options,
)
from referee.cli.tournament_options import Given, comparison_options
from referee.cli.tournament_run import TournamentRun, show_result
from referee.options import GivenOptions
from referee.tournament.compare import Comparison, find_comparison
from referee.tournament.secret import given_secret
from referee.tournament.summary import Summary

BETTER, NOT_BETTER, UNDECIDED, STOPPED = 0, 1, 3, 130
_STATUSES: Final = {"pass": BETTER, "fail": NOT_BETTER, None: UNDECIDED}


@click.command(
    cls=SectionedCommand,
    epilog=examples(
        "referee compare my-bot/ ../my-bot-1.0/",
        "referee compare my-bot/ my-bot@v1.2",
        "referee compare my-bot/ my-bot@HEAD --games 400 --quiet",
        "referee compare my-bot/ greedy --seats 3 --board east --sprt 0 100",
        "referee compare my-bot/ my-bot@main --sprt -30 0 --hours 1",
        "referee compare 'my-bot --set depth=4' my-bot",
    ),
)
@click.argument("new", metavar="NEW", shell_complete=completion.bots)
@click.argument("old", metavar="OLD", shell_complete=completion.bots)
@rules_options
@clock_options
@fault_options
@sandbox_options
@comparison_options
@click.pass_context
def compare(
    context: click.Context,
    /,
    new: str,
    old: str,
    rules: GivenOptions,
    clock: ClockGiven,
    fault_rules: FaultsGiven,
    isolation: SandboxGiven,
    **options: Any,
) -> int:
    """Find out whether the bot NEW is better than the bot OLD.

    NEW and OLD are bots as in `referee tournament`, or git revisions of a bot's folder: my-bot@v1.2 is
    the folder my-bot in revision v1.2. It is exported to the folder of the results and built there.

    Both bots get the same number of seats, and the seats favour neither. A sequential test stops the
    games as soon as it is clear whether NEW is closer to 0 or to 50 Elo above OLD. The same command
    again continues a comparison that was stopped.

    The exit status is 0 if NEW is better, 1 if it is not, 2 if they could not be compared, 3 if --games
    or --hours ended the games before a verdict or a bot was disqualified, and 130 if you stopped it.
    """
    given = Given(**options)
    given.check()
    ponder_given = context.get_parameter_source("ponder") is ParameterSource.COMMANDLINE
    request = given.request((), rules, clock, fault_rules, isolation, ponder_given=ponder_given)
    comparison = find_comparison(new, old, request, given.out)
    earlier = comparison.result()
    if earlier is not None:
        show_result(given, *earlier)
        return _status(earlier[1])
    summary = _play(comparison, given)
    if summary.closing is None:
        terminal.note(_advice(summary, given))
    return STOPPED if summary.ending == "stopped" else _status(summary)


def _play(comparison: Comparison, given: Given) -> Summary:
    secret = given_secret(given.secret_file)
    REAPER.take_charge()
    opened = comparison.open(secret, terminal.note)
    with opened.store:
        return TournamentRun(opened, given, is_comparison=True).play()


def _status(summary: Summary) -> int:
    return _STATUSES[None if summary.verdict is None else summary.verdict.decision]


def _advice(summary: Summary, given: Given) -> str:
    """Return how to go on after a comparison without a verdict."""
    if summary.ending == "too-few-bots":
        return "The comparison cannot go on: see the faults, and compare again when they are fixed."
    advice = "The same command again continues the comparison"
    if summary.ending == "budget" and given.games is not None:
        return f"{advice}; if its --games are used up, give a larger number."
    return f"{advice}."

"""`referee faults`: show what bots did wrong in a tournament."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Final

import click

from referee.cli.lazy import examples
from referee.cli.tournament_options import folder_argument
from referee.errors import TournamentRefused
from referee.terminal import guarded, show_json
from referee.terminal.tournament.faults import show_faults
from referee.text import no_such_bot
from referee.tournament.faults import FaultCase, count_faults, fault_cases
from referee.tournament.store.store import Store

FIRST: Final = 20


@click.command(
    epilog=examples(
        "referee faults tournament-1",
        "referee faults tournament-1 --bot my-bot --all",
        "referee faults tournament-1 --json",
    )
)
@folder_argument
@click.option("--bot", metavar="NAME", help="Show only the faults of this bot.")
@click.option(
    "--all", "show_all", is_flag=True, help=f"Show all faults, not only the first {FIRST}."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print all faults as JSON objects, one per line."
)
def faults(folder: Path, bot: str | None, show_all: bool, as_json: bool) -> None:
    """Show the faults of the tournament in DIR, each with a command to replay it."""
    with Store.read(folder) as store:
        _check_bot(store, bot)
        found = [fault for fault in store.faults() if bot in (None, fault.bot)]
    if as_json:
        guarded(_print)(fault_cases(folder, found))
        return
    shown = len(found) if show_all else FIRST
    guarded(show_faults)(
        count_faults(found), fault_cases(folder, islice(found, shown)), max(len(found) - shown, 0)
    )


def _check_bot(store: Store, bot: str | None) -> None:
    names = [known.name for known in store.bots()]
    if bot is not None and bot not in names:
        raise TournamentRefused(f"--bot: {no_such_bot(bot, names)}")


def _print(found: Iterable[FaultCase]) -> None:
    for case in found:
        show_json(case.to_dict())

"""`referee tournament`: play many games and rate the bots."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from click.core import ParameterSource

from referee import terminal
from referee.bots.find import bundled_names
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
from referee.cli.tournament_options import MANY_GAMES, Given, tournament_options
from referee.cli.tournament_run import TournamentRun
from referee.errors import TournamentRefused
from referee.options import GivenOptions
from referee.terminal import guarded
from referee.terminal.tournament.run import (
    show_closing,
    show_closing_as_json,
    show_plan,
    show_plan_as_json,
)
from referee.text import plural
from referee.tournament.coordinator import Budget
from referee.tournament.field import find_bot_on_disk, removed_bots
from referee.tournament.forecast import make_forecast, play_trial
from referee.tournament.opening import (
    PlannedRun,
    open_tournament,
    plan_tournament,
)
from referee.tournament.request import TournamentRequest, merge, read_request
from referee.tournament.secret import close_tournament, given_secret
from referee.tournament.store.store import Store, StoreRefused, exists
from referee.tournament.summary import RunOverview, Summary
from referee.tournament.sweep import with_variants

DONE, AT_FAULT, REFUSED, STOPPED = 0, 1, 2, 130

# Takes about a minute on two cores. Clocks count CPU time, so a busy machine causes no faults.
_HOUSE_BOTS: Final = ("greedy", "merchant", "navigator", "random")
_QUICK: Final = TournamentRequest(blocks=4, bank_ms=3000, increment_ms=20, clock="cpu")


@click.command(
    cls=SectionedCommand,
    epilog=examples(
        "referee tournament",
        "referee tournament my-bot/ greedy merchant random --blocks-per-bot 20",
        "referee tournament --resume tournament-1 --blocks-per-bot 40 --hours 2",
        "referee tournament --resume tournament-1 --replace ada=new/ --retire bob",
        "referee tournament new=my-bot/ old=../old/ greedy merchant --format gauntlet",
        "referee tournament my-bot/ greedy merchant --sprt 0 30",
        "referee tournament greedy random --sweep 'merchant --set post=0.5,2'",
        "referee tournament --config league.toml --out league --dry-run --trial",
        "referee tournament my-bot/ greedy merchant --seed 7 --secret-file secret.txt",
        "referee tournament --close tournament-1",
    ),
)
@click.argument("bots", nargs=-1, metavar="[BOT]...", shell_complete=completion.bots)
@rules_options
@clock_options
@fault_options
@sandbox_options
@tournament_options
@click.pass_context
def tournament(
    context: click.Context,
    /,
    bots: tuple[str, ...],
    rules: GivenOptions,
    clock: ClockGiven,
    fault_rules: FaultsGiven,
    isolation: SandboxGiven,
    **options: Any,
) -> int:
    """Play many games between bots and rate the bots.

    A BOT is a folder with bot.toml, the name of a bundled bot (such as random), or a command in
    quotes; NAME=BOT gives it a name, and 'BOT --set PARAMETER=VALUE' another value of a parameter
    that its bot.toml declares. Without any BOT, the bundled bots play a short demonstration.

    A block is a set of games with the same bots and seed, one for each rotation of the seats.
    Finished blocks are always kept; --resume continues after them.

    The exit status is 0 when the run is finished, 1 when a bot committed a fault (only with
    --fail-on-fault) or so many bots are disqualified that no game is possible, 2 when it could not be
    played, and 130 when it was stopped.
    """
    given = Given(**options)
    given.check()
    if given.close is not None:
        _check_closing(context)
        return _close(given.close, as_json=given.as_json)
    ponder_given = context.get_parameter_source("ponder") is ParameterSource.COMMANDLINE
    request = given.request(bots, rules, clock, fault_rules, isolation, ponder_given=ponder_given)
    listed = None
    if given.config is not None:
        file = read_request(given.config)
        request = merge(request, file)
        listed = _listed(request, file)
    folder, secret = _folder(given), given_secret(given.secret_file)
    is_demonstration = not (request.bots or request.sweep or given.config or exists(folder))
    if is_demonstration:
        request = merge(request, _demonstration())
    if given.dry_run:
        planned = plan_tournament(folder, request, changes=given.changes())
        _note_removed(planned, listed)
        return _show_plan(folder, planned, given)

    def confirm(planned: PlannedRun) -> None:
        _note_removed(planned, listed)
        _confirm(folder, planned, given)

    REAPER.take_charge()
    opened = open_tournament(
        folder,
        request,
        secret=secret,
        changes=given.changes(),
        report=terminal.note,
        confirm=confirm,
    )
    with opened.store:
        run = TournamentRun(opened, given, is_demonstration=is_demonstration)
        return _status(run.play(), given)


def _listed(request: TournamentRequest, file: TournamentRequest) -> Sequence[str] | None:
    """Return the bots that the file lists, with those of the sweeps of the request."""
    if file.bots is None and file.sweep is None:
        return None
    return with_variants(msgspec.structs.replace(request, bots=file.bots), find_bot_on_disk).bots


def _status(summary: Summary, given: Given) -> int:
    if summary.ending == "stopped":
        return STOPPED
    if summary.ending == "too-few-bots":
        return AT_FAULT
    return AT_FAULT if given.fail_on_fault and summary.faults else DONE


def _check_closing(context: click.Context) -> None:
    """Raise UsageError for anything that --close does not need."""
    given = [
        name
        for name, value in context.params.items()
        if value and context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]
    if not set(given) <= {"close", "as_json"}:
        raise click.UsageError("--close ends a tournament: use it alone or with --json")


def _close(folder: Path, *, as_json: bool) -> int:
    with Store.resume(folder) as store:
        closing, seeds = close_tournament(store), store.seeds()
    guarded(show_closing_as_json if as_json else show_closing)(folder, closing, seeds)
    return DONE


def _folder(given: Given) -> Path:
    """Return the folder of the tournament: the given one, else the first unused tournament-N."""
    if given.resume is not None:
        if not exists(given.resume):
            raise StoreRefused(f"there is no tournament in {given.resume} to continue")
        return given.resume
    if given.out is not None:
        return given.out
    names = (f"tournament-{number}" for number in count(1))
    return Path(next(name for name in names if not os.path.lexists(name)))


def _demonstration() -> TournamentRequest:
    there = bundled_names()
    bots = tuple(name for name in _HOUSE_BOTS if name in there)
    return merge(TournamentRequest(bots=bots), _QUICK)


def _note_removed(planned: PlannedRun, listed: Sequence[str] | None) -> None:
    """Report the bots that still play, but are not in the configuration file any more."""
    for name in [] if listed is None else removed_bots(planned.playing, listed):
        terminal.note(
            f"bot {name} is not in the configuration file any more, but still plays; to retire it:"
            f" --retire {name}"
        )


def _confirm(folder: Path, planned: PlannedRun, given: Given) -> None:
    """Ask before a very long run; TournamentRefused if nobody can be asked."""
    games = _many_games(folder, planned, given)
    if not games:
        return
    if not _can_ask():
        raise TournamentRefused(_needs_yes(games))
    if not click.confirm(f"This run plays {plural(games, 'game')}. Play them all?", err=True):
        raise TournamentRefused("the games were not confirmed, so none was played")


def _can_ask() -> bool:
    return sys.stdin.isatty()


def _needs_yes(games: int) -> str:
    return (
        f"this run plays {plural(games, 'game')}: confirm it with --yes, or play fewer with"
        " --blocks-per-bot, --games or --hours"
    )


def _many_games(folder: Path, planned: PlannedRun, given: Given) -> int:
    """Return the remaining games if they are so many that they must be confirmed, else 0."""
    outline = Budget(planned.request.games).outline(planned.outline)
    if given.yes or outline.stages != 1 or (outline.games or 0) <= MANY_GAMES:
        return 0
    with _stored(folder) as store:
        remaining = (outline.games or 0) - (0 if store is None else store.count("games"))
    return remaining if remaining > MANY_GAMES else 0


@contextmanager
def _stored(folder: Path) -> Iterator[Store | None]:
    """Open the store of an earlier run for reading, if there is one."""
    if not exists(folder):
        yield None
        return
    with Store.read(folder) as store:
        yield store


def _show_plan(folder: Path, planned: PlannedRun, given: Given) -> int:
    """Print what a run would play, and why it would be refused."""
    with _stored(folder) as store:
        forecast = make_forecast(planned, store)
        before = [0 if store is None else store.count(what) for what in ("blocks", "games")]
    if given.trial:
        REAPER.take_charge()
        play_trial(planned, forecast, terminal.note)
    many = _many_games(folder, planned, given)
    if many:
        planned = replace(planned, refusals=[*planned.refusals, _needs_yes(many)])
    show = show_plan_as_json if given.as_json else show_plan
    overview = RunOverview(folder, planned, "", blocks_before=before[0], games_before=before[1])
    guarded(show)(overview, forecast)
    return REFUSED if planned.refusals else DONE

"""`referee tournament`: play many games and rate the bots."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import click
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
from referee.errors import RefereeError, TournamentRefused
from referee.options import GivenOptions
from referee.terminal import guarded
from referee.terminal.tournament.run import (
    JsonRunDisplay,
    LiveRunDisplay,
    PlainRunDisplay,
    QuietRunDisplay,
    RunDisplay,
    is_live,
    show_closing,
    show_closing_as_json,
    show_plan,
    show_plan_as_json,
)
from referee.text import plural, shell_word
from referee.tournament.coordinator import Budget, RunListener
from referee.tournament.field import removed_bots
from referee.tournament.forecast import make_forecast, play_trial
from referee.tournament.live_ratings import LiveRatings, RatingOptions
from referee.tournament.opening import (
    OpenTournament,
    PlannedRun,
    changed_bots,
    open_tournament,
    plan_tournament,
)
from referee.tournament.request import TournamentRequest, merge, read_request
from referee.tournament.run import RunResult, run_tournament
from referee.tournament.secret import close_tournament, closing_of, given_secret
from referee.tournament.store.store import Store, StoreRefused, exists
from referee.tournament.summary import RunOverview, Summary

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
        "referee tournament my-bot/ greedy merchant --format gauntlet --sprt 0 30",
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
    quotes; NAME=BOT gives it a name. Without any BOT, the bundled bots play a short demonstration.

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
        request, listed = merge(request, file), file.bots
    folder, secret = _folder(given), given_secret(given.secret_file)
    is_demonstration = not (request.bots or given.config or exists(folder))
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
        return _Run(opened, given, is_demonstration=is_demonstration).play()


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


class _Run:
    """One run of an open tournament, shown in the terminal."""

    def __init__(self, opened: OpenTournament, given: Given, *, is_demonstration: bool) -> None:
        self._opened = opened
        self._given = given
        self._is_demonstration = is_demonstration
        request = opened.planned.request
        options = RatingOptions(request.points, request.anchor)
        self._ratings = LiveRatings(opened.store, opened.names, options)
        self._display = _make_display(given, self._ratings)
        self._overview: RunOverview

    def play(self) -> int:
        """Play the blocks, show the result, and return the exit status."""
        began = time.monotonic()
        finished = self._run()
        summary = self._summary(finished, time.monotonic() - began)
        guarded(self._display.ended)(self._overview, summary)
        self._note_changes()
        if summary.ending == "stopped":
            return STOPPED
        if summary.ending == "too-few-bots":
            return AT_FAULT
        return AT_FAULT if self._given.fail_on_fault and summary.faults else DONE

    def _run(self) -> RunResult:
        display, given = self._display, self._given
        listener = RunListener(
            guarded(display.progressed),
            lambda _, played: guarded(display.finished)(played),
            guarded(display.lost),
            guarded(display.disqualified),
        )
        try:
            return run_tournament(
                self._opened,
                listener,
                cluster=given.cluster,
                records=self._opened.planned.request.records is not False,
                started=self._started,
            )
        except RefereeError:
            display.closed()
            folder = shell_word(self._opened.store.folder)
            terminal.note(f"To continue it: referee tournament --resume {folder}")
            raise
        finally:
            display.closed()

    def _started(self, overview: RunOverview) -> None:
        self._overview = replace(overview, is_demonstration=self._is_demonstration)
        guarded(self._display.opened)(self._overview)

    def _summary(self, finished: RunResult, seconds: float) -> Summary:
        store = self._opened.store
        return Summary(
            finished.ending,
            self._ratings.final(),
            store.count("blocks"),
            store.count("games"),
            store.count("faults"),
            store.count("games") - self._overview.games_before,
            seconds,
            {bot.name: bot.out for bot in store.bots() if bot.out is not None},
            finished.test,
            closing_of(store),
            finished.lack,
        )

    def _note_changes(self) -> None:
        """Warn about bots whose files changed during the run: their games may mix two versions."""
        folder = shell_word(self._opened.store.folder)
        for name in changed_bots(self._opened):
            terminal.note(
                f"The files of bot {name} changed during the run, so some games may have used the old"
                " version and some the new one. To play its blocks again:"
                f" referee tournament --resume {folder} --replay-changed"
            )


def _make_display(given: Given, ratings: LiveRatings) -> RunDisplay:
    if given.as_json:
        return JsonRunDisplay()
    if given.quiet:
        return QuietRunDisplay()
    if is_live():
        return LiveRunDisplay(ratings)
    return PlainRunDisplay(ratings)

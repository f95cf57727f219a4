"""`referee tournament`: play many games and rate the bots."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from itertools import count, islice
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
from referee.cli.tournament_options import Given, tournament_options
from referee.errors import RefereeError
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
from referee.text import shell_word
from referee.tournament.coordinator import RunListener
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

DONE, AT_FAULT, STOPPED = 0, 1, 130
FIRST_OF_ENDLESS: Final = 1000  # blocks that --dry-run --json prints of a plan without an end

# Takes about a minute on two cores. Clocks count CPU time, so a busy machine causes no faults.
_HOUSE_BOTS: Final = ("greedy", "merchant", "navigator", "random")
_QUICK: Final = TournamentRequest(blocks=4, bank_ms=3000, increment_ms=20, clock="cpu")


@click.command(
    cls=SectionedCommand,
    epilog=examples(
        "referee tournament",
        "referee tournament my-bot/ greedy merchant random --blocks 20",
        "referee tournament --resume tournament-1 --blocks 40",
        "referee tournament new=my-bot/ old=../old/ greedy merchant --format gauntlet",
        "referee tournament my-bot/ greedy merchant --format gauntlet --sprt 0 30",
        "referee tournament --config league.toml --out league --dry-run",
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

    The exit status is 0 when the tournament is finished, 1 when a bot committed a fault (only with
    --fail-on-fault), 2 when it could not be played, and 130 when it was stopped.
    """
    given = Given(**options)
    given.check()
    if given.close is not None:
        _check_closing(context)
        return _close(given.close, as_json=given.as_json)
    ponder_given = context.get_parameter_source("ponder") is ParameterSource.COMMANDLINE
    request = given.request(bots, rules, clock, fault_rules, isolation, ponder_given=ponder_given)
    if given.config is not None:
        request = merge(request, read_request(given.config))
    folder, secret = _folder(given), given_secret(given.secret_file)
    is_demonstration = not (request.bots or given.config or exists(folder))
    if is_demonstration:
        request = merge(request, _demonstration())
    if given.dry_run:
        return _show_plan(folder, plan_tournament(folder, request, anchor=given.anchor), given)
    REAPER.take_charge()
    opened = open_tournament(
        folder,
        request,
        anchor=given.anchor,
        secret=secret,
        replay_changed=given.replay_changed,
        report=terminal.note,
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


def _show_plan(folder: Path, planned: PlannedRun, given: Given) -> int:
    """Print what would be played; the stages after the first may depend on its results."""
    stage = planned.plan.stage(0, (), frozenset()) or ()
    blocks = islice(stage, FIRST_OF_ENDLESS if planned.outline.blocks is None else None)
    blocks_before = games_before = 0
    if exists(folder):
        with Store.read(folder) as store:
            blocks_before, games_before = store.count("blocks"), store.count("games")
    overview = RunOverview(
        folder, planned, "", blocks_before=blocks_before, games_before=games_before
    )
    guarded(show_plan_as_json if given.as_json else show_plan)(overview, blocks)
    return DONE


class _Run:
    """One run of an open tournament, shown in the terminal."""

    def __init__(self, opened: OpenTournament, given: Given, *, is_demonstration: bool) -> None:
        self._opened = opened
        self._given = given
        self._is_demonstration = is_demonstration
        options = RatingOptions(given.points, given.anchor)
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
                records=not given.no_records,
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

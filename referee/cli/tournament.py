"""`referee tournament`: many games, rated."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from referee import terminal
from referee.bots.find import bundled_names
from referee.bots.reaper import REAPER
from referee.bots.sandbox.levels import put_inside, settle
from referee.cli import completion
from referee.cli.help_sections import SectionedCommand
from referee.cli.lazy import examples
from referee.cli.options import (
    ClockGiven,
    ConductGiven,
    RulesGiven,
    SandboxGiven,
    clock_options,
    conduct_options,
    rules_options,
    sandbox_options,
)
from referee.cli.tournament_options import Given, tournament_options
from referee.errors import RefereeError
from referee.system import core_count
from referee.terminal.game.play import guarded
from referee.terminal.tournament.lines import command_word
from referee.terminal.tournament.run import (
    JsonShow,
    LiveShow,
    PlainShow,
    QuietShow,
    Show,
    is_live,
    print_plan,
    show_plan,
)
from referee.tournament.coordinator import Watch
from referee.tournament.definition import TournamentRefused
from referee.tournament.live_ratings import Manner, Standings
from referee.tournament.opening import Entered, changed_meanwhile, enter
from referee.tournament.prospect import Prospect, prospect
from referee.tournament.ratings import RatingsRefused
from referee.tournament.request import Wishes, merge, read_wishes
from referee.tournament.run import Finished, run
from referee.tournament.store.store import Store, StoreRefused, exists
from referee.tournament.summary import Scene, Summary, many
from referee.tournament.workers.pool import Crew, Pool

DONE, AT_FAULT, STOPPED = 0, 1, 130
FIRST_OF_ENDLESS: Final = 1000  # blocks of a plan without an end that --dry-run --json prints

# About a minute on two cores. CPU time is charged, so that a busy machine is no bot's fault.
_HOUSE_BOTS: Final = ("greedy", "merchant", "navigator", "random")
_QUICK: Final = Wishes(blocks=4, bank_ms=3000, increment_ms=20, clock="cpu")


@click.command(
    cls=SectionedCommand,
    epilog=examples(
        "referee tournament",
        "referee tournament my-bot/ greedy merchant random --blocks 20",
        "referee tournament --resume tournament-1 --blocks 40",
        "referee tournament new=my-bot/ old=../old/ greedy merchant --format gauntlet",
        "referee tournament my-bot/ greedy merchant --format gauntlet --sprt 0 30",
        "referee tournament --config league.toml --out league --dry-run",
    ),
)
@click.argument("bots", nargs=-1, metavar="[BOT]...", shell_complete=completion.bots)
@rules_options
@clock_options
@conduct_options
@sandbox_options
@tournament_options
@click.pass_context
def tournament(
    context: click.Context,
    /,
    bots: tuple[str, ...],
    rules: RulesGiven,
    clock: ClockGiven,
    conduct: ConductGiven,
    inside: SandboxGiven,
    **options: Any,
) -> int:
    """Play many games between bots and rate the bots.

    A BOT is a folder with bot.toml, the name of a bundled bot (such as random), or a command in
    quotes; NAME=BOT gives it a name. Without any BOT, the bundled bots play a short demonstration.

    Games are played in blocks: one seed and one set of bots, in all rotations of the seats.
    Finished blocks are kept whatever happens; --resume continues after them.

    The exit status is 0 when all blocks are finished, 130 when the tournament was stopped, 2 when
    it could not be played, and with --fail-on-fault 1 when a bot committed a fault.
    """
    given = Given(**options)
    given.check()
    ponder_given = context.get_parameter_source("ponder") is ParameterSource.COMMANDLINE
    wishes = given.wishes(bots, rules, clock, conduct, inside, ponder_given=ponder_given)
    if given.config is not None:
        wishes = merge(wishes, read_wishes(given.config))
    folder = _folder(given)
    is_demonstration = not (wishes.bots or given.config or exists(folder))
    if is_demonstration:
        wishes = merge(wishes, _demonstration())
    planned = prospect(folder, wishes)
    _check(given.anchor, planned)
    if given.dry_run:
        return _tell_plan(folder, planned, given)
    REAPER.take_charge()
    entered = enter(folder, planned.wishes, replay_changed=given.replay_changed, tell=terminal.note)
    with entered.store:
        return _play(entered, planned, given, is_demonstration=is_demonstration)


def _folder(given: Given) -> Path:
    """Where it is kept: the first new folder, unless one was named."""
    if given.resume is not None:
        if not exists(given.resume):
            raise StoreRefused(f"there is no tournament in {given.resume} to go on with")
        return given.resume
    if given.out is not None:
        return given.out
    names = (f"tournament-{number}" for number in count(1))
    return Path(next(name for name in names if not os.path.lexists(name)))


def _demonstration() -> Wishes:
    there = bundled_names()
    bots = tuple(name for name in _HOUSE_BOTS if name in there)
    return merge(Wishes(bots=bots), _QUICK)


def _check(anchor: str | None, planned: Prospect) -> None:
    """Refuse what would only be found out when games are played already."""
    if anchor is not None and anchor not in planned.names:
        names = ", ".join(planned.names)
        raise RatingsRefused(f"the anchor {anchor!r} is none of the bots: {names}")
    settle((), planned.wishes.sandbox, "limits")
    workers = planned.wishes.workers
    if workers is not None and workers < 1:
        raise TournamentRefused(f"a tournament needs 1 worker or more, not {workers}")


def _tell_plan(folder: Path, planned: Prospect, given: Given) -> int:
    """What would be played; the stages after the first may depend on its results."""
    stage = planned.plan.stage(0, (), frozenset()) or ()
    blocks = islice(stage, FIRST_OF_ENDLESS if planned.outline.blocks is None else None)
    guarded(print_plan if given.as_json else show_plan)(_scene(folder, planned), blocks)
    return DONE


def _scene(folder: Path, planned: Prospect) -> Scene:
    if not exists(folder):
        return Scene(folder, planned, "")
    with Store.read(folder) as store:
        return Scene(folder, planned, "", False, store.count("blocks"), store.count("games"))


def _play(entered: Entered, planned: Prospect, given: Given, *, is_demonstration: bool) -> int:
    store, began = entered.store, time.monotonic()
    standings = Standings(store, entered.names, Manner(given.points, given.anchor))
    sandbox = _put_inside(entered, planned.wishes)
    crew, workers = _crew(entered, planned, given)
    blocks, games = store.count("blocks"), store.count("games")
    scene = Scene(store.folder, planned, workers, is_demonstration, blocks, games, sandbox)
    show = _show(given, standings)
    guarded(show.opened)(scene)
    finished = _run(entered, planned, crew, show)
    summary = Summary(
        finished.ending,
        standings.final(),
        store.count("blocks"),
        store.count("games"),
        store.count("faults"),
        store.count("games") - games,
        time.monotonic() - began,
        {bot.name: bot.out for bot in store.bots() if bot.out is not None},
        finished.test,
    )
    guarded(show.ended)(scene, summary)
    _tell_changes(entered)
    return _status(summary, given)


def _tell_changes(entered: Entered) -> None:
    """A process plays what was there when it was started, and others may have been started later."""
    folder = command_word(entered.store.folder)
    for name in changed_meanwhile(entered):
        terminal.note(
            f"Bot {name} was changed while it played, and games with the old and the new one may be"
            f" mixed. To have them played again: referee tournament --resume {folder}"
            " --replay-changed"
        )


def _put_inside(entered: Entered, wishes: Wishes) -> str:
    """Every bot goes into its sandbox; what is in force, in one line."""
    grants = wishes.limits or {}
    inside = put_inside(entered.bots, wishes.sandbox, "strict", grants, [entered.store.folder])
    entered.bots, entered.must_be_strict = inside.bots, wishes.sandbox == "strict"
    return inside.told


def _run(entered: Entered, planned: Prospect, crew: Callable[[], Crew], show: Show) -> Finished:
    watch = Watch(
        guarded(show.looked),
        lambda _, played: guarded(show.finished)(played),
        guarded(show.lost),
        guarded(show.disqualified),
    )
    try:
        return run(entered, planned.programme, crew, watch)
    except KeyboardInterrupt:
        return Finished("stopped")
    except RefereeError:
        show.closed()
        folder = command_word(entered.store.folder)
        terminal.note(f"To go on with it: referee tournament --resume {folder}")
        raise
    finally:
        show.closed()


def _status(summary: Summary, given: Given) -> int:
    if summary.ending == "stopped":
        return STOPPED
    return AT_FAULT if given.fail_on_fault and summary.faults else DONE


def _crew(entered: Entered, planned: Prospect, given: Given) -> tuple[Callable[[], Crew], str]:
    """Who plays, and that in words."""
    job = entered.job(records=not given.no_records)
    if given.cluster is not None:
        from referee.tournament.workers.dask_cluster import Cluster  # noqa: PLC0415  it is an extra

        address, folder = given.cluster, entered.store.folder
        return lambda: Cluster(job, address, folder=folder), f"the cluster at {address}"
    workers = planned.wishes.workers or core_count()
    return lambda: Pool(job, workers), many(workers, "worker")


def _show(given: Given, standings: Standings) -> Show:
    if given.as_json:
        return JsonShow()
    if given.quiet:
        return QuietShow()
    if is_live():
        return LiveShow(standings)
    return PlainShow(standings)

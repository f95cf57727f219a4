"""Opening a tournament: a new one, an earlier one that continues, or a dry run that writes nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import msgspec

from referee.bots.build import build_bots
from referee.bots.find import Bot
from referee.bots.sandbox.levels import Sandboxed, choose_level, put_in_sandbox
from referee.bots.sandbox.limits import check_allowed_builds, check_granted_names
from referee.errors import TournamentRefused
from referee.random_play import draw_seed
from referee.text import plural
from referee.tournament.about import store_about
from referee.tournament.definition import (
    DEFINITION_KEY,
    Definition,
    RunOptions,
    check_rules_unchanged,
    have_same_games,
    make_plan,
    refuse_tuning,
    stored_definition,
    stored_run_options,
)
from referee.tournament.field import (
    NO_CHANGES,
    BotChanges,
    Field,
    Find,
    Finder,
    Report,
    changed_names,
    check_changes,
    continued_field,
    find_bot_on_disk,
    find_bots,
    refusals,
    stored_bots,
)
from referee.tournament.ratings import RatingsRefused
from referee.tournament.request import (
    DEFINITION_KEYS,
    TournamentRequest,
    given_format,
    make_definition,
    make_run_options,
    merge,
    request_from_options,
    with_seats_of,
)
from referee.tournament.schedule import Outline, Plan, describe
from referee.tournament.secret import (
    EARLIER_SEEDS,
    SECRET_KEY,
    check_same_secret,
    draw_secret,
    refuse_closed,
    stored_secret,
)
from referee.tournament.store.database import check_free
from referee.tournament.store.store import RECORDS, STDERR, Store, StoredBot, exists
from referee.tournament.sweep import with_variants
from referee.tournament.workers.messages import BotJob, Job


@dataclass(frozen=True)
class PlannedRun:
    """What a run will play, and with which bots."""

    request: TournamentRequest  # with the options of the last run where none were given
    definition: Definition
    options: RunOptions
    names: list[str]  # of all bots, in the order in which they were entered
    plan: Plan
    outline: Outline
    playing: list[StoredBot] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)  # bots that play no more
    refusals: list[str] = field(default_factory=list)  # of a dry run: why the run would be refused


Confirm: TypeAlias = Callable[[PlannedRun], None]


@dataclass(frozen=True)
class OpenTournament:
    """A tournament that is ready to run: its store is open for writing, its bots are built."""

    store: Store
    bots: Sequence[Bot]
    planned: PlannedRun
    must_be_strict: bool = False  # on every machine, the sandbox must be strict
    is_self_play: bool = False  # all bots are one bot, with different values

    @property
    def definition(self) -> Definition:
        """What all games of the tournament have in common."""
        return self.planned.definition

    @property
    def names(self) -> list[str]:
        """The names of all bots, in the order in which they were entered."""
        return self.planned.names

    def job(self, *, records: bool = True, here: Collection[Bot] | None = None) -> Job:
        """Return the job for workers on this machine, without the bots that stay in this process.

        `here` are these; by default all bots in this process stay.
        """
        folder = self.store.folder.resolve()
        if here is None:
            here = [bot for bot in self.bots if bot.in_process is not None]
        names_here = {bot.name for bot in here}
        sent = [bot for bot in self.bots if bot.name not in names_here]
        return Job(
            self.definition.tables,
            tuple(map(bot_job, sent)),
            self.definition.conditions,
            str(folder / RECORDS) if records else None,
            str(folder / STDERR),
            self.must_be_strict,
            _import_paths() if any(bot.import_path for bot in sent) else (),
            self.is_self_play,
        )


def _import_paths() -> tuple[str, ...]:
    """Return where this process finds modules, for workers that start in other folders."""
    return tuple(os.path.abspath(path) for path in sys.path)  # noqa: PTH100  "" is the current folder


def bot_job(bot: Bot) -> BotJob:
    """Return a bot in the form that is sent to workers."""
    return BotJob(
        bot.name,
        bot.command,
        str(bot.folder),
        bot.content,
        bot.environment,
        bot.level,
        bot.limits,
        bot.allow_network,
        dict(bot.values),
        bot.import_path,
        bot.parameters,
    )


# -- the public functions


def open_tournament(
    folder: Path,
    request: TournamentRequest,
    *,
    find: Find = find_bot_on_disk,
    secret: str | None = None,
    changes: BotChanges = NO_CHANGES,
    report: Report = lambda _: None,
    confirm: Confirm = lambda _: None,
) -> OpenTournament:
    """Open a new tournament, or continue an earlier one, perhaps with more bots.

    `find` is called once for each bot. `secret` comes from `parse_secret`; if there is none, a new
    tournament draws one. `report` is called with a sentence when a bot is built, its blocks will be
    played again, or the tournament has no secret. `confirm` is called with the plan before anything
    is written, and may raise an error. Raises RefereeError for a tournament that cannot be played,
    before anything is written.
    """
    finder = Finder(find)
    request = with_variants(request, finder.find)
    if not exists(folder):
        _check_no_changes(changes)
        return _begin(folder, None, request, finder, secret, report, confirm)
    store = Store.resume(folder)
    with _close_on_error(store):
        if store.get(DEFINITION_KEY) is None:  # it was killed before it began
            return _begin(folder, store, request, finder, secret, report, confirm)
        refuse_tuning(store)
        refuse_closed(store)
        if secret is not None:
            check_same_secret(store, secret)
        elif stored_secret(store) is None:
            report(EARLIER_SEEDS)
        return _resume(store, request, changes, finder, report, confirm)


def plan_tournament(
    folder: Path,
    request: TournamentRequest,
    *,
    find: Find = find_bot_on_disk,
    changes: BotChanges = NO_CHANGES,
) -> PlannedRun:
    """Return what `open_tournament` would play; this is a dry run, which writes nothing.

    It raises the same errors. Only what is wrong with the bots of an earlier run is in `refusals`.
    """
    finder = Finder(find)
    request = with_variants(request, finder.find)
    if exists(folder):
        with Store.read(folder) as store:
            if store.get(DEFINITION_KEY) is not None:
                refuse_tuning(store)
                refuse_closed(store)
                return _plan_resumed(store, request, changes, finder)
    _check_no_changes(changes)
    check_free(folder)
    words = request.bots or ()
    return _plan_new(request, find_bots(words, finder), words)


def plan_run(
    request: TournamentRequest,
    definition: Definition,
    names: list[str],
    options: RunOptions | None = None,
) -> PlannedRun:
    """Plan one run of a tournament with these bots; by default with the options of the request."""
    options = options or make_run_options(request, names)
    plan = make_plan(definition, options, names)
    return PlannedRun(request, definition, options, names, plan, describe(plan))


# -- a new tournament


def _begin(
    folder: Path,
    store: Store | None,
    request: TournamentRequest,
    finder: Finder,
    secret: str | None,
    report: Report,
    confirm: Confirm,
) -> OpenTournament:
    words = request.bots or ()
    bots = find_bots(words, finder)
    planned = _plan_new(request, bots, words)
    confirm(planned)
    build_in_sandbox(bots, planned.request, folder, report)
    store = store or Store.create(folder)
    with _close_on_error(store):
        settings = {DEFINITION_KEY: planned.definition, SECRET_KEY: secret or draw_secret()}
        store.begin(settings, planned.playing)
        store_about(store, request)
    return OpenTournament(store, bots, planned)


def _plan_new(request: TournamentRequest, bots: Sequence[Bot], words: Sequence[str]) -> PlannedRun:
    if len(bots) < 2:
        raise TournamentRefused(f"a tournament needs two bots or more, not {len(bots)}")
    seed = draw_seed() if request.seed is None else request.seed
    definition = make_definition(request, len(bots), seed)
    planned = plan_run(request, definition, [bot.name for bot in bots])
    return _checked(replace(planned, playing=stored_bots(bots, words)))


# -- an earlier tournament


def _resume(
    store: Store,
    request: TournamentRequest,
    changes: BotChanges,
    finder: Finder,
    report: Report,
    confirm: Confirm,
) -> OpenTournament:
    entered = continued_field(store, request.bots or (), changes, finder)
    planned = _plan_more(store, request, entered)
    confirm(planned)
    bots = list(map(finder.find_again, planned.playing))
    build_in_sandbox(bots, planned.request, store.folder, report)
    check_changes(store, entered.playing, bots, report, replay=changes.replay)
    store.retire(entered.retired, entered.new)
    store_about(store, request)
    return OpenTournament(store, bots, planned)


def _plan_resumed(
    store: Store, request: TournamentRequest, changes: BotChanges, finder: Finder
) -> PlannedRun:
    entered = continued_field(store, request.bots or (), changes, finder)
    planned = _plan_more(store, request, entered)
    return replace(planned, refusals=refusals(entered, finder, replay=changes.replay))


def _plan_more(store: Store, request: TournamentRequest, entered: Field) -> PlannedRun:
    definition = stored_definition(store)
    check_rules_unchanged(definition, store.folder)
    _check_definition(definition, request, len(entered.names))
    earlier = stored_run_options(store)
    filled = with_earlier_options(store, request)
    if request.hero is None and filled.hero is not None:
        filled = msgspec.structs.replace(filled, hero=entered.latest_version(filled.hero))
    playing = entered.playing_names
    if len(playing) < 2:
        raise TournamentRefused(
            f"{plural(len(playing), 'bot')} would play after the others are retired: a game needs two"
        )
    options = make_run_options(filled, playing)
    if earlier is not None:
        weights = earlier.weights if request.tables is None else options.weights
        options = msgspec.structs.replace(options, most_sets=earlier.most_sets, weights=weights)
        if earlier.format == options.format:
            options = msgspec.structs.replace(options, even_seats=earlier.even_seats)
    planned = plan_run(filled, definition, playing, options)
    if planned.plan.stages == 1:
        out = frozenset(bot.name for bot in entered.playing if bot.out is not None)
        planned = replace(planned, outline=describe(planned.plan, list(store.results()), out))
    return _checked(
        replace(
            planned,
            names=entered.names,
            playing=[*entered.playing, *entered.new],
            retired=sorted(entered.retired),
        )
    )


def with_earlier_options(store: Store, request: TournamentRequest) -> TournamentRequest:
    """Fill in options that were not given from the last run, unless it had another format."""
    options = stored_run_options(store)
    if options is None or given_format(request) not in (None, options.format):
        return request
    return merge(request, request_from_options(options))


# -- bots


def build_in_sandbox(
    bots: Sequence[Bot], request: TournamentRequest, folder: Path, report: Report
) -> None:
    """Build the bots of the tournament in this folder, in the sandbox that they will play in.

    Raises BotRefused or SandboxRefused if that is not possible.
    """
    build_bots(put_bots_in_sandbox(bots, request, folder).bots, report, [folder])


def put_bots_in_sandbox(bots: Sequence[Bot], request: TournamentRequest, folder: Path) -> Sandboxed:
    """Return the bots of the tournament in this folder in their sandbox, except those in this process.

    Raises BotRefused or SandboxRefused as `put_in_sandbox` does.
    """
    return put_in_sandbox(
        [bot for bot in bots if bot.in_process is None],
        request.sandbox,
        "strict",
        request.limits or {},
        [folder],
        request.allow_build or (),
    )


def changed_bots(tournament: OpenTournament) -> list[str]:
    """Return the bots on disk that have changed since they were entered, or are gone."""
    on_disk = {bot.name for bot in tournament.bots if bot.in_process is None}
    stored = [bot for bot in tournament.store.bots() if bot.name in on_disk]
    changed = changed_names(stored)
    return [bot.name for bot in stored if bot.name in changed]


# -- checks


def _checked(planned: PlannedRun) -> PlannedRun:
    """Raise the errors that would otherwise come only after games were played."""
    anchor = planned.request.anchor
    if anchor is not None and anchor not in planned.names:
        names = ", ".join(planned.names)
        raise RatingsRefused(f"the anchor {anchor!r} is not one of the bots: {names}")
    _check_budget(planned)
    check_granted_names(planned.request.limits or {}, planned.names)
    check_allowed_builds(planned.request.allow_build or (), planned.names)
    choose_level((), planned.request.sandbox, "limits")
    return planned


def _check_no_changes(changes: BotChanges) -> None:
    """Raise TournamentRefused for bots that are to leave a new tournament."""
    if changes.retire or changes.replace:
        raise TournamentRefused(
            "--retire and --replace are for a tournament that has begun: name it with --resume DIR"
        )


def _check_budget(planned: PlannedRun) -> None:
    """Raise TournamentRefused if the budget does not allow a single block."""
    games = planned.request.games
    if games is None:
        return
    first = next(iter(planned.plan.stage(0, (), frozenset()) or ()), None)
    if first is not None and games < len(first.seatings()):
        raise TournamentRefused(
            f"--games {games} is too few: only whole blocks are played, and a block has"
            f" {len(first.seatings())} games"
        )


def _check_definition(definition: Definition, request: TournamentRequest, bots: int) -> None:
    """Raise TournamentRefused for other rules or clocks than those of the tournament."""
    if request.seed is not None and request.seed != definition.seed:
        raise TournamentRefused("the seed of a tournament cannot change; begin a new one")
    given = [key for key in DEFINITION_KEYS if getattr(request, key) is not None]
    if not given:
        return
    asked_for = make_definition(with_seats_of(request, definition), bots, definition.seed)
    if not have_same_games(asked_for, definition):
        option = given[0].replace("_", "-")
        raise TournamentRefused(
            f"the rules and clocks of a tournament cannot change (--{option}): leave them out to"
            " continue it as it is, or begin a new one"
        )


@contextmanager
def _close_on_error(store: Store) -> Iterator[None]:
    try:
        yield
    except BaseException:
        store.close()
        raise

"""Opening a tournament: a new one, an earlier one that continues, or a dry run that writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from referee.bots.build import build_bot
from referee.bots.find import Bot, find_bot, is_bot_folder, with_unique_names
from referee.bots.sandbox.levels import choose_level
from referee.errors import BotRefused, TournamentRefused
from referee.random_play import draw_seed
from referee.text import plural
from referee.tournament.definition import (
    DEFINITION_KEY,
    Definition,
    RunOptions,
    check_rules_unchanged,
    have_same_games,
    make_plan,
    stored_definition,
    stored_run_options,
)
from referee.tournament.ratings import RatingsRefused
from referee.tournament.request import (
    DEFINITION_KEYS,
    TournamentRequest,
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
from referee.tournament.store.store import RECORDS, STDERR, Store, StoredBot, exists
from referee.tournament.workers.messages import BotJob, Job

IN_PROCESS: Final = "in-process:"  # begins the word for a bot inside a Python program
Find: TypeAlias = Callable[[str], Bot]
Report: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class PlannedRun:
    """What a run will play, and with which bots."""

    request: TournamentRequest  # with the options of the last run where none were given
    definition: Definition
    options: RunOptions
    names: list[str]  # of all bots, in the order in which they were entered
    plan: Plan
    outline: Outline


@dataclass(frozen=True)
class OpenTournament:
    """A tournament that is ready to run: its store is open for writing, its bots are built."""

    store: Store
    bots: Sequence[Bot]
    planned: PlannedRun
    must_be_strict: bool = False  # on every machine, the sandbox must be strict

    @property
    def definition(self) -> Definition:
        """What all games of the tournament have in common."""
        return self.planned.definition

    @property
    def names(self) -> list[str]:
        """The names of all bots, in the order in which they were entered."""
        return self.planned.names

    def job(self, *, records: bool = True) -> Job:
        """Return the job for workers on this machine."""
        folder = self.store.folder.resolve()
        return Job(
            self.definition.tables,
            tuple(bot_job(bot) for bot in self.bots if bot.in_process is None),
            self.definition.conditions,
            str(folder / RECORDS) if records else None,
            str(folder / STDERR),
            self.must_be_strict,
        )


def bot_job(bot: Bot) -> BotJob:
    """Return a bot in the form that is sent to workers."""
    return BotJob(
        bot.name, bot.command, str(bot.folder), bot.content, bot.environment, bot.level, bot.limits
    )


def find_bot_on_disk(word: str) -> Bot:
    """Find a bot by its word; TournamentRefused for a bot inside a Python program."""
    if word.startswith(IN_PROCESS):
        name = word.removeprefix(IN_PROCESS)
        raise TournamentRefused(
            f"bot {name} exists only inside a Python program: continue this tournament from that program"
        )
    return find_bot(word)


# -- the public functions


def open_tournament(
    folder: Path,
    request: TournamentRequest,
    *,
    find: Find = find_bot_on_disk,
    anchor: str | None = None,
    secret: str | None = None,
    replay_changed: bool = False,
    report: Report = lambda _: None,
) -> OpenTournament:
    """Open a new tournament, or continue an earlier one, perhaps with more bots.

    `find` is called once for each bot. `secret` comes from `parse_secret`; if there is none, a new
    tournament draws one. `report` is called with a sentence when a bot is built, its blocks will be
    played again, or the tournament has no secret. Raises RefereeError for a tournament that cannot
    be played, before anything is written.
    """
    finder = _Finder(find)
    if not exists(folder):
        return _begin(lambda: Store.create(folder), request, finder, anchor, secret, report)
    store = Store.resume(folder)
    with _close_on_error(store):
        if store.get(DEFINITION_KEY) is None:  # it was killed before it began
            return _begin(lambda: store, request, finder, anchor, secret, report)
        refuse_closed(store)
        if secret is not None:
            check_same_secret(store, secret)
        elif stored_secret(store) is None:
            report(EARLIER_SEEDS)
        return _resume(store, request, finder, anchor, report, replay_changed=replay_changed)


def plan_tournament(
    folder: Path,
    request: TournamentRequest,
    *,
    find: Find = find_bot_on_disk,
    anchor: str | None = None,
) -> PlannedRun:
    """Return what `open_tournament` would play; this is a dry run, which writes nothing.

    It raises the same errors, but does not check whether bots of an earlier run have changed.
    """
    finder = _Finder(find)
    if exists(folder):
        with Store.read(folder) as store:
            if store.get(DEFINITION_KEY) is not None:
                refuse_closed(store)
                return _plan_resumed(store, request, finder, anchor)
    return _plan_new(request, _find_bots(request.bots or (), finder), anchor)


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
    open_store: Callable[[], Store],
    request: TournamentRequest,
    finder: _Finder,
    anchor: str | None,
    secret: str | None,
    report: Report,
) -> OpenTournament:
    words = request.bots or ()
    bots = _find_bots(words, finder)
    planned = _plan_new(request, bots, anchor)
    _build(bots, report)
    store = open_store()
    with _close_on_error(store):
        settings = {DEFINITION_KEY: planned.definition, SECRET_KEY: secret or draw_secret()}
        store.begin(settings, _stored(bots, words))
    return OpenTournament(store, bots, planned)


def _plan_new(request: TournamentRequest, bots: Sequence[Bot], anchor: str | None) -> PlannedRun:
    if len(bots) < 2:
        raise TournamentRefused(f"a tournament needs two bots or more, not {len(bots)}")
    seed = draw_seed() if request.seed is None else request.seed
    definition = make_definition(request, len(bots), seed)
    return _checked(plan_run(request, definition, [bot.name for bot in bots]), anchor)


# -- an earlier tournament


def _resume(
    store: Store,
    request: TournamentRequest,
    finder: _Finder,
    anchor: str | None,
    report: Report,
    *,
    replay_changed: bool,
) -> OpenTournament:
    known = store.bots()
    new = _new_words(request.bots or (), known)
    bots = _checked_bots([*map(finder.find_again, known), *map(finder.find, new)])
    planned = _plan_more(store, request, bots, anchor)
    _build(bots, report)
    _check_changes(store, known, bots, report, replay_changed=replay_changed)
    store.enter(_stored(bots[len(known) :], new))
    return OpenTournament(store, bots, planned)


def _plan_resumed(
    store: Store, request: TournamentRequest, finder: _Finder, anchor: str | None
) -> PlannedRun:
    known = store.bots()
    new = _new_words(request.bots or (), known)
    bots = _checked_bots([*map(_stand_in, known), *map(finder.find, new)])
    return _plan_more(store, request, bots, anchor)


def _plan_more(
    store: Store, request: TournamentRequest, bots: Sequence[Bot], anchor: str | None
) -> PlannedRun:
    definition = stored_definition(store)
    check_rules_unchanged(definition, store.folder)
    _check_definition(definition, request, len(bots))
    names = [bot.name for bot in bots]
    return _checked(plan_run(with_earlier_options(store, request), definition, names), anchor)


def with_earlier_options(store: Store, request: TournamentRequest) -> TournamentRequest:
    """Fill in options that were not given from the last run, unless it had another format."""
    options = stored_run_options(store)
    if options is None or request.format not in (None, options.format):
        return request
    return merge(request, request_from_options(options))


def _stand_in(bot: StoredBot) -> Bot:
    """Return a bot with the name and content of a stored bot, whose files may be gone."""
    return Bot(_plain_name(bot), (bot.word,), Path(bot.folder), bot.content)


def _plain_name(bot: StoredBot) -> str:
    """Return its name without the number of a copy (`random#2`)."""
    return bot.name.partition("#")[0]


# -- bots


class _Finder:
    """Finds each bot once, so that its files are read and hashed once, however often it is named."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._found: dict[tuple[str, str], Bot] = {}

    def find(self, word: str, folder: str = ".") -> Bot:
        """Find a bot by its word, relative to this folder."""
        if (folder, word) not in self._found:
            with chdir(folder):
                self._found[folder, word] = self._find(word)
        return self._found[folder, word]

    def find_again(self, bot: StoredBot) -> Bot:
        """Find a bot that was entered earlier; it keeps the name that it has in the store.

        A command is relative to the folder in which it was given.
        """
        is_command = not is_bot_folder(Path(bot.folder)) and Path(bot.folder).is_dir()
        found = self.find(bot.word, bot.folder if is_command else ".")
        return replace(found, name=_plain_name(bot))


def _find_bots(words: Sequence[str], finder: _Finder) -> list[Bot]:
    return _checked_bots([finder.find(word) for word in words])


def _checked_bots(found: Sequence[Bot]) -> list[Bot]:
    bots = with_unique_names(found)
    if any(bot.is_human for bot in bots):
        raise TournamentRefused("people play in `referee play`; a tournament is for bots")
    return bots


def _build(bots: Sequence[Bot], report: Report) -> None:
    for bot in bots:
        build_bot(bot, report)


def _new_words(words: Sequence[str], known: Sequence[StoredBot]) -> list[str]:
    """Return the words of bots that are not entered yet; the same command again adds no bot."""
    left = [bot.word for bot in known]
    new: list[str] = []
    for word in words:
        if with_absolute_folder(word) in left:
            left.remove(with_absolute_folder(word))
        else:
            new.append(word)
    return new


def with_absolute_folder(word: str) -> str:
    """Return a word that means the same bot in every folder: a folder gets its absolute path."""
    name, equals, rest = word.rpartition("=")
    for path, prefix in ((word, ""), (rest, f"{name}{equals}")):
        if is_bot_folder(Path(path)):
            return f"{prefix}{Path(path).resolve()}"
    return word


def _stored(bots: Sequence[Bot], words: Sequence[str]) -> list[StoredBot]:
    return [
        StoredBot(bot.name, with_absolute_folder(word), bot.content, str(bot.folder))
        for bot, word in zip(bots, words, strict=True)
    ]


def changed_bots(tournament: OpenTournament) -> list[str]:
    """Return the bots on disk that have changed since they were entered, or are gone."""
    finder = _Finder(find_bot)
    both = zip(tournament.store.bots(), tournament.bots, strict=True)
    return [
        bot.name
        for before, bot in both
        if bot.in_process is None and not _is_unchanged(before, finder)
    ]


def _is_unchanged(bot: StoredBot, finder: _Finder) -> bool:
    try:
        return finder.find_again(bot).content == bot.content
    except (BotRefused, OSError):
        return False


# -- checks


def _checked(planned: PlannedRun, anchor: str | None) -> PlannedRun:
    """Raise the errors that would otherwise come only after games were played."""
    if anchor is not None and anchor not in planned.names:
        names = ", ".join(planned.names)
        raise RatingsRefused(f"the anchor {anchor!r} is not one of the bots: {names}")
    workers = planned.request.workers
    if workers is not None and workers < 1:
        raise TournamentRefused(f"the number of workers must be 1 or more, not {workers}")
    choose_level((), planned.request.sandbox, "limits")
    return planned


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


def _check_changes(
    store: Store,
    known: Sequence[StoredBot],
    bots: Sequence[Bot],
    report: Report,
    *,
    replay_changed: bool,
) -> None:
    """Refuse a bot that has changed, or delete its blocks: two versions are never mixed."""
    for before, now in zip(known, bots, strict=False):
        if before.content == now.content:
            continue
        if not replay_changed:
            raise TournamentRefused(
                f"bot {before.name} has changed since it entered the tournament: undo the change, enter it"
                f" under another name (NEWNAME={before.word}), or play its blocks again"
                " (--replay-changed)"
            )
        dropped = store.forget(before.name)
        store.enter([before._replace(content=now.content, out=None)])
        report(f"{before.name} has changed: {plural(dropped, 'block')} will be played again")


@contextmanager
def _close_on_error(store: Store) -> Iterator[None]:
    try:
        yield
    except BaseException:
        store.close()
        raise

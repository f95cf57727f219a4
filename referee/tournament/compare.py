"""Is the new version of a bot better than the old one? A sequential test of two bots.

A comparison is a tournament: a gauntlet of the new bot against the old one, with the same number of
seats for both. By default its folder is named after the bots and the settings: the same comparison
continues in the same folder, and another one never does.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from referee.bots.find import (
    Bot,
    find_bot,
    is_bot_folder,
    split_name,
    split_place,
    with_values,
)
from referee.bots.git_revision import GitRevision, export_revision, find_revision
from referee.bots.parameters import join_settings, settings_of
from referee.errors import BotRefused, TournamentRefused
from referee.tournament.coordinator import Ending
from referee.tournament.definition import DEFINITION_KEY, stored_definition, stored_run_options
from referee.tournament.field import Report
from referee.tournament.opening import OpenTournament, open_tournament, plan_run
from referee.tournament.ratings import rate
from referee.tournament.request import (
    DEFAULT_SEATS,
    TournamentRequest,
    make_definition,
    make_run_options,
    merge,
)
from referee.tournament.secret import closing_of
from referee.tournament.stopping import stored_verdict
from referee.tournament.store.store import Store, exists
from referee.tournament.summary import RunOverview, Summary, make_summary

DEFAULT_SPRT: Final = (0.0, 50.0)
EXPORTED: Final = "bots"  # the folder for bots from git, in the folder of the comparison
_DIGITS: Final = 8


@dataclass(frozen=True)
class Entrant:
    """One of the two bots of a comparison, and how it was named."""

    word: str  # as it was given, without NAME=
    bot: Bot  # of a revision, only the name and the content count: its folder is gone
    revision: GitRevision | None = None

    @property
    def name(self) -> str:
        """The name of the bot in the comparison."""
        return self.bot.name

    def named(self, name: str) -> Entrant:
        """Return the same bot with another name."""
        return replace(self, bot=replace(self.bot, name=name))


@dataclass(frozen=True)
class Comparison:
    """A comparison of two bots, which may have begun in an earlier run."""

    folder: Path
    new: Entrant
    old: Entrant
    request: TournamentRequest

    @property
    def names(self) -> list[str]:
        """The names of the new and of the old bot."""
        return [self.new.name, self.old.name]

    def result(self) -> tuple[RunOverview, Summary] | None:
        """Return the result of a comparison that is closed; None if there is more to play.

        Raises TournamentRefused if the folder holds another comparison, or if a bot has changed.
        """
        if not self._has_begun():
            return None
        with Store.read(self.folder) as store, store.snapshot():
            self._check_same(store)
            if closing_of(store) is None:
                return None
            options, definition = stored_run_options(store), stored_definition(store)
            planned = plan_run(self.request, definition, self.names, options)
            verdict, games = stored_verdict(store), store.count("games")
            is_decided = verdict is not None and verdict.decision is not None
            ending: Ending = "tested" if is_decided else "stopped"
            ratings = rate(store.results(), bots=self.names)
            return (
                RunOverview(self.folder, planned, "", is_comparison=True),
                make_summary(store, ratings, ending, verdict, games_before=games, seconds=0),
            )

    def open(self, secret: str | None, report: Report) -> OpenTournament:
        """Begin the comparison, or continue it; `secret` and `report` are those of `open_tournament`."""
        if not self._has_begun():
            return self._begin(secret, report)
        with Store.read(self.folder) as store:
            self._check_same(store)
            words = [bot.word for bot in store.bots()]
        bots = dict(zip(words, map(self._placed, (self.new, self.old)), strict=True))
        return open_tournament(
            self.folder, self.request, find=bots.__getitem__, secret=secret, report=report
        )

    def _begin(self, secret: str | None, report: Report) -> OpenTournament:
        entrants = (self.new, self.old)
        words = tuple(f"{one.name}={self._word(one)}" for one in entrants)
        with self._removed_on_error():
            if not exists(self.folder) and any(one.revision for one in entrants):
                Store.create(self.folder).close()
            bots = dict(zip(words, map(self._placed, entrants), strict=True))
            return open_tournament(
                self.folder,
                msgspec.structs.replace(self.request, bots=words),
                find=bots.__getitem__,
                secret=secret,
                report=report,
            )

    def _word(self, entrant: Entrant) -> str:
        """Return the word for a bot in the store; a revision is found in its place there."""
        place = self._place(entrant)
        if place is None:
            return entrant.word
        return join_settings(str(place), settings_of(entrant.bot.values))

    def _place(self, entrant: Entrant) -> Path | None:
        """Return the folder of a bot that comes from git."""
        if entrant.revision is None:
            return None
        return self.folder.resolve() / EXPORTED / entrant.name

    def _placed(self, entrant: Entrant) -> Bot:
        """Return a bot that can play; a revision is exported to its place, if it is not there."""
        place = self._place(entrant)
        if entrant.revision is None or place is None:
            return entrant.bot
        if not is_bot_folder(place) or find_bot(str(place)).files != entrant.bot.files:
            shutil.rmtree(place, ignore_errors=True)
            export_revision(entrant.revision, place)
        return replace(with_values(find_bot(str(place)), entrant.bot.values), name=entrant.name)

    def _has_begun(self) -> bool:
        if not exists(self.folder):
            return False
        with Store.read(self.folder) as store:
            return store.get(DEFINITION_KEY) is not None

    @contextmanager
    def _removed_on_error(self) -> Iterator[None]:
        """Remove a new folder if the comparison cannot begin."""
        is_new = not self.folder.exists()
        try:
            yield
        except BaseException:
            if is_new:
                shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _check_same(self, store: Store) -> None:
        """Raise TournamentRefused unless the store holds this comparison."""
        stored = {bot.name: bot.content for bot in store.bots()}
        options = stored_run_options(store)
        wanted = make_run_options(self.request, self.names)
        is_other_kind = options is not None and (options.format, options.hero) != (
            wanted.format,
            wanted.hero,
        )
        if list(stored) != self.names or is_other_kind:
            raise TournamentRefused(
                f"{self.folder} holds another tournament than {' against '.join(self.names)}: choose"
                " another folder with --out"
            )
        for entrant in (self.new, self.old):
            if stored[entrant.name] != entrant.bot.content:
                raise TournamentRefused(
                    f"{entrant.name} has changed since the comparison in {self.folder} began: undo"
                    " the change, or compare in another folder with --out"
                )
        if options is not None and options.sprt != wanted.sprt:
            raise TournamentRefused(
                f"the test of the comparison in {self.folder} cannot change (--sprt, --alpha,"
                " --beta): choose another folder with --out"
            )


def find_comparison(
    new: str, old: str, request: TournamentRequest, out: Path | None = None
) -> Comparison:
    """Find the two bots and the folder of their comparison: `out`, or one with a name of its own.

    A bot may be a git revision, such as my-bot@v1.2. Raises RefereeError if a bot cannot be found, if
    both are the same, or if the request contradicts itself.
    """
    first, second = _find(new), _find(old)
    if first.bot.content == second.bot.content:
        raise BotRefused(f"{new!r} and {old!r} are the same bot, so there is nothing to compare")
    second = second.named(_other_name(second.name, first.name))
    request = merge(request, TournamentRequest(seats=DEFAULT_SEATS, sprt=DEFAULT_SPRT))
    request = msgspec.structs.replace(request, format="gauntlet", hero=first.name)
    folder = _default_folder(first, second, request) if out is None else out
    _check_outside(folder, (first, second))
    return Comparison(folder, first, second, request)


def _find(word: str) -> Entrant:
    """Find a bot by its word; a revision is exported for a moment to read its name and content."""
    given, rest = split_name(word)
    place, settings = split_place(rest)
    revision = find_revision(place)
    if revision is None:
        return Entrant(rest, find_bot(word))
    with tempfile.TemporaryDirectory(prefix="referee-compare-") as temporary:
        export_revision(revision, Path(temporary) / EXPORTED)
        bot = find_bot(join_settings(str(Path(temporary) / EXPORTED), settings))
    return Entrant(rest, bot, revision).named(given or revision.name_for(bot.name))


def _other_name(name: str, taken: str) -> str:
    """Return the name of the old bot; if the new one has the same name, the old one gets another."""
    names = (name, f"{name[:36]}-old", "old")  # at most 40 characters
    return next(one for one in names if one != taken)


def _default_folder(new: Entrant, old: Entrant, request: TournamentRequest) -> Path:
    """Return a folder whose name depends on both bots and on all settings that decide the games.

    It is in the current folder, or above it if that is part of a bot.
    """
    names = [new.name, old.name]
    parts = (
        names,
        [new.bot.content, old.bot.content],
        request.seed,
        make_definition(request, len(names), request.seed or 0),
        make_run_options(request, names),
    )
    digest = sha256(msgspec.json.encode(parts)).hexdigest()
    place = Path.cwd()
    while (around := _bot_around(place, (new, old))) is not None:
        place = around.parent
    return Path(os.path.relpath(place / f"compare-{new.name}-{digest[:_DIGITS]}"))


def _bot_around(place: Path, entrants: tuple[Entrant, Entrant]) -> Path | None:
    """Return the folder of a bot that contains this place."""
    folders = [one.bot.folder for one in entrants if one.revision is None]
    inside = (one for one in folders if is_bot_folder(one) and place.resolve().is_relative_to(one))
    return next(inside, None)


def _check_outside(folder: Path, entrants: tuple[Entrant, Entrant]) -> None:
    around = _bot_around(folder, entrants)
    if around is not None:
        raise TournamentRefused(
            f"the results cannot be inside the folder of a bot ({around}), whose files they would"
            " change: choose another folder with --out"
        )

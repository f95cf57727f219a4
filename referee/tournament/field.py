"""The bots of a tournament: found by their words, entered, changed, replaced and retired."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from referee.bots.find import (
    Bot,
    find_bot,
    is_bot_folder,
    split_name,
    with_place,
    with_unique_names,
)
from referee.errors import BotRefused, TournamentRefused
from referee.text import did_you_mean, join_hint, plural, shell_word
from referee.tournament.store.store import Store, StoredBot

IN_PROCESS: Final = "in-process:"  # begins the word for a bot inside a Python program
Find: TypeAlias = Callable[[str], Bot]
Report: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class BotChanges:
    """What happens to bots that are in the tournament already."""

    replay: bool = False  # play all blocks of bots whose files have changed again
    retire: Sequence[str] = ()  # names of bots that play no more
    replace: Sequence[str] = ()  # NAME=BOT: the next version of a bot


NO_CHANGES: Final = BotChanges()


@dataclass(frozen=True)
class Field:
    """The bots of an earlier tournament that play in the next run, and those that play no more."""

    known: list[StoredBot]  # all that were entered before, in that order
    retired: set[str]  # of the known ones, those that play no more
    new: list[StoredBot]  # the next versions of retired bots, and further bots
    names: list[str]  # of all bots, in the order in which they are entered

    @property
    def playing(self) -> list[StoredBot]:
        """The known bots that play."""
        return [bot for bot in self.known if bot.name not in self.retired]

    @property
    def playing_names(self) -> list[str]:
        """The names of all bots that play."""
        return [name for name in self.names if name not in self.retired]

    def latest_version(self, name: str) -> str:
        """Return the name of the latest version of a bot."""
        while _next_name(name) in self.names:
            name = _next_name(name)
        return name


def find_bot_on_disk(word: str) -> Bot:
    """Find a bot by its word; TournamentRefused for a bot inside a Python program."""
    if is_in_process(word):
        name, rest = split_name(word)
        raise TournamentRefused(
            f"bot {name or rest.removeprefix(IN_PROCESS)} exists only inside a Python program: continue this tournament from that program"
        )
    return find_bot(word)


def is_in_process(word: str) -> bool:
    """Whether a word means a bot inside a Python program."""
    return split_name(word)[1].startswith(IN_PROCESS)


class Finder:
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
        try:
            found = self.find(bot.word, bot.folder if is_command else ".")
        except BotRefused as error:
            raise BotRefused(
                f"bot {bot.name} cannot play any more: {error}; to continue without it:"
                f" --retire {bot.name}"
            ) from error
        return replace(found, name=bot.name)


# -- a new tournament


def find_bots(words: Sequence[str], finder: Finder) -> list[Bot]:
    """Find the bots of a new tournament; their names are unique."""
    bots = with_unique_names([finder.find(word) for word in words])
    _check_people(bots)
    return bots


def stored_bots(bots: Sequence[Bot], words: Sequence[str]) -> list[StoredBot]:
    """Return the bots in the form that is kept in the store."""
    return [
        StoredBot(
            bot.name,
            with_absolute_folder(word),
            bot.content,
            str(bot.folder),
            profile=bot.profile,
        )
        for bot, word in zip(bots, words, strict=True)
    ]


def with_absolute_folder(word: str) -> str:
    """Return a word that means the same bot in every folder: folders and files get absolute paths."""
    return with_place(
        word,
        lambda place: str(Path(place).resolve()) if is_bot_folder(Path(place)) else None,
        lambda file: str(Path(file).resolve()),
    )


def _check_people(bots: Iterable[Bot]) -> None:
    if any(bot.is_human for bot in bots):
        raise TournamentRefused("people play in `referee play`; a tournament is for bots")


# -- an earlier tournament


def continued_field(
    store: Store, words: Sequence[str], changes: BotChanges, finder: Finder
) -> Field:
    """Return the bots of the next run of a tournament; the files of known bots are not read.

    `words` are all bots that the command names; those that are known already are not entered again.
    Raises BotRefused or TournamentRefused if a bot cannot be entered, retired or replaced.
    """
    known = store.bots()
    retired = {*store.retired(), *(_known(name, known).name for name in changes.retire)}
    versions = _next_versions(known, retired, changes.replace, finder)
    new_words = unlisted(words, [bot.word for bot in known])
    found = with_unique_names([*map(_stand_in, known), *map(finder.find, new_words)])[len(known) :]
    _check_people(found)
    new = [*versions, *stored_bots(found, new_words)]
    retired.update(_previous(bot, [*known, *versions]).name for bot in versions)
    return Field(known, retired, new, [bot.name for bot in [*known, *new]])


def unlisted(words: Iterable[str], listed: Iterable[str]) -> list[str]:
    """Return the words that are not in the list, as often as they are missing there."""
    left = list(listed)
    missing: list[str] = []
    for word in words:
        if with_absolute_folder(word) in left:
            left.remove(with_absolute_folder(word))
        else:
            missing.append(word)
    return missing


def removed_bots(playing: Sequence[StoredBot], listed: Iterable[str]) -> list[str]:
    """Return the names of bots that play, but are not in this list of words.

    A later version of a bot is not expected in a list.
    """
    left = list(map(with_absolute_folder, listed))
    removed = []
    for bot in playing:
        if bot.word in left:
            left.remove(bot.word)
        elif version_of(bot.name)[1] == 1:
            removed.append(bot.name)
    return removed


def _known(name: str, known: Sequence[StoredBot]) -> StoredBot:
    """Return the bot of this name; TournamentRefused if there is none."""
    for bot in known:
        if bot.name == name:
            return bot
    names = [bot.name for bot in known]
    hint = join_hint(did_you_mean(name, names), f"the bots are {', '.join(names)}")
    raise TournamentRefused(f"there is no bot {name!r} in this tournament: {hint}")


def _next_versions(
    known: Sequence[StoredBot], retired: set[str], replacements: Iterable[str], finder: Finder
) -> list[StoredBot]:
    """Return the new versions of replaced bots, with names such as `ada@2`.

    A bot that has these files already is not replaced again, so that a command can be repeated.
    """
    versions: list[StoredBot] = []
    for text in replacements:
        name, equals, word = text.partition("=")
        if not (name and equals and word):
            raise TournamentRefused(f"--replace needs NAME=BOT, not {text!r}")
        current = _latest(_known(name, known), [*known, *versions])
        if current.name in retired:
            raise TournamentRefused(f"bot {current.name} is retired, so it cannot be replaced")
        found = finder.find(word)
        _check_people([found])
        if found.content != current.content:
            named = replace(found, name=_next_name(current.name))
            versions += stored_bots([named], [word])
    return versions


def version_of(name: str) -> tuple[str, int]:
    """Return the name that a bot was entered with, and its version: `ada@2` is version 2 of `ada`."""
    base, _, number = name.rpartition("@")
    return (base, int(number)) if base and number.isdecimal() else (name, 1)


def _next_name(name: str) -> str:
    base, version = version_of(name)
    return f"{base.replace('#', '-')}@{version + 1}"


def _latest(bot: StoredBot, bots: Sequence[StoredBot]) -> StoredBot:
    """Return the latest version of a bot."""
    for later in bots:
        if later.name == _next_name(bot.name):
            return _latest(later, bots)
    return bot


def _previous(version: StoredBot, bots: Sequence[StoredBot]) -> StoredBot:
    return next(bot for bot in bots if _next_name(bot.name) == version.name)


def _stand_in(bot: StoredBot) -> Bot:
    """Return a bot with the name and content of a stored bot, whose files may be gone."""
    return Bot(bot.name.partition("#")[0], (bot.word,), Path(bot.folder), bot.content)


# -- bots whose files change


def check_changes(
    store: Store, before: Sequence[StoredBot], bots: Sequence[Bot], report: Report, *, replay: bool
) -> None:
    """Refuse a bot that has changed, or delete its blocks: two versions are never mixed."""
    for known, now in zip(before, bots, strict=False):
        if known.content == now.content:
            continue
        if not replay:
            raise TournamentRefused(has_changed(known))
        dropped = store.forget(known.name)
        store.enter([known._replace(content=now.content, out=None, profile=now.profile)])
        report(f"{known.name} has changed: {plural(dropped, 'block')} will be played again")


def has_changed(bot: StoredBot) -> str:
    """Return the sentence about a bot that has changed, with the options that help."""
    word = bot.word.removeprefix(f"{bot.name}=")
    version = shell_word(Path(f"{bot.name}={word}"))
    return (
        f"bot {bot.name} has changed since it entered the tournament: undo the change, rate the new"
        f" version apart (--replace {version}), play its blocks again (--replay-changed), or go on"
        f" without it (--retire {bot.name})"
    )


def refusals(field: Field, finder: Finder, *, replay: bool) -> list[str]:
    """Return why known bots cannot play: their files are gone, or they have changed."""
    found = []
    for bot in field.playing:
        try:
            is_changed = finder.find_again(bot).content != bot.content
        except (BotRefused, TournamentRefused) as error:
            found.append(str(error))
        else:
            found += [has_changed(bot)] if is_changed and not replay else []
    return found


def changed_names(known: Sequence[StoredBot]) -> set[str]:
    """Return the names of those bots on disk that have changed since they were entered, or are gone."""
    finder = Finder(find_bot)
    return {bot.name for bot in known if not _is_unchanged(bot, finder)}


def _is_unchanged(bot: StoredBot, finder: Finder) -> bool:
    try:
        return finder.find_again(bot).content == bot.content
    except (BotRefused, OSError):
        return False

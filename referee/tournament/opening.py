"""Entering a tournament: its store, its charter and its bots are brought together, or refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from referee.adjudication.clock_rules import GivenClock
from referee.bots.build import build_bot
from referee.bots.find import Bot, find_bot, is_bot_folder, tell_apart
from referee.engine.ruleset import RULES_VERSION
from referee.errors import BotRefused
from referee.random_play import draw_seed
from referee.tournament.definition import Charter, TournamentRefused
from referee.tournament.request import TableWish, Wishes, charter_of
from referee.tournament.store.store import RECORDS, STDERR, Store, StoredBot, exists
from referee.tournament.workers.messages import BotJob, Job

CHARTER: Final = "charter"
IN_PROCESS: Final = "in-process:"  # how the word of a bot begins that is in a Python program
Find: TypeAlias = Callable[[str], Bot]
# What a charter is made of; where none of it is said, a tournament goes on as it was.
_OF_CHARTER: Final = (
    *TableWish.__struct_fields__,
    "tables",
    *GivenClock.__struct_fields__,
    "strikes",
    "ponder",
    "fresh",
)


@dataclass
class Entered:
    """A tournament that can be played."""

    store: Store
    charter: Charter
    bots: list[Bot]
    must_be_strict: bool = False  # the sandbox, on every machine

    @property
    def names(self) -> list[str]:
        """Everybody who takes part, in the order in which they were entered."""
        return [bot.name for bot in self.bots]

    def job(self, *, records: bool = True) -> Job:
        """What workers on this machine need to know."""
        folder = self.store.folder.resolve()
        return Job(
            self.charter.tables,
            tuple(bot_job(bot) for bot in self.bots if bot.in_process is None),
            self.charter.conditions,
            str(folder / RECORDS) if records else None,
            str(folder / STDERR),
            self.must_be_strict,
        )


def bot_job(bot: Bot) -> BotJob:
    """A bot for workers."""
    return BotJob(
        bot.name, bot.command, str(bot.folder), bot.content, bot.environment, bot.level, bot.limits
    )


def enter(
    folder: Path,
    wishes: Wishes,
    *,
    replay_changed: bool = False,
    tell: Callable[[str], None] = lambda _: None,
    find: Find | None = None,
) -> Entered:
    """A new tournament, or an earlier one that goes on, perhaps with more bots.

    `find` knows the bots that are in this process, beside all others.
    """
    find = find or find_elsewhere
    if not exists(folder):
        return _begin(lambda: Store.create(folder), wishes, tell, find)
    store = Store.resume(folder)
    if store.get(CHARTER) is None:  # it was killed before it began
        with _closed_at_error(store):
            return _begin(lambda: store, wishes, tell, find)
    return _go_on(store, wishes, replay_changed, tell, find)


def find_elsewhere(word: str) -> Bot:
    """The bot that a word means; one of a Python program is to be had there only."""
    if word.startswith(IN_PROCESS):
        name = word.removeprefix(IN_PROCESS)
        raise TournamentRefused(
            f"bot {name} is a function of a Python program: go on with this tournament there"
        )
    return find_bot(word)


def _begin(
    opened: Callable[[], Store], wishes: Wishes, tell: Callable[[str], None], find: Find
) -> Entered:
    """A new tournament; nothing is written before it is known to be one that can be played."""
    bots = _bots(map(find, wishes.bots or ()))
    _build(bots, tell)
    seed = draw_seed() if wishes.seed is None else wishes.seed
    charter = charter_of(wishes, len(bots), seed)
    store = opened()
    with _closed_at_error(store):
        store.begin({CHARTER: charter}, _stored(bots, wishes.bots or ()))
    return Entered(store, charter, bots)


def _go_on(
    store: Store, wishes: Wishes, replay_changed: bool, tell: Callable[[str], None], find: Find
) -> Entered:
    with _closed_at_error(store):
        charter = charter_in(store)
        known = store.bots()
        new = _new_words(wishes.bots or (), known)
        bots = _bots([*[_find_again(bot, find) for bot in known], *map(find, new)])
        _check_charter(charter, wishes, len(bots))
        _build(bots, tell)
        _check_changes(store, known, bots, replay_changed, tell)
        store.enter(_stored(bots[len(known) :], new))
    return Entered(store, charter, bots)


def charter_in(store: Store) -> Charter:
    """The charter that a store was opened with."""
    words = store.get(CHARTER)
    if words is None:
        raise TournamentRefused(f"the tournament in {store.folder} was never begun; remove it")
    try:
        charter = msgspec.convert(words, Charter)
    except msgspec.ValidationError as error:
        raise TournamentRefused(
            f"the settings in {store.folder} are none that this referee knows: {error}"
        ) from error
    if charter.rules_version != RULES_VERSION:
        raise TournamentRefused(
            f"the tournament in {store.folder} is played by version {charter.rules_version} of the"
            f" rules, and this referee plays version {RULES_VERSION}; begin a new one"
        )
    return charter


def _new_words(words: Sequence[str], known: Sequence[StoredBot]) -> list[str]:
    """Those that are not entered yet; the same command again enters nobody twice."""
    left = [bot.word for bot in known]
    new: list[str] = []
    for word in words:
        if lasting(word) in left:
            left.remove(lasting(word))
        else:
            new.append(word)
    return new


def lasting(word: str) -> str:
    """A word that means the same bot from any folder: one that is a folder is named in full."""
    name, equals, rest = word.rpartition("=")
    for said, prefix in ((word, ""), (rest, f"{name}{equals}")):
        if is_bot_folder(Path(said)):
            return f"{prefix}{Path(said).resolve()}"
    return word


def _find_again(bot: StoredBot, find: Find) -> Bot:
    """A command line is looked for from the folder in which it was given."""
    if is_bot_folder(Path(bot.folder)) or not Path(bot.folder).is_dir():
        return find(bot.word)
    with chdir(bot.folder):
        return find(bot.word)


def changed_meanwhile(entered: Entered) -> list[str]:
    """Bots that are others now than when they were entered, or are gone; only those on disk can be."""
    found = zip(entered.store.bots(), entered.bots, strict=True)
    return [bot.name for before, bot in found if bot.in_process is None and not _is_same(before)]


def _is_same(bot: StoredBot) -> bool:
    try:
        return _find_again(bot, find_bot).content == bot.content
    except (BotRefused, OSError):
        return False


def _bots(found: Iterable[Bot]) -> list[Bot]:
    bots = tell_apart(found)
    if any(bot.is_human for bot in bots):
        raise TournamentRefused("people play in `referee play`; a tournament is for bots")
    return bots


def _build(bots: Sequence[Bot], tell: Callable[[str], None]) -> None:
    for bot in bots:
        build_bot(bot, tell)


def _stored(bots: Sequence[Bot], words: Sequence[str]) -> list[StoredBot]:
    return [
        StoredBot(bot.name, lasting(word), bot.content, str(bot.folder))
        for bot, word in zip(bots, words, strict=True)
    ]


def _check_charter(charter: Charter, wishes: Wishes, bots: int) -> None:
    """The same command again is fine; other rules or clocks are another tournament."""
    if wishes.seed is not None and wishes.seed != charter.seed:
        raise TournamentRefused("the seed of a tournament cannot change; begin a new one")
    said = [key for key in _OF_CHARTER if getattr(wishes, key) is not None]
    if not said:
        return
    if charter_of(_seated_as_before(wishes, charter), bots, charter.seed) != charter:
        option = said[0].replace("_", "-")
        raise TournamentRefused(
            f"the rules and clocks of a tournament cannot change (--{option}): leave them out to"
            " go on with it as it is, or begin a new one"
        )


def _seated_as_before(wishes: Wishes, charter: Charter) -> Wishes:
    """Seats that were left open are as many as they were, however many bots there are now."""
    if wishes.seats is not None:
        return wishes
    if wishes.tables is None:
        return msgspec.structs.replace(wishes, seats=charter.tables[0].seats)
    tables = [
        wish if wish.seats is not None else msgspec.structs.replace(wish, seats=table.seats)
        for wish, table in zip(wishes.tables, charter.tables, strict=False)
    ]
    return msgspec.structs.replace(wishes, tables=(*tables, *wishes.tables[len(tables) :]))


def _check_changes(
    store: Store,
    known: Sequence[StoredBot],
    bots: Sequence[Bot],
    replay_changed: bool,
    tell: Callable[[str], None],
) -> None:
    """A bot that is another than the one that played is never mixed in silently."""
    for before, now in zip(known, bots, strict=False):
        if before.content == now.content:
            continue
        if not replay_changed:
            raise TournamentRefused(
                f"bot {before.name} has changed since it was entered: undo that, enter it under"
                f" another name (NEW={before.word}), or have its blocks played again"
                " (--replay-changed)"
            )
        dropped = store.forget(before.name)
        store.enter([before._replace(content=now.content, out=None)])
        tell(f"{before.name} has changed: its {dropped} blocks are played again")


@contextmanager
def _closed_at_error(store: Store) -> Iterator[None]:
    try:
        yield
    except BaseException:
        store.close()
        raise

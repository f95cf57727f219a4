"""Opening a tuning: a new one, or an earlier one that continues in its folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from referee.bots.find import Bot, find_bot, is_bot_folder, split_name, split_place
from referee.errors import TuningRefused
from referee.tournament.definition import (
    DEFINITION_KEY,
    TUNING_KEY,
    Definition,
    RunOptions,
    check_rules_unchanged,
    stored_definition,
)
from referee.tournament.field import Report, stored_bots, with_absolute_folder
from referee.tournament.opening import OpenTournament, PlannedRun, build_in_sandbox
from referee.tournament.request import DEFINITION_KEYS, TournamentRequest, make_definition
from referee.tournament.schedule import describe
from referee.tournament.store.store import Store, exists
from referee.tuning.plan import NAMES, PLUS, TuningPlan, TuningState
from referee.tuning.terms import Terms

_DIGITS: Final = 8


@dataclass(frozen=True)
class OpenTuning:
    """A tuning that is ready to run: its store is open for writing, its bot is built."""

    bot: Bot  # with its default values
    plan: TuningPlan
    tournament: OpenTournament

    @property
    def terms(self) -> Terms:
        """What is tuned, from which values, and how."""
        return self.plan.terms

    @property
    def folder(self) -> Path:
        """The folder of the tuning."""
        return self.tournament.store.folder

    @property
    def state(self) -> TuningState:
        """Where the tuning is; it is known once the run has begun."""
        return self.plan.state


def find_tuned_bot(word: str) -> tuple[Bot, Bot, str]:
    """Find a bot by its word: with the given values, with its defaults, and the word without values.

    The last means the same bot in every folder. Raises BotRefused if there is no such bot.
    """
    place = split_place(split_name(word)[1])[0]
    return find_bot(word), find_bot(place), with_absolute_folder(place)


def default_folder(bot: Bot, terms: Terms) -> Path:
    """Return a folder in the current one, or above the bot's, whose name depends on bot and terms."""
    digest = sha256(msgspec.json.encode((bot.files, terms))).hexdigest()
    place = Path.cwd()
    while is_bot_folder(bot.folder) and place.is_relative_to(bot.folder):
        place = place.parent
    return Path(os.path.relpath(place / f"tune-{bot.name}-{digest[:_DIGITS]}"))


def stored_terms(folder: Path) -> Terms:
    """Return the terms of the tuning in a folder; TuningRefused if there is none."""
    if not exists(folder):
        raise TuningRefused(f"there is no tuning in {folder} to continue")
    with Store.read(folder) as store:
        return _terms_in(store)


def open_tuning(
    folder: Path,
    bot: Bot,
    terms: Terms,
    request: TournamentRequest,
    report: Report = lambda _: None,
) -> OpenTuning:
    """Begin a tuning of this bot, which has its default values, or continue the one in the folder.

    The terms decide the games; of the request, only what concerns the run counts. `report` is called
    with a sentence when the bot is built. Raises RefereeError if the tuning is not possible, before
    anything is written.
    """
    request = with_game(request, terms)
    _check_outside(folder, bot)
    bots = [replace(bot, name=name) for name in NAMES]
    store = Store.resume(folder) if exists(folder) else None
    try:
        has_begun = store is not None and store.get(DEFINITION_KEY) is not None
        if store is not None and has_begun:
            _check_same(store, bot, terms)
            definition = stored_definition(store)
            check_rules_unchanged(definition, folder)
        else:
            definition = make_definition(request, bots=len(NAMES), seed=terms.seed)
        plan = TuningPlan(terms, definition.kinds()[0])
        planned = _planned(definition, request, plan, bots)
        build_in_sandbox(bots, request, folder, report)
        store = store or Store.create(folder)
        if not has_begun:
            store.begin({DEFINITION_KEY: definition, TUNING_KEY: terms}, planned.playing)
    except BaseException:
        if store is not None:
            store.close()
        raise
    return OpenTuning(bot, plan, OpenTournament(store, bots, planned, is_self_play=True))


def with_game(request: TournamentRequest, terms: Terms) -> TournamentRequest:
    """Return the request with the rules, seats and clocks of a tuning."""
    decided = {key: getattr(terms.game, key) for key in DEFINITION_KEYS}
    return msgspec.structs.replace(request, **decided)


def _planned(
    definition: Definition, request: TournamentRequest, plan: TuningPlan, bots: Sequence[Bot]
) -> PlannedRun:
    """Return what a run plays; its options are those of the blocks of one iteration."""
    options = RunOptions("gauntlet", blocks=plan.terms.blocks, hero=PLUS, even_seats=True)
    playing = stored_bots(bots, [f"{bot.name}={plan.terms.word}" for bot in bots])
    outline = describe(plan)
    return PlannedRun(request, definition, options, list(NAMES), plan, outline, playing)


# -- checks


def _terms_in(store: Store) -> Terms:
    stored = store.get(TUNING_KEY)
    if stored is None:
        raise TuningRefused(
            f"{store.folder} holds a tournament, not a tuning: choose another folder"
        )
    try:
        return msgspec.convert(stored, Terms)
    except msgspec.ValidationError as error:
        raise TuningRefused(
            f"this referee cannot read the tuning in {store.folder}: {error}"
        ) from error


def _check_same(store: Store, bot: Bot, terms: Terms) -> None:
    """Raise TuningRefused unless the store holds this tuning of this bot."""
    if _terms_in(store) != terms:
        raise TuningRefused(
            f"{store.folder} holds another tuning: choose another folder with --out, or continue that"
            " one with --resume"
        )
    if {known.content for known in store.bots()} != {bot.content}:
        raise TuningRefused(
            f"bot {bot.name} has changed since its tuning in {store.folder} began: undo the change, or"
            " begin again in another folder with --out"
        )


def _check_outside(folder: Path, bot: Bot) -> None:
    if is_bot_folder(bot.folder) and folder.resolve().is_relative_to(bot.folder):
        raise TuningRefused(
            f"the results cannot be inside the folder of the bot ({bot.folder}), whose files they would"
            " change: choose another folder with --out"
        )

"""What all games of a tournament have in common (Definition), and what one run plays (RunOptions)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from referee.engine.ruleset import RULES_VERSION
from referee.errors import TournamentRefused
from referee.text import no_such_bot, shell_word
from referee.tournament.ratings import rate
from referee.tournament.results import BlockResult, TableKind
from referee.tournament.schedule import Gauntlet, Ladder, Plan, Rating, RoundRobin, Swiss
from referee.tournament.schedule.ladder import BLOCKS as LADDER_BLOCKS
from referee.tournament.schedule.round_robin import BY_BOT
from referee.tournament.store import Store
from referee.tournament.workers.messages import Conditions, TableJob

Format: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "ladder"]

# The intervals of ratings are then ±40 to ±60 Elo (docs/statistics.md).
DEFAULT_BLOCKS_PER_BOT: Final = 30
SETTLED: Final = "settled"
MOST_SETS_BEFORE: Final = 500  # of a tournament of version 0.1: see RunOptions.most_sets

# The names of the two settings in the store; they are part of its format.
DEFINITION_KEY: Final = "charter"
RUN_OPTIONS_KEY: Final = "programme"
TUNING_KEY: Final = "tuning"  # only in the store of a tuning


class Definition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all games of a tournament have in common; it never changes."""

    seed: int
    tables: tuple[TableJob, ...]
    conditions: Conditions
    rules_version: int = RULES_VERSION

    def kinds(self, weights: Sequence[float] = ()) -> list[TableKind]:
        """Return the tables with their weights in the form that a schedule needs."""
        return [
            TableKind(table.name, table.seats, weight)
            for table, weight in zip(self.tables, weights or repeat(1.0), strict=False)
        ]


class SprtTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a sequential test of whether the hero is `high` or only `low` Elo above the field."""

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05


class RunOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one run plays; other runs of the same tournament may have other options."""

    format: Format = "round-robin"
    # Without a number of blocks, the format decides; a round-robin ends when the first place is clear.
    blocks: int | None = None  # of each set of bots
    blocks_per_bot: int | None = None
    weights: tuple[float, ...] = ()  # of the tables; () means that all are 1
    most_sets: int | None = None  # with more sets than this, `blocks` are counted by bot
    rounds: int | None = None  # of a Swiss tournament
    hero: str | None = None  # of a gauntlet, or the new bot of a ladder
    even_seats: bool = False  # of a gauntlet with one opponent: both have as many seats
    all_orders: bool = False
    sprt: SprtTerms | None = None
    out_at: float = 0.5  # a bot with faults in this share of its games is disqualified
    out_after: int = 12  # but not before it has played this many games

    @property
    def is_open(self) -> bool:
        """Whether there is no fixed number of blocks."""
        return self.blocks is None and self.blocks_per_bot is None


def stored_definition(store: Store) -> Definition:
    """Return the definition that is kept in a store.

    Raises TournamentRefused if there is none, if it cannot be read, or if it belongs to a later
    version of the rules.
    """
    stored = store.get(DEFINITION_KEY)
    if stored is None:
        raise TournamentRefused(
            f"the tournament in {store.folder} never started and has no settings; delete the folder"
        )
    try:
        definition = msgspec.convert(stored, Definition)
    except msgspec.ValidationError as error:
        raise TournamentRefused(
            f"this referee cannot read the settings in {store.folder}: {error}"
        ) from error
    if definition.rules_version > RULES_VERSION:
        raise TournamentRefused(
            f"the tournament in {store.folder} uses version {definition.rules_version} of the"
            f" rules, and this referee plays versions up to {RULES_VERSION}"
        )
    return definition


def refuse_tuning(store: Store) -> None:
    """Raise TournamentRefused if the store holds a tuning, which only `referee tune` continues."""
    if store.get(TUNING_KEY) is not None:
        raise TournamentRefused(
            f"{store.folder} holds a tuning, not a tournament; to continue it:"
            f" referee tune --resume {shell_word(store.folder)}"
        )


def check_rules_unchanged(definition: Definition, folder: Path) -> None:
    """Raise TournamentRefused if the rules of a table have changed since the tournament began."""
    for table in definition.tables:
        _, rules = table.load()
        if rules.version > definition.rules_version:
            raise TournamentRefused(
                f"the tournament in {folder} began with rules version {definition.rules_version}, and"
                f" version {rules.version} changed the games of table {table.name}: begin a new one,"
                " or continue it with the referee that began it"
            )


def have_same_games(one: Definition, other: Definition) -> bool:
    """Return whether two definitions lead to the same games, though different versions may have written them."""
    return (one.seed, one.conditions) == (other.seed, other.conditions) and [
        _identity(table) for table in one.tables
    ] == [_identity(table) for table in other.tables]


def _identity(table: TableJob) -> tuple[str, str, int]:
    """What distinguishes a table: its board, its rules and its number of seats."""
    board, rules = table.load()
    return board.digest_for(rules.neutral_scores), rules.name, table.seats


def stored_run_options(store: Store) -> RunOptions | None:
    """Return the options of the last run of a store; None before the first run.

    Raises TournamentRefused if they cannot be read.
    """
    stored = store.get(RUN_OPTIONS_KEY)
    if isinstance(stored, dict) and "most_sets" not in stored:
        stored["most_sets"] = MOST_SETS_BEFORE
    try:
        return None if stored is None else msgspec.convert(stored, RunOptions)
    except msgspec.ValidationError as error:
        raise TournamentRefused(
            f"this referee cannot read the settings in {store.folder}: {error}"
        ) from error


def make_plan(definition: Definition, options: RunOptions, bots: Sequence[str]) -> Plan:
    """Return the plan of a run; TournamentRefused if its hero is missing."""
    seed, kinds, all_orders = definition.seed, definition.kinds(options.weights), options.all_orders
    blocks, per_bot, most_sets = options.blocks, options.blocks_per_bot, options.most_sets
    if per_bot is not None or (blocks is None and most_sets is None):
        most_sets = BY_BOT
    passes = blocks if per_bot is None else per_bot
    if options.format == "round-robin":
        return RoundRobin(seed, kinds, bots, passes, most_sets=most_sets, all_orders=all_orders)
    if options.format == "swiss":
        return Swiss(
            seed, kinds, bots, options.rounds, blocks or 1, rounds_per_bot=per_bot,
            all_orders=all_orders,
        )  # fmt: skip
    hero = options.hero
    if hero is not None and hero not in bots:
        raise TournamentRefused(f"--hero: {no_such_bot(hero, bots)}")
    if hero is None:
        raise TournamentRefused(
            f"a {options.format} needs a hero: --hero with one of {', '.join(bots)}"
        )
    others = [bot for bot in bots if bot != hero]
    if options.format == "gauntlet":
        passes = None if options.sprt is not None else passes  # a test has no fixed number
        return Gauntlet(
            seed, kinds, hero, others, passes, even_seats=options.even_seats, most_sets=most_sets,
            all_orders=all_orders,
        )  # fmt: skip
    return Ladder(
        seed, kinds, hero, others, ratings_with_ends, blocks=blocks or LADDER_BLOCKS, total=per_bot,
        all_orders=all_orders,
    )  # fmt: skip


def ratings_with_ends(results: Sequence[BlockResult]) -> Mapping[str, Rating]:
    """Return ratings with the ends of their intervals, as a ladder needs them."""
    return {
        entry.bot: (
            entry.rating,
            float("-inf") if entry.low is None else entry.low,
            float("inf") if entry.high is None else entry.high,
        )
        for entry in rate(results).entries
    }

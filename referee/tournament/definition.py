"""The charter of a tournament: what can never change in its life, and what a run may add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from referee.engine.ruleset import RULES_VERSION
from referee.errors import RefereeError
from referee.tournament.ratings import rate
from referee.tournament.results import BlockResult, TableKind
from referee.tournament.schedule import Gauntlet, Ladder, Plan, Rating, RoundRobin, Swiss
from referee.tournament.workers.messages import Conditions, TableJob

Format: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "ladder"]

USUAL_BLOCKS: Final = 10
SETTLED: Final = "settled"


class TournamentRefused(RefereeError):
    """A tournament that cannot be played as it was asked for."""


class Charter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all games of a tournament have in common, for as long as it goes on."""

    seed: int
    tables: tuple[TableJob, ...]
    conditions: Conditions
    rules_version: int = RULES_VERSION

    def kinds(self) -> list[TableKind]:
        """The tables, as a schedule sees them."""
        return [TableKind(table.name, table.seats) for table in self.tables]


class SprtTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sequential test of the hero: `high` Elo above the field, or only `low`."""

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05


class Programme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one run plays; another run of the same tournament may play something else."""

    format: Format = "round-robin"
    blocks: int | None = USUAL_BLOCKS  # None: until the top is settled
    rounds: int | None = None  # of a Swiss tournament
    hero: str | None = None  # of a gauntlet, or the new bot of a ladder
    all_orders: bool = False
    sprt: SprtTerms | None = None
    out_at: float = 0.5  # this share of games with a fault of its own disqualifies a bot
    out_after: int = 12  # but not before so many games


def plan_of(charter: Charter, programme: Programme, bots: Sequence[str]) -> Plan:
    """The plan of a run."""
    seed, kinds, blocks = charter.seed, charter.kinds(), programme.blocks
    every = programme.all_orders
    if programme.format == "round-robin":
        return RoundRobin(seed, kinds, bots, blocks, all_orders=every)
    if programme.format == "swiss":
        return Swiss(seed, kinds, bots, programme.rounds, blocks or 1, all_orders=every)
    hero = programme.hero
    if hero is None or hero not in bots:
        raise TournamentRefused(
            f"a {programme.format} needs a bot of its own, --hero: one of {', '.join(bots)}"
        )
    others = [bot for bot in bots if bot != hero]
    if programme.format == "gauntlet":
        endless = None if programme.sprt is not None else blocks
        return Gauntlet(seed, kinds, hero, others, endless, all_orders=every)
    if blocks is None:
        return Ladder(seed, kinds, hero, others, ratings_with_ends, all_orders=every)
    return Ladder(seed, kinds, hero, others, ratings_with_ends, blocks=blocks, all_orders=every)


def ratings_with_ends(results: Sequence[BlockResult]) -> Mapping[str, Rating]:
    """Ratings as a ladder wants them: with the ends of their intervals."""
    return {
        entry.bot: (
            entry.rating,
            float("-inf") if entry.low is None else entry.low,
            float("inf") if entry.high is None else entry.high,
        )
        for entry in rate(results).entries
    }

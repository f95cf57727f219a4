"""The standings of a tournament: for all games, by table, and without the games with faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from referee.bots.parameters import Value
from referee.tournament.live_ratings import RatingOptions
from referee.tournament.ratings import (
    Ratings,
    RatingsRefused,
    if_played,
    rate,
    rate_by_table,
    select,
)
from referee.tournament.results import BlockResult
from referee.tournament.secret import Closing, closing_of
from referee.tournament.sprt import Verdict
from referee.tournament.stopping import stored_verdict
from referee.tournament.store import Store
from referee.tournament.summary import ratings_to_dict


@dataclass(frozen=True)
class StandingsReport:
    """The ratings from a selection of games, and from parts of it that differ."""

    ratings: Ratings
    by_table: dict[str, Ratings]  # empty if there is one kind of table
    without_faults: Ratings | None  # None if there were no faults
    blocks: int  # finished, of the whole tournament
    games: int
    faults: int
    out: dict[str, str]
    retired: list[str]  # bots that play no more
    closing: Closing | None = None  # with the secret; None while the tournament may continue
    verdict: Verdict | None = None  # of a sequential test
    values: dict[str, dict[str, Value]] = field(default_factory=dict)  # of bots with other values

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for `--json` and the JSON export."""
        clean = self.without_faults
        return {
            "finished": {"blocks": self.blocks, "games": self.games, "faults": self.faults},
            "out": self.out,
            "closed": msgspec.to_builtins(self.closing),
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
            "retired": self.retired,
            "values": self.values,
            **ratings_to_dict(self.ratings),
            "by_table": {name: ratings_to_dict(ratings) for name, ratings in self.by_table.items()},
            "without_faults": None if clean is None else ratings_to_dict(clean),
        }


def make_standings(
    store: Store, options: RatingOptions, *, table: str | None = None, without_faults: bool = False
) -> StandingsReport:
    """Rate the games of a store, or only those at one table, or only those without faults.

    Raises RatingsRefused for an unknown table or anchor.
    """
    everything = list(store.results())  # read once: another process may add results
    _check_table(everything, table)
    chosen = list(select(everything, table=table, without_faults=without_faults))
    bots = store.bots()
    names = [bot.name for bot in bots]
    points, anchor = options
    tables = rate_by_table(chosen, points=points, anchor=anchor) if table is None else {}
    clean = list(select(chosen, without_faults=True))
    is_same = sum(len(result.games) for result in clean) == sum(
        len(result.games) for result in chosen
    )
    return StandingsReport(
        rate(chosen, bots=names, points=points, anchor=anchor),
        tables if len(tables) > 1 else {},
        None
        if is_same
        else rate(clean, bots=names, points=points, anchor=if_played(anchor, clean)),
        store.count("blocks"),
        store.count("games"),
        store.count("faults"),
        {bot.name: bot.out for bot in bots if bot.out is not None},
        store.retired(),
        closing_of(store),
        stored_verdict(store),
        store.values(),
    )


def _check_table(results: Sequence[BlockResult], table: str | None) -> None:
    tables = sorted({game.table for result in results for game in result.games})
    if table is not None and table not in tables:
        raise RatingsRefused(
            f"no game was played at table {table!r}; tables with games: {', '.join(tables) or '-'}"
        )

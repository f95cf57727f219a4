"""The overview at the start of a run, the summary at its end, and both as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from referee.bots.parameters import Value
from referee.text import plural
from referee.tournament.coordinator import Ending
from referee.tournament.opening import PlannedRun
from referee.tournament.ratings import Ratings
from referee.tournament.results import Block
from referee.tournament.secret import Closing, closing_of
from referee.tournament.sprt import Verdict
from referee.tournament.store import Store
from referee.tournament.workers.messages import Played


@dataclass(frozen=True)
class RunOverview:
    """What a run plays, where, and what earlier runs have played."""

    folder: Path
    planned: PlannedRun
    workers: str  # such as "2 workers"
    is_demonstration: bool = False
    is_comparison: bool = False  # of two bots, by `referee compare`
    blocks_before: int = 0
    games_before: int = 0
    sandbox: str = ""  # a description in one line
    records: Path | None = None  # the folder of the records, if they are written on this machine

    def size(self) -> str:
        """Return the number of blocks and games as text."""
        outline, test = self.planned.outline, self.planned.options.sprt
        if test is not None:
            return f"blocks until a test of {test.low:+g} against {test.high:+g} Elo is decided"
        if outline.blocks is None or outline.games is None:
            return "no fixed number of blocks"
        most = "at most " if outline.stages > 1 else ""
        return f"{most}{plural(outline.blocks, 'block')}, {plural(outline.games, 'game')}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        planned, definition = self.planned, self.planned.definition
        return {
            "folder": str(self.folder),
            "bots": planned.names,
            "values": {bot.name: bot.values for bot in planned.playing if bot.values},
            "tables": [table.name for table in definition.tables],
            "programme": msgspec.to_builtins(planned.options),
            "conditions": msgspec.to_builtins(definition.conditions),
            "seed": definition.seed,
            "blocks": planned.outline.blocks,
            "games": planned.outline.games,
            "blocks_before": self.blocks_before,
            "games_before": self.games_before,
            "sandbox": self.sandbox,
        }


@dataclass(frozen=True)
class Summary:
    """How a run ended, and the ratings after it."""

    ending: Ending
    ratings: Ratings
    blocks: int  # finished, including those of earlier runs
    games: int
    faults: int
    new_games: int
    seconds: float
    out: dict[str, str]  # the disqualified bots, and why
    verdict: Verdict | None = None  # of a sequential test
    closing: Closing | None = None  # a decided test closes the tournament
    lack: str | None = None  # why no more games were possible, if bots were missing
    values: dict[str, dict[str, Value]] = field(default_factory=dict)  # of bots with other values

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "ending": self.ending,
            "blocks": self.blocks,
            "games": self.games,
            "faults": self.faults,
            "new_games": self.new_games,
            "seconds": round(self.seconds, 3),
            "out": self.out,
            "test": None if self.verdict is None else msgspec.to_builtins(self.verdict.state),
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
            "closed": msgspec.to_builtins(self.closing),
            "lack": self.lack,
            "values": self.values,
            **ratings_to_dict(self.ratings),
        }


def make_summary(
    store: Store,
    ratings: Ratings,
    ending: Ending,
    verdict: Verdict | None = None,
    lack: str | None = None,
    *,
    games_before: int,
    seconds: float,
) -> Summary:
    """Return the summary of a run, after which the tournament is in this store."""
    games = store.count("games")
    return Summary(
        ending,
        ratings,
        store.count("blocks"),
        games,
        store.count("faults"),
        games - games_before,
        seconds,
        {bot.name: bot.out for bot in store.bots() if bot.out is not None},
        verdict,
        closing_of(store),
        lack,
        store.values(),
    )


def ratings_to_dict(ratings: Ratings) -> dict[str, Any]:
    """Return ratings as plain data: standings with intervals, seat effects, superiority."""
    data = msgspec.to_builtins(ratings)
    entries = data.pop("entries")
    ranked = [{"rank": place, **entry} for place, entry in enumerate(entries, start=1)]
    return {"standings": ranked, **data}


def played_to_dict(played: Played) -> dict[str, Any]:
    """Return a finished block and its games as plain data."""
    return {
        **block_to_dict(played.block),
        "seed": played.block.seed,
        "void": played.void,
        "games": [
            {
                "game": game.game,
                "reason": game.reason,
                "turns": game.turns,
                "seconds": game.seconds,
                "seats": [msgspec.to_builtins(seat) for seat in game.seats],
                "faults": len(game.faults),
            }
            for game in played.games
        ],
    }


def block_to_dict(block: Block) -> dict[str, Any]:
    """Return a block as plain data, without its seed, which bots must not know before it is finished."""
    return {
        "block": block.id,
        "table": block.table,
        "bots": block.bots,
        "stage": block.stage,
    }

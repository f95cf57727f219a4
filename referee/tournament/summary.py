"""A run as it is shown: what is played at its beginning, and what came of it at its end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from referee.tournament.coordinator import Ending
from referee.tournament.prospect import Prospect
from referee.tournament.ratings import Ratings
from referee.tournament.results import Block
from referee.tournament.sprt import SprtState
from referee.tournament.workers.messages import Played


@dataclass(frozen=True)
class Scene:
    """What is played, where, and what was played before."""

    folder: Path
    prospect: Prospect
    workers: str  # in words
    is_demonstration: bool = False
    blocks_before: int = 0
    games_before: int = 0
    sandbox: str = ""  # what is in force, in one line

    def size(self) -> str:
        """How much there is to play."""
        outline = self.prospect.outline
        if outline.blocks is None or outline.games is None:
            return "no fixed number of blocks"
        most = "at most " if outline.stages > 1 else ""
        return f"{most}{many(outline.blocks, 'block')}, {many(outline.games, 'game')}"

    def words(self) -> dict[str, Any]:
        """For programs."""
        prospect, charter = self.prospect, self.prospect.charter
        return {
            "folder": str(self.folder),
            "bots": prospect.names,
            "tables": [table.name for table in charter.tables],
            "programme": msgspec.to_builtins(prospect.programme),
            "conditions": msgspec.to_builtins(charter.conditions),
            "seed": charter.seed,
            "blocks": prospect.outline.blocks,
            "games": prospect.outline.games,
            "blocks_before": self.blocks_before,
            "games_before": self.games_before,
            "sandbox": self.sandbox,
        }


@dataclass(frozen=True)
class Summary:
    """What came of it."""

    ending: Ending
    ratings: Ratings
    blocks: int  # finished, earlier runs included
    games: int
    faults: int
    new_games: int
    seconds: float
    out: dict[str, str]  # who is out, and why
    test: SprtState | None = None

    def words(self) -> dict[str, Any]:
        """For programs."""
        return {
            "ending": self.ending,
            "blocks": self.blocks,
            "games": self.games,
            "faults": self.faults,
            "new_games": self.new_games,
            "seconds": round(self.seconds, 3),
            "out": self.out,
            "test": msgspec.to_builtins(self.test),
            **ratings_words(self.ratings),
        }


def ratings_words(ratings: Ratings) -> dict[str, Any]:
    """Standings for programs: every rating with its interval, seat effects, who is above whom."""
    words = msgspec.to_builtins(ratings)
    entries = words.pop("entries")
    ranked = [{"rank": place, **entry} for place, entry in enumerate(entries, start=1)]
    return {"standings": ranked, **words}


def played_words(played: Played) -> dict[str, Any]:
    """A finished block for programs."""
    return {
        **block_words(played.block),
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


def block_words(block: Block) -> dict[str, Any]:
    """A block for programs."""
    return {
        "block": block.id,
        "table": block.table,
        "bots": block.bots,
        "seed": block.seed,
        "stage": block.stage,
    }


def many(count: int, what: str) -> str:
    """So many of something."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"

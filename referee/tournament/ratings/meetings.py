"""Who finished ahead of whom: the games of every two bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from referee.tournament.results import BlockResult

Pair: TypeAlias = tuple[str, str]


@dataclass
class Meeting:
    """The games of one bot against another. `before` counts those in which it finished ahead; a tie is 0.5."""

    games: int = 0
    before: float = 0.0

    @property
    def share(self) -> float:
        """The share of games in which it finished ahead of the other bot."""
        return self.before / self.games


def meetings(results: Sequence[BlockResult]) -> dict[Pair, Meeting]:
    """The meetings of every two bots. Each copy of a bot meets the other bots, but not its own copies."""
    found: dict[Pair, Meeting] = {}
    for result in results:
        for game in result.games:
            seated = list(zip(game.bots, game.ranks, strict=True))
            for bot, rank in seated:
                for other, rank_of_other in seated:
                    if bot != other:
                        meeting = found.setdefault((bot, other), Meeting())
                        meeting.games += 1
                        meeting.before += (1 + (rank < rank_of_other) - (rank > rank_of_other)) / 2
    return found

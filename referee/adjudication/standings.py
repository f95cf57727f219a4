"""The final standings of a refereed game: the engine's score, the names, and what conduct did to ranks."""

from __future__ import annotations

from collections.abc import Sequence

from referee.adjudication.faults import Conduct
from referee.engine import game, view
from referee.engine.state import GameState


def final_standings(
    state: GameState, conduct: Conduct, names: Sequence[str]
) -> list[dict[str, object]]:
    """By seat, with names, and ranks that a disqualification may have changed."""
    standings = game.standings(state)
    ranks = conduct.ranks([standing.rank for standing in standings])
    return [
        {
            "seat": standing.seat,
            "name": name,
            **view.standing_words(state, standing),
            "rank": rank,
            "disqualified": out[0] if out else None,
        }
        for standing, rank, name, out in zip(standings, ranks, names, conduct.out, strict=True)
    ]

"""The outcome of a game: the engine's score with names, disqualifications and final ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from protocol.parts import Standing
from referee.adjudication.faults import FaultRecord, Strikes
from referee.engine import game
from referee.engine.state import GameState


@dataclass(frozen=True)
class SeatResult:
    """One seat's result: its rank, its total and every part of that."""

    seat: int
    name: str
    rank: int
    total: int
    parts: dict[str, int]  # by the names in PARTS
    countries: dict[str, int]  # prestige of the countries that give any
    disqualified: str | None  # the fault that disqualified the seat

    def to_dict(self) -> Standing:
        """The result as messages, records and the Python API give it."""
        plain = {
            "seat": self.seat,
            "name": self.name,
            "rank": self.rank,
            "total": self.total,
            **self.parts,
            "countries": self.countries,
            "disqualified": self.disqualified,
        }
        return cast("Standing", plain)


@dataclass
class Outcome:
    """How a game ended; `void` says why it does not count, if it does not."""

    game: str
    seed: int
    state: GameState
    standings: list[SeatResult]
    faults: list[FaultRecord]
    void: str | None = None
    stopped: bool = False  # at a fault, because that was asked for


def final_standings(state: GameState, strikes: Strikes, names: Sequence[str]) -> list[SeatResult]:
    """The results by seat, as if the game ended now; the disqualified rank last."""
    scores = game.standings(state)
    ranks = strikes.ranks([score.rank for score in scores])
    countries = state.board.scoring_countries
    return [
        SeatResult(
            seat=score.seat,
            name=name,
            rank=rank,
            total=score.total,
            parts=score.named_parts(),
            countries=dict(zip(countries, score.countries, strict=True)),
            disqualified=out[0] if out else None,
        )
        for score, rank, name, out in zip(scores, ranks, names, strikes.out, strict=True)
    ]

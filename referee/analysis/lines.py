"""The types of an analysis: a game, its turns, and the better turn that was found for one of them.

All lists of numbers are by seat. Chances are fractions that add up to 1.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

FORMAT: Final = 1
DEFAULT_MS: Final = 1500.0  # of CPU time for each turn

Natural: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Phase: TypeAlias = Literal["first", "middle", "last"]
Made: TypeAlias = tuple[int, int]  # the seat that makes a choice, and the index of the choice


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How turns are judged: for how long, and by what knowledge."""

    time_ms: Annotated[float, msgspec.Meta(gt=0)] | None = DEFAULT_MS
    """Milliseconds of CPU time for each turn; None if `rounds` counts."""
    rounds: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Rounds of the table that the game is continued for, so that results repeat exactly."""
    omniscient: bool = False
    """Whether everything hidden is known; otherwise a turn is judged by what the seat knew."""


class Alternative(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The best other turn that was found."""

    choices: list[Made]  # from the position before the turn to the end of the turn
    text: list[str]  # a sentence for each choice
    chances: list[float]  # to come first, after this turn
    ranks: list[float]  # expected
    totals: list[float]  # expected final scores
    parts: dict[str, float]
    """By part of the score: how many points more the seat can expect than after its own turn."""


class TurnAnalysis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One turn of a game. Steps are those of a timeline: step n is the position after decision n."""

    turn: int
    seat: int
    first_step: int  # at which the turn begins, before its first decision
    last_step: int
    kind: str  # the most important thing that the seat did, such as "create"
    phase: Phase  # the third of the game
    played: str  # what the seat did of this kind, without the name of the seat
    text: list[str]  # all that was played: a sentence for each choice
    chances: list[float]  # to come first, before the turn
    ranks: list[float]
    totals: list[float]
    chances_after: list[float]
    ranks_after: list[float]
    totals_after: list[float]
    loss: float  # of the seat's chance to come first, compared with `best`; at least 0
    loss_interval: tuple[float, float]  # 95 %
    is_mistake: bool
    best: Alternative | None = None  # None if no better turn was found
    why: str = ""  # what the better turn gains, in one sentence


class GameAnalysis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The analysis of one record, as far as it was made."""

    format: int
    board: str
    names: list[str]  # of the players
    seats: int
    turn_count: int  # of the record
    winners: list[int]  # the seats that came first; empty if the record does not say it
    settings: Settings
    is_complete: bool  # whether every turn of the record is analysed
    turns: list[TurnAnalysis]  # in their order


class CacheHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a cache: which record was analysed, and how."""

    format: int
    record: str  # the digest of the record's bytes
    made_by: str  # the digest of what judged: values and version
    board: str
    names: list[str]
    turn_count: Natural
    winners: list[int]
    settings: Settings

    def analysis(self, turns: list[TurnAnalysis]) -> GameAnalysis:
        """The analysis with this header and these turns."""
        return GameAnalysis(
            format=self.format,
            board=self.board,
            names=self.names,
            seats=len(self.names),
            turn_count=self.turn_count,
            winners=self.winners,
            settings=self.settings,
            is_complete=len(turns) == self.turn_count,
            turns=sorted(turns, key=lambda turn: turn.turn),
        )

"""The types of the lines of a record.

Types are strict: a field that is missing, unknown or of another type is an error. A record may come
from anybody, so error messages hold printable characters only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from referee.adjudication.clock import ClockRules
from referee.encoder import Detail, Encoding, MessageFormat, StateOption
from referee.errors import RecordRefused
from referee.options import GameOptions
from referee.records.required import all_required
from referee.text import printable

Natural = Annotated[int, msgspec.Meta(ge=0)]
Milliseconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]


@all_required(but=("promo_markers", "country_ties", "permanent_markers"))
class RulesLine(GameOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules and options of the game."""

    board: str
    players: Natural
    rules_version: Natural


@all_required(but=("by_cpu",))
class ClockLine(ClockRules, frozen=True, forbid_unknown_fields=True):
    """The time limits that bots had."""


class SeatLine(msgspec.Struct, forbid_unknown_fields=True):
    """The player in one seat."""

    seat: Natural
    name: str
    version: str | None = None
    hash: str = ""
    # What its hello asked for; None in records of earlier versions.
    encoding: Encoding | None = None
    detail: Detail | None = None
    state: StateOption | None = None

    def message_format(self) -> MessageFormat | None:
        """What the hello of the bot asked for; None if the record does not say it."""
        if self.encoding is None or self.detail is None or self.state is None:
            return None
        return MessageFormat(self.encoding, self.detail, self.state)


class Origin(msgspec.Struct, forbid_unknown_fields=True):
    """The game and the decision that this game continues from."""

    game: str
    at: Annotated[int, msgspec.Meta(ge=1)]


class GameLine(msgspec.Struct, tag_field="line", tag="game", forbid_unknown_fields=True):
    """The first line: everything needed to play the game again."""

    format: int
    rules_version: Natural
    protocol: Natural
    referee: str
    rules: RulesLine
    ruleset: str
    board: msgspec.Raw
    board_digest: str
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    game: str
    players: list[SeatLine]
    clock: ClockLine
    strikes: Natural
    origin: Origin | None = msgspec.field(default=None, name="from")


class DecisionLine(
    msgspec.Struct, tag_field="line", tag="decision", forbid_unknown_fields=True, gc=False
):
    """One decision, who made it, and how long that took."""

    id: int
    seat: int
    decision: str
    choice: int
    do: msgspec.Raw
    by: Literal["bot", "single", "referee"]
    ms: Milliseconds
    lag_ms: Milliseconds
    say: Annotated[str, msgspec.Meta(max_length=500)] | None = None


class FaultLine(msgspec.Struct, tag_field="line", tag="fault", forbid_unknown_fields=True):
    """A fault of a bot, with what it sent."""

    seat: Natural
    id: int | None
    fault: str
    message: str
    bytes_base64: str
    stderr: Annotated[str, msgspec.Meta(max_length=4096)]
    strikes: int
    ms: Milliseconds


class HintLine(msgspec.Struct, tag_field="line", tag="hint", forbid_unknown_fields=True):
    """A person asked the referee for a hint before a decision; only in records of format 2."""

    id: int
    seat: Natural


class TurnLine(msgspec.Struct, tag_field="line", tag="turn", forbid_unknown_fields=True, gc=False):
    """The end of a turn, with the digest of the position."""

    turn: int
    digest: str


class EndLine(msgspec.Struct, tag_field="line", tag="end", forbid_unknown_fields=True):
    """The end of the game, with its standings."""

    standings: list[dict[str, Any]]
    missions: list[list[str] | None]
    reason: str
    digest: str


class VoidLine(msgspec.Struct, tag_field="line", tag="void", forbid_unknown_fields=True):
    """A failure of the referee itself: the game does not count."""

    message: str


Line: TypeAlias = GameLine | DecisionLine | FaultLine | HintLine | TurnLine | EndLine | VoidLine


def no_first_line(path: Path) -> RecordRefused:
    """Return the error for a file without a complete line."""
    return RecordRefused(f"{printable(str(path))} is not a record: it has no first line")

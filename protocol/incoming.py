"""Types of the messages that a bot reads, as the dicts that its SDK makes of them.

`messages` has the same messages as classes, for referees and tools.
"""

# No postponed annotations: TypedDict needs the real types to know which keys are required.

from typing import Literal, NotRequired, TypedDict

from .choices import ChoiceWords
from .events import Event
from .parts import Board, Clock, Rules, Seated, Standing
from .words import (
    About,
    AboutCodes,
    Code,
    DecisionKind,
    EndReason,
    Fault,
    Favour,
    State,
    StateCodes,
)


class StartMessage(TypedDict):
    """A game begins: the seat, the board, the rules and the clock."""

    type: Literal["start"]
    game: str
    seat: int
    players: list[Seated]
    rules: Rules
    board: Board
    favours: list[Favour]
    mission: list[str] | None
    clock: Clock


class DecideMessage(TypedDict):
    """A decision with all its legal choices, in words or in codes."""

    type: Literal["decide"]
    id: int
    decision: DecisionKind
    choices: list[ChoiceWords] | list[Code]
    events: list[Event] | list[Code]
    clock_ms: float | None
    about: NotRequired[About | AboutCodes | None]
    state: NotRequired[State | StateCodes | None]


class ErrorMessage(TypedDict):
    """The last answer was refused: the referee chose for the bot."""

    type: Literal["error"]
    id: int | None
    fault: Fault
    message: str
    strikes: int
    allowed: int


class EndMessage(TypedDict):
    """The game is over: the standings, and the state with everything revealed."""

    type: Literal["end"]
    events: list[Event] | list[Code]
    state: State | StateCodes
    missions: list[list[str] | None]
    standings: list[Standing]
    reason: EndReason

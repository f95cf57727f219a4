"""A player without a process, such as a person: does nothing where a bot is started, told something or ended."""

from __future__ import annotations

from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.encoder import MessageFormat, SeatEncoder


class WithoutProcess:
    """The methods of a `Player` but `decide`; a kind of player replaces those that concern it."""

    def __init__(self, name: str, content: str) -> None:
        self.name = name
        self.version: str | None = None
        self.content = content
        self.message_format = MessageFormat()

    def open(self, clock: ClockRules) -> Fault | None:
        """Do nothing: there is no process to start."""
        return None

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Do nothing: the player is ready."""
        return None

    def refuse(self, fault: FaultRecord) -> None:
        """Do nothing: no bot must learn about the fault."""

    def dismiss(self) -> None:
        """Do nothing: there is no process to end."""

    def end(self, standings: list[SeatResult]) -> None:
        """Do nothing: no bot must learn the result."""

    def stderr_excerpt(self) -> bytes:
        """Return nothing: only a process has stderr."""
        return b""

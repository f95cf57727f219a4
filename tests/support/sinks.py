"""A connection that keeps what is written to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.web.live.broadcast import Update


@dataclass
class KeptEvents:
    """Takes all events, and notes whether it was cut."""

    written: list[bytes] = field(default_factory=list)
    aborts: int = 0

    def write(self, update: Update) -> bool:
        """Keep the events for the test to look at."""
        self.written.append(update.events)
        return True

    def abort(self) -> None:
        """Count how often the connection is cut."""
        self.aborts += 1

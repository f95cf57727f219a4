"""The events of one seat: its open question, sent to its pages as soon as it changes."""

from __future__ import annotations

import msgspec

from referee.web.live.broadcast import Client, Sink, Update, update_of
from referee.web.play.seats import Seat


class SeatChannel:
    """The open pages of one seat; each event contains the whole state of the seat."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._clients: set[Client] = set()

    @property
    def clients(self) -> int:
        """The number of pages that are open."""
        return len(self._clients)

    async def join(self, knows: str, sink: Sink) -> Client:
        """Add a page; it gets the state of the seat at once."""
        client = Client(knows, sink)
        client.push(*self._event())
        self._clients.add(client)
        return client

    def leave(self, client: Client) -> None:
        """Remove a page, which gets nothing more."""
        self._clients.discard(client)
        client.drop()

    def close(self) -> None:
        """Disconnect all pages, because their browser has lost the seat."""
        for client in list(self._clients):
            self.leave(client)

    def send(self) -> None:
        """Send the state of the seat to all pages."""
        event = self._event()
        for client in list(self._clients):
            client.push(*event)

    def _event(self) -> tuple[Update, str]:
        """The event has no id, so that a browser that comes back names the last event of the game."""
        data = msgspec.json.encode(self._seat.state())
        return update_of(b"event: seat\ndata: " + data + b"\n\n"), ""

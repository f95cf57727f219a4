"""The server's end of the connection to a game: passes questions to seats, and answers back."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from starlette.routing import BaseRoute

from referee.web.live.hub import Hub
from referee.web.live.process import GameSettings
from referee.web.play.seat_messages import Began, Closed, Over, ToGame, decoded_from_game, encoded
from referee.web.play.seat_pages import SeatPages
from referee.web.play.seats import Seat

CLOSING_S: Final = 4.0  # without an open page after the end: nobody is expected to come back
_LOOK_S: Final = 0.25  # from one look for open pages to the next
_LONGEST_LINE: Final = 1 << 24


class GameLink:
    """A running game as a part of the server: its pages, its seats, and the connection to it."""

    def __init__(self, settings: GameSettings) -> None:
        self._link = socket.socket(fileno=settings.link)
        self._seats = [Seat(seat.number, seat.name, seat.code) for seat in settings.seats]
        self._pages = SeatPages(Path(settings.record), self._seats, hints=settings.hints)

    def routes(self, hub: Hub) -> Sequence[BaseRoute]:
        """The addresses of the game."""
        return self._pages.routes(hub)

    def files(self) -> dict[str, str]:
        """The files of the board."""
        return self._pages.files()

    async def run(self) -> None:
        """Pass messages on until the game ends."""
        reader, writer = await asyncio.open_connection(sock=self._link, limit=_LONGEST_LINE)

        def send(message: ToGame) -> None:
            writer.write(encoded(message))

        seats = {seat.number: seat for seat in self._seats}
        for seat in self._seats:
            seat.connect(send, self._pages.sender(seat))
        try:
            while line := await reader.readline():
                message = decoded_from_game(line)
                if isinstance(message, Began):
                    self._pages.has_begun = True
                elif isinstance(message, Over):
                    await self._until_closed()
                    send(Closed())
                else:
                    seats[message.seat].hear(message)
        finally:
            writer.close()

    async def _until_closed(self) -> None:
        """Wait until no page of a seat was open for a while; a page that is loaded again comes back."""
        quiet_s = 0.0 if self._pages.open_pages else CLOSING_S
        while quiet_s < CLOSING_S:
            await asyncio.sleep(_LOOK_S)
            quiet_s = 0.0 if self._pages.open_pages else quiet_s + _LOOK_S

"""Serves the pages of a game while it is played: starts the server, and connects the game with it."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from referee.web.live.process import (
    Address,
    GameSettings,
    SeatSettings,
    ServerSettings,
    server_process,
)
from referee.web.play.browser_seats import BrowserSeats
from referee.web.play.seats import new_code


class GameServer(NamedTuple):
    """A running server, and the people in the browser."""

    address: Address
    seats: BrowserSeats
    codes: dict[int, str]  # by seat

    def seat_address(self, seat: int) -> str:
        """The address of the page of a seat on this machine, without its code."""
        return f"{self.address.url}seat/{seat}"

    def taking_address(self, seat: int) -> str:
        """The address that takes a seat on this machine; it works once."""
        return f"{self.seat_address(seat)}#{self.codes[seat]}"

    def renew_codes(self) -> None:
        """Give every seat a new code; a seat that is taken stays so until its new code is used."""
        for seat in self.codes:
            self.codes[seat] = new_code()
            self.seats.add_code(seat, self.codes[seat])

    def network_address(self, seat: int) -> str:
        """The same for other machines, if they can reach the server."""
        return f"{self.address.network_url}seat/{seat}#{self.codes[seat]}"


@contextmanager
def game_server(
    record: Path,
    people: Mapping[int, str],
    host: str,
    port: int,
    allowed_hosts: Sequence[str] = (),
    *,
    has_clock: bool = False,
    hints: bool = False,
) -> Iterator[GameServer]:
    """Serve the game in this record during the block; `people` are the names by seat.

    `hints` says whether they may ask for hints.

    ServerRefused if it cannot be started.
    """
    codes = {seat: new_code() for seat in people}
    ours, theirs = socket.socketpair()
    with ours, theirs:
        settings = ServerSettings(
            game=GameSettings(
                record=str(record.absolute()),
                link=theirs.fileno(),
                seats=tuple(SeatSettings(seat, name, codes[seat]) for seat, name in people.items()),
                hints=hints,
            ),
            allowed_hosts=tuple(allowed_hosts),
        )
        with server_process(settings, host, port) as address:
            theirs.close()
            yield GameServer(address, BrowserSeats(ours, has_clock=has_clock), codes)

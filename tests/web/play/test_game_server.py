"""The addresses of a game's pages, on this machine and for others."""

from __future__ import annotations

import socket

import pytest

from referee.web.live.process import Address
from referee.web.play.browser_seats import BrowserSeats
from referee.web.play.game_server import GameServer


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "192.0.2.7"])
def test_an_address_that_was_named_is_the_same_for_all_machines(host: str) -> None:
    address = Address(host, 8000)
    assert address.network_url == address.url


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_friends_get_an_address_that_their_browsers_can_use(host: str) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        server = GameServer(Address(host, 8000), BrowserSeats(ours), {1: "a-code"})
        for found in (server.network_address(1), server.taking_address(1)):
            assert found.endswith(":8000/seat/1#a-code")
            assert f"/{host}:" not in found
            assert f"[{host}]" not in found
    assert "a-code" not in server.seat_address(1)

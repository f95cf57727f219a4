"""Who is answered: hosts, origins, methods and sizes; and the headers of every answer."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from referee.web.live import security
from referee.web.live.app import Application
from referee.web.live.broadcast import update_of
from referee.web.live.hub import Hub
from referee.web.live.security import (
    LARGEST_BODY,
    LARGEST_HEAD,
    MOST_UNREAD,
    ChunkSink,
    small_body,
)
from support.asgi import Answer, request, scope_of
from support.groups import together

ORIGIN = {"Origin": "http://localhost:8000"}


class Echo:
    """A part that answers with the length of the body, and fails on request."""

    def __init__(self) -> None:
        self.done = 0

    def routes(self, _: Hub) -> list[BaseRoute]:
        async def echo(request: Request) -> Response:
            body = await small_body(request)
            if body is None:
                return PlainTextResponse("too long\n", 413)
            self.done += 1
            return PlainTextResponse(str(len(body)))

        async def fail(_: Request) -> Response:
            raise ZeroDivisionError("a secret text")

        return [Route("/echo", echo, methods=["GET", "POST"]), Route("/fail", fail)]

    def files(self) -> dict[str, str]:
        return {}


def ask(
    address: str = "/echo",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: bytes = b"",
    allowed: tuple[str, ...] = (),
) -> Answer:
    return asyncio.run(request(Application([Echo()], allowed), address, method, headers, body))


@together("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST"])
def test_loopback_names_are_answered(host: str) -> None:
    assert ask(headers={"Host": host}).status == 200


@together(
    "host",
    ["", "evil.example", "localhost.evil.example", "10.0.0.7:8000", "127.0.0.1.evil", "[::2]"],
)
def test_other_hosts_are_refused(host: str) -> None:
    answer = ask(headers={"Host": host})
    assert answer.status == 421
    assert "--allow-host" in answer.text


def test_an_allowed_host_is_answered() -> None:
    assert ask(headers={"Host": "games.example:80"}, allowed=("games.example",)).status == 200


def test_a_choice_needs_the_origin_of_the_server() -> None:
    assert ask(method="POST", headers=ORIGIN).status == 200
    for origin in ("", "null", "http://evil.example", "https://localhost:8000", "http://localhost"):
        assert ask(method="POST", headers={"Origin": origin}).status == 403
    cross = {**ORIGIN, "Sec-Fetch-Site": "cross-site"}
    assert ask(method="POST", headers=cross).status == 403


def test_another_site_can_link_to_a_page_but_not_load_from_it() -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert ask(headers=link).status == 200
    assert ask(headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}).status == 403


@together("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "X"])
def test_other_methods_are_refused(method: str) -> None:
    assert ask(method=method, headers=ORIGIN).status == 405


def test_long_addresses_headers_and_bodies_are_refused() -> None:
    assert ask("/" + "a" * 3000).status == 414
    assert ask("/echo?" + "a" * 3000).status == 414
    assert ask(headers={"X-Long": "a" * LARGEST_HEAD}).status == 431
    long = {**ORIGIN, "Content-Length": str(LARGEST_BODY + 1)}
    assert ask(method="POST", headers=long).status == 413
    assert ask(method="POST", headers={**ORIGIN, "Content-Length": "-1"}).status == 413
    # A body whose length was not announced.
    assert ask(method="POST", headers=ORIGIN, body=b"x" * (LARGEST_BODY + 1)).status == 413
    assert ask(method="POST", headers=ORIGIN, body=b"x" * LARGEST_BODY).text == str(LARGEST_BODY)


@together("address", ["/echo", "/nothing", "/fail"])
def test_every_answer_has_the_headers_of_a_private_page(address: str) -> None:
    try:
        headers = ask(address).headers
    except ZeroDivisionError:  # Starlette raises it again, for the log
        return
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"


def test_only_files_that_never_change_may_be_kept() -> None:
    assert "immutable" in ask("/assets/game.css").headers["cache-control"]
    assert ask("/assets/nothing.css").headers["cache-control"] == "no-store"


def test_an_unknown_address_gets_one_sentence() -> None:
    answer = ask("/nothing")
    assert (answer.status, answer.text) == (404, "There is nothing at this address.\n")


def test_a_websocket_is_not_answered() -> None:
    calls: list[object] = []

    async def receive() -> dict[str, Any]:
        calls.append("receive")
        return {"type": "websocket.connect"}

    async def send(message: object) -> None:
        calls.append(message)

    asyncio.run(Application([Echo()])({"type": "websocket", "path": "/echo"}, receive, send))
    assert calls == []


def test_a_body_that_does_not_come_in_time_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(security, "REQUEST_SECONDS", 0.01)
    parts = [{"type": "http.request", "body": b"half", "more_body": True}]

    async def read() -> bytes | None:
        async def receive() -> dict[str, object]:
            if not parts:
                await asyncio.Event().wait()
            return parts.pop()

        return await small_body(Request(scope_of("POST", "/echo", {}), receive))

    assert asyncio.run(read()) is None


def test_a_client_that_reads_nothing_gets_no_more_chunks() -> None:
    chunk = update_of(b"x" * (1 << 16))

    async def send(ours: socket.socket) -> list[bool]:
        connect = asyncio.get_running_loop().create_connection
        transport, _ = await connect(asyncio.Protocol, sock=ours)
        sink = ChunkSink(transport)
        written = [sink.write(chunk)]
        while written[-1] and len(written) < 1000:
            written.append(sink.write(chunk))
        assert transport.get_write_buffer_size() > MOST_UNREAD
        transport.abort()
        return written

    ours, theirs = socket.socketpair()
    with ours, theirs:
        written = asyncio.run(send(ours))
    assert (written[0], written[-1]) == (True, False)

"""Channels as an HTTP response: server-sent events that resume after `Last-Event-ID`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from referee.web.live.broadcast import Client
from referee.web.live.hub import Hub
from referee.web.live.security import abort_connection, chunk_sink

_HEADERS: Final = [(b"content-type", b"text/event-stream; charset=utf-8")]
_RETRY: Final = b"retry: 1000\n\n"  # milliseconds until a browser connects again
LONGEST_ID: Final = 40


def last_event_id(request: Request) -> str:
    """What the client knows: the last event that it got, or what the page that it loaded contains."""
    known = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return known[:LONGEST_ID]


class Joinable(Protocol):
    """What sends events to its clients, such as a channel."""

    async def join(self, knows: str) -> Client:
        """Add a client that knows the event `knows`."""

    def leave(self, client: Client) -> None:
        """Remove a client, which gets nothing more."""


class EventStream(Response):
    """Sends the events of channels until the client leaves, is too slow, or nothing can follow."""

    def __init__(self, channels: Sequence[Joinable], knows: str) -> None:
        self._channels = channels
        self._knows = knows
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        clients = [(channel, await channel.join(self._knows)) for channel in self._channels]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
            await send({"type": "http.response.body", "body": _RETRY, "more_body": True})
            for _, client in clients:
                client.sink = chunk_sink(scope)
            await _until_gone([client for _, client in clients], scope, receive, send)
        finally:
            for channel, client in clients:
                channel.leave(client)


async def _until_gone(
    clients: Sequence[Client], scope: Scope, receive: Receive, send: Send
) -> None:
    """Send events; a client that does not read them in time is disconnected."""
    sending = asyncio.create_task(_send_all(clients, send))
    leaving = asyncio.create_task(_wait_for_leaving(clients, receive))
    for client in clients:
        client.on_drop(lambda: _disconnect(sending, scope))
    try:
        await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, leaving):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def _disconnect(sending: asyncio.Task[None], scope: Scope) -> None:
    if not sending.done():
        abort_connection(scope)
        sending.cancel()


async def _send_all(clients: Sequence[Client], send: Send) -> None:
    """Send the events of all clients, which are one connection, until the last of them ends."""
    if len(clients) == 1:  # no further tasks are needed
        await _send_events(clients[0], send)
    else:
        await asyncio.gather(*(_send_events(client, send) for client in clients))
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send_events(client: Client, send: Send) -> None:
    async for events in client.events():
        await send({"type": "http.response.body", "body": events, "more_body": True})


async def _wait_for_leaving(clients: Sequence[Client], receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    for client in clients:
        client.end()


async def stream(hub: Hub, channel: Joinable, request: Request, *more: Joinable) -> Response:
    """The events of channels, as one stream, for the client of a request; 503 if there are too many clients."""
    if hub.is_full:
        return PlainTextResponse(
            "There are too many spectators; try again later.\n",
            status_code=503,
            headers={"retry-after": "10"},
        )
    return EventStream((channel, *more), last_event_id(request))

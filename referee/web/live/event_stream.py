"""Channels as an HTTP response: server-sent events that resume after `Last-Event-ID`."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, Protocol

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from referee.web.live.broadcast import Client, Sink, Update, update_of
from referee.web.live.hub import Hub
from referee.web.live.security import abort_connection, chunk_sink

HEARTBEAT: Final = 15.0  # seconds after which a comment keeps the connection open
MOST_WAITING: Final = 40  # updates that a client may be behind before it is dropped
LONGEST_ID: Final = 40
_HEADERS: Final = [(b"content-type", b"text/event-stream; charset=utf-8")]
_RETRY: Final = update_of(b"retry: 1000\n\n")  # milliseconds until a browser connects again
_COMMENT: Final = update_of(b": still here\n\n")
_END: Final = {"type": "http.response.body", "body": b"", "more_body": False}


def last_event_id(request: Request) -> str:
    """What the client knows: the last event that it got, or what the page that it loaded contains."""
    known = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return known[:LONGEST_ID]


class Joinable(Protocol):
    """What sends events to its clients, such as a channel."""

    async def join(self, knows: str, sink: Sink) -> Client:
        """Add a client that knows the event `knows`, and gets what follows through the sink."""

    def leave(self, client: Client) -> None:
        """Remove a client, which gets nothing more."""


class EventStream(Response):
    """Sends the events of channels until the client leaves, is too slow, or nothing can follow."""

    def __init__(self, channels: Sequence[Joinable], knows: str) -> None:
        self._channels = channels
        self._knows = knows
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
        sink = chunk_sink(scope)
        if sink is not None:
            await self._write_all(sink, receive)
            await send(_END)
            return
        queue = QueueSink(scope, send)
        try:
            await self._write_all(queue, receive)
            await queue.finish()
        finally:
            queue.stop()

    async def _write_all(self, sink: Sink, receive: Receive) -> None:
        """Write events to the sink until all channels have ended, or the client has left."""
        sink.write(_RETRY)
        clients = [(channel, await channel.join(self._knows, sink)) for channel in self._channels]
        leaving = asyncio.create_task(  # noqa: RUF006  it is cancelled below
            _end_at_disconnect(receive, [client for _, client in clients])
        )
        try:
            for _, client in clients:
                await _until_over(client, sink)
        finally:
            leaving.cancel()
            for channel, client in clients:
                channel.leave(client)


async def _until_over(client: Client, sink: Sink) -> None:
    while not client.over.is_set():
        try:
            async with asyncio.timeout(HEARTBEAT):
                await client.over.wait()
        except TimeoutError:
            if not sink.write(_COMMENT):
                client.drop()


async def _end_at_disconnect(receive: Receive, clients: Sequence[Client]) -> None:
    """End the clients when their connection is closed."""
    while (await receive())["type"] != "http.disconnect":
        pass
    for client in clients:
        client.end()


class QueueSink:
    """Sends events to a connection that takes no chunks; those that it cannot take yet wait."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._waiting: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._is_last = False  # nothing follows what waits
        self._sending = asyncio.create_task(self._send_all(send))

    def write(self, update: Update) -> bool:
        """Queue events; return False if the client is too far behind to get them."""
        if len(self._waiting) >= MOST_WAITING:
            return False
        self._waiting.append(update.events)
        self._wake.set()
        return True

    def abort(self) -> None:
        """Close the connection at once; what waits is lost."""
        self.stop()
        abort_connection(self._scope)

    def stop(self) -> None:
        """Send nothing more; the connection stays open."""
        self._sending.cancel()

    async def finish(self) -> None:
        """Wait until everything is sent, with the end of the response, or nothing more can be."""
        self._is_last = True
        self._wake.set()
        await asyncio.wait([self._sending])

    async def _send_all(self, send: Send) -> None:
        while self._waiting or not self._is_last:
            if self._waiting:
                events = b"".join(self._waiting)
                self._waiting.clear()
                await send({"type": "http.response.body", "body": events, "more_body": True})
            else:
                self._wake.clear()
                await self._wake.wait()
        await send(_END)


async def stream(hub: Hub, channel: Joinable, request: Request, *more: Joinable) -> Response:
    """The events of channels, as one stream, for the client of a request; 503 if there are too many clients."""
    if hub.is_full:
        return PlainTextResponse(
            "There are too many spectators; try again later.\n",
            status_code=503,
            headers={"retry-after": "10"},
        )
    return EventStream((channel, *more), last_event_id(request))

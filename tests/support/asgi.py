"""An HTTP client for an ASGI application in the test's own process: no port, no other process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Message

SECONDS = 20.0


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Event(NamedTuple):
    """A server-sent event whose data is JSON; `id` is empty if it has none."""

    kind: str
    id: str
    data: Any


def scope_of(method: str, address: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = address.partition("?")
    given = {"host": "localhost:8000"} | {name.lower(): text for name, text in headers.items()}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), text.encode()) for name, text in given.items() if text],
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 50000),
    }


async def request(
    app: ASGIApp,
    address: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> Answer:
    """Send a request, and return the whole answer."""
    sent: list[Message] = []
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await asyncio.sleep(SECONDS)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    async with asyncio.timeout(SECONDS):
        await app(scope_of(method, address, headers or {}), receive, send)
    found = {name.decode(): text.decode() for name, text in sent[0]["headers"]}
    return Answer(sent[0]["status"], found, b"".join(part["body"] for part in sent[1:]))


class Stream:
    """The events of an address, as they come; `may_read` is cleared to stop reading."""

    def __init__(self) -> None:
        self.status = 0
        self.is_over = asyncio.Event()
        self.may_read = asyncio.Event()
        self.may_read.set()
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._rest = b""

    async def send(self, message: Message) -> None:
        await self.may_read.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self._queue.put_nowait(message["body"])

    async def next(self) -> Event:
        """Return the next event; comments are left out."""
        async with asyncio.timeout(SECONDS):
            while True:
                block, found, rest = self._rest.partition(b"\n\n")
                if not found:
                    self._rest += await self._queue.get()
                    continue
                self._rest = rest
                fields = dict(line.split(": ", 1) for line in block.decode().split("\n"))
                if "event" in fields:
                    return Event(fields["event"], fields.get("id", ""), json.loads(fields["data"]))

    async def until_over(self) -> None:
        async with asyncio.timeout(SECONDS):
            await self.is_over.wait()


@asynccontextmanager
async def events(
    app: ASGIApp, address: str, headers: Mapping[str, str] | None = None
) -> AsyncIterator[Stream]:
    """Listen to the events of an address during the block."""
    stream, leaving = Stream(), asyncio.Event()

    async def receive() -> Message:
        await leaving.wait()
        return {"type": "http.disconnect"}

    async def run() -> None:
        try:
            await app(scope_of("GET", address, headers or {}), receive, stream.send)
        finally:
            stream.is_over.set()

    task = asyncio.create_task(run())
    try:
        yield stream
    finally:
        leaving.set()
        stream.may_read.set()
        await asyncio.wait_for(task, SECONDS)

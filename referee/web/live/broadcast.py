"""Sends what is new to many clients as server-sent events; each event is encoded once for all of them.

A `Source` reads something that grows, such as the record of a game. Its `Channel` asks it for what is
new, at most four times a second and only while somebody listens. The id of an event says how much a
client knows after it, so a client that comes back with `Last-Event-ID` gets exactly what it missed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec

SHORTEST_INTERVAL: Final = 0.25  # seconds between two updates
LONGEST_INTERVAL: Final = 0.5
LARGEST_STEP: Final = 1.25  # by which one measurement lengthens or shortens the interval
CPU_SHARE: Final = 0.015  # of one core; if the server needs more, it sends updates less often
PAGE_SECONDS: Final = 1.0  # for which all who load a page get the same one
MOST_ENCODED: Final = 40  # updates that are kept for clients who come

Result = TypeVar("Result")


def encoded_event(kind: str, event_id: str, data: object) -> bytes:
    """An event as it is sent; its data is one line of JSON, which has no line breaks."""
    head = f"event: {kind}\nid: {event_id}\ndata: ".encode()
    return head + msgspec.json.encode(data) + b"\n\n"


class Source(Protocol):
    """Something that grows. All methods but `event_id` may take long; they never run at the same time."""

    @property
    def event_id(self) -> str:
        """How much is known, as the id of an event."""

    @property
    def is_finished(self) -> bool:
        """Whether nothing can follow any more."""

    def poll(self, *, is_last: bool = False) -> bool:
        """Read what is new; return whether there is anything. The last time, it must not be put off."""

    def since(self, event_id: str) -> bytes:
        """The events that bring a client which knows `event_id` up to date; empty if it is."""


class Pace:
    """When updates are sent: less often while the server needs more than its share of the CPU.

    All channels send at the same moments, because it costs CPU time to wake up. The interval changes
    little by little: many spectators who load a page at once do not delay the updates.
    """

    def __init__(self) -> None:
        self.interval = SHORTEST_INTERVAL
        self._moment: asyncio.Task[None] | None = None  # the next one
        self._measured_at = time.monotonic()
        self._cpu = time.process_time()

    async def next_moment(self) -> None:
        """Wait until updates may be sent; all who wait go on together."""
        if self._moment is None or self._moment.done():
            self._moment = asyncio.create_task(asyncio.sleep(self.interval))
        await asyncio.shield(self._moment)
        self.measure()

    def measure(self) -> None:
        """Adapt the interval to the CPU time since the last call; at most once a second."""
        now, cpu = time.monotonic(), time.process_time()
        elapsed = now - self._measured_at
        if elapsed < 1:
            return
        excess = (cpu - self._cpu) / elapsed / CPU_SHARE
        self._measured_at, self._cpu = now, cpu
        wanted = self.interval * min(max(excess, 1 / LARGEST_STEP), LARGEST_STEP)
        self.interval = min(max(wanted, SHORTEST_INTERVAL), LONGEST_INTERVAL)


class Update(NamedTuple):
    """Events, and the same as a chunk of an HTTP response; both are made once for all clients."""

    events: bytes
    chunk: bytes


def update_of(events: bytes) -> Update:
    """Events with the frame of a chunk of HTTP/1.1 around them."""
    return Update(events, b"%x\r\n%b\r\n" % (len(events), events))


class Sink(Protocol):
    """A connection to which events can be written without waiting."""

    def write(self, update: Update) -> bool:
        """Write events; return False if the client is too far behind to get them."""

    def abort(self) -> None:
        """Cut the connection; what was not sent yet is lost."""


class Client:
    """One listener of a channel; what it gets is written to its sink."""

    def __init__(self, knows: str, sink: Sink) -> None:
        self.knows = knows
        self.over = asyncio.Event()  # nothing more is written
        self._sink = sink

    def push(self, update: Update, event_id: str) -> None:
        """Send events; a client that is too far behind is dropped."""
        self.knows = event_id
        if not self._sink.write(update):
            self.drop()

    def end(self) -> None:
        """Nothing more will come."""
        self.over.set()

    def drop(self) -> None:
        """Cut the connection, unless everything was sent to it."""
        if not self.over.is_set():
            self.over.set()
            self._sink.abort()


class Channel:
    """The clients of one source. It asks the source for news only while it has clients."""

    def __init__(self, source: Source, executor: Executor, pace: Pace) -> None:
        self.source = source
        self._executor = executor
        self._pace = pace
        self._clients: set[Client] = set()
        self._task: asyncio.Task[None] | None = None
        self._encoded: dict[str, Update] = {}  # by what a client knows: the events that follow
        self._encoded_for = ""  # up to this event
        self._page: asyncio.Future[bytes] | None = None
        self._page_until = 0.0

    @property
    def clients(self) -> int:
        return len(self._clients)

    async def run(self, act: Callable[[], Result]) -> Result:
        """Run a function that uses the source, outside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, act)

    async def page(self, make: Callable[[], str]) -> bytes:
        """The page of the source; all who come within a second get the same one.

        It may be that much behind: the events that it asks for bring the rest.
        """
        now = time.monotonic()
        if self._page is None or now >= self._page_until:
            self._page_until = now + PAGE_SECONDS
            self._page = asyncio.ensure_future(self.run(lambda: make().encode()))
        return await asyncio.shield(self._page)

    async def join(self, knows: str, sink: Sink) -> Client:
        """Add a client that knows the event `knows`; it gets at once what it missed."""
        event_id = self.source.event_id
        known = self._encoded.get(knows) if self._is_followed else None
        if known is not None and self._encoded_for == event_id:
            update = known
        else:
            update, event_id = await self.run(lambda: self._catch_up(knows))
        client = Client(event_id, sink)
        if update.events:
            client.push(update, event_id)
        self._clients.add(client)
        if not self._is_followed:
            self._task = asyncio.create_task(self._follow())
        return client

    @property
    def _is_followed(self) -> bool:
        return self._task is not None and not self._task.done()

    def leave(self, client: Client) -> None:
        self._clients.discard(client)
        client.drop()

    def close(self) -> None:
        for client in list(self._clients):
            self.leave(client)

    def _catch_up(self, knows: str) -> tuple[Update, str]:
        self.source.poll()
        return self._since(knows), self.source.event_id

    def _since(self, knows: str) -> Update:
        """The events that follow `knows`; many clients come at once and know the same."""
        event_id = self.source.event_id
        if event_id != self._encoded_for or len(self._encoded) >= MOST_ENCODED:
            self._encoded_for = event_id
            self._encoded.clear()
        update = self._encoded.get(knows)
        if update is None:
            update = self._encoded[knows] = update_of(self.source.since(knows))
        return update

    async def update(self) -> None:
        """Send what is new now, before the interval is over."""
        await self._send_news()

    async def finish(self) -> None:
        """Send what is new a last time."""
        await self._send_news(is_last=True)

    async def _follow(self) -> None:
        """Send what is new to all clients, until there is none or nothing can follow."""
        while self._clients:
            await self._pace.next_moment()
            await self._send_news()
        self._encoded.clear()  # else a channel without clients keeps whole games as events

    async def _send_news(self, *, is_last: bool = False) -> None:
        updates, event_id = await self.run(lambda: self._news(is_last=is_last))
        for client in list(self._clients):
            if client.knows in updates:
                client.push(updates[client.knows], event_id)
            if self.source.is_finished:
                client.end()
                self._clients.discard(client)

    def _news(self, *, is_last: bool) -> tuple[dict[str, Update], str]:
        """What clients get, by what they know; almost always all of them know the same."""
        self.source.poll(is_last=is_last)
        event_id = self.source.event_id
        behind = {client.knows for client in list(self._clients)} - {event_id}
        return {knows: self._since(knows) for knows in behind}, event_id

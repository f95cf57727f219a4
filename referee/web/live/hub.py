"""What all parts of the server share: the channels, the thread that reads sources, and the pace of updates."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from referee.web.live.broadcast import Channel, Pace, Source

MOST_IDLE: Final = 6  # channels without clients that are kept; one of a game needs about 1 MiB
MOST_CLIENTS: Final = 1000
_LAST_WORDS: Final = 0.3  # seconds for sending the last events

Result = TypeVar("Result")


class Hub:
    """The channels of a server, by a key that says what they show."""

    def __init__(self) -> None:
        # One thread: no two functions ever use a source at the same time.
        self._readers = ThreadPoolExecutor(1, "reader")
        self._builders = ThreadPoolExecutor(1, "builder")
        self._pace = Pace()
        self._channels: OrderedDict[Hashable, Channel] = OrderedDict()
        self._waiting: dict[Hashable, asyncio.Future[Source]] = {}  # sources that are being made

    @property
    def clients(self) -> int:
        """The number of clients of all channels."""
        return sum(channel.clients for channel in self._channels.values())

    @property
    def is_full(self) -> bool:
        """Whether no more clients are accepted."""
        return self.clients >= MOST_CLIENTS

    async def channel(self, key: Hashable, make_source: Callable[[], Source]) -> Channel:
        """The channel of a key; its source is made if there is none. Raises what `make_source` raises."""
        if key not in self._channels:
            await self._make(key, make_source)
        self._channels.move_to_end(key)
        self._forget_idle(key)
        return self._channels[key]

    async def _make(self, key: Hashable, make_source: Callable[[], Source]) -> None:
        """Make a channel; all who ask for it meanwhile wait for the same one."""
        if key not in self._waiting:
            loop = asyncio.get_running_loop()
            self._waiting[key] = loop.run_in_executor(self._readers, make_source)
            self._waiting[key].add_done_callback(lambda _: self._waiting.pop(key))
        source = await asyncio.shield(self._waiting[key])
        self._channels.setdefault(key, Channel(source, self._readers, self._pace))

    def _forget_idle(self, needed: Hashable) -> None:
        idle = [key for key, channel in self._channels.items() if not channel.clients]
        for key in idle[:-MOST_IDLE]:
            if key != needed:
                del self._channels[key]

    async def read(self, act: Callable[[], Result]) -> Result:
        """Run a function that reads sources; it must not take long."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, act)

    async def build(self, act: Callable[[], Result]) -> Result:
        """Run a function that may take long, such as one that makes the pages of a site."""
        return await asyncio.get_running_loop().run_in_executor(self._builders, act)

    async def finish(self) -> None:
        """Send what is new to all clients a last time."""
        for channel in list(self._channels.values()):
            if channel.clients:
                await channel.finish()
        await asyncio.sleep(_LAST_WORDS if self.clients else 0)

    def close(self) -> None:
        """Drop all clients, and end the threads."""
        for channel in self._channels.values():
            channel.close()
        for threads in (self._readers, self._builders):
            threads.shutdown(wait=False, cancel_futures=True)

"""The HTTP server: uvicorn, but it wakes up once a second instead of ten times."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import FrameType
from typing import Final

import uvicorn

_TICK: Final = 1.0  # seconds; the date in the headers of answers changes with it


class HttpServer(uvicorn.Server):
    """A server that is told when it has to end, so that it need not look for that all the time."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending = asyncio.Event()

    def end(self) -> None:
        """End the server; call this in its event loop."""
        self.should_exit = True
        self._ending.set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the server at a signal."""
        super().handle_exit(sig, frame)
        with suppress(RuntimeError):  # it has not begun yet
            asyncio.get_running_loop().call_soon_threadsafe(self._ending.set)

    async def main_loop(self) -> None:
        """Serve until the server has to end."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(_TICK):
                    await self._ending.wait()

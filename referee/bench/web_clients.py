"""The spectators of `referee bench web`: a process of its own with many connections to the server.

Every spectator does what a browser does: it loads a page, the files of the page that it does not have
yet, and then the events that follow. Every fourth one follows the tournament, and loads its page again
once a minute; the others follow the running games. The process also looks at the records themselves,
so that it knows how long each decision was under way.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import urljoin

import msgspec

_LOOK_EVERY: Final = 0.02  # seconds between two looks at a record
_PROBE_EVERY: Final = 50  # connections: the others would only measure the same again
_LOOKS_AT_END: Final = 5.0  # seconds that a spectator looks at the end of a game
_TOURNAMENT_EVERY: Final = 4  # connections
_RELOADS_AFTER: Final = 60.0  # seconds, on the page of the tournament
_LONGEST_LINE: Final = 1 << 24  # bytes
_FILE: Final = re.compile(rb'(?:src|href)="((?:\.\./)*assets/[^"]+)"')  # of a page
_AFTER: Final = re.compile(rb'"after":"([^"]*)"')  # the last event that a page contains


class ClientFigures(msgspec.Struct):
    """What the spectators measured."""

    connections: int = 0  # the most that were open at once
    pages: int = 0
    files: int = 0  # of pages
    events: int = 0
    bytes: int = 0
    lost: int = 0  # connections that the server cut before the game was over
    loads_ms: list[float] = []  # of pages with their files
    latencies_ms: list[float] = []


# Takes the id and the data of an event, and when the spectator asked for events; True ends the visit.
Take: TypeAlias = Callable[[str, bytes, float], bool]


class Connection:
    """A connection to the server, over which one request follows the other."""

    def __init__(
        self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._host, self._reader, self._writer = host, reader, writer
        self.received = 0  # bytes of events

    @classmethod
    async def to(cls, host: str, port: int) -> Connection:
        """Connect; OSError if that fails."""
        streams = await asyncio.open_connection(host, port, limit=_LONGEST_LINE)
        return cls(f"{host}:{port}", *streams)

    def close(self) -> None:
        self._writer.close()

    def _ask(self, path: str) -> None:
        self._writer.write(f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode())

    async def get(self, path: str) -> bytes:
        """Return a page or a file; ValueError if the server refuses it."""
        self._ask(path)
        status, length = await self._reader.readline(), 0
        while line := (await self._reader.readline()).strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        body = await self._reader.readexactly(length)
        if b" 200 " not in status:
            raise ValueError(f"{path}: {status.decode()}")
        return body

    async def events(self, path: str) -> AsyncIterator[tuple[str, bytes]]:
        """Yield the ids and the data of events until they end; EOFError if the server cuts them."""
        self._ask(path)
        event_id = ""
        while (line := await self._reader.readline()) != b"0\r\n":
            if not line:
                raise EOFError
            self.received += len(line)
            if line.startswith(b"id: "):
                event_id = line[4:].strip().decode()
            elif line.startswith(b"data: "):
                yield event_id, line[6:]


class Latency:
    """How long the steps of games were under way, from the look that found them in the record on."""

    def __init__(self) -> None:
        self.measured_ms: list[float] = []
        self._written: dict[str, dict[int, float]] = {}  # by game: when each step was found
        self._arrived: dict[str, int] = {}  # by game: the last step that a spectator has

    def written(self, key: str, steps: Iterable[int], now: float) -> None:
        """Note that steps are in the record; a spectator who has one already was faster than the look."""
        known = self._arrived.get(key, 0)
        found = self._written.setdefault(key, {})
        for step in steps:
            if step > known:
                found[step] = now
            else:
                self.measured_ms.append(0.0)

    def arrived(self, key: str, last: int, now: float, since: float) -> None:
        """Note that a spectator has all steps up to `last`; those found before `since` do not count."""
        found = self._written.get(key, {})
        new = [at for step, at in found.items() if step <= last and at > since]
        self.measured_ms += [round((now - at) * 1000, 1) for at in new]
        self._written[key] = {step: at for step, at in found.items() if step > last}
        self._arrived[key] = max(last, self._arrived.get(key, 0))


class Spectators:
    """Many connections to a server; `records` is the folder of the records of the tournament."""

    def __init__(self, host: str, port: int, records: Path, count: int) -> None:
        self._host, self._port = host, port
        self._records = records
        self._count = count
        self._running: list[dict[str, Any]] = []
        self._ended: set[str] = set()
        self._open = 0
        self.latency = Latency()
        self.figures = ClientFigures()

    async def run(self, stop: asyncio.Event) -> None:
        """Watch until `stop` is set."""
        tasks = [asyncio.create_task(self._watch_tournament())]
        tasks += [
            asyncio.create_task(
                self._watch_tournament() if number % _TOURNAMENT_EVERY == 0 else self._watch(number)
            )
            for number in range(1, self._count)
        ]
        tasks.append(asyncio.create_task(self._look_at_records()))
        await stop.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch_tournament(self) -> None:
        has: set[str] = set()

        def take(_: str, data: bytes, since: float) -> bool:
            self._running = json.loads(data).get("running", self._running)
            return time.monotonic() > since + _RELOADS_AFTER

        while True:
            await self._visit("/", has, take)

    async def _watch(self, number: int) -> None:
        """Watch one running game after the other."""
        has: set[str] = set()
        while True:
            games = [game for game in self._running if game["key"] not in self._ended]
            if not games:
                await asyncio.sleep(0.2)
                continue
            key = games[number % len(games)]["key"]

            def take(event_id: str, data: bytes, since: float, key: str = key) -> bool:
                if number % _PROBE_EVERY == 1 and event_id.isdigit():
                    self.latency.arrived(key, int(event_id), time.monotonic(), since)
                is_over = b'"ended":true' in data
                if is_over:
                    self._ended.add(key)
                return is_over

            await self._visit(f"/game/{key}", has, take)
            await asyncio.sleep(_LOOKS_AT_END)

    async def _visit(self, page: str, has: set[str], take: Take) -> None:
        """Load a page, and read its events until they end, or until `take` returns True."""
        try:
            connection = await Connection.to(self._host, self._port)
        except OSError:
            await asyncio.sleep(0.2)
            return
        self._open += 1
        self.figures.connections = max(self.figures.connections, self._open)
        try:
            began = time.monotonic()
            after = await self._load(connection, page, has)
            since = time.monotonic()
            self.figures.loads_ms.append(round((since - began) * 1000, 1))
            if after is None:  # the game is over, and its page is complete
                return
            events = connection.events(f"{page.rstrip('/')}/events?after={after}")
            async for event_id, data in events:
                self.figures.events += 1
                if take(event_id, data, since):
                    return
        except (OSError, EOFError, ValueError):
            self.figures.lost += 1
        finally:
            self.figures.bytes += connection.received
            self._open -= 1
            connection.close()

    async def _load(self, connection: Connection, page: str, has: set[str]) -> str | None:
        """Load a page, and its files that are not in `has` yet; return the last event that it contains."""
        text = await connection.get(page)
        self.figures.pages += 1
        for match in _FILE.findall(text):
            file = urljoin(page, match.decode())
            if file not in has:
                has.add(file)
                await connection.get(file)
                self.figures.files += 1
        found = _AFTER.search(text)
        return None if found is None else found[1].decode()

    # -- latency

    async def _look_at_records(self) -> None:
        """Note when the steps of the running games are written."""
        sizes: dict[str, tuple[int, int]] = {}  # bytes and steps that were seen
        while True:
            for game in self._running:
                key = game["key"]
                block, _, number = key.rpartition("-")
                self._note_new(self._records / block / f"{number}.jsonl", key, sizes)
            await asyncio.sleep(_LOOK_EVERY)

    def _note_new(self, path: Path, key: str, sizes: dict[str, tuple[int, int]]) -> None:
        offset, steps = sizes.get(key, (0, 1))
        try:
            if path.stat().st_size <= offset:
                return
            with path.open("rb") as file:
                file.seek(offset)
                data = file.read()
        except OSError:
            return
        whole = data[: data.rfind(b"\n") + 1]
        new = whole.count(b'"line":"decision"')
        if offset:  # of the first look, nobody knows when it was written
            self.latency.written(key, range(steps + 1, steps + new + 1), time.monotonic())
        sizes[key] = offset + len(whole), steps + new


async def _main(host: str, port: int, records: Path, count: int) -> ClientFigures:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(0, stop.set)  # the parent closes our standard input
    spectators = Spectators(host, port, records, count)
    watching = asyncio.create_task(spectators.run(stop))
    while not spectators.figures.files and not stop.is_set():
        await asyncio.sleep(_LOOK_EVERY)
    os.write(1, b"\n")  # the parent may begin
    await watching
    spectators.figures.latencies_ms = spectators.latency.measured_ms
    return spectators.figures


def main() -> None:
    """Run the spectators: the arguments are host, port, folder of records, and count.

    Prints an empty line once a page with its files is loaded, and in the end the figures as JSON.
    """
    host, port, records, count = sys.argv[1:]
    figures = asyncio.run(_main(host, int(port), Path(records), int(count)))
    sys.stdout.buffer.write(msgspec.json.encode(figures))


if __name__ == "__main__":
    main()

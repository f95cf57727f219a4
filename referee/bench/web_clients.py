"""The spectators of `referee bench web`: a process of its own with many connections to the server.

Every fourth connection follows the tournament, the others follow its running games. The process also
looks at the records themselves, so that it knows how long each decision was under way.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import msgspec

_LOOK_EVERY: Final = 0.02  # seconds between two looks at a record
_PROBE_EVERY: Final = 50  # connections: the others would only measure the same again
_LOOKS_AT_END: Final = 5.0  # seconds that a spectator looks at the end of a game
_TOURNAMENT_EVERY: Final = 4  # connections
_LONGEST_LINE: Final = 1 << 24  # bytes


class ClientFigures(msgspec.Struct):
    """What the spectators measured."""

    connections: int = 0  # the most that were open at once
    events: int = 0
    bytes: int = 0
    lost: int = 0  # connections that the server cut before the game was over
    latencies_ms: list[float] = []


class Spectators:
    """Many connections to a server; `records` is the folder of the records of the tournament."""

    def __init__(self, host: str, port: int, records: Path, count: int) -> None:
        self._host, self._port = host, port
        self._records = records
        self._count = count
        self._running: list[dict[str, Any]] = []
        self._ended: set[str] = set()
        self._open = 0
        self._written: dict[str, dict[int, float]] = {}  # by game: when each step was written
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
        while True:
            await self._follow("/events", self._take_tournament)

    def _take_tournament(self, _: str, data: bytes) -> bool:
        sections = json.loads(data)
        self._running = sections.get("running", self._running)
        return False

    async def _watch(self, number: int) -> None:
        """Watch one running game after the other."""
        while True:
            games = [game for game in self._running if game["key"] not in self._ended]
            if not games:
                await asyncio.sleep(0.2)
                continue
            key = games[number % len(games)]["key"]
            joined = time.monotonic()

            def take(event_id: str, data: bytes, key: str = key, joined: float = joined) -> bool:
                if number % _PROBE_EVERY == 1:
                    self._measure(key, event_id, joined)
                is_over = b'"ended":true' in data
                if is_over:
                    self._ended.add(key)
                return is_over

            await self._follow(f"/game/{key}/events?after=1", take)
            await asyncio.sleep(_LOOKS_AT_END)

    async def _follow(self, path: str, take: Any) -> None:
        """Read the events at an address until it ends, or until `take` returns True."""
        try:
            reader, writer = await asyncio.open_connection(
                self._host, self._port, limit=_LONGEST_LINE
            )
        except OSError:
            await asyncio.sleep(0.2)
            return
        self._open += 1
        self.figures.connections = max(self.figures.connections, self._open)
        is_over = False
        try:
            host = f"{self._host}:{self._port}"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            event_id = ""
            while line := await reader.readline():
                self.figures.bytes += len(line)
                if line.startswith(b"id: "):
                    event_id = line[4:].strip().decode()
                elif line.startswith(b"data: "):
                    self.figures.events += 1
                    is_over = take(event_id, line[6:])
                if is_over or line == b"0\r\n" or line.startswith(b"HTTP/1.1 4"):
                    return
            self.figures.lost += 1
        except (OSError, ValueError):
            self.figures.lost += 1
        finally:
            self._open -= 1
            writer.close()

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
        now, times = time.monotonic(), self._written.setdefault(key, {})
        for _ in range(whole.count(b'"line":"decision"')):
            steps += 1
            if offset:  # of the first look, nobody knows when it was written
                times[steps] = now
        sizes[key] = offset + len(whole), steps

    def _measure(self, key: str, event_id: str, joined: float) -> None:
        """Note how long the steps of an event were under way; not those that were there before."""
        times = self._written.get(key, {})
        if event_id.isdigit() and int(event_id) in times:
            now = time.monotonic()
            new = [at for step, at in times.items() if step <= int(event_id) and at > joined + 1]
            self.figures.latencies_ms += [round((now - at) * 1000, 1) for at in new]
            self._written[key] = {step: at for step, at in times.items() if step > int(event_id)}


async def _main(host: str, port: int, records: Path, count: int) -> ClientFigures:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(0, stop.set)  # the parent closes our standard input
    spectators = Spectators(host, port, records, count)
    await spectators.run(stop)
    return spectators.figures


def main() -> None:
    """Run the spectators: arguments are host, port, folder of records, count; the figures are printed as JSON."""
    host, port, records, count = sys.argv[1:]
    figures = asyncio.run(_main(host, int(port), Path(records), int(count)))
    sys.stdout.buffer.write(msgspec.json.encode(figures))


if __name__ == "__main__":
    main()

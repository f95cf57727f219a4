"""`python -m stress.web_requests`: malformed, huge, slow, repeated requests to a server on this machine.

All of them go to 127.0.0.1. The server must answer each with a status that is not a failure or close
the connection; it must not change a file, show a secret, grow, or keep connections open.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import click

from referee.adjudication.faults import Fault, FaultRecord
from referee.cli.lazy import examples
from referee.system import is_running, open_descriptors, resident_mib
from referee.terminal import explain, show_json
from referee.tournament.store.store import RECORDS
from referee.web.live.process import ServerProcess, ServerSettings
from stress import program
from stress.program import heading
from support.board_records import write_record
from support.golden_games import GAMES
from support.random_games import played
from support.sample_site import write_tournament

# What no answer may contain: it is in the store, in stderr and in the seeds of the records.
SECRET: Final = "s3cr3t-of-a-bot"
_FORBIDDEN: Final = re.compile(rb"s3cr3t-of-a-bot|Traceback|/tmp/|\"seed\":\d")
_STATUS: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ")
_MOST_GROWTH_MIB: Final = 60.0
_SECONDS: Final = 15.0
_THREADS: Final = 16
_NUMBERS: Final = range(_THREADS)
_PATHS: Final = (
    "/", "/events", "/index.html", "/games.html", "/faults.html", "/bots/anna.html", "/nothing",
    "/assets/game.css", "/assets/../tournament.sqlite", "/game/b-running-0", "/game/b-running-0/events",
    "/game/..%2f..-0", "/game/%00-0", "/records/b-running/0.jsonl", "/tournament.sqlite",
    "/data/games.csv", "/seat/0", "//", "/%2e%2e/%2e%2e/etc/passwd", "/?x=%ff", "/events?after=9",
    "/game/b-running-0/events?after=5", "/game/b-running-0/events?after=-1", "*", "http://evil/",
)  # fmt: skip
_METHODS: Final = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "get",
    "G T",
    "",
    "\0",
)
_HEADERS: Final = (
    "Host: localhost", "Host: evil.example", "Host:", "Host: localhost\r\nHost: evil",
    "Content-Length: 5", "Content-Length: -1", "Content-Length: 99999999999999999999",
    "Content-Length: 1\r\nContent-Length: 2", "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 4", "Expect: 100-continue", "Connection: close",
    "Connection: upgrade\r\nUpgrade: websocket", "Last-Event-ID: 7", "Last-Event-ID: \xff\xfe",
    "Origin: http://localhost", "Origin: null", "Sec-Fetch-Site: cross-site", "Cookie: seat=0",
    "X: " + "a" * 5000, "X: " + "b" * 20000, "Range: bytes=0-1", "Accept-Encoding: gzip", ": empty",
    "Broken", "A\0B: c", "Content-Type: application/json",
)  # fmt: skip
_BODIES: Final = (b"", b"x", b'{"choice":0}', b"0\r\n\r\n", b"5\r\nhello\r\n0\r\n\r\n", b"\0" * 300)


@dataclass
class Outcome:
    """How the server answered, and what is wrong with that."""

    requests: int = 0
    statuses: Counter[str] = field(default_factory=Counter)  # "closed" without an answer
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0
    memory_before_mib: float = 0.0
    memory_after_mib: float = 0.0

    def add(self, part: Outcome) -> None:
        """Add what another sender found."""
        self.requests += part.requests
        self.statuses += part.statuses
        self.problems += part.problems

    def to_dict(self) -> dict[str, Any]:
        return heading("web requests") | vars(self) | {"statuses": dict(self.statuses)}


def request_bytes(random: Random) -> bytes:
    """One request: often valid, often wrong in one or more ways."""
    if random.random() < 0.05:
        return random.randbytes(random.randrange(1, 400))
    method = random.choice(_METHODS) if random.random() < 0.4 else "GET"
    path = random.choice(_PATHS)
    if random.random() < 0.05:
        path += "/" + "a" * random.choice((10, 3000, 30000))
    version = random.choice(("HTTP/1.1",) * 12 + ("HTTP/1.0", "HTTP/9.9", ""))
    headers = ["Host: 127.0.0.1"] if random.random() < 0.8 else []
    headers += random.sample(_HEADERS, random.choice((0, 0, 1, 1, 2, 4)))
    head = "\r\n".join([f"{method} {path} {version}", *headers])
    raw = head.encode("latin-1") + b"\r\n\r\n" + random.choice(_BODIES)
    if random.random() < 0.1:  # cut, or with a wrong byte
        cut = random.randrange(len(raw))
        raw = raw[:cut] if random.random() < 0.5 else raw[:cut] + b"\xff" + raw[cut + 1 :]
    return raw * (2 if random.random() < 0.05 else 1)


class Sender:
    """Sends requests to a server, a few of which stay open for a while like slow clients."""

    def __init__(self, place: tuple[str, int], random: Random, outcome: Outcome) -> None:
        self._place = place
        self._random = random
        self._outcome = outcome
        self._open: list[socket.socket] = []

    def send(self) -> None:
        """Send one request on a new connection, and look at the answer."""
        raw = request_bytes(self._random)
        self._outcome.requests += 1
        with suppress(OSError):
            connection = socket.create_connection(self._place, timeout=_SECONDS)
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(raw)
            if self._random.random() < 0.02:
                self._open.append(connection)
                if len(self._open) > 50:
                    self._open.pop(0).close()
                self._outcome.statuses["left open"] += 1
                return
            self._look(connection, raw)

    def _look(self, connection: socket.socket, raw: bytes) -> None:
        with connection:
            connection.settimeout(0.15 if b"events" in raw else 1.0)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            answer = b""
            with suppress(OSError):
                while len(answer) < 200_000 and (data := connection.recv(65536)):
                    answer += data
        self._judge(answer, raw)

    def _judge(self, answer: bytes, raw: bytes) -> None:
        found = _STATUS.match(answer)
        status = found[1].decode() if found else ("closed" if not answer else "not HTTP")
        self._outcome.statuses[status] += 1
        if status.startswith("5") and status != "503":
            self._outcome.problems.append(f"status {status} after {raw[:200]!r}")
        if leak := _FORBIDDEN.search(answer):
            self._outcome.problems.append(f"{leak[0]!r} was shown after {raw[:200]!r}")

    def close(self) -> None:
        for connection in self._open:
            connection.close()


def send_all(place: tuple[str, int], count: int, seed: int, number: int) -> Outcome:
    """Send the share of one of the senders; return what it found."""
    outcome = Outcome()
    sender = Sender(place, Random(f"{seed} {number}"), outcome)
    for _ in range(number, count, _THREADS):
        sender.send()
    sender.close()
    return outcome


@contextmanager
def sample_server() -> Iterator[tuple[ServerProcess, Path]]:
    """A server that shows a tournament with a running game and with secrets."""
    with tempfile.TemporaryDirectory(prefix="referee-requests-") as name:
        secret = SECRET.encode()
        at_fault = FaultRecord(
            0, "bot", 4, Fault("timeout", SECRET, secret), 1, 3, False, secret
        )  # fmt: skip
        folder = write_tournament(Path(name) / "t", blocks=1, faults={0: [at_fault]}, records=[0])
        running = folder / RECORDS / "b-running" / "0.jsonl"
        running.parent.mkdir()
        write_record(running, played(*GAMES[3]), upto=40, says={4: SECRET})
        server = ServerProcess(ServerSettings(tournament=str(folder)))
        try:
            yield server, folder
        finally:
            server.end()


def digest_of(folder: Path) -> str:
    """A digest of all files; those that SQLite makes while it reads are left out."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.endswith(("-shm", "-wal")):
            digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def run(count: int, seed: int) -> Outcome:
    """Send so many requests; return what the server did."""
    outcome = Outcome()
    with sample_server() as (server, folder):
        place = server.address.host, server.address.port
        before = digest_of(folder)
        warm = Sender(place, Random(seed), Outcome())
        for _ in range(min(count, 50)):  # everything is loaded and cached before memory is measured
            warm.send()
        warm.close()
        descriptors = _settled_descriptors(server.pid)
        outcome.memory_before_mib = resident_mib(server.pid)
        began = time.monotonic()
        with ThreadPoolExecutor(_THREADS) as threads:
            for part in threads.map(lambda number: send_all(place, count, seed, number), _NUMBERS):
                outcome.add(part)
        outcome.seconds = round(time.monotonic() - began, 1)
        _check_end(server, outcome, descriptors)
        if digest_of(folder) != before:
            outcome.problems.append("a file of the tournament has changed")
    return outcome


def _check_end(server: ServerProcess, outcome: Outcome, descriptors: int) -> None:
    if not is_running(server.pid):
        outcome.problems.append("the server has ended")
        return
    outcome.memory_after_mib = resident_mib(server.pid)
    if outcome.memory_after_mib - outcome.memory_before_mib > _MOST_GROWTH_MIB:
        outcome.problems.append("the server has grown")
    left = _settled_descriptors(server.pid)
    if left > descriptors + 2:
        outcome.problems.append(f"{left - descriptors} descriptors are still open")
    place = server.address.host, server.address.port
    with socket.create_connection(place, timeout=_SECONDS) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        if not connection.recv(100).startswith(b"HTTP/1.1 200"):
            outcome.problems.append("the server does not answer a valid request any more")


def _settled_descriptors(pid: int) -> int:
    """The number of open descriptors, after connections that are being closed are closed."""
    least = open_descriptors([pid])
    for _ in range(60):
        time.sleep(0.2)
        now = open_descriptors([pid])
        if now >= least and least < 40:
            return least
        least = min(least, now)
    return least


@click.command(
    cls=program.StressProgram,
    epilog=examples("python -m stress.web_requests --count 100000 --seed 1"),
)
@click.option(
    "--count", type=click.IntRange(1), default=10_000, show_default=True, help="Requests to send."
)
@program.seed
@program.as_json
def main(count: int, seed: int, as_json: bool) -> int:
    """Send malformed, huge, slow and repeated requests to a server on this machine.

    The exit status is 1 if the server failed, showed a secret, changed a file, grew, or kept
    connections open.
    """
    outcome = run(count, seed)
    if as_json:
        show_json(outcome.to_dict())
    else:
        counts = ", ".join(f"{name}: {n}" for name, n in sorted(outcome.statuses.items()))
        explain(f"{outcome.requests:,} requests in {outcome.seconds} s. {counts}.")
        explain(
            f"Memory: {outcome.memory_before_mib:.1f} MiB before,"
            f" {outcome.memory_after_mib:.1f} MiB after."
        )
        for problem in outcome.problems[:20]:
            explain(problem)
    return program.FAILED if outcome.problems else os.EX_OK


if __name__ == "__main__":
    main()

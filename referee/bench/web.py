"""What the server of a tournament costs: CPU time, latency and memory with many spectators."""

from __future__ import annotations

import http.client
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import msgspec

from referee.bench.common import heading, rounded
from referee.bench.web_clients import ClientFigures
from referee.bots.find import find_bot
from referee.bots.reaper import REAPER
from referee.errors import BenchRefused
from referee.system import (
    child_environment,
    cpu_seconds,
    ended_children_cpu_seconds,
    resident_mib,
)
from referee.tournament.coordinator import Coordinator
from referee.tournament.definition import DEFINITION_KEY, RUN_OPTIONS_KEY, RunOptions
from referee.tournament.opening import OpenTournament, plan_run
from referee.tournament.request import TournamentRequest, make_definition
from referee.tournament.store.store import RECORDS, Store, StoredBot
from referee.tournament.workers.pool import Pool

# By bot, the arguments of its program. With a fixed number of rounds, navigator thinks as much on every
# machine, so that the share of the server does not depend on how fast the machine is.
BOTS: Final[dict[str, tuple[str, ...]]] = {
    "greedy": (),
    "merchant": (),
    "navigator": ("--nodes", "24"),
    "random": (),
}
SEED: Final = 1
MAX_TURNS: Final = 0  # no limit
_MEASURE_EVERY: Final = 0.5  # seconds


class Server(Protocol):
    """A server that was started for the measurement; its process has the id `pid`."""

    @property
    def pid(self) -> int: ...

    def end(self) -> None: ...


# Starts a server for the tournament in a folder; returns it, its host and its port.
StartServer = Callable[[Path], tuple[Server, str, int]]


@dataclass(frozen=True)
class WebCost:
    """The figures of one tournament with spectators."""

    spectators: int  # connections at once
    games: int
    seconds: float
    start_cpu_s: float  # of the server until it answered
    server_cpu_s: float  # afterwards
    tournament_cpu_s: float  # of the referee, its workers and the bots
    clients_cpu_s: float  # of the spectators, counted apart
    share: float  # of the tournament's CPU time: what the server used
    pages: int  # that the spectators loaded
    files: int  # of pages: style sheets, scripts, boards
    load_ms: float  # median: until a page and its files are there
    load_most_ms: float
    events: int
    latency_ms: float  # median: from the written line of a record to a spectator who follows it
    latency_95_ms: float
    latency_most_ms: float
    memory_tenth_mib: float  # of the server, after a tenth of the time
    memory_half_mib: float
    memory_end_mib: float
    lost: int  # connections that the server cut
    faults: int  # of bots
    timeouts: int  # those of them that are time-outs

    def to_dict(self) -> dict[str, object]:
        """Return every figure for JSON."""
        return heading("web") | {key: rounded(value, 4) for key, value in asdict(self).items()}


def measure(start_server: StartServer, spectators: int, games: int, workers: int) -> WebCost:
    """Play a tournament with records in a temporary folder while spectators watch it."""
    REAPER.take_charge()
    with (
        tempfile.TemporaryDirectory(prefix="referee-bench-") as name,
        _tournament(Path(name) / "tournament", games) as opened,
    ):
        return _measure(opened, start_server, spectators, workers)


@contextmanager
def _tournament(folder: Path, games: int) -> Iterator[OpenTournament]:
    found = [(find_bot(word), arguments) for word, arguments in BOTS.items()]
    bots = [replace(bot, command=(*bot.command, *arguments)) for bot, arguments in found]
    request = TournamentRequest(clock="cpu", max_turns=MAX_TURNS)
    definition = make_definition(request, len(bots), SEED)
    options = RunOptions(blocks=max(1, games // len(bots)))
    planned = plan_run(request, definition, [bot.name for bot in bots], options)
    stored = [StoredBot(bot.name, bot.name, bot.content, "") for bot in bots]
    with Store.create(folder) as store:
        store.begin({DEFINITION_KEY: definition, RUN_OPTIONS_KEY: options}, stored)
        yield OpenTournament(store, bots, planned)


def _measure(
    opened: OpenTournament, start_server: StartServer, spectators: int, workers: int
) -> WebCost:
    store, planned = opened.store, opened.planned
    before = time.process_time() + ended_children_cpu_seconds()
    server, host, port = start_server(store.folder)
    _wait_until_it_answers(host, port)
    pool = Pool(opened.job(records=True), workers)
    clients = _start_clients(host, port, store.folder / RECORDS, spectators)
    _wait_until_they_watch(clients)
    gauge = MemoryGauge(server.pid)
    began, server_before = time.monotonic(), cpu_seconds(server.pid)
    try:
        coordinator = Coordinator(store, planned.plan, planned.options, pool)
        with gauge:
            coordinator.run()
        seconds = time.monotonic() - began
        server_cpu = cpu_seconds(server.pid) - server_before
        clients_cpu = cpu_seconds(clients.pid)
        figures = _figures(clients)
        pool.close()
    finally:
        _kill(clients)
        server.end()
        pool.kill()
    everything = time.process_time() + ended_children_cpu_seconds() - before
    server_whole = server_cpu + server_before
    tournament_cpu = everything - server_whole - clients_cpu
    faults = [fault.fault for fault in store.faults()]
    loads = sorted(figures.loads_ms) or [0.0]
    latencies = sorted(figures.latencies_ms) or [0.0]
    return WebCost(
        spectators=figures.connections,
        games=coordinator.progress.new_games,
        seconds=seconds,
        start_cpu_s=server_before,
        server_cpu_s=server_cpu,
        tournament_cpu_s=tournament_cpu,
        clients_cpu_s=clients_cpu,
        share=server_cpu / tournament_cpu,
        pages=figures.pages,
        files=figures.files,
        load_ms=loads[len(loads) // 2],
        load_most_ms=loads[-1],
        events=figures.events,
        latency_ms=latencies[len(latencies) // 2],
        latency_95_ms=latencies[len(latencies) * 95 // 100],
        latency_most_ms=latencies[-1],
        memory_tenth_mib=gauge.after(0.1),
        memory_half_mib=gauge.after(0.5),
        memory_end_mib=gauge.after(1.0),
        lost=figures.lost,
        faults=len(faults),
        timeouts=faults.count("timeout"),
    )


def _wait_until_it_answers(host: str, port: int) -> None:
    connection = http.client.HTTPConnection(host, port, timeout=60)
    connection.request("GET", "/")
    connection.getresponse().read()
    connection.close()


def _start_clients(host: str, port: int, records: Path, count: int) -> subprocess.Popen[bytes]:
    clients = subprocess.Popen(  # noqa: S603  our own module
        [
            sys.executable,
            "-m",
            "referee.bench.web_clients",
            host,
            str(port),
            str(records),
            str(count),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=child_environment(),
    )
    REAPER.enter(clients.pid)
    return clients


def _wait_until_they_watch(clients: subprocess.Popen[bytes]) -> None:
    """Wait until one of the spectators has loaded its page; then it misses nothing."""
    assert clients.stdout is not None
    clients.stdout.readline()


def _figures(clients: subprocess.Popen[bytes]) -> ClientFigures:
    """Ask the spectators to leave, and return what they measured."""
    out, _ = clients.communicate()
    if clients.returncode:
        raise BenchRefused("the spectators of the benchmark failed")
    return msgspec.json.decode(out, type=ClientFigures)


def _kill(clients: subprocess.Popen[bytes]) -> None:
    if clients.poll() is None:
        clients.kill()
        clients.wait()


class MemoryGauge:
    """Measures the memory of a process in a thread of its own."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.measured: list[float] = []  # MiB, at equal intervals
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._measure, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _measure(self) -> None:
        while not self._stop.wait(_MEASURE_EVERY):
            self.measured.append(resident_mib(self._pid))

    def after(self, share: float) -> float:
        """The memory after a share of the time; 0 if it was too short to measure."""
        measured = self.measured
        return measured[round((len(measured) - 1) * share)] if measured else 0.0

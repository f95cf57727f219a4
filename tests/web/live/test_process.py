"""The server as a process: its own, at low priority, ended with its parent; and the commands that start it."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.cli.serving import place_of
from referee.errors import ServerRefused
from referee.system import has_process_files, is_running
from referee.web.live import process, requirements, security
from referee.web.live.process import Address, ServerProcess, ServerSettings, listen
from referee.web.live.security import LARGEST_HEAD, GuardedProtocol
from support.board_records import write_record
from support.forks import forked_servers
from support.golden_games import GAMES
from support.random_games import played
from support.sample_site import write_tournament
from support.served import served_here
from support.waiting import wait_until

LOWEST_PRIORITY = 19

# A parent that starts a server, prints its port and its process, and is killed then.
PARENT = """
import sys, time
from referee.web.live.process import ServerProcess, ServerSettings
server = ServerProcess(ServerSettings(records=(sys.argv[1],)))
print(server.address.port, server.pid, flush=True)
time.sleep(60)
"""


HALF_A_REQUEST = b"GET / HTTP/1.1\r\nHost: local"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_record(tmp_path_factory.mktemp("record") / "game.jsonl", played(*GAMES[3]))


def showing(record: Path) -> ServerSettings:
    return ServerSettings(records=(str(record),))


def get(address: Address, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(address.host, address.port, timeout=20)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_a_server_process_answers_at_its_address_and_ends_when_asked(record: Path) -> None:
    server = ServerProcess(showing(record))
    try:
        assert server.address.is_loopback
        answer = get(server.address, "/")  # the socket is open before the process has started
        assert answer.status == 307
        lower = os.getpriority(os.PRIO_PROCESS, 0) + process._NICENESS
        assert os.getpriority(os.PRIO_PROCESS, server.pid) == min(lower, LOWEST_PRIORITY)
        assert get(server.address, "/", Host="evil.example").status == 421
        arguments = Path(f"/proc/{server.pid}/cmdline")
        if has_process_files():
            assert str(record).encode() not in arguments.read_bytes()
    finally:
        began = time.monotonic()
        server.end()
    assert time.monotonic() - began < 4
    assert not is_running(server.pid)


def test_a_slow_request_is_cut(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that sends nothing, or only half of a request, does not stay open."""
    monkeypatch.setattr(security, "REQUEST_SECONDS", 0.2)
    with served_here(showing(record)) as address:
        assert [answer_to(address, begin) for begin in (b"", HALF_A_REQUEST)] == [b"", b""]


def test_a_request_without_an_end_is_refused(record: Path, tmp_path: Path) -> None:
    endless = HALF_A_REQUEST + b"x" * (2 * LARGEST_HEAD)
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:5]))
    with served_here(showing(growing)) as address:
        assert b"400 Bad Request" in answer_to(address, endless)
        page = get(address, "/").headers["location"]
        whole = f"GET /{page}/events?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        # No second answer can follow in the middle of the events, so the connection is cut.
        assert b"400 Bad Request" not in answer_to(address, whole, endless)


def test_a_long_answer_comes_at_once(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer is written in two parts; the second must not wait until the first is acknowledged."""
    transports: list[asyncio.Transport] = []
    connection_made = GuardedProtocol.connection_made

    def noted(protocol: GuardedProtocol, transport: asyncio.Transport) -> None:
        transports.append(transport)
        connection_made(protocol, transport)

    monkeypatch.setattr(GuardedProtocol, "connection_made", noted)
    with served_here(showing(record)) as address:
        connection = http.client.HTTPConnection(address.host, address.port, timeout=20)
        with closing(connection):
            connection.request("GET", "/")
            connection.getresponse().read()
            accepted = transports[0].get_extra_info("socket")
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_client_cannot_send_its_events_to_the_connection_of_another(
    record: Path, tmp_path: Path
) -> None:
    """X-Forwarded-For may name any address, such as that of another client."""
    lines = record.read_bytes().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(b"".join(lines[:5]))
    with served_here(showing(growing)) as address, closing(connected(address)) as other:
        page = get(address, "/").headers["location"]
        host, port = other.getsockname()
        head = f"Host: localhost\r\nConnection: close\r\nX-Forwarded-For: {host}:{port}"
        with closing(connected(address)) as client:
            client.sendall(f"GET /{page}/events?after=4 HTTP/1.1\r\n{head}\r\n\r\n".encode())
            client.recv(100)
            with growing.open("ab") as file:
                file.write(b"".join(lines[5:]))
            assert b"id: end\n" in b"".join(iter(lambda: client.recv(1 << 16), b""))
        other.settimeout(0.2)
        with pytest.raises(TimeoutError):
            other.recv(1)


def test_a_client_of_http_1_0_gets_events_as_well(record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(b"".join(lines[:5]))
    with served_here(showing(growing)) as address, closing(connected(address)) as client:
        page = get(address, "/").headers["location"]
        client.sendall(f"GET /{page}/events?after=1 HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        client.recv(100)
        with growing.open("ab") as file:
            file.write(b"".join(lines[5:]))
        received = b"".join(iter(lambda: client.recv(1 << 16), b""))  # until the server closes it
    assert b"retry: 1000\n\n" in received
    assert b"event: steps\nid: end\n" in received


def connected(address: Address) -> socket.socket:
    return socket.create_connection((address.host, address.port), timeout=20)


def answer_to(address: Address, *parts: bytes) -> bytes:
    """The answer to the last of these parts; empty if the connection is cut without one."""
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        for part in parts[:-1]:
            connection.sendall(part)
            connection.recv(100)
        try:
            connection.sendall(parts[-1])
            return b"".join(iter(lambda: connection.recv(1 << 16), b""))
        except (ConnectionResetError, BrokenPipeError):
            return b""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_the_server_dies_with_its_parent(record: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(record)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    port, pid = map(int, parent.stdout.readline().split())
    assert get(Address("127.0.0.1", port), "/").status == 307
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: not is_running(pid), "the server has ended")


def test_a_used_port_is_refused_in_one_sentence() -> None:
    used, address = listen()
    with used, pytest.raises(ServerRefused, match="no server can listen on"):
        listen(address.host, address.port)


def test_a_host_that_does_not_exist_is_refused_in_one_sentence() -> None:
    with pytest.raises(
        ServerRefused, match=r"no server can listen on 300\.0\.0\.1 port 0: .+; choose"
    ):
        listen("300.0.0.1", 0)


def test_a_server_that_does_not_end_is_killed(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_KILL_AFTER", 0.05)
    with forked_servers():
        server = ServerProcess(showing(record))
    os.kill(server.pid, signal.SIGSTOP)
    server.end()
    assert not is_running(server.pid)
    assert server._process.returncode == -signal.SIGKILL


def test_without_the_extra_one_sentence_says_how_to_install_it(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requirements, "find_spec", lambda _: None)
    monkeypatch.chdir(tmp_path)
    for words in (["serve", str(record)], ["tournament", "random", "random", "--serve", "0"]):
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 2
        assert "pip install 'hansa-teutonica-referee[web]'" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [("8000", ("127.0.0.1", 8000)), ("0.0.0.0:80", ("0.0.0.0", 80)), ("[::1]:5", ("::1", 5))],
)
def test_a_place_is_a_port_with_or_without_a_host(text: str, place: tuple[str, int]) -> None:
    assert place_of(text) == place


@pytest.mark.parametrize("text", ["", "x", "host:", "1:99999", "-1"])
def test_other_places_are_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match=r"is not \[HOST:\]PORT"):
        place_of(text)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[ServerSettings]:
    """What `referee serve` serves from now on."""
    found: list[ServerSettings] = []

    def serve_here(settings: ServerSettings, listener: socket.socket) -> None:
        found.append(settings)
        listener.close()

    monkeypatch.setattr("referee.cli.serve.serve_here", serve_here)
    return found


def test_another_address_must_be_asked_for_and_is_warned_about(
    record: Path, served: list[ServerSettings]
) -> None:
    here = CliRunner().invoke(main, ["serve", str(record), "--at", "0"])
    assert "http://127.0.0.1:" in here.output
    assert "not encrypted" not in here.output
    there = CliRunner().invoke(main, ["serve", str(record), "--at", "0.0.0.0:0", "--delay", "5"])
    assert "not encrypted" in there.output
    assert served[1].delay == 5


def test_serve_refuses_what_is_not_there(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["serve", str(tmp_path / "nothing")])
    assert done.exit_code == 2
    assert "there is no file or folder" in done.output


def test_serve_shows_a_tournament_alone(
    record: Path, tmp_path: Path, served: list[ServerSettings]
) -> None:
    folder = write_tournament(tmp_path / "t", blocks=1, most=1)
    both = CliRunner().invoke(main, ["serve", str(record), str(folder)])
    assert both.exit_code == 2
    assert f"{folder} is a tournament: give it alone" in both.stderr
    assert CliRunner().invoke(main, ["serve", str(folder), "--at", "0"]).exit_code == 0
    assert served == [ServerSettings(tournament=str(folder))]


def test_a_tournament_is_served_while_it_runs_and_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[ServerSettings, str, int]] = []
    is_open = False

    @contextmanager
    def server(settings: ServerSettings, host: str, port: int) -> Iterator[Address]:
        nonlocal is_open
        served.append((settings, host, port))
        is_open = True
        yield Address(host, 1234)
        is_open = False

    monkeypatch.setattr("referee.cli.tournament_run.server_process", server)
    folder = tmp_path / "t"
    words = ["random", "random", "--max-turns", "4", "--blocks", "1", "--sandbox", "off"]
    place = ["--serve", "127.0.0.1:0", "--delay", "3", "--allow-host", "games.example"]
    done = CliRunner().invoke(main, ["tournament", *words, *place, "--quiet", "--out", str(folder)])
    assert done.exit_code == 0
    assert "http://127.0.0.1:1234/" in done.output
    assert "referee serve" in done.output
    ((settings, host, port),) = served
    assert (host, port, is_open) == ("127.0.0.1", 0, False)
    assert settings == ServerSettings(
        tournament=str(folder), delay=3, allowed_hosts=("games.example",)
    )


def test_options_of_the_server_need_a_server() -> None:
    done = CliRunner().invoke(main, ["tournament", "random", "random", "--delay", "3"])
    assert done.exit_code == 2
    assert "belong to --browser or --serve" in done.output

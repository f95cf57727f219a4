"""The spectators of `referee bench web`: they watch as browsers do, and notice what a server refuses."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from referee.bench import web_clients
from referee.bench.web_clients import ClientFigures, Connection, Latency, Spectators
from referee.tournament.store.store import RECORDS
from referee.web.live import tournament_state
from referee.web.live.process import ServerSettings, listen
from support.board_records import write_record
from support.golden_games import GAMES
from support.random_games import played
from support.sample_site import write_tournament
from support.served import served_here
from support.waiting import PATIENCE_S

HOST = "127.0.0.1"
KEY = "b-running-0"
PAGE = b'<script src="../assets/site.js"></script><script>{"after":"7"}</script>'

Result = TypeVar("Result")


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.01)


def unused_port() -> int:
    """A port on which nobody listens."""
    listener, address = listen()
    listener.close()
    return address.port


async def with_answers(
    answers: dict[str, bytes], act: Callable[[int], Awaitable[Result]]
) -> Result:
    """Call `act` with the port of a server that sends these answers by path, and then cuts."""

    answering: list[asyncio.Task[None]] = []

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answering.append(asyncio.create_task(answer(reader, writer)))

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readline():
            path = head.split()[1].decode()
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answers[path])
            if b"content-length" not in answers[path]:
                break
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(begin, HOST, 0) as server:
        result = await act(server.sockets[0].getsockname()[1])
        await asyncio.gather(*answering)
        return result


def with_length(body: bytes, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


# --- Watching ------------------------------------------------------------------------------------


def test_spectators_find_a_running_game_and_follow_it_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_state, "SHORTEST_PAUSE", 0.0)
    monkeypatch.setattr(tournament_state, "PAUSE_FACTOR", 0)
    folder = write_tournament(tmp_path / "t", blocks=1, most=1)
    lines = write_record(tmp_path / "whole.jsonl", played(*GAMES[3])).read_bytes().splitlines(True)
    record = folder / RECORDS / "b-running" / "0.jsonl"
    record.parent.mkdir(parents=True)

    async def watch(port: int) -> Spectators:
        spectators = Spectators(HOST, port, folder / RECORDS, count=5)
        figures, latency, stop = spectators.figures, spectators.latency, asyncio.Event()
        running = asyncio.create_task(spectators.run(stop))
        await until(lambda: figures.pages == 2)  # numbers 0 and 4 load the page of the tournament
        with record.open("ab", buffering=0) as file:
            file.write(b"".join(lines[:20]))
            await until(lambda: figures.pages == 5)
            written = 20
            while not latency.measured_ms:
                file.write(lines[written])
                written += 1
                await asyncio.sleep(0.05)
            file.write(b"".join(lines[written:]))
            await until(lambda: KEY in spectators._ended)
        stop.set()
        await running
        return spectators

    with served_here(ServerSettings(tournament=str(folder))) as address:
        figures = asyncio.run(watch(address.port)).figures
    assert (figures.connections, figures.lost) == (5, 0)
    assert figures.files > figures.pages
    assert figures.events >= 5
    assert figures.bytes > 0
    assert len(figures.loads_ms) == figures.pages


def test_a_page_without_events_is_complete(tmp_path: Path) -> None:
    answers = {"/": with_length(b'<link href="assets/a.css"><link href="assets/a.css">'), "/assets/a.css": with_length(b"")}  # fmt: skip

    async def visit(port: int) -> ClientFigures:
        spectators = Spectators(HOST, port, tmp_path, count=1)
        await spectators._visit("/", set(), lambda *_: True)
        return spectators.figures

    figures = asyncio.run(with_answers(answers, visit))
    assert (figures.pages, figures.files, figures.events, figures.lost) == (1, 1, 0, 0)


def test_a_refused_file_and_a_cut_connection_are_counted_as_lost(tmp_path: Path) -> None:
    refusing = {"/game/a": with_length(PAGE), "/assets/site.js": with_length(b"", "404 Not Found")}
    cutting = {
        "/game/a": with_length(PAGE),
        "/assets/site.js": with_length(b""),
        "/game/a/events?after=7": b"HTTP/1.1 200 OK\r\n\r\nid: 8\ndata: {}\n\n",
    }

    async def visit(port: int) -> ClientFigures:
        spectators = Spectators(HOST, port, tmp_path, count=1)
        await spectators._visit("/game/a", set(), lambda *_: False)
        return spectators.figures

    refused = asyncio.run(with_answers(refusing, visit))
    assert (refused.lost, refused.pages, refused.files, refused.events) == (1, 1, 0, 0)
    cut = asyncio.run(with_answers(cutting, visit))
    assert (cut.lost, cut.pages, cut.files, cut.events) == (1, 1, 1, 1)


def test_a_server_that_does_not_listen_is_not_counted(tmp_path: Path) -> None:
    spectators = Spectators(HOST, unused_port(), tmp_path, count=1)
    asyncio.run(spectators._visit("/", set(), lambda *_: True))
    assert spectators.figures == ClientFigures()


def test_the_error_of_a_refused_page_names_it() -> None:
    async def get(port: int) -> None:
        connection = await Connection.to(HOST, port)
        try:
            with pytest.raises(ValueError, match=r"^/secret: HTTP/1.1 403 Forbidden"):
                await connection.get("/secret")
            assert await connection.get("/open") == b"hello"
        finally:
            connection.close()

    answers = {
        "/secret": with_length(b"no", "403 Forbidden"),
        "/open": with_length(b"hello"),
    }
    asyncio.run(with_answers(answers, get))


# --- Records -------------------------------------------------------------------------------------


def test_only_whole_lines_that_were_written_since_the_first_look_are_steps(tmp_path: Path) -> None:
    spectators, sizes = Spectators(HOST, 1, tmp_path, 1), dict[str, tuple[int, int]]()
    path, line = tmp_path / "0.jsonl", b'{"line":"decision"}\n'

    def look() -> None:
        spectators._note_new(path, "game", sizes)

    look()  # the record is not there yet
    path.write_bytes(line * 3)
    look()
    with path.open("ab", buffering=0) as file:
        file.write(line + line[:5])
        look()
        look()
        file.write(line[5:])
        look()
    assert sizes == {"game": (5 * len(line), 6)}
    assert sorted(spectators.latency._written["game"]) == [5, 6]


def test_a_step_that_arrives_before_the_look_is_not_late() -> None:
    latency = Latency()
    latency.written("game", [2, 3], now=10.0)
    latency.arrived("game", 4, now=10.25, since=0.0)
    latency.written("game", [4, 5], now=10.5)
    latency.arrived("game", 5, now=11.0, since=0.0)
    assert latency.measured_ms == [250.0, 250.0, 0.0, 500.0]


def test_steps_from_before_a_spectator_came_have_no_latency() -> None:
    latency = Latency()
    latency.written("game", [2], now=10.0)
    latency.written("game", [3], now=12.0)
    latency.arrived("game", 3, now=12.5, since=11.0)
    assert latency.measured_ms == [500.0]


# --- The program ---------------------------------------------------------------------------------


@contextmanager
def closed_input() -> Iterator[None]:
    """The standard input of this process is at its end."""
    before = os.dup(0)
    read_end, write_end = os.pipe()
    os.close(write_end)
    os.dup2(read_end, 0)
    os.close(read_end)
    try:
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)


def test_the_program_ends_with_its_input_and_prints_its_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    words = ["web_clients", HOST, str(unused_port()), str(tmp_path), "2"]
    monkeypatch.setattr(sys, "argv", words)
    with closed_input():
        web_clients.main()
    ready, printed = capfdbinary.readouterr().out.split(b"\n")
    assert ready == b""
    assert msgspec.json.decode(printed, type=ClientFigures) == ClientFigures()

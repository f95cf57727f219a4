"""The pages of `referee play`: who gets which address, what is opened, and a seat that is lost and taken again.

The server is a thread of the test process; test_play_browser.py plays with one of its own.
"""

from __future__ import annotations

import http.client
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import msgspec
import pytest

from referee.bots.find import find_bots
from referee.bots.sandbox.levels import Sandboxed
from referee.bots.sandbox.limits import Level
from referee.cli import main
from referee.cli.play import browser
from referee.cli.play.browser import BrowserGiven, served_game
from referee.records.verify import verify
from referee.web.live.process import Address, ServerSettings
from referee.web.play import game_link
from referee.web.play.game_server import GameServer, game_server
from support.command_runs import PLAIN
from support.seat_client import SeatClient
from support.served import served_here
from support.waiting import wait_until


@contextmanager
def serve_game(settings: ServerSettings, host: str, port: int) -> Iterator[Address]:
    """Serve a game here; a process of its own would have its own copy of the connection, too."""
    assert settings.game is not None
    game = msgspec.structs.replace(settings.game, link=os.dup(settings.game.link))
    with served_here(msgspec.structs.replace(settings, game=game), host, port) as address:
        yield address


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> SimpleQueue[GameServer]:
    """The servers that games start, which end soon after the last page is closed."""
    started: SimpleQueue[GameServer] = SimpleQueue()

    @contextmanager
    def remembered(*arguments: Any, **options: Any) -> Iterator[GameServer]:
        with game_server(*arguments, **options) as server:
            started.put(server)
            yield server

    monkeypatch.setattr("referee.web.play.game_server.server_process", serve_game)
    monkeypatch.setattr(browser, "game_server", remembered)
    monkeypatch.setattr(game_link, "CLOSING_S", 0.25)
    return started


def text_at(server: GameServer, path: str) -> str:
    connection = http.client.HTTPConnection(server.address.host, server.address.port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse().read().decode()
    connection.close()
    return answer


def table_of(*words: str, level: Level = "limits") -> Sandboxed:
    return Sandboxed(find_bots(words), level, "")


def test_a_person_loses_the_seat_takes_it_again_and_plays_to_the_end(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    servers: SimpleQueue[GameServer],
    capsys: pytest.CaptureFixture[str],
) -> None:
    keyboard, theirs = os.openpty()
    record = tmp_path / "game.jsonl"

    def person() -> int:
        server = servers.get(timeout=20)
        first = SeatClient(server.taking_address(0))
        assert first.take() == 204
        questions = first.questions()
        assert next(questions)["id"] == 1
        assert text_at(server, "/").count("/events") == 1
        os.write(keyboard, b"\n")
        wait_until(lambda: server.codes[0] != first.code, "Enter gives new addresses")
        again = SeatClient(server.taking_address(0))
        wait_until(lambda: again.take() == 204, "the new code takes the seat")
        assert list(questions) == []  # the old page is disconnected
        assert first.choose(1, 0) == 403
        asked = 0
        for question in again.questions():
            asked += 1
            assert again.choose(question["id"], 0) == 200
        return asked

    words = ["human", PLAIN, PLAIN, "--serve", "0", "--quiet", "--seed", "4", "--max-turns", "4"]
    with os.fdopen(theirs) as terminal, ThreadPoolExecutor(1) as others:
        monkeypatch.setattr(sys, "stdin", terminal)
        playing = others.submit(person)
        with pytest.raises(SystemExit) as ended:
            main(["play", *words, "--sandbox", "off", "--record", str(record)])
    os.close(keyboard)
    assert ended.value.code == 0
    assert playing.result() >= 2
    assert verify(record).verdict == "fine"
    printed = capsys.readouterr().err
    assert printed.count("Seat 0, human: http://127.0.0.1:") == 2
    assert "If a browser loses its seat, press Enter here for new addresses." in printed
    assert "Opening a new address takes the seat; the old page no longer works." in printed


@pytest.fixture
def browsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which a browser notes what it opens: an address, and the text of a file."""
    program, report = tmp_path / "browser", tmp_path / "report"
    program.write_text(
        f'#!/bin/sh\necho "$1" > {report}.new\n'
        f'case "$1" in file:*) cat "${{1#file://}}" >> {report}.new;; esac\n'
        f"mv {report}.new {report}\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(program))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("HOME", str(tmp_path))
    return report


@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a shell script")
@pytest.mark.parametrize(
    ("words", "level", "opened"),
    [
        (("human", "random"), "limits", "code"),
        (("human", PLAIN), "strict", "code"),
        (("human", PLAIN), "limits", "seat"),  # this bot could read a file with the code
        (("random", "random"), "limits", "game"),
    ],
)
def test_a_page_is_opened_with_its_code_if_no_bot_can_read_it(
    words: tuple[str, ...],
    level: Level,
    opened: str,
    browsed: Path,
    servers: SimpleQueue[GameServer],
    capsys: pytest.CaptureFixture[str],
) -> None:
    with served_game(None, table_of(*words, level=level), BrowserGiven(browser=True)) as shown:
        wait_until(browsed.exists, "the browser starts")
        server = servers.get(timeout=1)
        assert shown.record.parent.is_dir()
    assert not shown.record.parent.exists()
    first, *rest = browsed.read_text().splitlines()
    if opened == "code":
        assert first.startswith("file://")
        assert f"url={server.taking_address(0)}" in "".join(rest)
    else:
        assert (first, rest) == (
            server.seat_address(0) if opened == "seat" else server.address.url,
            [],
        )
    warning = "play only with bots that you trust"
    assert (warning in capsys.readouterr().err) == (opened == "seat")


def test_a_server_for_other_machines_is_warned_about(
    servers: SimpleQueue[GameServer], capsys: pytest.CaptureFixture[str]
) -> None:
    with served_game(None, table_of("random", "random"), BrowserGiven(place=("0.0.0.0", 0))):
        server = servers.get(timeout=1)
    printed = capsys.readouterr().err
    assert f"Spectators: {server.address.network_url}" in printed
    assert "The traffic is not encrypted" in printed
    assert "The address of a seat works once" not in printed


def test_sigterm_ends_the_program_and_removes_the_temporary_record(
    servers: SimpleQueue[GameServer],
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with (
        pytest.raises(SystemExit) as ended,
        served_game(
            None, table_of("human", "random"), BrowserGiven(place=("127.0.0.1", 0))
        ) as shown,
    ):
        os.kill(os.getpid(), signal.SIGTERM)
    assert ended.value.code == 128 + signal.SIGTERM
    assert not shown.record.parent.exists()
    assert signal.getsignal(signal.SIGTERM) == before

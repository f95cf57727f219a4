"""The game's end of a hint for the browser: it waits for the hint and for the answer at once."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import Any

import msgspec
import pytest

from referee.engine import game
from referee.engine.state import GameState
from referee.errors import ServerLost
from referee.match.hints import Hints
from referee.match.remote_player import Question
from referee.web.play.browser_seats import BrowserSeats
from referee.web.play.seat_messages import AskHint, Chosen, ToGame, encoded
from support.combinations import named

NAMES = ["ann", "bob", "cat"]


class Piped:
    """A hint that is ready when something is written to its pipe."""

    def __init__(self) -> None:
        self.begun = self.stopped = 0

    def __call__(self, _: GameState, names: Sequence[str]) -> Piped:
        assert list(names) == NAMES
        self.read, self.write = os.pipe()
        self.begun += 1  # last: the page waits for it
        return self

    def fileno(self) -> int:
        return self.read

    def text(self) -> str:
        return os.read(self.read, 100).decode()

    def stop(self) -> None:
        self.stopped += 1
        os.close(self.read)
        os.close(self.write)


class Table:
    """A person at seat 0, whose page is played by the test."""

    def __init__(self) -> None:
        self.ours, self.theirs = socket.socketpair()
        self.page = self.theirs.makefile("rwb")
        self.seats = BrowserSeats(self.ours)
        self.advice = Piped()
        board, rules = named("hanse-2-3:3:bigbox")
        self.state = game.new_game(board, rules, 1)
        self.seats.begin(board, NAMES)

    def question(self, *, hints: bool = True) -> Question:
        found = Hints(self.advice, None) if hints else None
        return Question(0, self.state, game.choices(self.state), 20_000.0, found)

    def send(self, *messages: ToGame) -> None:
        for message in messages:
            self.page.write(encoded(message))
        self.page.flush()

    def hear(self) -> Any:
        return msgspec.json.decode(self.page.readline())

    def close(self) -> None:
        for file in (self.page, self.theirs, self.ours):
            file.close()


@pytest.fixture
def table() -> Iterator[Table]:
    found = Table()
    yield found
    found.close()


def in_background(act: Callable[[], None]) -> Thread:
    thread = Thread(target=act, daemon=True)
    thread.start()
    return thread


def test_the_hint_goes_to_the_page_before_the_answer(table: Table) -> None:
    heard: list[Any] = []

    def page() -> None:
        heard.append(table.hear()["type"])
        table.send(AskHint(0, 1), AskHint(0, 1))
        while not table.advice.begun:
            time.sleep(0.01)
        os.write(table.advice.write, b"Best: x")
        heard.append(table.hear())
        table.send(AskHint(0, 1), Chosen(0, 1, 2))

    thread = in_background(page)
    assert table.seats.ask(table.question()) == 2
    thread.join(5)
    assert heard == ["ask", {"type": "hint", "seat": 0, "id": 1, "text": "Best: x"}]
    assert (table.advice.begun, table.advice.stopped) == (1, 1)


def test_an_answer_before_the_hint_stops_it(table: Table) -> None:
    table.send(AskHint(0, 1), Chosen(0, 1, 3))
    table.seats._read_ready = lambda: None  # type: ignore[method-assign]  # these come after the question
    assert table.seats.ask(table.question()) == 3
    assert (table.advice.begun, table.advice.stopped) == (1, 1)


def test_a_lost_server_stops_the_hint(table: Table) -> None:
    table.send(AskHint(0, 1))
    table.seats._read_ready = lambda: None  # type: ignore[method-assign]  # the same
    table.theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(ServerLost):
        table.seats.ask(table.question())
    assert (table.advice.begun, table.advice.stopped) == (1, 1)


def test_a_game_without_hints_gives_none(table: Table) -> None:
    table.send(AskHint(0, 1), Chosen(0, 1, 3))
    table.seats._read_ready = lambda: None  # type: ignore[method-assign]  # the same
    assert table.seats.ask(table.question(hints=False)) == 3
    assert table.advice.begun == 0

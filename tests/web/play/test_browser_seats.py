"""The game's end of the connection to its pages: answers, hints, other messages, and what else is watched."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import Any

import msgspec
import pytest

from referee.adjudication.faults import Fault, FaultRecord
from referee.engine import game
from referee.engine.state import GameState
from referee.errors import ServerLost
from referee.match.hints import Hints
from referee.match.remote_player import Question
from referee.web.play.browser_seats import BrowserSeats
from referee.web.play.seat_messages import AskHint, Chosen, Closed, Left, ToGame, encoded
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

    def question(self, *, hints: bool = True, allowed_ms: float | None = 20_000.0) -> Question:
        found = Hints(self.advice, None) if hints else None
        return Question(0, self.state, game.choices(self.state), allowed_ms, found)

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


# --- Answers -------------------------------------------------------------------------------------


def test_only_an_answer_to_this_question_counts(table: Table) -> None:
    table.seats._read_ready = lambda: None  # type: ignore[method-assign]  # the same
    many = len(game.choices(table.state))
    table.send(Chosen(1, 1, 0), Chosen(0, 2, 0), Chosen(0, 1, many), Left(2), Chosen(0, 1, 4))
    assert table.seats.ask(table.question(allowed_ms=None)) == 4
    assert [table.hear()["type"] for _ in range(2)] == ["ask", "withdraw"]


def test_an_answer_that_came_before_the_question_does_not_count(table: Table) -> None:
    table.send(Chosen(0, 1, 2))
    with pytest.raises(TimeoutError):
        table.seats.ask(table.question(allowed_ms=0.0))
    assert [table.hear()["type"] for _ in range(2)] == ["ask", "withdraw"]


def test_a_person_who_leaves_is_not_asked_again(table: Table) -> None:
    table.seats._read_ready = lambda: None  # type: ignore[method-assign]  # the same
    table.send(Left(0))
    with pytest.raises(EOFError):
        table.seats.ask(table.question())
    assert [table.hear()["type"] for _ in range(2)] == ["ask", "withdraw"]
    with pytest.raises(EOFError):
        table.seats.ask(table.question())
    table.seats.end(0)
    assert table.hear() == {"type": "end", "seat": 0}


def test_a_person_who_left_before_the_question_is_not_asked(table: Table) -> None:
    table.send(Left(0))
    with pytest.raises(EOFError):
        table.seats.ask(table.question())
    table.seats.end(0)
    assert table.hear() == {"type": "end", "seat": 0}


# --- Other messages ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("is_out", "sentence"),
    [
        (False, "You answered too late: the referee chose for you."),
        (True, "You answered too late: the referee ends your turns."),
    ],
)
def test_a_person_hears_of_the_own_fault(table: Table, is_out: bool, sentence: str) -> None:
    cause = Fault("timeout", "answered too late")
    table.seats.tell_fault(FaultRecord(0, "ann", 3, cause, 1, 3, is_out))
    assert table.hear() == {"type": "notice", "seat": 0, "text": sentence}


def test_the_pages_stay_open_until_the_server_says_that_they_are_closed(table: Table) -> None:
    table.send(Left(1), Closed(), Left(0))
    table.seats.wait_until_closed()
    assert table.hear() == {"type": "over"}
    assert table.seats._receive(None) == Left(0)  # what comes afterwards was not read


def test_a_server_that_has_ended_has_no_pages_to_wait_for(table: Table) -> None:
    table.page.close()
    table.theirs.close()
    table.seats.wait_until_closed()
    with pytest.raises(ServerLost, match="continue the game from its record with --from"):
        table.seats.game_began()


# --- What else is watched ------------------------------------------------------------------------


def test_a_line_of_the_terminal_is_heard_while_a_person_is_asked(table: Table) -> None:
    read_end, write_end = os.pipe()
    pressed: list[str] = []

    def press() -> None:
        pressed.append("Enter")
        if len(pressed) < 2:
            os.write(write_end, b"\n")
        else:
            os.close(write_end)
            table.send(Chosen(0, 1, 1))

    table.seats._read_ready = lambda: None  # type: ignore[method-assign]  # the same
    table.seats.watch(read_end, press)
    os.write(write_end, b"\n")
    assert table.seats.ask(table.question()) == 1
    assert pressed == ["Enter", "Enter"]
    with pytest.raises(TimeoutError):
        table.seats.ask(table.question(allowed_ms=50.0))  # the end of the terminal does not wake it
    assert table.seats._watched == {}
    os.close(read_end)

"""The game's end of the connection to the server of its pages: asks the people in the browser."""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec

from referee.adjudication.faults import FaultRecord
from referee.engine.board import Board
from referee.errors import ServerLost
from referee.match.hints import HintTask
from referee.match.remote_player import Question
from referee.web.play.click_paths import ClickPaths
from referee.web.play.seat_messages import (
    Ask,
    AskHint,
    Began,
    Chosen,
    Closed,
    End,
    FromGame,
    HintText,
    Left,
    NewCode,
    Notice,
    Over,
    ToGame,
    Withdraw,
    decoded_to_game,
    encoded,
)

_READ = 1 << 16


class BrowserSeats:
    """Asks the people in the browser, one question at a time."""

    def __init__(self, link: socket.socket, *, has_clock: bool = False) -> None:
        """Take one end of a pair of sockets; the server has the other."""
        self.has_clock = has_clock
        self._link = link
        self._unread = b""
        self._left: set[int] = set()  # the seats whose people have left
        self._watched: dict[int, Callable[[], object]] = {}  # files, and what reads them
        self._task: HintTask | None = None  # the hint that is being made
        self._hinted = 0  # the last decision with a hint

    def begin(self, board: Board, names: list[str]) -> None:
        """Begin a game on this board with these players."""
        self._paths = ClickPaths(board, names)
        self._names = names

    def ask(self, question: Question) -> int:
        """Wait for the index of a choice. EOFError if the person leaves, TimeoutError if it is late.

        ServerLost if the server of the pages has ended.
        """
        deadline = None
        if question.allowed_ms is not None:
            deadline = time.monotonic() + question.allowed_ms / 1000
        self._read_ready()
        if question.seat in self._left:
            raise EOFError
        asked = msgspec.json.encode(self._paths.asked(question.state, question.options))
        self._send(
            Ask(
                question.seat,
                question.decision_id,
                len(question.options),
                msgspec.Raw(asked),
                question.allowed_ms,
            )
        )
        try:
            return self._answer(question, deadline)
        finally:
            self._end_hint()
            self._send(Withdraw(question.seat, question.decision_id))

    def _answer(self, question: Question, deadline: float | None) -> int:
        """The first answer to this question; answers to other questions are dropped."""
        while True:
            message = self._receive(deadline)
            if isinstance(message, Left):
                self._left.add(message.seat)
                if message.seat == question.seat:
                    raise EOFError
            elif isinstance(message, Chosen) and _answers(message, question):
                return message.choice
            elif isinstance(message, AskHint) and message.id == question.decision_id:
                self._begin_hint(question)

    # -- hints

    def _begin_hint(self, question: Question) -> None:
        """Begin the hint for this question; there is one for each."""
        if question.hints is None or self._hinted == question.decision_id:
            return
        self._hinted = question.decision_id
        self._task = question.hints.begin(question.state, self._names)
        self._watched[self._task.fileno()] = partial(self._tell_hint, question)

    def _tell_hint(self, question: Question) -> None:
        """The hint can be read: pass it on."""
        assert self._task is not None
        assert question.hints is not None
        text = question.hints.take(question.state, self._task)
        self._end_hint()
        self._send(HintText(question.seat, question.decision_id, text))

    def _end_hint(self) -> None:
        if self._task is not None:
            del self._watched[self._task.fileno()]
            self._task.stop()
            self._task = None

    # -- other messages

    def tell_fault(self, fault: FaultRecord) -> None:
        """Tell the person of a fault of their seat."""
        instead = "ends your turns" if fault.disqualified else "chose for you"
        self._send(Notice(fault.seat, f"You {fault.message}: the referee {instead}."))

    def end(self, seat: int) -> None:
        """End the game in this seat."""
        self._send(End(seat))

    def add_code(self, seat: int, code: str) -> None:
        """Give a seat one more code, which takes it even if it is taken."""
        self._send(NewCode(seat, code))

    def watch(self, file: int, act: Callable[[], object]) -> None:
        """Call `act` when something can be read from a file, such as the terminal, while people are asked."""
        self._watched[file] = partial(self._read_watched, file, act)

    def game_began(self) -> None:
        """Tell the server that it can follow the record."""
        self._send(Began())

    def wait_until_closed(self) -> None:
        """After the end of the game: wait until the last page is closed, or the server has ended."""
        with suppress(ServerLost):
            self._send(Over())
            while not isinstance(self._receive(None), Closed):
                pass

    # -- the connection

    def _send(self, message: FromGame) -> None:
        try:
            self._link.sendall(encoded(message))
        except OSError as error:
            raise _lost() from error

    def _read_ready(self) -> None:
        """Take in what has come since the last question: only that people left."""
        try:
            while True:
                message = self._receive(time.monotonic())
                if isinstance(message, Left):
                    self._left.add(message.seat)
        except TimeoutError:
            return

    def _receive(self, deadline: float | None) -> ToGame:
        while b"\n" not in self._unread:
            left = None if deadline is None else max(deadline - time.monotonic(), 0)
            ready = select.select([self._link.fileno(), *self._watched], [], [], left)[0]
            if not ready:
                raise TimeoutError
            if self._link.fileno() not in ready:
                self._watched[ready[0]]()
                continue
            more = self._link.recv(_READ)
            if not more:
                raise _lost()
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return decoded_to_game(line)

    def _read_watched(self, file: int, act: Callable[[], object]) -> None:
        if _may_read(file) and os.read(file, _READ):
            act()
        else:
            del self._watched[file]


def _may_read(file: int) -> bool:
    """Whether reading does not stop this process, as it does in the background of a terminal."""
    try:
        return os.tcgetpgrp(file) == os.getpgrp()
    except OSError:  # it is not a terminal
        return True


def _answers(message: Chosen, question: Question) -> bool:
    return (
        message.seat == question.seat
        and message.id == question.decision_id
        and 0 <= message.choice < len(question.options)
    )


def _lost() -> ServerLost:
    return ServerLost(
        "the server of the pages has ended; continue the game from its record with --from"
    )

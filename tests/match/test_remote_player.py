"""A person elsewhere: answers, clocks and leaving, over a real pair of sockets."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from threading import Thread
from typing import Any

import msgspec
import pytest

from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.faults import Fault, FaultRecord
from referee.encoder import Formats, GameEncoder, SeatEncoder
from referee.engine import game
from referee.engine.state import GameState
from referee.errors import ServerLost
from referee.match.players import Answer
from referee.match.remote_player import RemotePlayer
from referee.records.header import HUMAN, TIMED_HUMAN
from referee.web.play.browser_seats import BrowserSeats
from support.combinations import named

NAMES = ["ann", "bob", "cid"]
FAST = ClockRules(bank_ms=40, increment_ms=0, move_ms=None)


class Server:
    """The other end of the connection, which answers as prepared."""

    def __init__(self, link: socket.socket) -> None:
        self.link = link
        self.lines = link.makefile("rb")

    def read(self, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = msgspec.json.decode(self.lines.readline())
            if message["type"] == kind:
                return message

    def send(self, **fields: object) -> None:
        self.link.sendall(msgspec.json.encode(fields) + b"\n")

    def close(self) -> None:
        self.lines.close()
        self.link.close()


class Seat:
    """A player at seat 0 of a new game, and the server at the other end."""

    def __init__(self, clock: ClockRules = NO_CLOCK) -> None:
        ours, theirs = socket.socketpair()
        self.ours, self.server = ours, Server(theirs)
        board, rules = named("hanse-2-3:3:bigbox")
        self.state: GameState = game.new_game(board, rules, 5)
        self.player = RemotePlayer("ann", BrowserSeats(ours, has_clock=clock is not NO_CLOCK))
        self.player.sit(self.state, 0)
        words = Formats(board).get("json", "words")
        encoder = SeatEncoder(GameEncoder(words, self.state), 0)
        self.player.start(encoder, "a-game", NAMES, clock)

    def decide(self) -> Answer | Fault:
        return self.player.decide(self.state.decision_id, game.choices(self.state))

    def chooses(self, choice: int, decision_id: int | None = None, seat: int = 0) -> None:
        number = self.state.decision_id if decision_id is None else decision_id
        self.server.send(type="chosen", seat=seat, id=number, choice=choice)

    def answers(self, *choices: tuple[int, int]) -> Answer | Fault:
        """Decide while the server sends these answers, each with its decision id, after the question."""

        def serve() -> None:
            self.server.read("ask")
            for decision_id, choice in choices:
                self.chooses(choice, decision_id)

        thread = Thread(target=serve)
        thread.start()
        try:
            return self.decide()
        finally:
            thread.join()

    def close(self) -> None:
        self.ours.close()
        self.server.close()


@pytest.fixture
def seat() -> Iterator[Seat]:
    found = Seat()
    yield found
    found.close()


@pytest.fixture
def timed() -> Iterator[Seat]:
    found = Seat(FAST)
    yield found
    found.close()


def test_the_answer_is_the_index_that_the_server_sends(seat: Seat) -> None:
    answer = seat.answers((seat.state.decision_id, 3))
    assert isinstance(answer, Answer)
    assert answer.index == 3


def test_the_server_hears_when_a_question_is_closed(
    seat: Seat,
) -> None:
    seat.answers((seat.state.decision_id, 0))
    closed = seat.server.read("withdraw")
    assert (closed["seat"], closed["id"]) == (0, seat.state.decision_id)


def test_an_answer_to_another_decision_or_out_of_range_changes_nothing(seat: Seat) -> None:
    number, count = seat.state.decision_id, len(game.choices(seat.state))
    wrong = [(number - 1, 1), (number + 1, 1), (number, count), (number, -1)]
    answer = seat.answers(*wrong, (number, 2), (number, 1))
    assert isinstance(answer, Answer)
    assert answer.index == 2


def test_the_second_answer_to_a_decision_is_not_taken_for_the_next_one(seat: Seat) -> None:
    number = seat.state.decision_id
    seat.answers((number, 2), (number, 2))
    game.apply(seat.state, 2)
    answer = seat.answers((seat.state.decision_id, 1))
    assert isinstance(answer, Answer)
    assert answer.index == 1


def test_leaving_is_a_fault_at_the_next_question(seat: Seat) -> None:
    seat.server.send(type="left", seat=1)
    seat.server.send(type="left", seat=0)
    left = seat.decide()
    assert isinstance(left, Fault)
    assert (left.fault, left.message) == ("crash", "left the game")


def test_a_person_has_no_clock_by_default(seat: Seat, timed: Seat) -> None:
    assert seat.player.content == HUMAN
    assert timed.player.content == TIMED_HUMAN


def test_with_a_clock_a_late_answer_is_a_time_out_of_all_that_was_left(timed: Seat) -> None:
    late = timed.decide()
    assert isinstance(late, Fault)
    assert (late.fault, late.ms) == ("timeout", 40)
    timed.chooses(1)  # too late: it answers a decision that is over
    game.apply(timed.state, 0)
    later = timed.decide()
    assert isinstance(later, Fault)
    assert (later.fault, later.ms) == ("timeout", 0)


def test_a_person_hears_of_a_fault_in_one_sentence(seat: Seat) -> None:
    cause = Fault("timeout", "gave no answer within 40 ms")
    seat.player.refuse(FaultRecord(0, "ann", 1, cause, 1, 3, disqualified=False))
    text = seat.server.read("notice")["text"]
    assert text == "You gave no answer within 40 ms: the referee chose for you."


def test_a_server_that_ends_stops_the_game_without_blame(seat: Seat) -> None:
    seat.server.close()
    with pytest.raises(ServerLost, match="--from"):
        seat.decide()

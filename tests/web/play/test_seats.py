"""A seat on the server: taken once, answered once."""

from __future__ import annotations

import msgspec

from referee.web.play.seat_messages import (
    Ask,
    AskHint,
    Chosen,
    End,
    HintText,
    Left,
    NewCode,
    Notice,
    ToGame,
    Withdraw,
)
from referee.web.play.seats import CODE_LETTERS, Seat, new_code


class Table:
    """A seat, what it sends to the game, and how often its page changes."""

    def __init__(self) -> None:
        self.code = new_code()
        self.seat = Seat(1, "ann", self.code)
        self.sent: list[ToGame] = []
        self.changes = 0
        self.seat.connect(self.sent.append, self._change)

    def _change(self) -> None:
        self.changes += 1

    def ask(self, decision_id: int, choices: int = 5, left_ms: float | None = None) -> None:
        question = msgspec.Raw(msgspec.json.encode({"id": decision_id}))
        self.seat.hear(Ask(1, decision_id, choices, question, left_ms))


def test_codes_differ_and_can_be_typed() -> None:
    codes = {new_code() for _ in range(50)}
    assert len(codes) == 50
    assert all(set(code) <= {*CODE_LETTERS, "-"} and len(code) == 19 for code in codes)


def test_a_code_takes_the_seat_once_however_it_is_typed() -> None:
    table = Table()
    result, secret = table.seat.take(f" {table.code.upper().replace('-', ' ')} ")
    assert (result, len(secret) > 40) == ("taken", True)
    assert table.seat.take(table.code) == ("used", "")
    assert table.seat.is_held_by(secret)


def test_a_new_code_takes_the_seat_again_and_ends_the_codes_before_it() -> None:
    table = Table()
    _, first = table.seat.take(table.code)
    codes = [new_code(), new_code()]
    for code in codes:
        table.seat.hear(NewCode(1, code))
    assert table.seat.is_held_by(first)  # until a new code is used
    result, second = table.seat.take(codes[1])
    assert result == "taken"
    assert not table.seat.is_held_by(first)
    assert table.seat.is_held_by(second)
    assert {table.seat.take(code) for code in (table.code, *codes)} == {("used", "")}


def test_a_new_code_leaves_that_of_a_free_seat_valid() -> None:
    table = Table()
    table.seat.hear(NewCode(1, new_code()))
    assert table.seat.take(table.code)[0] == "taken"


def test_neither_code_nor_guess_is_the_secret_of_a_seat() -> None:
    table = Table()
    assert not table.seat.is_held_by("")
    assert table.seat.take("wrong") == ("wrong", "")
    assert table.seat.take("ü" * 16) == ("wrong", "")
    _, secret = table.seat.take(table.code)
    for guess in ("", table.code, secret[:-1], f"{secret}x", "ü"):
        assert not table.seat.is_held_by(guess)


def test_the_first_answer_counts_and_repeating_it_changes_nothing() -> None:
    table = Table()
    table.ask(7)
    answers = [table.seat.choose(7, 3), table.seat.choose(7, 3), table.seat.choose(7, 2)]
    assert answers == ["accepted", "repeated", "answered"]
    assert table.sent == [Chosen(1, 7, 3)]


def test_an_answer_to_no_question_or_out_of_range_is_refused() -> None:
    table = Table()
    assert table.seat.choose(7, 0) == "closed"
    table.ask(7)
    assert [table.seat.choose(6, 0), table.seat.choose(8, 0)] == ["closed", "closed"]
    assert [table.seat.choose(7, 5), table.seat.choose(7, -1)] == ["illegal", "illegal"]
    table.seat.hear(Withdraw(1, 7))
    assert table.seat.choose(7, 0) == "closed"
    assert table.sent == []


def test_the_question_stays_until_the_game_closes_it() -> None:
    table = Table()
    table.ask(7, left_ms=60_000)
    state = msgspec.json.decode(msgspec.json.encode(table.seat.state()))
    assert (state["question"], state["answered"]) == ({"id": 7}, False)
    assert 0 < state["left_ms"] <= 60_000
    table.seat.choose(7, 0)
    assert table.seat.state()["answered"]
    table.seat.hear(Withdraw(1, 7))
    assert table.seat.state()["question"] is None


def test_leaving_is_sent_once_more_only_while_the_seat_plays() -> None:
    table = Table()
    table.seat.leave()
    table.seat.hear(Notice(1, "you left"))
    table.seat.hear(End(1))
    table.seat.leave()
    assert table.sent == [Left(1)]
    assert (table.seat.state()["ended"], table.seat.state()["notice"]) == (True, "you left")


def test_the_page_hears_of_every_change() -> None:
    table = Table()
    table.ask(7)
    table.seat.choose(7, 1)
    table.seat.choose(7, 1)
    table.seat.hear(Withdraw(1, 7))
    assert table.changes == 3


def test_a_hint_is_asked_once_for_each_decision_and_goes_with_it() -> None:
    table = Table()
    assert not table.seat.ask_hint(7)
    table.ask(7)
    assert table.seat.state()["hint"] is None
    assert not table.seat.ask_hint(6)
    assert table.seat.ask_hint(7)
    assert table.seat.ask_hint(7)
    assert table.sent == [AskHint(1, 7)]
    assert table.seat.state()["hint"] == ""
    table.seat.hear(HintText(1, 6, "old"))
    table.seat.hear(HintText(1, 7, "Best: x"))
    assert table.seat.state()["hint"] == "Best: x"
    table.seat.choose(7, 0)
    assert not table.seat.ask_hint(7)
    table.ask(8)
    assert table.seat.state()["hint"] is None

"""Checks of manners: odd deliveries, errors and missing clocks are taken calmly, and leaving is prompt."""

from __future__ import annotations

import time
from typing import Final

from referee.adjudication.clock import NO_CLOCK
from referee.check import transport
from referee.check.checks_play import FEW, SOME
from referee.check.conversation import LEAVE_MS, Delivery, Departure, Subject, Talk, whole
from referee.check.games import Table, board_for, usual
from referee.check.verdict import Verdict, passed, warning
from referee.encoder import plain

LONG: Final = 5000  # decisions of others
SEEDS: Final = range(1, 6)
SLOW_S: Final = 0.05


def _game(talk: Talk, most: int) -> int:
    """A short game, the messages delivered as the conversation has it."""
    table = Table(talk, usual(board_for(FEW), FEW)).begin()
    asked = table.play(most)
    talk.send(table.end())
    return asked


def _delivered(subject: Subject, delivery: Delivery, *, from_hello: bool) -> int:
    """How many decisions were answered when messages came this way."""
    with subject.talk() as talk:
        if from_hello:
            talk.delivery = delivery
        talk.greet()
        talk.delivery = delivery
        return _game(talk, SOME)


def unknown_fields(subject: Subject) -> Verdict:
    """Every message, and the objects inside it, have a field that nobody knows."""
    asked = _delivered(subject, transport.unknown_fields, from_hello=True)
    return passed(f"answered {asked} decisions with an unknown field everywhere", asked=asked)


def unknown_messages(subject: Subject) -> Verdict:
    """A message of an unknown type comes before every other."""
    asked = _delivered(subject, transport.unknown_messages, from_hello=False)
    return passed(f"answered {asked} decisions, a message of unknown type before each", asked=asked)


def large_messages(subject: Subject) -> Verdict:
    """A padded start and padded requests; then a request that tells thousands of events at once."""
    _delivered(subject, transport.padded, from_hello=False)
    with subject.talk() as talk:
        talk.greet()
        table = _long_story(talk).begin()
        question = table.question() if table.advance() else b""
        if question:
            table.answer(talk.send(question))
        talk.send(table.end())
    return passed(
        f"read messages padded to {transport.PADDING:,} bytes, and events of {len(question):,}",
        padded_bytes=transport.PADDING,
        events_bytes=len(question),
    )


def _long_story(talk: Talk) -> Table:
    """A game, not yet begun, in which very much has happened already."""
    for seed in SEEDS:
        table = Table(talk, usual(board_for(5), 5, seed=seed))
        table.wander(LONG)
        if not table.state.is_over:
            break
    return table


def in_pieces(subject: Subject) -> Verdict:
    """Messages come in pieces, two come in one piece, and answers are read late."""
    with subject.talk() as talk:
        talk.delivery = transport.in_pieces
        talk.greet()
        table = Table(talk, usual(board_for(FEW), FEW)).begin()
        asked = table.play(FEW)
        talk.delivery = whole
        following = Table(talk, usual(board_for(2), 2))
        talk.ready(talk.send(table.end() + following.start))
        if following.advance():
            talk.timed = False
            started_ns = talk.send(following.question())
            time.sleep(SLOW_S)
            following.answer(started_ns)
            asked += 1
        return passed(f"answered {asked} decisions that came in pieces or together", asked=asked)


def errors(subject: Subject) -> Verdict:
    """Two answers are refused; the second error comes together with the next request."""
    with subject.talk() as talk:
        talk.greet()
        table = Table(talk, usual(board_for(FEW), FEW)).begin()
        table.advance()
        talk.send(table.refusal(table.answer(talk.send(table.question()))))
        asked = table.play(2)
        table.advance()
        refusal = table.refusal(table.answer(talk.send(table.question())))
        table.advance()
        table.answer(talk.send(refusal + table.question()))
        talk.send(table.end())
        return passed(
            "went on after two errors, the referee's choices standing for its own", asked=asked + 3
        )


def no_clock(subject: Subject) -> Verdict:
    """A game without any limit: every field of the clock, and clock_ms, are null."""
    with subject.talk() as talk:
        talk.greet()
        table = Table(talk, usual(board_for(FEW), FEW), clock=NO_CLOCK).begin()
        asked = table.play(FEW)
        talk.send(table.end())
        return passed(f"answered {asked} decisions without a clock", asked=asked)


# -- leaving


def end_of_input(subject: Subject) -> Verdict:
    """The input ends: once before any game, once in the middle of one."""
    with subject.talk() as talk:
        talk.greet()
        first = talk.leave(close_input=True)
        _must_have_left(talk, first, "when its input ended before a game")
    with subject.talk() as talk:
        talk.greet()
        Table(talk, usual(board_for(FEW), FEW)).begin().play(FEW)
        second = talk.leave(close_input=True)
        _must_have_left(talk, second, "when its input ended in the middle of a game")
    return _left("the end of its input", [first, second])


def quits(subject: Subject) -> Verdict:
    """It is told to quit: once before any game, once after one."""
    with subject.talk() as talk:
        encoding = talk.greet().encoding
        talk.send(plain(encoding, "quit"))
        first = talk.leave()
        _must_have_left(talk, first, "at a quit before any game")
    with subject.talk() as talk:
        encoding = talk.greet().encoding
        _game(talk, FEW)
        talk.send(plain(encoding, "quit"))
        second = talk.leave()
        _must_have_left(talk, second, "at a quit after a game")
    return _left("quit", [first, second])


def _must_have_left(talk: Talk, departure: Departure, when: str) -> None:
    if departure.status is None:
        talk.where = ""
        talk.fail(f"was still there {LEAVE_MS} ms later, {when}", "")


def _left(what: str, departures: list[Departure]) -> Verdict:
    slowest = max(departure.ms for departure in departures)
    statuses = [departure.status for departure in departures]
    if any(statuses):
        return warning(
            f"left at {what}, but with exit status {next(filter(None, statuses))}",
            "Leave with exit status 0; another one looks like a crash to whoever reads the log.",
            slowest_ms=round(slowest, 3),
            statuses=statuses,
        )
    return passed(
        f"left within {slowest:.0f} ms at {what}", slowest_ms=round(slowest, 3), statuses=statuses
    )

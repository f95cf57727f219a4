"""Checks of unusual input, errors, missing clocks, and of how a bot exits."""

from __future__ import annotations

import time
from typing import Final

from referee.adjudication.clock import NO_CLOCK
from referee.check import transport
from referee.check.checks_play import FEW, SOME
from referee.check.conversation import EXIT_MS, Conversation, Exit, Subject, Transport, unchanged
from referee.check.games import CheckGame, basic_setup, board_for
from referee.check.verdict import Verdict, passed, warning
from referee.encoder import plain_message

LONG: Final = 5000  # decisions of the other seats
SEEDS: Final = range(1, 6)
SLOW_S: Final = 0.05


def _game(conversation: Conversation, most: int) -> int:
    """Play a short game; return how many decisions the bot answered."""
    game = CheckGame(conversation, basic_setup(board_for(FEW), FEW)).begin()
    asked = game.play(most)
    conversation.send(game.end())
    return asked


def _game_with(subject: Subject, change: Transport, *, from_hello: bool) -> int:
    """Play a short game with changed messages; return how many decisions the bot answered."""
    with subject.converse() as conversation:
        if from_hello:
            conversation.transport = change
        conversation.greet()
        conversation.transport = change
        return _game(conversation, SOME)


def unknown_fields(subject: Subject) -> Verdict:
    """Add an unknown field to every message and to each object in it."""
    asked = _game_with(subject, transport.unknown_fields, from_hello=True)
    return passed(f"answered {asked} decisions with unknown fields in every message", asked=asked)


def unknown_messages(subject: Subject) -> Verdict:
    """Send a message of an unknown type before every other message."""
    asked = _game_with(subject, transport.unknown_messages, from_hello=False)
    return passed(
        f"answered {asked} decisions with a message of unknown type before each", asked=asked
    )


def large_messages(subject: Subject) -> Verdict:
    """Send padded messages, then a request with thousands of events."""
    _game_with(subject, transport.padded, from_hello=False)
    with subject.converse() as conversation:
        conversation.greet()
        game = _long_game(conversation).begin()
        request = game.request() if game.advance() else b""
        if request:
            game.answer(conversation.send(request))
        conversation.send(game.end())
    return passed(
        f"read messages padded to {transport.PADDING:,} bytes and events of {len(request):,} bytes",
        padded_bytes=transport.PADDING,
        events_bytes=len(request),
    )


def _long_game(conversation: Conversation) -> CheckGame:
    """Return a game after thousands of decisions of the other seats; the bot does not know it yet."""
    for seed in SEEDS:
        game = CheckGame(conversation, basic_setup(board_for(5), 5, seed=seed))
        game.play_without_bot(LONG)
        if not game.state.is_over:
            break
    return game


def in_pieces(subject: Subject) -> Verdict:
    """Send messages in pieces and two messages in one piece, and read an answer late."""
    with subject.converse() as conversation:
        conversation.transport = transport.in_pieces
        conversation.greet()
        game = CheckGame(conversation, basic_setup(board_for(FEW), FEW)).begin()
        asked = game.play(FEW)
        conversation.transport = unchanged
        following = CheckGame(conversation, basic_setup(board_for(2), 2))
        conversation.ready(conversation.send(game.end() + following.start))
        if following.advance():
            conversation.timed = False
            started_ns = conversation.send(following.request())
            time.sleep(SLOW_S)
            following.answer(started_ns)
            asked += 1
        return passed(f"answered {asked} decisions that came in pieces or together", asked=asked)


def errors(subject: Subject) -> Verdict:
    """Send an error for two answers; the second error comes together with the next request."""
    with subject.converse() as conversation:
        conversation.greet()
        game = CheckGame(conversation, basic_setup(board_for(FEW), FEW)).begin()
        game.advance()
        conversation.send(game.refusal(game.answer(conversation.send(game.request()))))
        asked = game.play(2)
        game.advance()
        refusal = game.refusal(game.answer(conversation.send(game.request())))
        game.advance()
        game.answer(conversation.send(refusal + game.request()))
        conversation.send(game.end())
        return passed(
            "continued after two errors, with the referee's choices in place of its own",
            asked=asked + 3,
        )


def no_clock(subject: Subject) -> Verdict:
    """Play a game without time limits: every field of the clock, and clock_ms, is null."""
    with subject.converse() as conversation:
        conversation.greet()
        game = CheckGame(conversation, basic_setup(board_for(FEW), FEW), clock=NO_CLOCK).begin()
        asked = game.play(FEW)
        conversation.send(game.end())
        return passed(f"answered {asked} decisions without a clock", asked=asked)


# -- exit


def end_of_input(subject: Subject) -> Verdict:
    """Close the bot's input, once before any game and once in the middle of a game."""
    with subject.converse() as conversation:
        conversation.greet()
        first = conversation.wait_for_exit(close_input=True)
        _require_exit(conversation, first, "when its input ended before a game")
    with subject.converse() as conversation:
        conversation.greet()
        CheckGame(conversation, basic_setup(board_for(FEW), FEW)).begin().play(FEW)
        second = conversation.wait_for_exit(close_input=True)
        _require_exit(conversation, second, "when its input ended in the middle of a game")
    return _exit_verdict("the end of its input", [first, second])


def quits(subject: Subject) -> Verdict:
    """Send a quit message, once before any game and once after a game."""
    with subject.converse() as conversation:
        encoding = conversation.greet().encoding
        conversation.send(plain_message(encoding, "quit"))
        first = conversation.wait_for_exit()
        _require_exit(conversation, first, "at a quit before any game")
    with subject.converse() as conversation:
        encoding = conversation.greet().encoding
        _game(conversation, FEW)
        conversation.send(plain_message(encoding, "quit"))
        second = conversation.wait_for_exit()
        _require_exit(conversation, second, "at a quit after a game")
    return _exit_verdict("quit", [first, second])


def _require_exit(conversation: Conversation, exit_: Exit, when: str) -> None:
    if exit_.status is None:
        conversation.where = ""
        conversation.fail(f"was still running {EXIT_MS} ms later, {when}", "")


def _exit_verdict(what: str, exits: list[Exit]) -> Verdict:
    slowest = max(exit_.ms for exit_ in exits)
    statuses = [exit_.status for exit_ in exits]
    if any(statuses):
        return warning(
            f"exited after {what}, but with exit status {next(filter(None, statuses))}",
            "Exit with status 0; any other status looks like a crash in the log.",
            slowest_ms=round(slowest, 3),
            statuses=statuses,
        )
    return passed(
        f"exited within {slowest:.0f} ms after {what}",
        slowest_ms=round(slowest, 3),
        statuses=statuses,
    )

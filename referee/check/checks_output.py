"""Checks of stdout, stderr and answer times, over all conversations so far."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Final

from referee.check.checks_play import FEW, SOME
from referee.check.conversation import StrayOutput, Subject
from referee.check.games import CheckGame, basic_setup, board_for
from referee.check.verdict import CheckFailed, Verdict, passed, warning
from referee.encoder import plain_message
from referee.text import plural

MUCH_STDERR: Final = 256 * 1024
STARTS: Final = 3
SLOW_PART: Final = 0.5  # of the time limit; a slower bot gets a warning
_LISTEN_S: Final = 0.03
_SHOWN: Final = 3


def only_messages(subject: Subject) -> Verdict:
    """Play a game with pauses in which the bot must be silent; also judge the earlier checks."""
    with subject.converse() as conversation:
        encoding = conversation.greet().encoding
        conversation.listen(_LISTEN_S)
        game = CheckGame(conversation, basic_setup(board_for(FEW), FEW)).begin()
        conversation.listen(_LISTEN_S)
        game.play(FEW)
        conversation.listen(_LISTEN_S)
        conversation.send(game.end())
        conversation.listen(_LISTEN_S)
        conversation.send(plain_message(encoding, "quit"))
        conversation.wait_for_exit()
    if subject.stray:
        raise CheckFailed(
            f"it wrote {plural(len(subject.stray), 'unexpected line')} to standard output, not messages"
            f" or not asked for{_first_in(subject.stray)}; in a game, each one is a fault",
            "garbage",
            received="\n".join(stray.shown for stray in subject.stray[:_SHOWN]),
        )
    if subject.late:
        return warning(
            f"sent {plural(len(subject.late), 'answer')} too late or twice{_first_in(subject.late)}",
            "Answer each request once. Late answers are ignored, but more than 256 in a game are"
            " a fault.",
            late=len(subject.late),
        )
    return passed("wrote only messages")


def _first_in(stray: list[StrayOutput]) -> str:
    return f" (the first during the check {stray[0].check})"


def quiet_stderr(subject: Subject) -> Verdict:
    """Judge the number of bytes that each process wrote to stderr."""
    if not subject.stderr_bytes:
        _play_once(subject)
    most, total = max(subject.stderr_bytes), sum(subject.stderr_bytes)
    figures = {"most_bytes": most, "total_bytes": total, "processes": len(subject.stderr_bytes)}
    if most > MUCH_STDERR:
        return warning(
            f"one process wrote {most:,} bytes to stderr",
            "Write less: stderr is saved to a file, which is truncated when it grows too large.",
            **figures,
        )
    return passed(f"no process wrote more than {most:,} bytes to stderr", **figures)


def _play_once(subject: Subject) -> None:
    with subject.converse() as conversation:
        conversation.greet()
        game = CheckGame(conversation, basic_setup(board_for(4), 4)).begin()
        game.play(SOME)
        conversation.send(game.end())


def start_time(subject: Subject) -> Verdict:
    """Judge the time from the start of a process to its hello, over all processes so far."""
    while len(subject.starts_ms) < STARTS:
        with subject.converse() as conversation:
            conversation.greet()
    limit = subject.clock.start_ms
    assert limit is not None
    slowest, middle = max(subject.starts_ms), median(subject.starts_ms)
    figures = {
        "slowest_ms": round(slowest, 3),
        "median_ms": round(middle, 3),
        "starts": len(subject.starts_ms),
        "allowed_ms": limit,
    }
    sentence = (
        f"said hello after at most {slowest:.0f} ms in {len(subject.starts_ms)} starts"
        f" (median {middle:.0f} ms); the limit is {limit} ms"
    )
    return _verdict(sentence, slowest / limit, figures)


def answer_time(subject: Subject) -> Verdict:
    """Judge the time from a request to its answer, over all answers so far."""
    if not subject.answers:
        _play_once(subject)
    limit = subject.clock.move_ms
    assert limit is not None
    slowest = max(subject.answers, key=lambda timed: timed.ms / (timed.allowed_ms or limit))
    middle = median(timed.ms for timed in subject.answers)
    allowed = slowest.allowed_ms or limit
    figures = {
        "slowest_ms": round(slowest.ms, 3),
        "slowest": slowest.what,
        "median_ms": round(middle, 3),
        "answers": len(subject.answers),
        "allowed_ms": allowed,
    }
    sentence = (
        f"took at most {slowest.ms:.1f} ms for {len(subject.answers)} answers (median"
        f" {middle:.1f} ms), with a limit of {allowed:.0f} ms; the slowest was {slowest.what}"
    )
    return _verdict(sentence, slowest.ms / allowed, figures)


def _verdict(sentence: str, part: float, figures: Mapping[str, object]) -> Verdict:
    """Return the verdict on a bot whose slowest answer used this part of the time limit."""
    if part > 1:
        return Verdict("failed", sentence, figures=dict(figures))
    if part > SLOW_PART:
        hint = "It is fast enough here, but on a slower or busier machine it may be too late."
        return warning(sentence, hint, **figures)
    return passed(sentence, **figures)

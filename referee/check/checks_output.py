"""Checks of habits, seen over all conversations so far: stray output, stderr, and time."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Final

from referee.check.checks_play import FEW, SOME
from referee.check.conversation import Noise, Subject
from referee.check.games import Table, board_for, usual
from referee.check.verdict import Failed, Verdict, passed, warning
from referee.encoder import plain

MUCH_STDERR: Final = 256 * 1024
STARTS: Final = 3
SLOW_PART: Final = 0.5  # of what is allowed: more is worth a warning
_LISTEN_S: Final = 0.03
_SHOWN: Final = 3


def only_messages(subject: Subject) -> Verdict:
    """A game with silences in which nothing may be said, and everything heard in other checks."""
    with subject.talk() as talk:
        encoding = talk.greet().encoding
        talk.listen(_LISTEN_S)
        table = Table(talk, usual(board_for(FEW), FEW)).begin()
        talk.listen(_LISTEN_S)
        table.play(FEW)
        talk.listen(_LISTEN_S)
        talk.send(table.end())
        talk.listen(_LISTEN_S)
        talk.send(plain(encoding, "quit"))
        talk.leave()
    if subject.noise:
        raise Failed(
            f"it wrote {_stray(subject.noise)}, or that nobody asked for{_first_in(subject.noise)};"
            " in a game each is a fault",
            "garbage",
            received="\n".join(noise.shown for noise in subject.noise[:_SHOWN]),
        )
    if subject.late:
        return warning(
            f"wrote {_counted(subject.late)} too late to count{_first_in(subject.late)}",
            "Answer each request once. Late answers are dropped, but more than 256 in a game are"
            " a fault.",
            late=len(subject.late),
        )
    return passed("wrote nothing but messages")


def _counted(noise: list[Noise]) -> str:
    return "one thing" if len(noise) == 1 else f"{len(noise)} things"


def _stray(noise: list[Noise]) -> str:
    is_no_message = "is no message" if len(noise) == 1 else "are no messages"
    return f"{_counted(noise)} to standard output that {is_no_message}"


def _first_in(noise: list[Noise]) -> str:
    return f" (the first in the check {noise[0].check})"


def quiet_stderr(subject: Subject) -> Verdict:
    """How much each process wrote to stderr."""
    if not subject.stderr_bytes:
        _play_once(subject)
    most, total = max(subject.stderr_bytes), sum(subject.stderr_bytes)
    figures = {"most_bytes": most, "total_bytes": total, "processes": len(subject.stderr_bytes)}
    if most > MUCH_STDERR:
        return warning(
            f"one process wrote {most:,} bytes to stderr",
            "Write less: stderr is kept in a file, and cut when it grows too large.",
            **figures,
        )
    return passed(f"no process wrote more than {most:,} bytes to stderr", **figures)


def _play_once(subject: Subject) -> None:
    with subject.talk() as talk:
        talk.greet()
        table = Table(talk, usual(board_for(4), 4)).begin()
        table.play(SOME)
        talk.send(table.end())


def start_time(subject: Subject) -> Verdict:
    """From the start of the process to its hello, over all that were started."""
    while len(subject.starts_ms) < STARTS:
        with subject.talk() as talk:
            talk.greet()
    limit = subject.clock.start_ms
    assert limit is not None
    slowest, middle = max(subject.starts_ms), median(subject.starts_ms)
    figures = {
        "slowest_ms": round(slowest, 3),
        "median_ms": round(middle, 3),
        "starts": len(subject.starts_ms),
        "allowed_ms": limit,
    }
    told = (
        f"said hello after {slowest:.0f} ms at the slowest of {len(subject.starts_ms)} starts,"
        f" {middle:.0f} ms in the middle; {limit} ms are allowed"
    )
    return _judged(told, slowest / limit, figures)


def answer_time(subject: Subject) -> Verdict:
    """From a request to its answer, over all that were asked."""
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
    told = (
        f"took {slowest.ms:.1f} ms at the slowest of {len(subject.answers)} answers"
        f" ({slowest.what}), {middle:.1f} ms in the middle; {allowed:.0f} ms are allowed"
    )
    return _judged(told, slowest.ms / allowed, figures)


def _judged(told: str, part: float, figures: Mapping[str, object]) -> Verdict:
    """By the part that the slowest one used of what is allowed."""
    if part > 1:
        return Verdict("failed", told, figures=dict(figures))
    if part > SLOW_PART:
        hint = "It is in time here; on a slower or busier machine it may be too late."
        return warning(told, hint, **figures)
    return passed(told, **figures)

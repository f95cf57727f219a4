"""Verdicts: what a check found, with the bytes that show it in printable form."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from referee.encoder import Encoding
from referee.text import visible, visible_lines

Status: TypeAlias = Literal["passed", "failed", "warning", "skipped"]
Figures: TypeAlias = dict[str, object]

STATUSES: Final[tuple[Status, ...]] = ("passed", "warning", "failed", "skipped")
FIRST_SHOWN: Final = 400
LAST_SHOWN: Final = 160
_TELLING_LINES: Final = 10  # at the end of stderr
_POSITION: Final = re.compile(r"line \d+|\.\w+:\d+")  # in a program's file
_ERROR: Final = re.compile("error|exception|panic|fatal", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """What a check found; the bytes sent and received and the hint are given when something is wrong."""

    status: Status
    sentence: str
    sent: str | None = None
    received: str | None = None
    stderr: str | None = None
    hint: str | None = None
    figures: Figures = field(default_factory=dict)
    same_as: str | None = None  # the check that failed before for the same reason


class CheckFailed(Exception):
    """Raised when a bot breaks the protocol; the text is a sentence that begins with "it".

    `where` says in which game and at which decision.
    """

    def __init__(
        self,
        sentence: str,
        fault: str = "",
        *,
        where: str = "",
        sent: str | None = None,
        received: str | None = None,
        stderr: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(sentence)
        self.where = where
        self.fault = fault
        self.sent = sent
        self.received = received
        self.stderr = stderr
        self.hint = hint


# How to fix each fault, unless the check has its own remedy.
HINTS: Final = {
    "timeout": (
        "Answer every hello, start and decide with one message, in JSON with a newline at its end,"
        " and flush standard output after it (print(..., flush=True), fflush(stdout), ...): what"
        " stays in a buffer is never received."
    ),
    "crash": (
        "The process must run until quit or the end of its input. Its stderr says what happened;"
        " fix what raises the error."
    ),
    "encoding": (
        'Write every message after hello in the encoding that hello asks for: "msgpack", or "json",'
        " which is the default. Hello itself is always JSON."
    ),
    "garbage": (
        "Standard output is only for messages: in JSON one object per line, in MessagePack one map"
        " after the other. A choice is {type: choose, id: that of the request, choice: an integer}."
    ),
    "illegal": "A choice is an index into the choices of this request, counted from 0.",
    "flood": "Send one message for each that asks for one, and end each JSON message with a newline.",
}


def passed(sentence: str, **figures: object) -> Verdict:
    return Verdict("passed", sentence, figures=figures)


def warning(sentence: str, hint: str, **figures: object) -> Verdict:
    """Return a warning: not a fault in a game, but worth knowing."""
    return Verdict("warning", sentence, hint=hint, figures=figures)


def readable(data: bytes, encoding: Encoding) -> str:
    """Return bytes from the pipe as text, shortened, with control characters made visible."""
    return shortened(_text(data, encoding), len(data))


def _text(data: bytes, encoding: Encoding) -> str:
    if encoding == "msgpack":
        try:
            return "MessagePack of " + msgspec.json.encode(msgspec.msgpack.decode(data)).decode()
        except (ValueError, RecursionError, TypeError):
            return repr(data)
    return visible(data.decode(errors="backslashreplace").removesuffix("\n"))


def shortened(text: str, length: int) -> str:
    """Return a short text as it is, else its beginning, its end and `length`, its size in bytes."""
    if len(text) <= FIRST_SHOWN + LAST_SHOWN:
        return text
    return f"{text[:FIRST_SHOWN]} ... {text[-LAST_SHOWN:]} ({length:,} bytes)"


def stderr_text(stderr: bytes) -> str | None:
    """Return an excerpt of a bot's stderr with visible characters; None if it wrote nothing."""
    lines = visible_lines(stderr.decode(errors="backslashreplace"))
    return "\n".join(shortened(line, len(line)) for line in lines) or None


class Cause(NamedTuple):
    """What failures for the same reason have in common, whichever game and decision they were in."""

    fault: str
    sentence: str  # without numbers
    stderr: tuple[str, ...]  # the error and its places in the program, as far as the end tells them


def cause_of(failure: CheckFailed) -> Cause:
    """Return the cause, which is equal for failures with the same error at the same place."""
    lines = (failure.stderr or "").splitlines()[-_TELLING_LINES:]
    shown = [
        line if _POSITION.search(line) else _without_numbers(line)
        for line in lines
        if _POSITION.search(line) or _ERROR.search(line)
    ]
    shown = shown or [_without_numbers(line) for line in lines[-1:]]
    return Cause(failure.fault, _without_numbers(str(failure)), tuple(shown))


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "0", text)

"""Verdicts: what a check found, with the bytes that show it in printable form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import msgspec

from referee.encoder import Encoding
from referee.text import visible

Status: TypeAlias = Literal["passed", "failed", "warning", "skipped"]
Figures: TypeAlias = dict[str, object]

STATUSES: Final[tuple[Status, ...]] = ("passed", "warning", "failed", "skipped")
FIRST_SHOWN: Final = 400
LAST_SHOWN: Final = 160
STDERR_LINES: Final = 8


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


class CheckFailed(Exception):
    """Raised when a bot breaks the protocol; the text is a sentence that begins with "it"."""

    def __init__(
        self,
        sentence: str,
        fault: str = "",
        *,
        sent: str | None = None,
        received: str | None = None,
        stderr: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(sentence)
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
        "The process must run until quit or the end of its input. The end of its stderr says what"
        " happened; catch the error, or fix what raises it."
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


def last_lines(stderr: bytes) -> str | None:
    """Return the last lines that a bot wrote to stderr; None if it wrote nothing."""
    lines = stderr.decode(errors="backslashreplace").strip().splitlines()[-STDERR_LINES:]
    return "\n".join(shortened(visible(line), len(line)) for line in lines) or None

"""Verdicts: what a check found, and the bytes that show it, made fit to print."""

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
    """What a check found; the bytes and the hint are there when something is wrong."""

    status: Status
    sentence: str
    sent: str | None = None
    received: str | None = None
    stderr: str | None = None
    hint: str | None = None
    figures: Figures = field(default_factory=dict)


class Failed(Exception):
    """The bot did not do what it must; the text is a sentence."""

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


# What helps against each fault, unless the check knows better.
HINTS: Final = {
    "timeout": (
        "Answer every hello, start and decide with one message, in JSON with a newline at its end,"
        " and flush standard output after it (print(..., flush=True), fflush(stdout), ...): what"
        " stays in a buffer is never heard."
    ),
    "crash": (
        "The process must live until quit or the end of its input. The end of its stderr says what"
        " happened; catch the error, or mend what raises it."
    ),
    "garbage": (
        "Standard output is for messages alone: in JSON one object a line, in MessagePack one map"
        " after the other. A choice is {type: choose, id: that of the request, choice: an integer}."
    ),
    "illegal": "A choice is an index into the choices of this request, counted from 0.",
    "flood": "Say one message for each that asks for one, and end each JSON message with a newline.",
}


def passed(sentence: str, **figures: object) -> Verdict:
    """All is as it must be."""
    return Verdict("passed", sentence, figures=figures)


def warning(sentence: str, hint: str, **figures: object) -> Verdict:
    """Nothing that would cost the bot a game, but worth to know."""
    return Verdict("warning", sentence, hint=hint, figures=figures)


def readable(data: bytes, encoding: Encoding) -> str:
    """What went through the pipe, shortened, with control characters made visible."""
    return shortened(_text(data, encoding), len(data))


def _text(data: bytes, encoding: Encoding) -> str:
    if encoding == "msgpack":
        try:
            return "MessagePack of " + msgspec.json.encode(msgspec.msgpack.decode(data)).decode()
        except (ValueError, RecursionError, TypeError):
            return repr(data)
    return visible(data.decode(errors="backslashreplace").removesuffix("\n"))


def shortened(text: str, length: int) -> str:
    """The beginning and the end of a text that is long; `length` is its number of bytes."""
    if len(text) <= FIRST_SHOWN + LAST_SHOWN:
        return text
    return f"{text[:FIRST_SHOWN]} ... {text[-LAST_SHOWN:]} ({length:,} bytes)"


def last_lines(stderr: bytes) -> str | None:
    """The last lines of what a bot said on stderr; None if it said nothing."""
    lines = stderr.decode(errors="backslashreplace").strip().splitlines()[-STDERR_LINES:]
    return "\n".join(shortened(visible(line), len(line)) for line in lines) or None

"""What is printed, in the letters that the terminal has: signs have stand-ins in ASCII."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from typing import Final

_STAND_INS: Final = str.maketrans(
    {"●": "*", "■": "#", "▸": ">", "▶": ">", "–": "-", "·": "-", "…": "~", "“": '"', "”": '"',
     "✗": "x", "✓": "+", "│": "|", "─": "-", "━": "-", "←": "<", "→": ">", "↑": "^", "↓": "v",
     "±": "+-", "µ": "u"}
)  # fmt: skip
_HANDLER: Final = "referee.stand-ins"


def in_ascii(text: str) -> str:
    """The text without accents, with a stand-in for each sign that has one."""
    bare = unicodedata.normalize("NFKD", text.translate(_STAND_INS))
    return "".join(sign for sign in bare if not unicodedata.combining(sign))


def print_what_can_be() -> None:
    """Nothing that is printed can fail for its letters, whatever the locale is."""
    codecs.register_error(_HANDLER, _instead)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _instead(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = in_ascii(error.object[error.start : error.end])
    return text.encode("ascii", "replace").decode(), error.end

"""ASCII replacements for characters that the terminal's encoding does not have."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from typing import Final

_REPLACEMENTS: Final = str.maketrans(
    {"●": "*", "■": "#", "▸": ">", "▶": ">", "–": "-", "·": "-", "…": "~", "“": '"', "”": '"',
     "✗": "x", "✓": "+", "│": "|", "─": "-", "━": "-", "←": "<", "→": ">", "↑": "^", "↓": "v",
     "±": "+-", "µ": "u", "▁": "_", "▂": "_", "▃": "-", "▄": "-", "▅": "=", "▆": "=", "▇": "^",
     "█": "^"}
)  # fmt: skip
_HANDLER: Final = "referee.replacements"


def in_ascii(text: str) -> str:
    """Return the text without accents, and with ASCII replacements for known signs."""
    bare = unicodedata.normalize("NFKD", text.translate(_REPLACEMENTS))
    return "".join(sign for sign in bare if not unicodedata.combining(sign))


def replace_unencodable() -> None:
    """Make stdout and stderr replace what they cannot encode; otherwise printing would raise."""
    codecs.register_error(_HANDLER, _replacement)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _replacement(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = in_ascii(error.object[error.start : error.end])
    return text.encode("ascii", "replace").decode(), error.end

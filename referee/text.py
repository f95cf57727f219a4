"""Text for people and spreadsheets: visible characters, suggestions, counted nouns, safe CSV files."""

from __future__ import annotations

import csv
import shlex
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final, TextIO

_FORMULA: Final = ("=", "+", "-", "@")  # a cell that begins so is a formula to a spreadsheet
# Long texts take long to compare, and a typo is in a short word.
_LONGEST_COMPARED: Final = 80
LONGEST_SENTENCE: Final = 400


def visible(text: str) -> str:
    """The text with each character that does not print replaced by its escaped code point."""
    if text.isprintable():  # stricter than `is_printable`, and fast
        return text
    return "".join(c if is_printable(c) else f"\\u{ord(c):04x}" for c in text)


def is_printable(character: str) -> bool:
    """Whether this one character is neither a control character nor a line or page break."""
    category = unicodedata.category(character)
    return category[0] != "C" and category not in ("Zl", "Zp")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most similar to `word`, or None if none is similar enough."""
    near = get_close_matches(word, list(known), n=1) if len(word) <= _LONGEST_COMPARED else []
    return near[0] if near else None


def did_you_mean(word: str, known: Iterable[str], quote: Callable[[str], str] = repr) -> str:
    """A question such as `did you mean 'random'?`, or "" if no known word is similar enough."""
    meant = nearest(word, known)
    return "" if meant is None else f"did you mean {quote(meant)}?"


def join_hint(question: str, sentence: str) -> str:
    """The question followed by the sentence with a capital letter; with no question, the sentence."""
    return f"{question} {sentence[:1].upper()}{sentence[1:]}" if question else sentence


def plural(count: int, noun: str) -> str:
    """Return the count with its noun: "1 game", "1,200 games"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def shell_word(path: Path) -> str:
    """Return the path as one word of a shell command that the reader can copy."""
    return visible(shlex.quote(str(path)))


def write_csv(file: TextIO, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a heading and the rows.

    Texts come from strangers: control characters are shown as escapes, and a text that a
    spreadsheet would take for a formula gets an apostrophe in front. Bytes are read as UTF-8 with
    escapes for what is not, booleans are 0 or 1, and None is an empty cell.
    """
    table = csv.writer(file, lineterminator="\n")
    table.writerow(map(_cell, columns))
    table.writerows(map(_cell, row) for row in rows)


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    if not isinstance(value, str):
        return value
    text = (
        value if value.isprintable() else visible(value)
    )  # this check is much faster than `visible`
    return f"'{text}" if text.startswith(_FORMULA) else text


def printable(text: str) -> str:
    """Return untrusted text, cut after 400 characters, with every unprintable character escaped."""
    short = text if len(text) <= LONGEST_SENTENCE else f"{text[:LONGEST_SENTENCE]}…"
    return visible(short)

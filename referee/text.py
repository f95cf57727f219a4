"""Text for people and spreadsheets: visible characters, excerpts, suggestions, safe CSV files."""

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
_FIRST_LINES, _FIRST_BYTES = 5, 1000  # of an excerpt
_LAST_LINES, _LAST_BYTES = 15, 3000
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def visible(text: str) -> str:
    """The text with each character that does not print replaced by its escaped code point."""
    if text.isprintable():  # stricter than `is_printable`, and fast
        return text
    return "".join(c if is_printable(c) else f"\\u{ord(c):04x}" for c in text)


def visible_lines(text: str) -> list[str]:
    """The lines of a program's output without blank ones around them; tabs stay tabs."""
    return ["\t".join(map(visible, line.split("\t"))) for line in text.strip("\r\n").splitlines()]


def indented(text: str) -> str:
    """The lines of a program's output, each on a new line below a sentence."""
    return "".join(f"\n  {line}" for line in visible_lines(text))


def excerpt(size: int, read: Callable[[int, int], bytes]) -> bytes:
    """The first and the last lines of `size` bytes of output, and between them how much is left out.

    `read(at, count)` returns bytes of the output. Short output comes back whole.
    """
    first = _lines(read(0, _FIRST_BYTES))[:_FIRST_LINES]
    if size <= _FIRST_BYTES + _LAST_BYTES:
        whole = read(0, size)
        if len(_lines(whole)) <= _FIRST_LINES + _LAST_LINES:
            return whole
    last = _lines(read(max(0, size - _LAST_BYTES), _LAST_BYTES))[-_LAST_LINES:]
    head, tail = b"".join(first), b"".join(last)
    left_out = f"[... {size - len(head) - len(tail):,} bytes left out ...]\n"
    return head + (b"" if head.endswith(b"\n") else b"\n") + left_out.encode() + tail


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def is_printable(character: str) -> bool:
    """Whether this one character is neither a control character nor a line or page break."""
    category = unicodedata.category(character)
    return category[0] != "C" and category not in ("Zl", "Zp")


def nearest(word: str, known: Iterable[str], similarity: float = 0.6) -> str | None:
    """The known word that is most similar to `word`, or None if none is similar enough."""
    if len(word) > _LONGEST_COMPARED:
        return None
    near = get_close_matches(word, list(known), n=1, cutoff=similarity)
    return near[0] if near else None


def did_you_mean(word: str, known: Iterable[str], quote: Callable[[str], str] = repr) -> str:
    """A question such as `did you mean 'random'?`, or "" if no known word is similar enough."""
    meant = nearest(word, known)
    return "" if meant is None else f"did you mean {quote(meant)}?"


def no_such_bot(name: str, names: Sequence[str]) -> str:
    """The sentence about a name that is not one of these bots' names."""
    hint = join_hint(did_you_mean(name, names), f"the bots are {', '.join(names)}")
    return f"no bot has the name {name!r}: {hint}"


def join_hint(question: str, sentence: str) -> str:
    """The question followed by the sentence with a capital letter; with no question, the sentence."""
    return f"{question} {sentence[:1].upper()}{sentence[1:]}" if question else sentence


def plural(count: int, noun: str) -> str:
    """Return the count with its noun: "1 game", "1,200 games"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def has_words(text: str, wanted: str) -> bool:
    """Whether the text contains all words of `wanted`, as anybody may type them.

    Upper case and accents do not count, and an umlaut may be typed with or without an e: "luebeck",
    "lubeck" and "lübeck" all find "Lübeck".
    """
    forms = _typed_forms(text)
    return all(
        any(word in form for word in _typed_forms(typed) for form in forms)
        for typed in wanted.split()
    )


def _typed_forms(text: str) -> tuple[str, str]:
    plain = unicodedata.normalize("NFC", text.casefold())
    return _without_accents(plain), _without_accents(plain.translate(_UMLAUTS))


def _without_accents(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def reason_of(error: Exception) -> str:
    """What went wrong, such as "Permission denied", without the number and the file of an OSError."""
    return getattr(error, "strerror", None) or str(error)


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

"""Text for people: unprintable characters made visible, and suggestions for mistyped words."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Final

# Comparing takes longer the longer a word is, and nobody mistypes a whole page.
_LONGEST_COMPARED: Final = 80


def visible(text: str) -> str:
    """The text with each character that does not print replaced by its escaped code point."""
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

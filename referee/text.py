"""What a mistyped word may have meant: the one place that compares words."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_LONGEST: Final = 80  # comparing takes the longer the longer a word is, and nobody mistypes a page


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that comes nearest, or None when none is near."""
    near = get_close_matches(word, list(known), n=1) if len(word) <= _LONGEST else []
    return near[0] if near else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`did you mean 'random'?`, or nothing when no known word is near."""
    meant = nearest(word, known)
    return "" if meant is None else f"did you mean {meant!r}?"


def then(question: str, sentence: str) -> str:
    """A question and what follows it, with a capital letter; without a question it goes on as it is."""
    return f"{question} {sentence[:1].upper()}{sentence[1:]}" if question else sentence

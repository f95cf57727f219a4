"""The tables of codes in docs/protocol.md, written between two marks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from referee.engine.terms import MARKERS
from referee.schema.codes import MEANINGS, SPECIAL_MEANINGS, WHY, WORDS, tables

BEGIN: Final = "<!-- codes: begin -->"
END: Final = "<!-- codes: end -->"

# Fields that share a list of words.
_SHARED: Final = {
    "kind, with": WORDS["kind"],
    "marker, other, takes, markers": MARKERS,
}
_ALONE: Final = ("do", "source", "reward", "ability", "tile", "where", "fault", "reason")


def update_page(page: str) -> str:
    """Return the page with current tables; a page without the two marks is returned unchanged."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}\n{tables_text()}\n{end}{after}" if begin and end else page


def tables_text() -> str:
    """Return all tables of codes as Markdown."""
    names = tables()
    parts = [
        _section("Choices", "A choice is a list: first its number, then its fields:"),
        _table(("", "do", "fields"), _rows(names["choices"])),
        _section("Events", "An event is a list: first its number, then its fields:"),
        _table(("", "event", "fields"), _rows(names["events"])),
        _section(
            "What a decision concerns", "`about` is an object; the decision `turn` has no `about`:"
        ),
        _table(("decision", "fields"), _about_rows(names["about"])),
        _section("The state", "`state` is an object whose fields are lists of numbers:"),
        _table(("field", "what it holds"), [(f"`{a}`", b) for a, b in names["state"].items()]),
        _section(
            "Numbers that stand for words", "Each of these fields is an index into a list of words:"
        ),
        _table(("field", "words"), _word_rows()),
        _section(
            "Other numbers",
            "Each of these fields is a count, an id, or the number of a seat or a place on the board:",
        ),
        _table(("field", "meaning"), _meaning_rows()),
        _section(
            "Special meanings", "In these choices and events, a field has a meaning of its own:"
        ),
        _table(("where", "field", "meaning"), _special_rows()),
    ]
    return "\n".join(parts)


def _section(title: str, sentence: str) -> str:
    return f"\n### {title}\n\n{sentence}\n"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join([f"| {' | '.join(line)} |" for line in lines])


def _code_list(names: Iterable[str]) -> str:
    return ", ".join([f"`{name}`" for name in names])


def _rows(table: list[list[str]]) -> list[tuple[str, ...]]:
    return [
        (str(at), f"`{name}`", _code_list(fields) or "none")
        for at, (name, *fields) in enumerate(table)
    ]


def _about_rows(about: dict[str, list[str]]) -> list[tuple[str, ...]]:
    return [(f"`{decision}`", _code_list(fields)) for decision, fields in about.items()]


def _word_rows() -> list[tuple[str, ...]]:
    words_of = {**{field: WORDS[field] for field in _ALONE}, **_SHARED}
    rows: list[tuple[str, ...]] = [
        (_code_list(fields.split(", ")), _numbered(words)) for fields, words in words_of.items()
    ]
    whys: dict[tuple[str, ...], list[str]] = {}
    for where, words in WHY.items():
        whys.setdefault(words, []).append(where)
    rows += [(f"`why` in {_code_list(places)}", _numbered(words)) for words, places in whys.items()]
    return rows


def _numbered(words: tuple[str, ...]) -> str:
    return ", ".join([f"{number} `{word}`" for number, word in enumerate(words) if word])


def _meaning_rows() -> list[tuple[str, ...]]:
    return [(f"`{field}`", meaning) for field, meaning in sorted(MEANINGS.items())]


def _special_rows() -> list[tuple[str, ...]]:
    return [
        (f"`{where}`", f"`{field}`", meaning)
        for (where, field), meaning in SPECIAL_MEANINGS.items()
    ]

"""Markdown sources have one sentence per line, so that changing a sentence changes one line."""

from __future__ import annotations

import re
from pathlib import Path

from pages import ROOT
from support.groups import together

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("sample_bots/*/*.md")])

# Parts that are not prose; they are replaced by empty lines, so that line numbers stay the same.
_FRONT_MATTER = re.compile(r"\A---\n.*?^---$", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"^ *(```+|~~~+).*?^ *\1 *$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TABLE_ROW = re.compile(r"^ *\|.*$", re.MULTILINE)

_INLINE_CODE = re.compile(r"(`+).+?\1")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_LINE_START = re.compile(r"^[\s>#]*(?:[-*+]\s+)?(?:\d+[.)]\s+)?")

_SENTENCE_END = re.compile(r"(?P<word>\S+?)[.!?][\"'”)\]*_]*\s+\S")
_ABBREVIATIONS = {"e.g", "i.e", "vs", "cf", "etc", "approx", "incl", "resp"}


def prose_lines(text: str) -> list[str]:
    """Return the lines of a page: empty if not prose, and with words for inline code and links."""
    for pattern in (_FRONT_MATTER, _FENCED, _COMMENT, _TABLE_ROW):
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    return [
        _LINE_START.sub("", _LINK.sub(r"\1", _INLINE_CODE.sub("code", line)))
        for line in text.splitlines()
    ]


def sentence_ends_inside(line: str) -> list[str]:
    """Return the words that end a sentence before the end of the line."""
    return [
        found["word"] for found in _SENTENCE_END.finditer(line) if ends_a_sentence(found["word"])
    ]


def ends_a_sentence(word: str) -> bool:
    """Whether a full stop after this word ends a sentence: not after `e.g`, an initial or dots."""
    plain = word.lstrip("\"'“([*_")
    is_initial = len(plain) == 1 and plain.isupper()
    return not (plain.lower() in _ABBREVIATIONS or is_initial or plain.endswith((".", "…")))


@together("page", PAGES)
def test_no_line_of_a_page_holds_two_sentences(page: Path) -> None:
    found = [
        f"{page.relative_to(ROOT)}:{number}: a sentence ends after {word!r}: {line[:80]}"
        for number, line in enumerate(prose_lines(page.read_text("utf-8")), 1)
        for word in sentence_ends_inside(line)
    ]
    assert found == []


def test_pages_are_found() -> None:
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert {"README.md", "docs/protocol.md", "sample_bots/greedy/README.md"} <= names


@together(
    "line",
    [
        "It starts. Then it ends.",
        "Does it start? It does.",
        "- It starts! `bot.toml` says how.",
        "It reads `bot.toml`. Then it starts.",
        "It needs Python 3.11. Nothing else.",
        "(It starts.) Then it ends.",
        '**It starts.** "Then" it ends.',
        "See [the page](page.md). It is short.",
        "1. It starts. 2 more follow.",
    ],
)
def test_two_sentences_are_noticed(line: str) -> None:
    (plain,) = prose_lines(line)
    assert len(sentence_ends_inside(plain)) == 1


@together(
    "line",
    [
        "It starts.",
        "1. It starts",
        "## 1. Start it",
        "It reads bot.toml and needs Python 3.11 or newer.",
        "Some of them, e.g. the random ones, i.e. most, are quick vs. slow.",
        "It waits ... and then … goes on.",
        "A name is 1 to 40 of `A-Z a-z 0-9 . _ -` and `x. Y` is not one.",
        "| a cell. Another one. | short |",
        "<!-- not run: it needs a browser. Really. -->",
        "```sh\necho one. Two.\n```",
        "---\ntitle: One. Two.\n---",
        "A game by A. Steding",
    ],
)
def test_one_sentence_is_left_alone(line: str) -> None:
    assert [end for plain in prose_lines(line) for end in sentence_ends_inside(plain)] == []

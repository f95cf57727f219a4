"""Excerpts of a program's output, and its lines made safe to print."""

from __future__ import annotations

from referee.text import excerpt, visible_lines
from support.groups import together


def excerpt_of(data: bytes) -> bytes:
    return excerpt(len(data), lambda at, count: data[at : at + count])


def numbered(count: int) -> list[bytes]:
    return [b"line %d\n" % number for number in range(count)]


@together("data", [b"", b"one", b"".join(numbered(20)), b"x" * 4000])
def test_short_output_is_its_own_excerpt(data: bytes) -> None:
    assert excerpt_of(data) == data


def test_an_excerpt_has_the_first_and_the_last_lines() -> None:
    lines = numbered(21)
    kept = [*lines[:5], b"[... 7 bytes left out ...]\n", *lines[6:]]
    assert excerpt_of(b"".join(lines)) == b"".join(kept)


def test_an_excerpt_of_long_lines_is_short() -> None:
    line = b"x" * 999 + b"\n"
    kept = [line, b"[... 996,000 bytes left out ...]\n", line, line, line]
    assert excerpt_of(line * 1000) == b"".join(kept)


def test_tabs_stay_tabs_and_other_control_characters_are_escaped() -> None:
    assert visible_lines("\n\tone\x1b[1m\n\ntwo\n") == ["\tone\\u001b[1m", "", "two"]

"""The line of every table and key of a map file, from a light scan of its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from referee.atlas.schema import Path

_KEY: Final = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED: Final = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEADER: Final = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_ASSIGNMENT: Final = re.compile(rf"\s*({_DOTTED})\s*=")
_STEP: Final = re.compile(_KEY)
_STRING: Final = re.compile(r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")


@dataclass
class LineIndex:
    """The lines of all tables, keys and list entries that the scan found."""

    lines: dict[Path, int] = field(default_factory=dict)
    counts: dict[Path, int] = field(default_factory=dict)  # how many [[tables]] of a name so far

    def line_of(self, path: Path) -> int | None:
        """The line of this path, or else of the nearest table or key that contains it."""
        for depth in range(len(path), 0, -1):
            if path[:depth] in self.lines:
                return self.lines[path[:depth]]
        return None


@dataclass
class _Value:
    """A value that is being read, perhaps over several lines: how deep, and at which entry."""

    path: Path
    depth: int = 0
    entry: int = 0

    def follow(self, index: LineIndex, text: str, number: int) -> bool:
        """Record where list entries begin; True if the value continues on the next line."""
        for character in text:
            if self.depth == 1 and character not in " \t,]}":
                index.lines.setdefault((*self.path, self.entry), number)
            self.entry += self.depth == 1 and character == ","
            self.depth += (character in "[{") - (character in "]}")
        return self.depth > 0


def index_lines(text: str) -> LineIndex:
    """Scan the text line by line; what the scan does not understand has no line of its own."""
    index = LineIndex()
    table: Path = ()
    value: _Value | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _bare(raw)
        if value:
            value = value if value.follow(index, line, number) else None
        elif header := _HEADER.match(line):
            table = _enter(index, _steps(header[2]), number, listed=header[1] == "[[")
        elif key := _ASSIGNMENT.match(line):
            value = _Value((*table, *_steps(key[1])))
            index.lines.setdefault(value.path, number)
            value = value if value.follow(index, line[key.end() :], number) else None
    return index


def _bare(line: str) -> str:
    """The line without its comment; strings become dots of the same length, except keys."""
    key = _ASSIGNMENT.match(line) or _HEADER.match(line)
    start = key.end() if key else 0
    rest = _STRING.sub(lambda found: "." * len(found[0]), line[start:])
    return line[:start] + rest.split("#", 1)[0]


def _steps(dotted: str) -> Path:
    return tuple(step.strip("\"'") for step in _STEP.findall(dotted))


def _enter(index: LineIndex, steps: Path, number: int, *, listed: bool) -> Path:
    """The path of a table's header; lists of tables are counted, and stepped into."""
    path: Path = ()
    for depth, step in enumerate(steps):
        path = (*path, step)
        last = depth == len(steps) - 1
        if last and listed:
            index.counts[path] = index.counts.get(path, -1) + 1
            index.lines.setdefault(path, number)
        if path in index.counts:
            path = (*path, index.counts[path])
    index.lines.setdefault(path, number)
    return path

"""Schemas of the values in a map file: types, bounds, defaults, and the mistakes found.

A schema reads a value, records every mistake in it and returns what could be read. A part that
could not be read is left out (`HOLE`), so that later checks report other mistakes without
repeating this one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from referee.text import did_you_mean, is_printable, join_hint, visible

Path: TypeAlias = tuple[str | int, ...]

HOLE: Final = object()
REQUIRED: Final = object()
MOST_MISTAKES: Final = 200


@dataclass(frozen=True)
class Mistake:
    """One mistake in a board: where it is, what it is, and what would be allowed."""

    path: Path
    place: str
    what: str
    allowed: str = ""
    line: int | None = None

    def __str__(self) -> str:
        text = f"{self.place}: {self.what}" if self.place else self.what
        return f"{text}; {self.allowed}" if self.allowed else text


@dataclass
class Notes:
    """Collects the mistakes in a board while it is read."""

    words: object
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, path: Path, what: str, allowed: str = "") -> None:
        """Record a mistake, unless there are MOST_MISTAKES already."""
        if len(self.mistakes) < MOST_MISTAKES:
            self.mistakes.append(Mistake(path, place_of(self.words, path), what, allowed))


class Schema(NamedTuple):
    """What a value may be, as a sentence for people, and the function that reads it."""

    allowed: str
    read: Callable[[Notes, Path, object], Any]


class Key(NamedTuple):
    """A key of a table: its schema, and its default unless it is required."""

    schema: Schema
    default: object = REQUIRED


def place_of(words: object, path: Path) -> str:
    """A path as people read it: `routes[3] "bremen--hamburg" points[1].type`."""
    text = ""
    for depth, step in enumerate(path):
        if isinstance(step, int):
            text += f"[{step}]"
            name = _name_at(words, path[: depth + 1]) if depth == 1 else None
            text += f' "{name}" ' if name else ""
        else:
            text += step if not text or text.endswith(" ") else f".{step}"
    return text.strip()


def _name_at(words: object, path: Path) -> str | None:
    """The id of a city, or the id or the ends of a route; None if it has none that can be shown."""
    table: Any = words
    for step in path:
        fits = isinstance(table, list if isinstance(step, int) else dict)
        table = table[step] if fits and not _lacks(table, step) else None
    if not isinstance(table, dict):
        return None
    ends = table.get("ends")
    joined = "--".join(ends) if isinstance(ends, list) and _all_text(ends) else None
    name = table.get("id", joined)
    return visible(name) if isinstance(name, str) and len(name) <= 90 else None


def _lacks(table: Any, step: str | int) -> bool:
    return step >= len(table) if isinstance(step, int) else step not in table


def _all_text(values: list[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def shown(value: object) -> str:
    """A short description of any value, for error messages."""
    if isinstance(value, str):
        return f'"{visible(value[:40])}{"..." if len(value) > 40 else ""}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else "an enormous number"
    if isinstance(value, float):
        return repr(value)
    kinds = {list: "a list", dict: "a table", type(None): "nothing (null)"}
    return kinds.get(type(value), "something else")


def hint(word: str, known: Iterable[str], what: str) -> str:
    """A suggestion for a wrong word, and the known words as far as they fit into a line."""
    names = list(known)
    listed = ", ".join(names) if names else "none"
    return join_hint(did_you_mean(word, names, shown), f"{what}: {shorten(listed)}")


def shorten(text: str, longest: int = 400) -> str:
    """The text, cut after a comma if it is longer than `longest`."""
    return text if len(text) <= longest else text[:longest].rsplit(",", 1)[0] + ", ..."


# --- what a single value may be ---------------------------------------------------------------


def text_schema(longest: int, fewest: int = 1) -> Schema:
    """A schema for printable text of limited length."""
    allowed = f"it is text of {fewest} to {longest} characters that can be printed"

    def read(notes: Notes, path: Path, value: object) -> object:
        if not isinstance(value, str):
            return refuse(notes, path, value, allowed)
        if not fewest <= len(value) <= longest or not all(map(is_printable, value)):
            return refuse(notes, path, value, allowed)
        return value

    return Schema(allowed, read)


def pattern_schema(pattern: str, longest: int, allowed: str) -> Schema:
    """A schema for text that matches a regular expression."""
    wanted = re.compile(pattern)

    def read(notes: Notes, path: Path, value: object) -> object:
        fits = isinstance(value, str) and len(value) <= longest and wanted.fullmatch(value)
        return value if fits else refuse(notes, path, value, allowed)

    return Schema(allowed, read)


def whole_schema(least: int, most: int) -> Schema:
    """A schema for a whole number; true and false are refused."""
    allowed = f"it is a whole number from {least} to {most}"

    def read(notes: Notes, path: Path, value: object) -> object:
        fits = type(value) is int and least <= value <= most
        return value if fits else refuse(notes, path, value, allowed)

    return Schema(allowed, read)


def number_schema(least: float, most: float) -> Schema:
    """A schema for a number, which is read as a float."""
    allowed = f"it is a number from {least} to {most}"

    def read(notes: Notes, path: Path, value: object) -> object:
        if type(value) in (int, float) and least <= value <= most:  # type: ignore[operator]  # mypy does not narrow by type()
            return float(value)  # type: ignore[arg-type]  # as above
        return refuse(notes, path, value, allowed)

    return Schema(allowed, read)


def _read_yes_no(notes: Notes, path: Path, value: object) -> object:
    return value if isinstance(value, bool) else refuse(notes, path, value, "it is true or false")


YES_NO: Final = Schema("it is true or false", _read_yes_no)


def word_schema(words: tuple[str, ...]) -> Schema:
    """A schema for one of a few fixed words."""
    allowed = "it is one of " + ", ".join(words)

    def read(notes: Notes, path: Path, value: object) -> object:
        if isinstance(value, str) and value in words:
            return value
        meant = did_you_mean(value, words, shown) if isinstance(value, str) else ""
        return refuse(notes, path, value, join_hint(meant, allowed))

    return Schema(allowed, read)


def or_none(schema: Schema) -> Schema:
    """The same schema, but null is allowed too (files leave the key out)."""

    def read(notes: Notes, path: Path, value: object) -> object:
        return None if value is None else schema.read(notes, path, value)

    return Schema(schema.allowed, read)


def refuse(notes: Notes, path: Path, value: object, allowed: str) -> object:
    """Record that a value is not allowed; returns HOLE."""
    notes.add(path, f"{shown(value)} cannot be used", allowed)
    return HOLE


# --- lists and tables -------------------------------------------------------------------------


def list_schema(item: Schema, least: int, most: int, what: str) -> Schema:
    """A schema for a list; if an entry cannot be read, nor can the list, as its order would mislead."""
    size = str(least) if least == most else f"{least} to {most}"
    allowed = f"it is a list of {size} {what}"

    def read(notes: Notes, path: Path, value: object) -> object:
        if not isinstance(value, list):
            return refuse(notes, path, value, allowed)
        if not least <= len(value) <= most:
            notes.add(path, f"the list has {len(value)} entries", allowed)
            return HOLE
        items = [item.read(notes, (*path, at), one) for at, one in enumerate(value)]
        return HOLE if any(one is HOLE for one in items) else items

    return Schema(allowed, read)


def different(schema: Schema) -> Schema:
    """The same list schema, but no entry may appear twice."""

    def read(notes: Notes, path: Path, value: object) -> object:
        items = schema.read(notes, path, value)
        if items is HOLE or len(set(items)) == len(items):
            return items
        twice = next(one for one in items if items.count(one) > 1)
        notes.add(path, f"{shown(twice)} appears twice", "each may appear once")
        return HOLE

    return Schema(schema.allowed, read)


def table_schema(keys: Mapping[str, Key]) -> Schema:
    """A schema for a table; invalid keys are left out, and missing ones get their default."""
    allowed = "it is a table with " + ", ".join(keys)

    def read(notes: Notes, path: Path, value: object) -> object:
        if not isinstance(value, dict):
            refuse(notes, path, value, allowed)
            return {}
        for key in value:
            if key not in keys:
                _refuse_key(notes, path, key, keys)
        found = {key: _read_key(notes, path, key, spec, value) for key, spec in keys.items()}
        return {key: one for key, one in found.items() if one is not HOLE}

    return Schema(allowed, read)


def _refuse_key(notes: Notes, path: Path, key: object, keys: Mapping[str, Key]) -> None:
    word = key if isinstance(key, str) else ""
    step = (word,) if word and len(word) <= 40 and visible(word) == word else ()
    notes.add((*path, *step), f"unknown key {shown(key)}", hint(word, keys, "the keys here are"))


def _read_key(notes: Notes, path: Path, key: str, spec: Key, table: dict[Any, Any]) -> object:
    if key in table:
        return spec.schema.read(notes, (*path, key), table[key])
    if spec.default is REQUIRED:
        notes.add((*path, key), f'"{key}" is missing', spec.schema.allowed)
        return HOLE
    return deepcopy(spec.default)


def named_schema(name: Schema, item: Schema, most: int, what: str) -> Schema:
    """A schema for a table whose keys are names, such as countries."""
    allowed = f"it is a table of at most {most} {what}"

    def read(notes: Notes, path: Path, value: object) -> object:
        if not isinstance(value, dict) or len(value) > most:
            return refuse(notes, path, value, allowed)
        found = {}
        for key, one in value.items():
            if name.read(notes, path, key) is not HOLE:
                found[key] = item.read(notes, (*path, key), one)
        return HOLE if len(found) < len(value) or HOLE in found.values() else found

    return Schema(allowed, read)

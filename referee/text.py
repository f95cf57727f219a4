"""Text for people and spreadsheets: counted words, and CSV files that are safe to open."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import Final, TextIO

from referee.atlas.shape import visible

_FORMULA: Final = ("=", "+", "-", "@")  # a spreadsheet takes a cell that begins so for a formula


def plural(count: int, noun: str) -> str:
    """Return the count with its noun: "1 game", "1,200 games"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


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
    text = value if value.isprintable() else visible(value)  # asking first takes a fraction
    return f"'{text}" if text.startswith(_FORMULA) else text

"""Finds records: files by their paths, all files below a folder, or those that match a pattern."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from referee.errors import RecordRefused
from referee.text import printable

ENDINGS: Final = (".jsonl", ".jsonl.gz")
ANALYSIS_ENDING: Final = ".analysis.jsonl"  # of a file beside a record that is not one itself


def find_records(words: Sequence[str]) -> list[Path]:
    """Return each record that the words name, once, in the order of the words.

    A word is a file, a folder or a pattern; raise RecordRefused for one that names no record.
    """
    found: dict[Path, None] = {}
    for word in words:
        records = list(_found(word))
        if not records:
            raise RecordRefused(_nothing(word))
        found.update(dict.fromkeys(records))
    return list(found)


def is_record_name(name: str) -> bool:
    """Whether a file with this name in a folder is a record."""
    return name.endswith(ENDINGS) and not name.endswith(ANALYSIS_ENDING)


def analysis_path(record: Path) -> Path:
    """Where the analysis of a record is kept: beside it, whether it is packed or not."""
    plain = record.name.removesuffix(".gz").removesuffix(".jsonl")
    return record.with_name(plain + ANALYSIS_ENDING)


def _found(word: str) -> Iterator[Path]:
    if _exists(word):
        yield from _within(Path(word))
    elif glob.has_magic(word):
        for name in sorted(glob.glob(word, recursive=True)):  # noqa: PTH207  it may be absolute
            if not name.endswith(ANALYSIS_ENDING):
                yield from _within(Path(name))


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):
        return False


def _within(path: Path) -> Iterator[Path]:
    """Yield the file itself, whatever its name; or the files in the folder that end like a record."""
    if not path.is_dir():
        yield path
        return
    for place, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            if is_record_name(name) and Path(place, name).is_file():
                yield Path(place, name)


def _nothing(word: str) -> str:
    shown = printable(word)
    if _exists(word):
        return f"there is no record in the folder {shown}: no file ends with {' or '.join(ENDINGS)}"
    if glob.has_magic(word):
        return f"no record matches {shown}"
    return f"there is no record {shown}"

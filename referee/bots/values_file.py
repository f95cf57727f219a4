"""A file with values of a bot's parameters: TOML with a table [values]. `--set @FILE` reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from referee.errors import BotRefused, OutputRefused
from referee.text import reason_of

MARK: Final = "@"  # begins the name of a file where NAME=VALUE is expected
_TABLE: Final = "values"
_LARGEST: Final = 1 << 20  # bytes


def file_in(setting: str) -> str | None:
    """Return the file that a setting such as `@tuned.toml` names; None for NAME=VALUE."""
    return setting.removeprefix(MARK) if setting.startswith(MARK) else None


def read_values(path: Path) -> dict[str, object]:
    """Return what the table [values] of a file holds; BotRefused if the file is not valid."""
    try:
        if path.stat().st_size > _LARGEST:
            raise BotRefused(f"{path} is larger than {_LARGEST >> 10} KiB")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise BotRefused(f"{path} cannot be read: it is nested too deeply") from error
    except (OSError, ValueError) as error:
        raise BotRefused(f"{path} cannot be read: {reason_of(error)}") from error
    if list(data) != [_TABLE] or not isinstance(data[_TABLE], dict):
        raise BotRefused(
            f"{path} must have a table [{_TABLE}] with lines NAME = VALUE, and no more"
        )
    values: dict[str, object] = data[_TABLE]
    return values


def write_values(path: Path, values: Mapping[str, float], comments: Iterable[str] = ()) -> None:
    """Write a file that `read_values` reads; OutputRefused if that fails.

    The file is complete or absent at any time. Every comment becomes a line at its head.
    """
    lines = [f"# {line}" for line in comments]
    lines += [f"[{_TABLE}]", *(f"{name} = {value!r}" for name, value in values.items())]
    unfinished = path.with_name(f".{path.name}.new")
    try:
        unfinished.write_text("\n".join(lines) + "\n", encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        raise OutputRefused(f"cannot write {path}: {error.strerror}") from error

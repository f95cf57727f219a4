"""The only reader of map files: finds boards, and reports every mistake in an invalid one."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from referee.atlas.board_schema import FORMAT_SCHEMA
from referee.atlas.components import components_from
from referee.atlas.schema import Mistake, shown
from referee.atlas.validate import read_words
from referee.engine.board import Board, BoardWords
from referee.engine.ruleset import Components
from referee.errors import MapRefused
from referee.text import did_you_mean, join_hint, visible

__all__ = [
    "Mistake",
    "board_from_words",
    "board_names",
    "check_file",
    "check_words",
    "load_board",
    "load_components",
    "read_components",
]

HERE: Final = Path(__file__).resolve().parent.parent
LARGEST_FILE: Final = 1024 * 1024
_COMPONENTS: Final = "components"
_AT_LINE: Final = re.compile(r"\s*\(at line (\d+), column \d+\)$")


def maps_folder() -> Path:
    """Where the bundled maps are: inside an installed package, else beside it."""
    inside = HERE / "maps"
    return inside if inside.is_dir() else HERE.parent / "maps"


@cache
def board_names() -> tuple[str, ...]:
    """The bundled boards, in alphabetical order."""
    return tuple(sorted(p.stem for p in maps_folder().glob("*.toml") if p.stem != _COMPONENTS))


def load_board(name_or_path: str | Path) -> Board:
    """A bundled board by its name, or the board in a .toml file; MapRefused if it is not valid."""
    if not _is_path(name_or_path):
        return _bundled(str(name_or_path))
    path = Path(name_or_path)
    words, mistakes = _read_file(path)
    if mistakes:
        raise MapRefused(_sentence(str(path), mistakes))
    return Board(words)


def _is_path(name_or_path: str | Path) -> bool:
    if isinstance(name_or_path, Path):
        return True
    return name_or_path.endswith(".toml") or "/" in name_or_path or "\\" in name_or_path


@cache
def _bundled(name: str) -> Board:
    if name not in board_names():
        listed = f"the boards are {', '.join(board_names())}, or give the path of a .toml file"
        hint = join_hint(did_you_mean(name, board_names(), shown), listed)
        raise MapRefused(f"there is no board {shown(name)}; {hint}")
    return load_board(maps_folder() / f"{name}.toml")


def board_from_words(words: object) -> Board:
    """The board that a record or message describes; MapRefused if it is not valid."""
    whole, mistakes = read_words(words)
    if mistakes:
        raise MapRefused(_sentence("the board", mistakes))
    return Board(cast("BoardWords", whole))


def check_words(words: object) -> list[Mistake]:
    """Every mistake in the dict of a board; empty if the board can be played on."""
    return read_words(words)[1]


def check_file(path: str | Path) -> list[Mistake]:
    """Every mistake in a map file, with its line; empty if the board can be played on."""
    return _read_file(Path(path))[1]


def _read_file(path: Path) -> tuple[BoardWords, list[Mistake]]:
    text = _read_text(path)
    words = text if isinstance(text, Mistake) else _parse(text)
    if isinstance(text, Mistake) or isinstance(words, Mistake):
        return cast("BoardWords", {}), [one for one in (text, words) if isinstance(one, Mistake)][
            :1
        ]
    whole, mistakes = read_words(words)
    if "format" not in words:
        mistakes.append(
            Mistake(("format",), "format", '"format" is missing', FORMAT_SCHEMA.allowed)
        )
    return cast("BoardWords", whole), _with_lines(text, mistakes)


def _with_lines(text: str, mistakes: list[Mistake]) -> list[Mistake]:
    """The same mistakes, each with its line, from the top of the file down."""
    if not mistakes:
        return []
    from referee.atlas.line_numbers import index_lines  # noqa: PLC0415  bots start faster without it

    index = index_lines(text)
    found = [replace(mistake, line=index.line_of(mistake.path)) for mistake in mistakes]
    return sorted(found, key=lambda mistake: mistake.line or 0)


def _read_text(path: Path) -> str | Mistake:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        return _unreadable(f"the file cannot be read: {error.strerror}")
    except ValueError as error:  # a NUL in the path
        return _unreadable(f"the file cannot be read: {error}")
    if len(data) > LARGEST_FILE:
        return _unreadable(f"the file is too large; a map has at most {LARGEST_FILE} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _unreadable("the file is not UTF-8 text", data.count(b"\n", 0, error.start) + 1)


def _parse(text: str) -> dict[str, Any] | Mistake:
    try:
        return tomllib.loads(text)
    except RecursionError:
        return _unreadable("the file is nested too deeply; a map needs four levels")
    except ValueError as error:
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at else text.count("\n") + 1
        return _unreadable(f"this is not valid TOML: {visible(_AT_LINE.sub('', str(error)))}", line)


def _unreadable(what: str, line: int | None = None) -> Mistake:
    return Mistake((), "", what, line=line)


def _sentence(whose: str, mistakes: list[Mistake]) -> str:
    """One sentence for one mistake, a list for several."""
    lines = [f"line {m.line}: {m}" if m.line else str(m) for m in mistakes]
    if len(lines) == 1:
        return f"{whose} is refused: {lines[0]}"
    return "\n  ".join([f"{whose} is refused for {len(lines)} mistakes:", *lines])


@cache
def load_components() -> Components:
    """The components of the game beside the board: tradesmen, desk values, markers, tiles."""
    return read_components(maps_folder() / f"{_COMPONENTS}.toml")


def read_components(path: Path) -> Components:
    """The components that a file describes; MapRefused if it is not valid."""
    text = _read_text(path)
    words = text if isinstance(text, Mistake) else _parse(text)
    if isinstance(words, Mistake):
        raise MapRefused(_sentence(str(path), [words]))
    try:
        return components_from(words)
    except ValueError as error:
        raise MapRefused(f"{path} is refused: {visible(str(error))}") from error

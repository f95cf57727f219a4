"""Which build of the engine runs: a failed compilation must never pass for a compiled one."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES

from referee.engine import game


def build_name() -> str:
    """`compiled` when the engine was imported from an extension module, else `interpreted`."""
    return "compiled" if is_extension(game.__file__) else "interpreted"


def is_extension(file: str | None) -> bool:
    """Whether a module of this file is compiled."""
    return file is not None and file.endswith(tuple(EXTENSION_SUFFIXES))

"""The version of the referee, and whether its engine is compiled or interpreted."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES

__version__ = "0.1.0"


def build_name() -> str:
    """`compiled` when the engine was imported from an extension module, else `interpreted`.

    A failed compilation must never pass for a compiled build, so the loaded module is asked.
    """
    from referee.engine import game  # noqa: PLC0415  `import referee` must not load the engine

    return "compiled" if is_extension(game.__file__) else "interpreted"


def is_extension(file: str | None) -> bool:
    """Whether a module that was loaded from this file is compiled."""
    return file is not None and file.endswith(tuple(EXTENSION_SUFFIXES))

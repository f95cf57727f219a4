"""A position as plain text, for the Python API."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Final

from rich.console import Console

from protocol.words import State
from referee.engine.board import BoardWords
from referee.terminal.board.picture import show_position

WIDTH: Final = 120


def position_text(
    words: BoardWords, position: State, names: Sequence[str], width: int = WIDTH
) -> str:
    """Return the picture of a position without colours, and a legend of its tradesmen and markers."""
    out = StringIO()
    plain = Console(file=out, width=width, color_system=None, highlight=False, legacy_windows=False)
    show_position(words, position, names, plain)
    return out.getvalue()

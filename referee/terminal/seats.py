"""The colour of each seat, the same in the log, on the board and in every table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from referee.text import visible

SEAT_STYLES: Final = ("#4f94f0", "#3fae4f", "#b86fe0", "#e8564f", "#d9b520")
NEUTRAL_STYLE: Final = "#9a9a9a"
NEUTRAL: Final = "n"
DOT: Final = "●"


def seat_style(seat: int | str) -> str:
    """Return the colour of a seat; grey for the neutral colour ("n")."""
    return SEAT_STYLES[seat % len(SEAT_STYLES)] if isinstance(seat, int) else NEUTRAL_STYLE


def seat_name(seat: int | str, names: Sequence[str]) -> str:
    """Return the name of a seat, with control characters made visible."""
    if not isinstance(seat, int):
        return "neutral"
    return visible(names[seat])


def seat_text(seat: int | str, names: Sequence[str], *, most: int = 0, style: str = "bold") -> Text:
    """Return a dot in the seat's colour and its name, cut to `most` characters unless that is 0."""
    name = seat_name(seat, names)
    if most and len(name) > most:
        name = f"{name[: most - 1]}…"
    return Text.assemble((f"{DOT} ", seat_style(seat)), (name, style))


def tradesman_style(tradesman: str) -> str:
    """Return the style of a tradesman such as "0t", the trader of seat 0."""
    return f"bold {seat_style(NEUTRAL if tradesman[0] == NEUTRAL else int(tradesman[:-1]))}"

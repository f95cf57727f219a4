"""The sentences about the choices of a turn, as one short text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from referee.text import visible

_SAID_LATER: Final = ("moves tradesmen", "lifts a tradesman")  # where they go says it again
_END: Final = "ends the turn"
_STOP: Final = "stops there"  # after the first lifted tradesman it says nothing new


def as_said(sentences: Sequence[str], name: str) -> str:
    """The choices of a turn, without the name of the seat in front of each and what goes without saying.

    The sentences may come from a file, so control characters are made visible.
    """
    own = f"{visible(name)} "
    said = [visible(sentence).removeprefix(own) for sentence in sentences]
    needed = [one for one in said if not one.startswith((*_SAID_LATER, _END))]
    needed = [one for one in needed if one != _STOP or one == said[0]]
    return "; ".join(_counted(needed or said))


def _counted(sentences: Sequence[str]) -> Iterator[str]:
    """The sentences; one that repeats has a count."""
    for sentence, same in groupby(sentences):
        count = len(list(same))
        yield sentence if count == 1 else f"{sentence} (×{count})"

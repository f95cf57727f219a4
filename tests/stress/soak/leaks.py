"""Finds leaks: whether a figure grows that was measured many times."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WARM_UP: Final = 0.5  # the first part of the measurements, in which caches fill up
_MIB: Final = 1 << 20


@dataclass(frozen=True)
class Trend:
    """How one figure changes over time, after the warm-up."""

    name: str
    first: float  # of all measurements, with the warm-up
    mean: float
    most: float
    growth: float  # after the warm-up, along the line that fits best
    allowed: float

    @property
    def is_flat(self) -> bool:
        """Whether the figure grows at most as much as allowed."""
        return self.growth <= self.allowed


def trend(name: str, values: Sequence[float], *, share: float, least: float) -> Trend:
    """Return the trend of evenly spaced values; they may grow by a share of their mean, or by `least`."""
    late = values[int(len(values) * WARM_UP) :]
    mean = sum(late) / len(late)
    growth = _slope(late) * (len(late) - 1)
    return Trend(name, values[0], mean, max(late), growth, max(share * mean, least))


def _slope(values: Sequence[float]) -> float:
    """Return the slope per step of the line that fits best."""
    middle = (len(values) - 1) / 2
    mean = sum(values) / len(values)
    spread = sum((at - middle) ** 2 for at in range(len(values)))
    if not spread:
        return 0.0
    return sum((at - middle) * (value - mean) for at, value in enumerate(values)) / spread


def folder_mib(folder: Path, without: Sequence[str] = ()) -> float:
    """Return the size of a folder, except of files and folders in it that begin with `without`."""
    total = 0
    for place, _, names in os.walk(folder):
        inner = Path(place).relative_to(folder)
        for name in names:
            if not (inner / name).parts[0].startswith(tuple(without)):
                with suppress(OSError):
                    total += (Path(place) / name).stat().st_size
    return total / _MIB

"""Leaks: whether a figure that was measured again and again grows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WARM_UP: Final = 0.5  # of the measurements: until then caches fill up
_MIB: Final = 1 << 20


@dataclass(frozen=True)
class Trend:
    """One figure over time, without the beginning."""

    name: str
    first: float  # of all measurements, the beginning included
    mean: float
    most: float
    growth: float  # over the second half, along the line that fits best
    allowed: float

    @property
    def is_flat(self) -> bool:
        """Whether it grows no more than it may."""
        return self.growth <= self.allowed


def trend(name: str, values: Sequence[float], *, share: float, least: float) -> Trend:
    """The trend of values at even distances; it may grow by a share of its mean, or by `least`."""
    late = values[int(len(values) * WARM_UP) :]
    mean = sum(late) / len(late)
    growth = _slope(late) * (len(late) - 1)
    return Trend(name, values[0], mean, max(late), growth, max(share * mean, least))


def _slope(values: Sequence[float]) -> float:
    """Of the line that fits best, for each step."""
    middle = (len(values) - 1) / 2
    mean = sum(values) / len(values)
    spread = sum((at - middle) ** 2 for at in range(len(values)))
    if not spread:
        return 0.0
    return sum((at - middle) * (value - mean) for at, value in enumerate(values)) / spread


def folder_mib(folder: Path, without: Sequence[str] = ()) -> float:
    """The size of the files in a folder, except those whose first part begins with one of these."""
    total = 0
    for place, _, names in os.walk(folder):
        inner = Path(place).relative_to(folder)
        for name in names:
            if not (inner / name).parts[0].startswith(tuple(without)):
                with suppress(OSError):
                    total += (Path(place) / name).stat().st_size
    return total / _MIB

"""Leaks: what a process and its children hold, looked at again and again, and whether it grows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WARM_UP: Final = 0.5  # of the looks: until then caches fill up
_MIB: Final = 1 << 20


@dataclass(frozen=True)
class Trend:
    """One figure over time, without the beginning."""

    name: str
    first: float  # of all looks, the beginning included
    mean: float
    most: float
    growth: float  # from the first look that counts to the last, by a line through all of them
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


def resident_mib(pid: int) -> float:
    """Memory that a process has now; 0 of one that has ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / _MIB


def descriptors(pids: Iterable[int]) -> int:
    """Open files of all these processes together."""
    count = 0
    for pid in pids:
        with suppress(OSError):
            count += len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208  no paths are needed
    return count


def folder_mib(folder: Path, without: Sequence[str] = ()) -> float:
    """What the files in a folder take, but for those whose first name begins so."""
    total = 0
    for place, _, names in os.walk(folder):
        inner = Path(place).relative_to(folder)
        for name in names:
            if not (inner / name).parts[0].startswith(tuple(without)):
                with suppress(OSError):
                    total += (Path(place) / name).stat().st_size
    return total / _MIB

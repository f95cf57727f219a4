"""Reads the records of a soak test: the lags and the last line of each; some are verified."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from referee.records.verify import verify
from referee.tournament.workers.messages import Played

VERIFIED: Final = 10  # one block in ten is verified
_LAG: Final = re.compile(rb'"lag_ms":([0-9.]+)')
_BOUNDS: Final = (1.0, 10.0, 50.0, 100.0)


@dataclass
class Lags:
    """How long the referee took from one answer to the next request, in milliseconds."""

    count: int = 0
    worst_ms: float = 0.0
    above: list[int] = field(default_factory=lambda: [0] * len(_BOUNDS))

    def note(self, lags_ms: list[float]) -> None:
        """Add the lags of one record."""
        self.count += len(lags_ms)
        self.worst_ms = max(self.worst_ms, *lags_ms, 0.0)
        for place, bound in enumerate(_BOUNDS):
            self.above[place] += sum(lag > bound for lag in lags_ms)

    def to_dict(self) -> dict[str, object]:
        """Every figure, for JSON."""
        return {"count": self.count, "worst_ms": self.worst_ms, "above_ms": self.above_ms()}

    def above_ms(self) -> dict[str, int]:
        """How many lags were above each bound."""
        return {f"{bound:g}": count for bound, count in zip(_BOUNDS, self.above, strict=True)}


def read_records(folder: Path, played: Played, lags: Lags) -> tuple[int, int]:
    """Read the records of a block; return how many were verified, and how many are missing or wrong."""
    verified = broken = 0
    is_sample = int(played.block.id[-4:], 16) % VERIFIED == 0
    for game in played.games:
        path = folder / str(game.record)
        try:
            data = gzip.decompress(path.read_bytes())
        except (OSError, EOFError):
            broken += 1
            continue
        lags.note([float(lag) for lag in _LAG.findall(data)])
        if is_sample:
            verified += 1
            broken += verify(path).verdict != "fine"
        elif not data.rstrip().rpartition(b"\n")[2].startswith(b'{"line":"end"'):
            broken += 1
    return verified, broken

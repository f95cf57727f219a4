"""The ratios that were measured for a release: the file, and what has changed since then.

A ratio says how many times as long something takes as a reference that was measured in the same
run; so machines of different speed have similar ratios, and a higher ratio means slower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

FORMAT: Final = 1
FILE: Final = Path(__file__).with_name("bench_ratios.json")
LEAST_CHANGE: Final = 0.08  # a smaller change is never reported: two runs differ by as much
SPREADS: Final = 1.5  # a change is reported if it is larger than this many spreads of both runs
NORMAL: Final = 1.4826  # times the median deviation is the standard deviation of normal noise


class FileRefused(Exception):
    """A file of ratios that cannot be read; the text is one sentence that says why."""


class Ratio(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The median of several rounds, and how much the rounds differ, as a share of the median."""

    median: float
    spread: float


class BuildRatios(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All ratios of one build."""

    version: str  # of the referee
    python: str
    rounds: int
    ratios: dict[str, Ratio]


class RatiosFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ratios of the last release, by the name of the build."""

    format: int
    builds: dict[str, BuildRatios]


class _Format(msgspec.Struct):
    """The part of the file that every format has."""

    format: int


def summarize(figures: Sequence[float]) -> Ratio:
    """Return the median of the rounds, and their spread."""
    middle = median(figures)
    deviation = median(abs(figure - middle) for figure in figures)
    return Ratio(round(middle, 4), round(NORMAL * deviation / middle, 4))


# -- the file


def read_file(path: Path | None = None) -> RatiosFile:
    """Read the ratios; FileRefused if the file is missing, damaged or of another format."""
    path = path or FILE
    try:
        data = path.read_bytes()
        found = msgspec.json.decode(data, type=_Format).format
        if found != FORMAT:
            raise FileRefused(
                f"{path} has format {found}, and this program reads format {FORMAT}: measure again with --write"
            )
        return msgspec.json.decode(data, type=RatiosFile)
    except FileNotFoundError:
        raise FileRefused(f"{path} does not exist: write it with --write") from None
    except OSError as error:
        raise FileRefused(f"{path} cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FileRefused(
            f"{path} is not a valid file of ratios: {error}; write it again with --write"
        ) from None


def write_build(name: str, measured: BuildRatios, path: Path | None = None) -> None:
    """Write the ratios of one build; those of other builds stay. FileRefused if that is not possible."""
    path = path or FILE
    known = read_file(path).builds if path.exists() else {}
    kept = RatiosFile(FORMAT, dict(sorted({**known, name: measured}.items())))
    text = msgspec.json.format(msgspec.json.encode(kept), indent=2)
    try:
        path.write_bytes(text + b"\n")
    except OSError as error:
        raise FileRefused(f"{path} cannot be written: {error.strerror}") from None


# -- what has changed


@dataclass(frozen=True)
class Change:
    """A ratio then and now, and the smallest change that is not noise."""

    name: str
    then: Ratio
    now: Ratio

    @property
    def noise(self) -> float:
        """A change by this share of the old ratio, or by less, may be noise."""
        return max(LEAST_CHANGE, SPREADS * (self.then.spread + self.now.spread))

    @property
    def share(self) -> float:
        """How much longer it takes now, as a share: 0.2 is 20 % longer, -0.1 is 10 % less."""
        return self.now.median / self.then.median - 1

    @property
    def is_slower(self) -> bool:
        """Whether it became slower beyond noise."""
        return self.share > self.noise

    @property
    def is_faster(self) -> bool:
        """Whether it became faster beyond noise; the noise is that of the larger ratio."""
        return self.then.median / self.now.median - 1 > self.noise

    def sentence(self, version: str) -> str:
        """Say what became of it, in one sentence."""
        word = "longer" if self.share > 0 else "less time"
        figures = f"ratio {self.then.median:.4g} then, {self.now.median:.4g} now"
        return (
            f"{self.name}: takes {abs(self.share):.0%} {word} than in {version}"
            f" ({figures}; up to {self.noise:.0%} is noise)"
        )


def changes(then: Mapping[str, Ratio], now: Mapping[str, Ratio]) -> list[Change]:
    """Return the ratios that were measured both then and now, in the order of now."""
    return [Change(name, then[name], ratio) for name, ratio in now.items() if name in then]


def report(then: BuildRatios, now: BuildRatios) -> list[str]:
    """Say what became slower, what became faster, and what cannot be compared."""
    found = changes(then.ratios, now.ratios)
    slower = [change for change in found if change.is_slower]
    faster = [change for change in found if change.is_faster]
    lines = [f"SLOWER  {change.sentence(then.version)}" for change in slower]
    lines += [f"faster  {change.sentence(then.version)}" for change in faster]
    same = len(found) - len(slower) - len(faster)
    lines += [f"{same} of {len(found)} ratios are the same as in {then.version}, within noise."]
    missing = [name for name in then.ratios if name not in now.ratios]
    if missing:
        lines.append(f"Not measured here, but in {then.version}: {', '.join(missing)}.")
    new = [name for name in now.ratios if name not in then.ratios]
    if new:
        lines.append(f"Measured here, but not in {then.version}: {', '.join(new)}.")
    if _minor(then.python) != _minor(now.python):
        lines.append(
            f"The ratios of {then.version} are from Python {then.python}, and this is Python"
            f" {now.python}: differences may come from Python."
        )
    return lines


def has_slower(then: BuildRatios, now: BuildRatios) -> bool:
    """Return whether anything became slower beyond noise."""
    return any(change.is_slower for change in changes(then.ratios, now.ratios))


def _minor(python: str) -> str:
    return python.rpartition(".")[0]

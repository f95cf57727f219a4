"""Helpers of the benchmarks: the heading of their JSON, rounding, a temporary folder, one core."""

from __future__ import annotations

import gc
import math
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.system import pinned, usable_cores
from referee.version import __version__, build_name


def heading(bench: str) -> dict[str, object]:
    """Return the first keys of a benchmark's JSON: its name, and the build that it measured."""
    return {
        "bench": bench,
        "build": build_name(),
        "python": platform.python_version(),
        "referee": __version__,
    }


def rounded(figure: object, digits: int = 2) -> object:
    """Return a figure for JSON; one that could not be measured (NaN) becomes None."""
    if not isinstance(figure, float):
        return figure
    return None if math.isnan(figure) else round(figure, digits)


def cpu_time(work: Callable[[], object]) -> float:
    """Call `work` and return the CPU time that it took, in seconds."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


@contextmanager
def scratch() -> Iterator[Path]:
    """Create a temporary folder for programs and records."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder:
        yield Path(folder)


@contextmanager
def one_core() -> Iterator[None]:
    """Pin the referee and its bots to one core, as in a tournament, if the system allows it."""
    gc.freeze()  # as a worker does
    with pinned(next(iter(usable_cores()), None)):
        yield

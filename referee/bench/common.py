"""What the benches share: what was measured by which build, figures for programs, and a folder."""

from __future__ import annotations

import math
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from referee import __version__
from referee.bench.build import build_name


def heading(bench: str) -> dict[str, object]:
    """How the object of a bench begins: which bench, and what it has measured."""
    return {
        "bench": bench,
        "build": build_name(),
        "python": platform.python_version(),
        "referee": __version__,
    }


def rounded(figure: object, digits: int = 2) -> object:
    """A figure for programs; one that could not be measured is none, for JSON has no NaN."""
    if not isinstance(figure, float):
        return figure
    return None if math.isnan(figure) else round(figure, digits)


def cpu_time(work: Callable[[], object]) -> float:
    """The CPU time that some work takes, in seconds."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for programs and records that nobody keeps."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder:
        yield Path(folder)

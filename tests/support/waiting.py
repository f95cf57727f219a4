"""Wait for a condition, but not forever."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 60.0


def wait_until(is_so: Callable[[], object], what: str) -> None:
    """Return as soon as the condition holds; fails after PATIENCE_S seconds and says `what`."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE_S:.0f} s"
        time.sleep(0.01)

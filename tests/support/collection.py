"""What makes the collection of the tests fast: kept bytecode, which the workers of xdist share.

Most of the time of a collection goes into rewriting asserts. pytest keeps the rewritten code in
`__pycache__`, except where PYTHONDONTWRITEBYTECODE is set; there it is kept in pytest's own cache.
So is the bytecode of the processes that tests start: most of the start of a bot is compiling.
"""

from __future__ import annotations

import os
import sys

import pytest

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
STARTS_AT_THE_END = int(WORKER.removeprefix("gw")) % 2 == 1


def keep_bytecode(config: pytest.Config) -> None:
    """Keep the bytecode of what is imported from now on, if it is not kept anyway."""
    cache = getattr(config, "cache", None)  # pytest can run without one
    if sys.dont_write_bytecode and cache is not None:
        sys.pycache_prefix = str(cache.mkdir("bytecode"))
        sys.dont_write_bytecode = False


def keep_no_more_bytecode() -> None:
    """Import as before: tests write and import modules that exist only once.

    The processes that tests start keep their bytecode where the collection did.
    """
    kept = sys.pycache_prefix
    sys.pycache_prefix = os.environ.get("PYTHONPYCACHEPREFIX")
    sys.dont_write_bytecode = "PYTHONDONTWRITEBYTECODE" in os.environ
    if sys.dont_write_bytecode and kept:
        os.environ["PYTHONPYCACHEPREFIX"] = kept
        del os.environ["PYTHONDONTWRITEBYTECODE"]


def share_rewriting(collector: pytest.Collector, report: pytest.CollectReport) -> None:
    """Let every second worker begin with the last folder, and so meet the others in the middle.

    Until then it rewrites other files than they do; from then on it finds their bytecode.
    """
    if STARTS_AT_THE_END and isinstance(collector, pytest.Dir):
        report.result.reverse()

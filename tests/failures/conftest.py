"""Where workers and bots are killed, their orphans may come to this process: nobody is left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import support.reaping
from referee.bots.reaper import REAPER


@pytest.fixture(autouse=True)
def in_charge() -> Iterator[None]:
    """This process ends what bots leave, for as long as a test takes; what others left is ended first."""
    with support.reaping.in_charge():
        REAPER.sweep()
        yield
        REAPER.sweep()

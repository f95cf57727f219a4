"""Where workers and bots are killed, their orphans may come to this process: nobody is left."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pytest

from referee.match.reaper import REAPER

_PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture(autouse=True)
def in_charge() -> Iterator[None]:
    """This process ends what bots leave, for as long as a test takes; what others left is ended first."""
    REAPER.take_charge()
    REAPER.sweep()
    yield
    REAPER.sweep()
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    REAPER.in_charge = False

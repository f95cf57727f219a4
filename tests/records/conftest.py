"""Tests with bots: this process takes charge of what they leave, for as long as a test takes."""

import ctypes
from collections.abc import Iterator

import pytest

from referee.match.reaper import REAPER

_PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture
def in_charge() -> Iterator[None]:
    """Orphans of bots become children of this process, and are ended with them."""
    REAPER.take_charge()
    yield
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    REAPER.in_charge = False

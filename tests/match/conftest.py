"""Tests with bots: this process takes charge of what they leave, for as long as a module takes."""

import ctypes
from collections.abc import Iterator

import pytest

from match_table import send_home
from referee.match.reaper import REAPER

_PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture(scope="module")
def in_charge() -> Iterator[None]:
    """Orphans of bots become children of this process, and are ended with them."""
    REAPER.take_charge()
    yield
    send_home()
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    REAPER.in_charge = False

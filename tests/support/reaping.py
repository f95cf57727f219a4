"""Makes the test process adopt and kill the processes that bots leave."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from referee.bots.reaper import REAPER

_PR_SET_CHILD_SUBREAPER = 36


@contextmanager
def in_charge() -> Iterator[None]:
    """Inside the block, orphans of bots become children of this process and are killed."""
    REAPER.take_charge()
    try:
        yield
    finally:
        give_up_charge()


def give_up_charge() -> None:
    """Undo `take_charge`: the child processes of this process are its own again."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    REAPER.in_charge = False

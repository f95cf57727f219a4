"""Certain ends: whatever descends from a bot is found and killed, and nothing stays a zombie.

A process that runs bots and nothing else takes charge (`take_charge`): orphans of bots become its
children, and every child that is no bot in play is a stray. Where others have children too, only
those that carry a bot's mark are strays.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

MARK = "HANSA_REFEREE_BOT"
_PR_SET_CHILD_SUBREAPER = 36
_LONGEST_SWEEP_S = 10.0


class Reaper:
    """Knows the bots in play, and ends what others they left."""

    def __init__(self) -> None:
        self.in_charge = False
        self._bots: set[int] = set()

    def take_charge(self) -> None:
        """Become the parent of orphans; for processes whose children are all bots."""
        if sys.platform == "linux":
            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            self.in_charge = True

    def enter(self, pid: int) -> None:
        """A bot is in play."""
        self._bots.add(pid)

    def end(self, pid: int) -> None:
        """Kill a bot with its whole session, and what else of it is left."""
        _kill_group(pid)
        _kill(pid)
        self._bots.discard(pid)
        _wait(pid)
        self.sweep()

    def sweep(self) -> None:
        """Kill strays until there are none; killing a parent may uncover its children."""
        give_up = time.monotonic() + _LONGEST_SWEEP_S
        while (strays := self._strays()) and time.monotonic() < give_up:
            for pid in strays:
                _kill_group(pid)
                _kill(pid)
            for pid in strays:
                _wait(pid)

    def _strays(self) -> list[int]:
        children = [pid for pid in _children() if pid not in self._bots]
        if self.in_charge:
            return children
        return [pid for pid in children if _is_marked(pid)]


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _kill_group(pid: int) -> None:
    """Kill the process group that this process leads; never our own."""
    if pid == os.getpgrp():
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _wait(pid: int) -> None:
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _children() -> list[int]:
    """Our children, dead ones that nobody waited for included."""
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    except OSError:
        return []
    return [int(pid) for pid in text.split()]


def _is_marked(pid: int) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"{MARK}={os.getpid()}".encode() in environment.split(b"\0")


REAPER = Reaper()

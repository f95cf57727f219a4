"""Certain ends: whatever descends from a bot is found and killed, and nothing stays a zombie.

A process that runs bots and nothing else takes charge (`take_charge`): orphans of bots become its
children, and every child is a stray that is neither a bot in play nor in the session of one. Where
others have children too, only those that carry a bot's mark are strays.
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
        killed = _kill(pid)
        self._bots.discard(pid)
        if killed:
            _wait(pid)
        self.sweep()

    def sweep(self) -> None:
        """Kill strays until there are none; killing a parent may uncover its children."""
        give_up = time.monotonic() + _LONGEST_SWEEP_S
        spared: set[int] = set()
        while (strays := self._strays() - spared) and time.monotonic() < give_up:
            for pid in strays:
                _kill_group(pid)
                if not _kill(pid):
                    spared.add(pid)  # of another user: to wait for it might be for ever
            for pid in strays - spared:
                _wait(pid)

    def _strays(self) -> set[int]:
        children = [pid for pid in _children() if not self._is_in_play(pid)]
        return {pid for pid in children if self.in_charge or _is_marked(pid)}

    def _is_in_play(self, pid: int) -> bool:
        """Whether it is a bot in play, or an orphan that such a one still has in its session."""
        if pid in self._bots:
            return True
        try:
            return os.getsid(pid) in self._bots
        except OSError:
            return False


def _kill(pid: int) -> bool:
    """Whether it was ours to kill; the dead are."""
    try:
        os.kill(pid, signal.SIGKILL)
    except PermissionError:
        return False
    except ProcessLookupError:
        pass
    return True


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

"""Kills a bot's whole process tree and reaps it.

A process that runs only bots calls `take_charge`: orphans of bots become its children, and every
child is a stray unless it is a running bot or in the session of one. In any other process, only
children with the mark of a bot in their environment are strays.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MARK = "HANSA_REFEREE_BOT"
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_LONGEST_SWEEP_S = 10.0


class Reaper:
    """Knows the running bots, and kills the processes that other bots left."""

    def __init__(self) -> None:
        self.in_charge = False
        self._bots: set[int] = set()

    def take_charge(self) -> None:
        """Become the parent of orphans; only for a process whose children are all bots."""
        if sys.platform == "linux":
            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            self.in_charge = True

    @contextmanager
    def adopting(self) -> Iterator[None]:
        """Become the parent of orphans for the time of the block."""
        if self.in_charge or sys.platform != "linux":
            yield
            return
        system, before = ctypes.CDLL(None, use_errno=True), ctypes.c_int()
        system.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0)
        system.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            yield
        finally:
            system.prctl(_PR_SET_CHILD_SUBREAPER, before.value, 0, 0, 0)

    def enter(self, pid: int) -> None:
        """Note that this process is a running bot."""
        self._bots.add(pid)

    def end(self, pid: int) -> None:
        """Kill a bot, its session and every stray, and reap them."""
        _kill_group(pid)
        killed = _kill(pid)
        self._bots.discard(pid)
        if killed:
            _wait(pid)
        for child in _children():
            # Of a dead one, the mark cannot be read any more.
            if _session(child) == pid and _kill(child):
                _wait(child)
        self.sweep()

    def sweep(self) -> None:
        """Kill strays until there are none; when a parent dies, its children become strays."""
        give_up = time.monotonic() + _LONGEST_SWEEP_S
        spared: set[int] = set()
        while (strays := self._strays() - spared) and time.monotonic() < give_up:
            for pid in strays:
                _kill_group(pid)
                if not _kill(pid):
                    spared.add(pid)  # of another user: waiting for it might never end
            for pid in strays - spared:
                _wait(pid)

    def _strays(self) -> set[int]:
        children = [pid for pid in _children() if not self._is_running_bot(pid)]
        return {pid for pid in children if self.in_charge or _is_marked(pid)}

    def _is_running_bot(self, pid: int) -> bool:
        """Whether it is a running bot, or an orphan in the session of one."""
        return pid in self._bots or _session(pid) in self._bots


def _session(pid: int) -> int | None:
    """The leader of the session of a process; None if the process is gone."""
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _kill(pid: int) -> bool:
    """Whether we were allowed to kill it; True if it was dead already."""
    try:
        os.kill(pid, signal.SIGKILL)
    except PermissionError:
        return False
    except ProcessLookupError:
        pass
    return True


def _kill_group(pid: int) -> None:
    """Kill the process group with this leader, unless it is our own."""
    if pid == os.getpgrp():
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _wait(pid: int) -> None:
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _children() -> list[int]:
    """The process IDs of our children, including zombies."""
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

"""Holds bubblewrap's child until its limits are set from outside.

This saves a program inside that only sets limits, which would take a tenth of the whole start. Limits
cannot be set before bubblewrap starts: only inside are processes counted for the bot alone.
"""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

_PID: Final = re.compile(rb'"child-pid": (\d+)\D')


class StartGate:
    """Two pipes: bubblewrap writes to one which process waits, and reads from the other to continue."""

    def __init__(self) -> None:
        self._info_read, self._info_write = os.pipe()
        self._block_read, self._block_write = os.pipe()
        self._is_opened = False

    def options(self) -> list[str]:
        """The options of bubblewrap that name its ends of the pipes."""
        return ["--info-fd", str(self._info_write), "--block-fd", str(self._block_read)]

    def passed(self) -> tuple[int, int]:
        """The descriptors that bubblewrap inherits."""
        return self._info_write, self._block_read

    def open(self, limits: Mapping[int, int]) -> None:
        """Set these limits for the process that waits, then let it continue.

        Does nothing if bubblewrap ended before it named a process. OSError if a limit cannot be set.
        """
        for end in self.passed():
            os.close(end)
        self._is_opened = True
        info = b""
        while b"}" not in info and (more := os.read(self._info_read, 1024)):
            info += more
        if b"}" not in info:
            return
        found = _PID.search(info)
        if found is None:
            raise OSError(None, "bubblewrap does not say which process waits")
        for number, amount in limits.items():
            resource.prlimit(int(found[1]), number, (amount, amount))
        with suppress(BrokenPipeError):
            os.write(self._block_write, b"\n")

    def close(self) -> None:
        """Close all pipes; only after `open`, or once bubblewrap has ended.

        A process that still waited would continue without limits.
        """
        own = (self._info_read, self._block_write)
        for end in own if self._is_opened else (*own, *self.passed()):
            os.close(end)

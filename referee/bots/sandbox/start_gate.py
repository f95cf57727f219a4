"""Holds bubblewrap's child until its limits are set from outside.

This saves a program inside that only sets limits, which would take a tenth of the whole start. Limits
cannot be set before bubblewrap starts: only inside are processes counted for the bot alone, and only
then does the scratch folder exist.
"""

from __future__ import annotations

import os
import re
import resource
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from referee.system import is_running

_PID: Final = re.compile(rb'"child-pid": (\d+)\D')


class StartGate:
    """Two small files that bubblewrap copies into the sandbox after it has made the folders there.

    When it closes the first one, the folders are made; it waits until the second one ends. A pipe
    says which process waits.
    """

    def __init__(self, users: str, groups: str) -> None:
        self._info_read, self._info_write = os.pipe()
        self._wait_read, self._wait_write = os.pipe()
        self._pipes = {self._info_read, self._info_write, self._wait_read, self._wait_write}
        self._ready, self._hangup = socket.socketpair()
        self._hangup.sendall(users.encode())
        self._hangup.shutdown(socket.SHUT_WR)
        self._groups = groups.encode()

    def options(self) -> list[str]:
        """The options of bubblewrap that name the pipes and make the two files."""
        return [
            "--info-fd", str(self._info_write),
            "--file", str(self._ready.fileno()), "/etc/passwd",
            "--file", str(self._wait_read), "/etc/group",
        ]  # fmt: skip

    def passed(self) -> tuple[int, int, int]:
        """The descriptors that bubblewrap inherits."""
        return self._info_write, self._ready.fileno(), self._wait_read

    def open(self, limits: Mapping[int, int], set_more: Callable[[int], None]) -> int | None:
        """Set these limits for the process that waits, let it continue, and return its ID.

        `set_more` is called with the ID when the folders inside are made, and may raise OSError. Does
        nothing more, and returns None, if bubblewrap ended before it had made them. OSError if a limit
        cannot be set.
        """
        self._close_passed()
        info = b""
        while b"}" not in info and (more := os.read(self._info_read, 1024)):
            info += more
        if b"}" not in info:
            return None
        found = _PID.search(info)
        if found is None:
            raise OSError(None, "bubblewrap does not say which process waits")
        pid = int(found[1])
        try:
            for number, amount in limits.items():
                resource.prlimit(pid, number, (amount, amount))
            self._hangup.recv(1)
        except (ProcessLookupError, ConnectionResetError):
            return None  # it ended without reading the first file, and says why on stderr
        try:
            set_more(pid)
        except OSError:
            if is_running(pid):
                raise
        with suppress(BrokenPipeError):
            os.write(self._wait_write, self._groups)
        self._close(self._wait_write)
        return pid

    def close(self) -> None:
        """Close everything; only after `open`, or once bubblewrap has ended.

        A process that still waited would continue without limits.
        """
        self._close_passed()
        self._hangup.close()
        self._close(*self._pipes)

    def _close_passed(self) -> None:
        self._ready.close()
        self._close(*({self._info_write, self._wait_read} & self._pipes))

    def _close(self, *ends: int) -> None:
        for end in ends:
            os.close(end)
            self._pipes.remove(end)

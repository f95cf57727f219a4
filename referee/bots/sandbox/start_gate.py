"""The gate of a strict sandbox: what is inside waits at it until its limits are set from outside.

So no program has to be started inside just to set them, which takes a tenth of a start. They are not
set before bubblewrap begins, since processes are counted for the bot alone only inside.
"""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

_PID: Final = re.compile(rb'"child-pid": (\d+)\D')


class Gate:
    """Two pipes: by one bubblewrap tells which process waits, and the other one lets it go on."""

    def __init__(self) -> None:
        self._hears, self._tells = os.pipe()
        self._waits, self._opens = os.pipe()
        self._is_told = False

    def words(self) -> list[str]:
        """What bubblewrap needs to know."""
        return ["--info-fd", str(self._tells), "--block-fd", str(self._waits)]

    def passed(self) -> tuple[int, int]:
        """The ends that are bubblewrap's."""
        return self._tells, self._waits

    def open(self, limits: Mapping[int, int]) -> None:
        """Set these limits for whoever waits, then let it go on.

        Nobody waits where bubblewrap has ended before it told anything.
        """
        for end in self.passed():
            os.close(end)
        self._is_told = True
        told = b""
        while b"}" not in told and (more := os.read(self._hears, 1024)):
            told += more
        if b"}" not in told:
            return
        found = _PID.search(told)
        if found is None:
            raise OSError(None, "bubblewrap does not tell which process waits")
        for number, amount in limits.items():
            resource.prlimit(int(found[1]), number, (amount, amount))
        with suppress(BrokenPipeError):
            os.write(self._opens, b"\n")

    def close(self) -> None:
        """It was opened, or nobody is there any more: who still waited would go on without limits."""
        own = (self._hears, self._opens)
        for end in own if self._is_told else (*own, *self.passed()):
            os.close(end)

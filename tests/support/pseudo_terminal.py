"""Runs the command in a real pseudo-terminal, and shows what is on its screen.

    with PseudoTerminal(["replay", "game.jsonl"], columns=80, rows=24) as terminal:
        terminal.see("0 of 500")
        terminal.press("\x1b[C")

It knows only the few escape sequences that the viewer uses; any other one fails the test, so that
no text of a record can be a command to the terminal.
"""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from support.forks import Fork
from support.paths import REFEREE

PATIENCE_S = 60.0
LONGEST = 40  # a sequence that is not complete yet
KNOWN = re.compile(
    r"\x1b\[(?P<row>\d+);1H|(?P<clear>\x1b\[K)|(?P<style>\x1b\[[\d;]*m)|\x1b\[\?(?P<mode>\d+)(?P<on>[hl])"
)


def read_all(master: int) -> str:
    """Read what was written to a terminal, until nothing follows."""
    data = b""
    while select.select([master], [], [], 0.05)[0]:
        data += os.read(master, 65536)
    return data.decode()


class PseudoTerminal:
    """One command in a terminal of its own."""

    def __init__(
        self, words: Sequence[str], *, columns: int = 80, rows: int = 24, **environment: str
    ) -> None:
        self.columns, self.rows = columns, rows
        self.lines = [""] * rows
        self.written = ""  # everything
        self.styles: list[str] = []  # every style that was set
        self.modes: dict[int, bool] = {}
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""
        self._row = 0
        self._master, self._slave = pty.openpty()
        self.before = termios.tcgetattr(self._slave)
        self.resize(columns, rows)
        plain = {
            key: os.environ[key] for key in ("PATH", "HOME", "PYTHONPATH") if key in os.environ
        }
        self.process = Fork(
            [*REFEREE, *words],
            stdin=self._slave,
            stdout=self._slave,
            stderr=subprocess.PIPE,
            env={**plain, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
            process_group=0,  # in this session, so that it can be stopped
        )

    def __enter__(self) -> PseudoTerminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self._master)
        os.close(self._slave)

    # -- what a person does

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._master, key.encode())

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, size)
        if hasattr(self, "process"):
            self.lines = [""] * rows
            self.process.send_signal(signal.SIGWINCH)

    def see(self, *texts: str) -> str:
        """Wait until the screen shows all of these texts, and return the screen."""
        until = time.monotonic() + PATIENCE_S
        while not all(text in self.screen for text in texts):
            assert time.monotonic() < until, f"no {texts} on\n{self.screen}"
            assert self.process.poll() is None or self._read(), f"it ended at\n{self.screen}"
            self._read()
        return self.screen

    def see_once(self, text: str) -> None:
        """Wait until this text has been written, though it may be gone from the screen already."""
        until = time.monotonic() + PATIENCE_S
        while text not in self.written:
            assert time.monotonic() < until, f"never {text!r} before\n{self.screen}"
            self._read()

    def leave(self) -> int:
        """Wait until the command has ended, and return its exit status."""
        until = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < until, f"it does not end at\n{self.screen}"
            self._read()
        while self._read():
            pass
        return self.process.returncode

    # -- what is there

    @property
    def screen(self) -> str:
        return "\n".join(self.lines)

    @property
    def settings(self) -> list[Any]:
        """The present settings of the terminal."""
        return termios.tcgetattr(self._slave)

    def _read(self) -> bool:
        """Read the output, waiting for it a little; return whether there was any."""
        if not select.select([self._master], [], [], 0.05)[0]:
            return False
        text = self._decoder.decode(os.read(self._master, 65536))
        self.written += text
        self._show(self._rest + text)
        return True

    def _show(self, text: str) -> None:
        self._rest = ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self._print(text[at])
                at += 1
            elif found := KNOWN.match(text, at):
                self._obey(found)
                at = found.end()
            else:
                assert len(text) - at < LONGEST, f"an unknown sequence: {text[at : at + 20]!r}"
                self._rest = text[at:]
                return

    def _obey(self, found: re.Match[str]) -> None:
        if found["row"]:
            self._row = int(found["row"]) - 1
        elif found["clear"] and self._row < len(self.lines):
            self.lines[self._row] = ""
        elif found["style"]:
            self.styles.append(found["style"])
        elif found["mode"]:
            self.modes[int(found["mode"])] = found["on"] == "h"

    def _print(self, sign: str) -> None:
        assert sign in "\r\n" or sign.isprintable(), f"a control character: {sign!r}"
        if sign in "\r\n":
            self._row += sign == "\n"
            while self._row >= len(self.lines):
                self.lines.append("")
        elif self._row < len(self.lines):
            self.lines[self._row] += sign

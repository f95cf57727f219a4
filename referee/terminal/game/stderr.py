"""Prints what bots write to stderr, as it comes."""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final

from referee.text import visible_lines

_PAUSE_S: Final = 0.05
_PIECE: Final = 1 << 16
_LONGEST_LINE: Final = 4096  # bytes; what is longer is printed in several lines


class StderrPrinter:
    """As a context manager: prints each new line of some files on our stderr, after a bot's name.

    A thread does it, so that the game never waits for the reader of our output.
    """

    def __init__(self) -> None:
        self._files: list[_GrowingFile] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> StderrPrinter:
        return self

    def follow(self, name: str, path: Path) -> None:
        """Print the lines of this file, which need not exist yet."""
        self._files.append(_GrowingFile(name, path))
        if self._thread is None:
            self._thread = threading.Thread(target=self._print_until_stop, daemon=True)
            self._thread.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _print_until_stop(self) -> None:
        try:
            while not self._stop.wait(_PAUSE_S):
                self._print()
            self._print(is_last=True)
        except (OSError, ValueError):  # our own stderr was closed
            return
        finally:
            for file in self._files:
                file.close()

    def _print(self, *, is_last: bool = False) -> None:
        for file in tuple(self._files):
            for line in file.new_lines(is_last=is_last):
                for part in visible_lines(line.decode(errors="replace")) or [""]:
                    sys.stderr.write(f"{file.name} | {part}\n")
        sys.stderr.flush()


class _GrowingFile:
    """A file that a bot writes, and what was read of it."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path
        self._file: int | None = None
        self._at = 0
        self._begun = b""  # a line without its end

    def new_lines(self, *, is_last: bool) -> Iterator[bytes]:
        """Yield the lines that were written since the last call; with `is_last` also half a line."""
        while data := self._read():
            *lines, self._begun = (self._begun + data).split(b"\n")
            yield from lines
            if len(self._begun) > _LONGEST_LINE:
                yield self._begun
                self._begun = b""
        if is_last and self._begun:
            yield self._begun

    def _read(self) -> bytes:
        if self._file is None:
            self._file = _opened(self._path)
        if self._file is None:
            return b""
        if os.fstat(self._file).st_size < self._at:  # it was emptied
            self._at = 0
        data = os.pread(self._file, _PIECE, self._at)
        self._at += len(data)
        return data

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)


def _opened(path: Path) -> int | None:
    """The file, if there is one; a bot may have put something else in its place, such as a pipe."""
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        if stat.S_ISREG(os.fstat(file).st_mode):
            return file
        os.close(file)
    return None

"""The terminal in full-screen mode: it sends keys at once, shows a drawn screen, and is restored at the end."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Final, TypeAlias

from rich.console import Console

from referee.terminal.full_screen.keys import Keys

ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l"  # the alternate screen, no cursor, no wrapping
LEAVE: Final = "\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l"
LINE: Final = "\x1b[{row};1H\x1b[K{line}"
ESCAPE_SECONDS: Final = 0.05  # an escape that nothing follows for this long is a key
READ_BYTES: Final = 4096
BACKGROUND_SECONDS: Final = 0.4  # between checks whether the shell gave the terminal back
DEFAULT_SIZE: Final = (80, 24)

Handler: TypeAlias = Callable[[int, FrameType | None], Any] | int | None


def can_be_watched() -> bool:
    """Whether standard input and output are a terminal that can show a whole screen."""
    console = Console()
    return sys.stdin.isatty() and console.is_terminal and not console.is_dumb_terminal


def can_be_taken(keyboard: int = 0) -> bool:
    """Whether this process is in the foreground; the shell stops a background job that takes the terminal."""
    try:
        return os.tcgetpgrp(keyboard) == os.getpgrp()
    except OSError:
        return True  # not the terminal of this session: there is no job control


class RawTerminal:
    """A context manager for full-screen mode; the terminal is restored however the context ends.

    Nothing here waits for the screen: while a terminal does not take its bytes (a slow connection,
    Ctrl-S), frames are left out. In the background it draws nothing.
    """

    def __init__(self, keyboard: int = 0, screen: int = 1, encoding: str = "utf-8") -> None:
        self._keyboard = keyboard
        self._screen = screen
        self._encoding = encoding
        self._keys = Keys()
        self._saved: list[Any] | None = None
        self._handlers: dict[int, Handler] = {}
        self._woken = self._wake = self._waker = -1
        self._stop_requested = False
        self._is_taken = False
        self._shown: list[str | None] = []
        self._output = screen  # until it is opened again
        self._unwritten = b""

    # -- entering and leaving

    def __enter__(self) -> RawTerminal:
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        for number, handler in (
            (signal.SIGWINCH, self._resized),
            (signal.SIGTSTP, self._request_stop),
            (signal.SIGTERM, _end),
            (signal.SIGHUP, _end),
        ):
            self._handlers[number] = signal.signal(number, handler)
        # Python runs its handlers only after `select` returns: this pipe makes it return at a signal.
        self._waker = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            self._output = _open_without_waiting(self._screen)
            self._take()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._give_back()
        finally:
            signal.set_wakeup_fd(self._waker)
            for number, handler in self._handlers.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)
            os.close(self._woken)
            os.close(self._wake)
            if self._output != self._screen:
                os.close(self._output)

    def _take(self) -> None:
        if self._saved is None:
            self._saved = termios.tcgetattr(self._keyboard)
        tty.setcbreak(self._keyboard, termios.TCSADRAIN)
        self._is_taken = True
        self._shown = []
        self._write(ENTER)

    def _give_back(self) -> None:
        """Restore the terminal, if it was taken and still exists; this waits for the screen."""
        if not self._is_taken:
            return
        self._is_taken = False
        data, self._unwritten = self._unwritten + LEAVE.encode(), b""
        with suppress(OSError, termios.error):
            while data:
                data = data[os.write(self._screen, data) :]
        with suppress(OSError, termios.error):
            if self._saved is not None:
                termios.tcsetattr(self._keyboard, termios.TCSADRAIN, self._saved)

    # -- signals

    def _resized(self, *_: object) -> None:
        self._shown = []

    def _request_stop(self, *_: object) -> None:
        self._stop_requested = True

    def _stop(self) -> None:
        """Ctrl-Z: give the terminal to the shell; `wait` takes it back in the foreground."""
        self._stop_requested = False
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._request_stop)

    def _is_here(self) -> bool:
        """Whether the terminal is ours now; it is taken back when the shell gives it back."""
        if not can_be_taken(self._keyboard):
            self._is_taken = False  # the shell has restored its own settings
        elif not self._is_taken:
            self._take()
        return self._is_taken

    # -- keys and screen

    def size(self) -> tuple[int, int]:
        """Columns and rows of the screen."""
        try:
            columns, rows = os.get_terminal_size(self._screen)
        except OSError:
            return DEFAULT_SIZE
        return (columns, rows) if columns > 0 and rows > 0 else DEFAULT_SIZE

    def wait(self, seconds: float | None) -> list[str]:
        """Wait at most `seconds` for keys; the list is empty if none came or the size changed."""
        if self._keys.is_waiting:
            seconds = ESCAPE_SECONDS if seconds is None else min(seconds, ESCAPE_SECONDS)
        sources, targets = [self._woken], [self._output] if self._unwritten else []
        if self._is_here():
            sources.append(self._keyboard)
        else:
            seconds = min(BACKGROUND_SECONDS if seconds is None else seconds, BACKGROUND_SECONDS)
        ready, writable, _ = select.select(sources, targets, [], seconds)
        if self._woken in ready:
            os.read(self._woken, READ_BYTES)
            if self._stop_requested:
                self._stop()
                return []
        if writable:
            self._flush()
        if self._keyboard in ready:
            data = os.read(self._keyboard, READ_BYTES)
            return self._keys.feed(data) if data else ["q"]
        return self._keys.flush() if not ready else []

    def draw(self, lines: list[str]) -> None:
        """Show one line in each row; only lines that changed are written."""
        self._flush()
        if self._unwritten or not self._is_here():
            return
        before = self._shown if len(self._shown) == len(lines) else [None] * len(lines)
        changed = [
            LINE.format(row=row, line=line)
            for row, (line, old) in enumerate(zip(lines, before, strict=True), 1)
            if line != old
        ]
        self._shown = [*lines]
        self._write("".join(changed))

    def _write(self, text: str) -> None:
        self._unwritten += text.encode(self._encoding, "replace")
        self._flush()

    def _flush(self) -> None:
        """Write as much as the terminal takes now."""
        with suppress(BlockingIOError):
            while self._unwritten:
                self._unwritten = self._unwritten[os.write(self._output, self._unwritten) :]


def _open_without_waiting(screen: int) -> int:
    """Open the terminal once more so that writing never waits; the settings of `screen` are its owner's."""
    try:
        return os.open(os.ttyname(screen), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return screen  # a terminal of another container or user: writing may wait


def _end(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)

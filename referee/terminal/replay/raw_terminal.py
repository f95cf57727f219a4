"""A terminal of one's own: keys as they are pressed, a screen to draw on, and everything as it was afterwards."""

from __future__ import annotations

import os
import select
import signal
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Final, TypeAlias

from referee.terminal.replay.keys import Keys

ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l"  # another screen, no cursor, no wrapping
LEAVE: Final = "\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l"
LINE: Final = "\x1b[{row};1H\x1b[K{line}"
ESCAPE_S: Final = 0.05  # an escape that nothing follows for so long is a key
SOME: Final = 4096
USUAL_SIZE: Final = (80, 24)

Handler: TypeAlias = Callable[[int, FrameType | None], Any] | int | None


class Terminal:
    """Raw keys and a screen while it is entered; whatever ends it, the terminal is as it was."""

    def __init__(self, keyboard: int = 0, screen: int = 1, encoding: str = "utf-8") -> None:
        self._keyboard = keyboard
        self._screen = screen
        self._encoding = encoding
        self._keys = Keys()
        self._saved: list[Any] | None = None
        self._handlers: dict[int, Handler] = {}
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._waker = -1
        self._stops = False
        self._shown: list[str | None] = []

    # -- coming and going

    def __enter__(self) -> Terminal:
        for number, handler in (
            (signal.SIGWINCH, self._resized),
            (signal.SIGTSTP, self._asked_to_stop),
            (signal.SIGTERM, _end),
            (signal.SIGHUP, _end),
        ):
            self._handlers[number] = signal.signal(number, handler)
        # Python's own handlers wait for `select` to end: this ends it, whenever a signal comes.
        self._waker = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
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

    def _take(self) -> None:
        if self._saved is None:
            self._saved = termios.tcgetattr(self._keyboard)
        tty.setcbreak(self._keyboard, termios.TCSADRAIN)
        self._shown = []
        self._write(ENTER)

    def _give_back(self) -> None:
        """The terminal as it was; one that is gone needs nothing."""
        with suppress(OSError, termios.error):
            self._write(LEAVE)
        with suppress(OSError, termios.error):
            if self._saved is not None:
                termios.tcsetattr(self._keyboard, termios.TCSADRAIN, self._saved)

    # -- signals

    def _resized(self, *_: object) -> None:
        self._shown = []

    def _asked_to_stop(self, *_: object) -> None:
        self._stops = True

    def _stop(self) -> None:
        """Ctrl-Z: the shell gets its terminal, and later we get it again."""
        self._stops = False
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._asked_to_stop)
        self._take()

    # -- keys and screen

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self._screen)
        except OSError:
            return USUAL_SIZE
        return (columns, rows) if columns > 0 and rows > 0 else USUAL_SIZE

    def wait(self, seconds: float | None) -> list[str]:
        """The keys that are pressed until then; none when the size changed or the time has passed."""
        if self._keys.is_waiting:
            seconds = ESCAPE_S
        ready, _, _ = select.select([self._keyboard, self._woken], [], [], seconds)
        if self._woken in ready:
            os.read(self._woken, SOME)
            if self._stops:
                self._stop()
        if self._keyboard in ready:
            data = os.read(self._keyboard, SOME)
            return self._keys.feed(data) if data else ["q"]
        return self._keys.flush() if not ready else []

    def draw(self, lines: list[str]) -> None:
        """Show these lines, a row each; only those that changed are written."""
        before = self._shown if len(self._shown) == len(lines) else [None] * len(lines)
        changed = [
            LINE.format(row=row, line=line)
            for row, (line, old) in enumerate(zip(lines, before, strict=True), 1)
            if line != old
        ]
        self._shown = [*lines]
        self._write("".join(changed))

    def _write(self, text: str) -> None:
        data = text.encode(self._encoding, "replace")
        while data:
            data = data[os.write(self._screen, data) :]


def _end(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)

"""Opens a page in the user's browser, so that the browser outlives the referee.

The referee kills the orphans of its bots, and a browser would look like one of them. So a small
process that has left the referee's tree opens it. It reads the address from its standard input,
because arguments of processes are not secret.
"""

from __future__ import annotations

import html
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final

_FILE_S: Final = 20.0  # until the file with the address of a seat is deleted

_OPEN: Final = """\
import os, sys, webbrowser
if os.fork():
    os._exit(0)
address = sys.stdin.readline().strip()
if address:
    webbrowser.open(address)
"""


class PageOpener:
    """A process that waits for an address and opens it; start it before the bots."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-I", "-c", _OPEN],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._process.wait()

    def __enter__(self) -> PageOpener:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def open(self, address: str) -> None:
        """Open this address; it must not be secret, because a browser gets it as an argument."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(f"{address}\n".encode())
        self._close()

    def _close(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()


@contextmanager
def opening_file(address: str) -> Iterator[Path]:
    """A file that leads a browser to a secret address, which only this user can read.

    It is deleted after some seconds, at the latest at the end of the block. It is in the home folder:
    browsers in a sandbox of their own cannot read temporary files or hidden folders.
    """
    page = f'<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={html.escape(address)}">'
    number, name = tempfile.mkstemp(".html", "referee-seat-", _readable_folder())
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(page)
    path = Path(name)
    timer = threading.Timer(_FILE_S, path.unlink, kwargs={"missing_ok": True})
    timer.daemon = True
    timer.start()
    try:
        yield path
    finally:
        timer.cancel()
        path.unlink(missing_ok=True)


def _readable_folder() -> str | None:
    home = Path.home()
    return str(home) if os.access(home, os.W_OK) else None


def has_display() -> bool:
    """Whether a browser with windows can be opened; one in the terminal would cover the referee's output."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(address: str) -> None:
    """Open an address that is not secret, if there is a browser with windows."""
    if has_display():
        with PageOpener() as opener:
            opener.open(address)

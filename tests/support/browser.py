"""A real browser for tests: Chromium without a window, driven over a pipe by the DevTools protocol.

    with Browser() as browser:
        page = browser.open(path)
        page.press("End")
        assert page.run("document.body.dataset.step") == "12"
        assert page.complaints == []

Nothing is installed for it but the browser itself. Every wait has a deadline, and leaving the block ends
the whole group of its processes.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Words = dict[str, Any]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
SECONDS = 30.0
# The browser reads commands from descriptor 3 and answers on 4.
_LAUNCH = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4);"
    " os.execv(sys.argv[3], sys.argv[3:])"
)
_KEYS = {
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "Home": 36,
    "End": 35,
    "PageUp": 33,
    "PageDown": 34,
    " ": 32,
    "Enter": 13,
    "Tab": 9,
    "Escape": 27,
}


def no_browser() -> bool:
    """Whether to do without: there is none and none is needed, or REFEREE_NEED_BROWSER=0 says so."""
    needed = os.environ.get("REFEREE_NEED_BROWSER")
    return needed == "0" or (browser_path() is None and not needed)


def browser_path() -> str | None:
    """Where a browser is installed, if one is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class BrowserFailed(Exception):
    """The browser did not do what it was told."""


class Browser:
    """One running browser."""

    def __init__(self) -> None:
        path = browser_path()
        assert path is not None, "no browser is installed"
        self._home = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        theirs_in, self._write = _pipe()
        self._read, theirs_out = _pipe()
        launch = (sys.executable, "-I", "-S", "-c", _LAUNCH, str(theirs_in), str(theirs_out))
        self._process = subprocess.Popen(
            [*launch, path, *FLAGS, f"--user-data-dir={self._home.name}"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._rest = b""
        self._count = 0
        self._pages: dict[str, Page] = {}

    def open(self, path: Path, *, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        """A page of a file, loaded."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        attached = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = Page(self, attached["sessionId"], target)
        self._pages[page.session] = page
        page.prepare(width, height, dark)
        page.load(path.resolve().as_uri())
        return page

    def call(self, method: str, params: Words | None = None, session: str = "") -> Words:
        """A command and its result."""
        self._count += 1
        number = self._count
        message: Words = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + SECONDS
        while True:
            answer = self._next(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserFailed(f"{method}: {answer['error']}")
                result: Words = answer["result"]
                return result
            self._told(answer)

    def wait_for(self, page: Page, event: str) -> None:
        """Until the page has told an event."""
        deadline = time.monotonic() + SECONDS
        while event not in page.told:
            self._told(self._next(deadline))

    def _told(self, message: Words) -> None:
        page = self._pages.get(message.get("sessionId", ""))
        if page is not None and "method" in message:
            page.hear(message["method"], message["params"])

    def _next(self, deadline: float) -> Words:
        while b"\0" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise BrowserFailed("the browser does not answer")
            more = os.read(self._read, 1 << 16)
            if not more:
                raise BrowserFailed("the browser has ended")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        message: Words = json.loads(line)
        return message

    def close(self) -> None:
        """The browser and all that it started are gone afterwards."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(SECONDS)
        os.close(self._write)
        os.close(self._read)
        self._home.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Page:
    """One page in the browser, and what it complained of."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser = browser
        self.session = session
        self._target = target
        self.told: set[str] = set()
        self.complaints: list[str] = []  # errors, warnings, and everything in the console
        self.asked_for: list[str] = []  # the addresses that it loads from

    def call(self, method: str, params: Words | None = None) -> Words:
        """A command for this page."""
        return self._browser.call(method, params, self.session)

    def prepare(self, width: int, height: int, dark: bool) -> None:
        """Its size and its colours."""
        for part in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{part}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", {"features": [scheme]})

    def load(self, address: str) -> None:
        """Go there, and wait until all of it has run."""
        self.call("Page.navigate", {"url": address})
        self._browser.wait_for(self, "Page.loadEventFired")

    def hear(self, method: str, params: Words) -> None:
        """What the page tells."""
        self.told.add(method)
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(json.dumps(params["args"])[:500])
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"a dialog: {params['message']}")
        elif method == "Network.requestWillBeSent":
            self.asked_for.append(params["request"]["url"])

    def run(self, script: str) -> Any:
        """The value of an expression."""
        wish = {"expression": script, "returnByValue": True, "awaitPromise": True}
        answer = self.call("Runtime.evaluate", wish)
        if "exceptionDetails" in answer:
            raise BrowserFailed(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            code = _KEYS.get(key, ord(key[0].upper()))
            words = {"key": key, "windowsVirtualKeyCode": code}
            text = {"text": key} if len(key) == 1 else {}
            self.call("Input.dispatchKeyEvent", {"type": "keyDown", **words, **text})
            self.call("Input.dispatchKeyEvent", {"type": "keyUp", **words})

    def click(self, selector: str) -> None:
        """A click of the mouse in the middle of the first such element."""
        box = self.run(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)});"
            " b.scrollIntoView({block: 'nearest'}); const r = b.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        where = {"x": box[0], "y": box[1], "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", {"type": "mousePressed", **where})
        self.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **where})

    def until(self, script: str) -> None:
        """Wait for an expression to hold."""
        deadline = time.monotonic() + SECONDS
        while not self.run(script):
            if time.monotonic() > deadline:
                raise BrowserFailed(f"never: {script}")
            time.sleep(0.02)

    def close(self) -> None:
        """Gone."""
        self._browser.call("Target.closeTarget", {"targetId": self._target})


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are not among the descriptors that the browser uses."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]

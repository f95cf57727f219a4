"""A real browser for tests: Chromium without a window, driven over a pipe by the DevTools protocol.

    with Browser() as browser:
        page = browser.open(path)
        page.press("End")
        assert page.run("document.body.dataset.step") == "12"
        assert page.complaints == []

It needs nothing but the browser itself. Every wait has a deadline, and leaving the block kills the
whole group of its processes.
"""

from __future__ import annotations

import base64
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


_TEXTS = {"Enter": "\r"}  # without its text, Enter does not press a button


def browser_path() -> str | None:
    """Return the path of an installed browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class BrowserFailed(Exception):
    """The browser refused a command, or did not answer in time."""


class Browser:
    """A running browser without a window."""

    def __init__(self) -> None:
        path = browser_path()
        assert path is not None, "no browser is installed (on Debian: apt install chromium)"
        self._profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        theirs_in, self._write = _pipe()
        self._read, theirs_out = _pipe()
        launch = (sys.executable, "-I", "-S", "-c", _LAUNCH, str(theirs_in), str(theirs_out))
        self._process = subprocess.Popen(
            [*launch, path, *FLAGS, f"--user-data-dir={self._profile.name}"],
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

    def open(
        self,
        place: Path | str,
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        context: str | None = None,
    ) -> Page:
        """Load a file or an address as a page and return it; a `context` has cookies of its own."""
        where = {} if context is None else {"browserContextId": context}
        target = self.call("Target.createTarget", {"url": "about:blank", **where})["targetId"]
        attached = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = Page(self, attached["sessionId"], target)
        self._pages[page.session] = page
        page.prepare(width, height, dark)
        page.load(place if isinstance(place, str) else place.resolve().as_uri())
        return page

    def call(self, method: str, params: Words | None = None, session: str = "") -> Words:
        """Send a command and return its result."""
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
            self._dispatch(answer)

    def wait_for(self, page: Page, event: str) -> None:
        """Wait until the page has reported an event."""
        deadline = time.monotonic() + SECONDS
        while event not in page.reported:
            self._dispatch(self._next(deadline))

    def _dispatch(self, message: Words) -> None:
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
        """Kill the browser and all processes that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(SECONDS)
        os.close(self._write)
        os.close(self._read)
        self._profile.cleanup()

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
    """A page in the browser, and the errors that it reported."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser = browser
        self.session = session
        self._target = target
        self.reported: set[str] = set()
        self.complaints: list[str] = []  # errors, warnings, and everything in the console
        self.asked_for: list[str] = []  # the addresses that it loads from

    def call(self, method: str, params: Words | None = None) -> Words:
        """Send a command to this page."""
        return self._browser.call(method, params, self.session)

    def prepare(self, width: int, height: int, dark: bool) -> None:
        """Set the size and the colour scheme."""
        for part in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{part}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", {"features": [scheme]})

    def load(self, address: str) -> None:
        """Open an address, and wait until the page has loaded."""
        self.call("Page.navigate", {"url": address})
        self._browser.wait_for(self, "Page.loadEventFired")

    def reload(self) -> None:
        """Load the same address again, and wait until the page has loaded."""
        self.reported.discard("Page.loadEventFired")
        self.call("Page.reload")
        self._browser.wait_for(self, "Page.loadEventFired")

    def hear(self, method: str, params: Words) -> None:
        """Take in an event of the page."""
        self.reported.add(method)
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
        """Return the value of a JavaScript expression."""
        request = {"expression": script, "returnByValue": True, "awaitPromise": True}
        answer = self.call("Runtime.evaluate", request)
        if "exceptionDetails" in answer:
            raise BrowserFailed(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            code = _KEYS.get(key, ord(key[0].upper()))
            words = {"key": key, "windowsVirtualKeyCode": code}
            text = {"text": _TEXTS.get(key, key)} if len(key) == 1 or key in _TEXTS else {}
            self.call("Input.dispatchKeyEvent", {"type": "keyDown", **words, **text})
            self.call("Input.dispatchKeyEvent", {"type": "keyUp", **words})

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that matches."""
        box = self.run(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)});"
            " b.scrollIntoView({block: 'nearest'}); const r = b.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        self.click_at(*box)

    def click_at(self, x: float, y: float) -> None:
        """Click at a place in the window."""
        where = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", {"type": "mousePressed", **where})
        self.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **where})

    def tap_at(self, x: float, y: float) -> None:
        """Touch a place in the window with one finger."""
        self.call(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        )
        self.call("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def become_phone(self) -> None:
        """Continue as on a phone: a small screen, and a finger instead of a mouse."""
        screen = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
        self.call("Emulation.setDeviceMetricsOverride", screen)
        self.call("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def screenshot(self) -> bytes:
        """Return a picture of the page as PNG."""
        shot = self.call("Page.captureScreenshot", {"format": "png"})
        return base64.b64decode(shot["data"])

    def until(self, script: str) -> None:
        """Wait until a JavaScript expression is true."""
        deadline = time.monotonic() + SECONDS
        while not self.run(script):
            if time.monotonic() > deadline:
                raise BrowserFailed(f"never: {script}")
            time.sleep(0.02)

    def close(self) -> None:
        self._browser.call("Target.closeTarget", {"targetId": self._target})


def _pipe() -> tuple[int, int]:
    """Return a pipe whose ends are not among the descriptors that the browser uses."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]

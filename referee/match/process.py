"""One bot process: started in a session of its own, spoken to by a deadline, ended for certain."""

from __future__ import annotations

import ctypes
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from protocol.codec import Overflow, Splitter, WireError
from referee.errors import BotRefused
from referee.match.bots import Bot
from referee.match.conduct import Fault
from referee.match.reaper import MARK, REAPER
from referee.speech import Encoding

GRACE_S = 0.5
MOST_STDERR = 16 * 1024 * 1024
_CHUNK = 1 << 16
_PR_SET_PDEATHSIG = 1
_TAIL = 4096

monotonic_ns = time.monotonic_ns


class BotProcess:
    """A running bot. Its pipes never block us; what it says is split into messages."""

    def __init__(self, bot: Bot, stderr: Path, core: int | None = None) -> None:
        self.bot = bot
        self.stderr = stderr
        self._child = _spawn(bot, stderr, core)
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self.pid = self._child.pid
        REAPER.enter(self.pid)
        self._stdin, self._stdout = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._stdin, False)
        os.set_blocking(self._stdout, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._unsent = b""
        self._broken = False
        self._splitter = Splitter("json")
        self._cpu_clock = (~self.pid << 3) | 2

    def switch(self, encoding: Encoding) -> None:
        """From the next message on, both ways."""
        self._splitter.switch(encoding)

    def say(self, data: bytes) -> int:
        """Write as much as the pipe takes now; the moment at which the bot's clock starts, in ns."""
        if self._unsent:
            self._unsent += data
            return monotonic_ns()
        sent = self._write(data)
        if sent < len(data):
            self._unsent = data[sent:]
            self._poll.register(self._stdin, select.POLLOUT)
        return monotonic_ns()

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError:
            self._broken = True
            return 0

    def hear(self, deadline_ns: int | None) -> bytes | Fault:
        """The next message, or the fault of not sending one."""
        try:
            while True:
                message = self._splitter.next()
                if message is not None:
                    return message
                fault = self._wait(deadline_ns)
                if fault is not None:
                    return fault
        except Overflow as error:
            return Fault("flood", str(error), error.data)
        except WireError as error:
            return Fault("garbage", str(error), error.data)

    def _wait(self, deadline_ns: int | None) -> Fault | None:
        """Read what comes and write what is left; the fault that ends the waiting."""
        if self._broken:
            return self._crash("closed its standard input")
        if deadline_ns is None:
            ready = self._poll.poll()
        else:
            left_ns = deadline_ns - monotonic_ns()
            ready = self._poll.poll(left_ns / 1e6) if left_ns > 0 else []
            if not ready:
                return Fault("timeout", "gave no answer in time")
        for descriptor, _ in ready:
            if descriptor == self._stdin:
                self._send_rest()
            elif not self._read():
                return self._crash("closed its standard output")
        return None

    def _send_rest(self) -> None:
        self._unsent = self._unsent[self._write(self._unsent) :]
        if not self._unsent or self._broken:
            self._poll.unregister(self._stdin)

    def _read(self) -> bool:
        try:
            data = os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._splitter.feed(data)
        return bool(data)

    def _crash(self, what: str) -> Fault:
        """The process ended or closed a pipe; which, and how, if that is known in a moment."""
        code = self._exit_code(wait_s=0.05)
        if code is None:
            return Fault("crash", what)
        if code < 0:
            return Fault("crash", f"was ended by {signal.Signals(-code).name}")
        return Fault("crash", f"ended with exit status {code}")

    def _exit_code(self, wait_s: float) -> int | None:
        try:
            return self._child.wait(timeout=wait_s)
        except subprocess.TimeoutExpired:
            return None

    def cpu_ms(self) -> float:
        """CPU time that the process has used; of what it forks, nothing."""
        try:
            return time.clock_gettime_ns(self._cpu_clock) / 1e6
        except OSError:
            return 0.0

    def core_wait_ms(self) -> float:
        """How long the process has waited for a core in its life; 0 where that is not told."""
        try:
            return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[1]) / 1e6
        except (OSError, IndexError, ValueError):
            return 0.0

    def stderr_tail(self) -> bytes:
        """The end of what the bot has said on stderr."""
        try:
            with self.stderr.open("rb") as file:
                file.seek(0, os.SEEK_END)
                file.seek(max(0, file.tell() - _TAIL))
                return file.read()
        except OSError:
            return b""

    def stop(self, farewell: bytes) -> None:
        """Say goodbye, wait a moment, then end whatever is left of it."""
        self.say(farewell)
        self._close()
        self._exit_code(wait_s=GRACE_S)
        self.kill()

    def kill(self) -> None:
        """End the process and all its descendants now."""
        self._close()
        REAPER.end(self.pid)
        self._exit_code(wait_s=0)

    def _close(self) -> None:
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()


def _spawn(bot: Bot, stderr: Path, core: int | None) -> subprocess.Popen[bytes]:
    """Start it without a fork of our own memory where that can be done (setpriv), which is fast."""
    launcher = _death_launcher()
    environment = {**os.environ, **bot.environment, MARK: str(os.getpid())}
    stderr.parent.mkdir(parents=True, exist_ok=True)
    before = os.sched_getaffinity(0) if core is not None else None
    try:
        if core is not None:
            os.sched_setaffinity(0, {core})
        with stderr.open("ab") as log:
            child = subprocess.Popen(
                [*launcher, *bot.command],
                cwd=bot.folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,
                start_new_session=True,
                restore_signals=False,  # SIGXFSZ stays ignored: a full stderr file is no death
                preexec_fn=None if launcher else _death_with_parent(),  # noqa: PLW1509  no threads here
            )
    except OSError as error:
        raise BotRefused(
            f"bot {bot.name} cannot be started: {error.strerror}: {error.filename}"
        ) from error
    finally:
        if before is not None:
            os.sched_setaffinity(0, before)
    _cap_files(child.pid)
    return child


def _death_launcher() -> list[str]:
    """A command that has its own end follow ours, then becomes the bot."""
    found = shutil.which("setpriv") if sys.platform == "linux" else None
    return [found, "--pdeathsig", "KILL"] if found else []


def _death_with_parent() -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def ask_for_signal() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    return ask_for_signal


def _cap_files(pid: int) -> None:
    """No file that the bot writes, its stderr among them, grows past the cap."""
    if sys.platform == "linux":
        with suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (MOST_STDERR, MOST_STDERR))

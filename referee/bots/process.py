"""One bot process: started in a session of its own, spoken to by a deadline, ended for certain."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from protocol.codec import Overflow, Splitter, WireError
from referee.adjudication.faults import Fault
from referee.bots.find import Bot
from referee.bots.reaper import REAPER
from referee.bots.sandbox.limits import USUAL
from referee.encoder import Encoding
from referee.errors import BotRefused

GRACE_NS = 500_000_000
MOST_STDERR = USUAL.file_size
_CHUNK = 1 << 16
_TAIL = 4096
_BY_SIGNAL = 128  # bubblewrap and shells say so much more than the number of the signal
_ONLY_ITS_END = 0  # for poll: that nobody reads the other end is told in any case

monotonic_ns = time.monotonic_ns
if sys.platform != "win32":  # where this module can be imported, but starts no bot
    clock_gettime_ns = time.clock_gettime_ns


class BotProcess:
    """A running bot. Its pipes never block us; what it says is split into messages."""

    def __init__(self, bot: Bot, stderr: Path, core: int | None = None) -> None:
        self.bot = bot
        self.stderr = stderr
        self._log = _open_log(bot, stderr)
        # Imported here: only a machine that starts bots needs the POSIX modules.
        from referee.bots.launch import start  # noqa: PLC0415

        try:
            started = start(bot, self._log, core)
        except BotRefused:
            os.close(self._log)
            raise
        self._child = started.child
        self._group = started.group
        self._around = started.around
        self._is_wrapped = started.around > 0
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self.pid = self._child.pid  # of what stands around the bot, in a strict sandbox
        self._bot_pid = self.pid
        REAPER.enter(self.pid)
        self._ended = _end_of(self.pid)
        self._stdin, self._stdout = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._stdin, False)
        os.set_blocking(self._stdout, False)
        self._poll = select.poll()
        if self._ended is not None:
            # Looked at before the output: once it has ended, all that it wrote is there to be read.
            self._poll.register(self._ended, select.POLLIN)
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stdin, _ONLY_ITS_END)
        self._unsent = b""
        self._broken = False
        self._patient_until_ns = 0
        self._gone = False
        self.input_closed = False
        self._splitter = Splitter("json")
        self._cpu_clock = (~self.pid << 3) | 2
        self._cpu_ms = 0.0

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
            self._watch_input(select.POLLOUT)
        return monotonic_ns()

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError:
            self._break_off(monotonic_ns())
            return 0

    def _watch_input(self, events: int) -> None:
        if not self._broken:
            self._poll.modify(self._stdin, events)

    def _break_off(self, until_ns: int) -> None:
        """Nobody reads what we say any more; what it says until then still counts."""
        if not self._broken:
            self._broken = True
            self._patient_until_ns = until_ns
            self._poll.unregister(self._stdin)

    def hear(self, deadline_ns: int | None) -> bytes | Fault:
        """The next message, or the fault of not sending one."""
        is_late = False
        try:
            while True:
                message = self._splitter.next()
                if message is not None:
                    return message
                if is_late:
                    return Fault("timeout", "gave no answer in time")
                # We may have been stopped ourselves: what lies there by now is looked at, once.
                is_late = deadline_ns is not None and monotonic_ns() >= deadline_ns
                fault = self._wait(deadline_ns)
                if fault is not None:
                    return fault
        except WireError as error:
            kind = "flood" if isinstance(error, Overflow) else "garbage"
            return Fault(kind, str(error), error.data)

    def _wait(self, deadline_ns: int | None) -> Fault | None:
        """Read what comes and write what is left; the fault that ends the waiting."""
        ready = self._ready(deadline_ns)
        if not ready:
            if self._broken:
                return self._crash("closed its standard input")
            return Fault("timeout", "gave no answer in time")
        can_read = False
        for descriptor, event in ready:
            if descriptor == self._stdin:
                if event == select.POLLOUT:
                    self._send_rest()
                else:  # it may have read the request before it closed its input
                    self._break_off(monotonic_ns() + GRACE_NS)
            elif descriptor == self._stdout:
                can_read = self._read()
                if not can_read:
                    return self._crash("closed its standard output")
        if ready[0][0] == self._ended and not can_read:
            # Somebody whom it left may hold its output open; it is gone all the same.
            return self._crash("ended")
        return None

    def _ready(self, deadline_ns: int | None) -> list[tuple[int, int]]:
        """What can be read or written by then."""
        if self._broken:
            left_ns = self._patient_until_ns - monotonic_ns()
            return self._poll.poll(max(0, left_ns) / 1e6)
        if deadline_ns is None:
            return self._poll.poll()
        left_ns = deadline_ns - monotonic_ns()
        return self._poll.poll(max(0, left_ns) / 1e6)

    def _send_rest(self) -> None:
        self._unsent = self._unsent[self._write(self._unsent) :]
        if not self._unsent:
            self._watch_input(_ONLY_ITS_END)

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
        code = self.exit_status(wait_s=0.05)
        if code is None:
            return Fault("crash", what)
        if code < 0:
            return Fault("crash", f"was ended by {_signal_name(-code)}")
        return Fault("crash", f"ended with exit status {code}")

    def exit_status(self, wait_s: float) -> int | None:
        """How it ended, if it has by then, negative for a signal.

        Its number stays taken until the reaper waits for it, so that none but its own are killed.
        """
        status = self._end_status(wait_s)
        if self._is_wrapped and status is not None and status > _BY_SIGNAL:
            return _BY_SIGNAL - status
        return status

    def _end_status(self, wait_s: float) -> int | None:
        if self._ended is None:
            with suppress(subprocess.TimeoutExpired):
                return self._child.wait(timeout=wait_s)
            return None
        end = select.poll()
        end.register(self._ended, select.POLLIN)
        if not end.poll(max(0.0, wait_s * 1000)):
            return None
        with suppress(ChildProcessError):
            how = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            if how is not None:
                return how.si_status if how.si_code == os.CLD_EXITED else -how.si_status
        return None

    def cpu_ms(self) -> float:
        """CPU time that the process has used; of what it forks, nothing."""
        if self._around:
            self._look_inside()
        try:  # not `suppress`, which costs as much as the call
            self._cpu_ms = clock_gettime_ns(self._cpu_clock) / 1e6
        except OSError:  # it has ended: what it had used last
            return self._cpu_ms
        return self._cpu_ms

    def _look_inside(self) -> None:
        """Find the bot in its sandbox, once it has said something and so must be there."""
        found = _first_descendant(self.pid, self._around)
        if found is not None:
            self._around = 0
            self._bot_pid = found
            self._cpu_clock = (~found << 3) | 2

    def core_wait_ms(self) -> float:
        """How long the process has waited for a core in its life; 0 where that is not told."""
        try:
            return int(Path(f"/proc/{self._bot_pid}/schedstat").read_text().split()[1]) / 1e6
        except (OSError, IndexError, ValueError):
            return 0.0

    def stderr_tail(self) -> bytes:
        """The end of what the bot has said on stderr."""
        size = os.fstat(self._log).st_size
        return os.pread(self._log, _TAIL, max(0, size - _TAIL))

    def close_input(self) -> None:
        """The end of its input; what it still says is heard."""
        assert self._child.stdin is not None
        if not self._broken:
            self._poll.unregister(self._stdin)
        self._child.stdin.close()
        self.input_closed = True

    def make_room(self) -> None:
        """Empty a stderr file that is half full: every game may fill as much."""
        if os.fstat(self._log).st_size > self.bot.limits.file_size // 2:
            os.ftruncate(self._log, 0)

    def stop(self, farewell: bytes) -> None:
        """Say goodbye, wait a moment, then end whatever is left of it."""
        give_up_ns = monotonic_ns() + GRACE_NS
        self.say(farewell)
        self._send_all(give_up_ns)
        self._close_pipes()
        self.exit_status(wait_s=(give_up_ns - monotonic_ns()) / 1e9)
        self.kill()

    def _send_all(self, give_up_ns: int) -> None:
        """What is left to send, as far as the bot takes it."""
        room = select.poll()
        room.register(self._stdin, select.POLLOUT)
        while self._unsent and not self._broken:
            left_ns = give_up_ns - monotonic_ns()
            if left_ns <= 0 or not room.poll(left_ns / 1e6):
                return
            self._unsent = self._unsent[self._write(self._unsent) :]

    def kill(self) -> None:
        """End the process and all its descendants now."""
        if self._gone:
            return
        self._gone = True
        self._close_pipes()
        REAPER.end(self.pid)
        self._child.poll()  # the reaper has waited for it
        if self._group is not None:
            self._group.remove()
        os.close(self._log)
        if self._ended is not None:
            os.close(self._ended)

    def _close_pipes(self) -> None:
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()


def _open_log(bot: Bot, stderr: Path) -> int:
    """The file for its stderr; whatever the bot does to its name, we read this one."""
    try:
        stderr.parent.mkdir(parents=True, exist_ok=True)
        return os.open(stderr, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BotRefused(
            f"bot {bot.name} cannot be started: no file for its stderr: {error.strerror}: {stderr}"
        ) from error


def _end_of(pid: int) -> int | None:
    """A descriptor that can be read once the process has ended, where there are such."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


def _first_descendant(pid: int, down: int) -> int | None:
    """The first child of the first child, so many steps down; None if somebody is not there."""
    for _ in range(down):
        try:
            pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
        except (OSError, IndexError):
            return None
    return pid


def _signal_name(number: int) -> str:
    """Its name; some have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

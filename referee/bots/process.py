"""One bot process: its pipes, deadlines and exit."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from protocol.codec import Overflow, Splitter, WireError, shown, wrong_encoding
from referee.adjudication.faults import Fault
from referee.bots.find import Bot
from referee.bots.reaper import REAPER
from referee.bots.sandbox.limits import DEFAULT_LIMITS
from referee.encoder import Encoding
from referee.errors import BotRefused
from referee.system import exit_code_of
from referee.text import excerpt, plural

GRACE_NS = 500_000_000
MOST_STDERR = DEFAULT_LIMITS.file_size
_CHUNK = 1 << 16
_BY_SIGNAL = 128  # bubblewrap exits with this plus the number of the signal that ended the bot
_HANG_UP_ONLY = 0  # for poll, which always reports that the other end was closed

monotonic_ns = time.monotonic_ns
if sys.platform != "win32":  # where this module can be imported, but starts no bot
    clock_gettime_ns = time.clock_gettime_ns


class BotProcess:
    """A running bot. Its pipes never block; its output is split into messages.

    BotRefused if the bot cannot be started.
    """

    def __init__(self, bot: Bot, stderr: Path, core: int | None = None) -> None:
        self.bot = bot
        self.stderr = stderr
        self._log = _open_log(bot, stderr)
        self._game_log_at = _size(self._log)  # an earlier process may have written to this file
        # Imported here: only a machine that starts bots needs the POSIX modules.
        from referee.bots.launch import start  # noqa: PLC0415

        try:
            started = start(bot, self._log, core)
        except BotRefused:
            os.close(self._log)
            raise
        self._child = started.child
        self._group = started.group
        self._depth = started.depth
        self._is_wrapped = started.depth > 0
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self.pid = self._child.pid  # in a strict sandbox, of bubblewrap around the bot
        self._bot_pid = self.pid
        self._bot_ended: int | None = None  # a pidfd of the bot inside its sandbox
        REAPER.enter(self.pid)
        self._ended = _end_of(self.pid)
        self._stdin, self._stdout = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._stdin, False)
        os.set_blocking(self._stdout, False)
        self._poll = select.poll()
        if self._ended is not None:
            # Polled before the output: once the bot has ended, all of its output can be read.
            self._poll.register(self._ended, select.POLLIN)
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stdin, _HANG_UP_ONLY)
        self._unsent = b""
        self._broken = False
        self._read_until_ns = 0
        self._gone = False
        self.input_closed = False
        self._splitter = Splitter("json")
        self._cpu_clock = (~self.pid << 3) | 2
        self._cpu_ms = 0.0

    def greeted(self, encoding: Encoding) -> None:
        """Note that the bot has said hello: from now on it uses this encoding, and it runs."""
        self._splitter.switch(encoding)
        if self._depth:
            self._find_bot_process()

    def say(self, data: bytes) -> int:
        """Write as much as the pipe takes now; returns when the bot's clock starts, in ns.

        The rest is written while `hear` waits.
        """
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
        """Note that the bot has closed its input; messages that arrive before `until_ns` still count."""
        if not self._broken:
            self._broken = True
            self._read_until_ns = until_ns
            self._poll.unregister(self._stdin)

    def unfinished(self) -> bytes:
        """What the bot has sent after its last complete message."""
        return self._splitter.rest()

    def describe_unfinished(self) -> str:
        """What came instead of a message: nothing, or so many bytes without an end."""
        data, encoding = self._splitter.rest(), self._splitter.encoding
        if not data:
            return "it sent nothing"
        end = "a newline" if encoding == "json" else "the end of a message"
        why = wrong_encoding(data, encoding) or f"it sent {plural(len(data), 'byte')} without {end}"
        return f"{why}: {shown(data)}"

    def hear(self, deadline_ns: int | None) -> bytes | Fault:
        """The bot's next message, or its fault: timeout, garbage, flood or crash.

        `deadline_ns` is a time of the monotonic clock; None waits for ever.
        """
        is_late = False
        try:
            while True:
                message = self._splitter.next()
                if message is not None:
                    return message
                if is_late:
                    return Fault("timeout", "gave no answer in time")
                # This process may have been stopped: read once more what came in the meantime.
                is_late = deadline_ns is not None and monotonic_ns() >= deadline_ns
                fault = self._wait(deadline_ns)
                if fault is not None:
                    return fault
        except WireError as error:
            kind = "flood" if isinstance(error, Overflow) else "garbage"
            return Fault(kind, str(error), error.data)

    def _wait(self, deadline_ns: int | None) -> Fault | None:
        """Read what comes and write what is left; returns the fault that ends the wait, if any."""
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
                else:  # the bot may have read the request before it closed its input
                    self._break_off(monotonic_ns() + GRACE_NS)
            elif descriptor == self._stdout:
                can_read = self._read()
                if not can_read:
                    return self._crash("closed its standard output")
        if ready[0][0] == self._ended and not can_read:
            # Its child may keep the output open, but the bot itself has ended.
            return self._crash("ended")
        return None

    def _ready(self, deadline_ns: int | None) -> list[tuple[int, int]]:
        """Wait until a pipe can be read or written; empty at the deadline."""
        if self._broken:
            left_ns = self._read_until_ns - monotonic_ns()
            return self._poll.poll(max(0, left_ns) / 1e6)
        if deadline_ns is None:
            return self._poll.poll()
        left_ns = deadline_ns - monotonic_ns()
        return self._poll.poll(max(0, left_ns) / 1e6)

    def _send_rest(self) -> None:
        self._unsent = self._unsent[self._write(self._unsent) :]
        if not self._unsent:
            self._watch_input(_HANG_UP_ONLY)

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
        """The fault of a process that ended or closed a pipe, with its exit status if there is one soon."""
        if self._depth:
            self._find_bot_process()  # it may be on its way out
        code = self.exit_status(wait_s=0.25)
        if code is None:
            return Fault("crash", what)
        if code < 0:
            return Fault("crash", f"was ended by {_signal_name(-code)}")
        doubt = ""
        if self._is_wrapped and code > _BY_SIGNAL and self._status_inside() is None:
            number = code - _BY_SIGNAL
            doubt = f", as after {_signal_name(number)}" if number < signal.NSIG else ""
        return Fault("crash", f"ended with exit status {code}{doubt}")

    def exit_status(self, wait_s: float) -> int | None:
        """The exit status, negative for a signal; None if it has not ended after `wait_s`.

        The process is not reaped here, so that its ID cannot go to a process that the reaper then kills.
        A bot in a strict sandbox is the child of bubblewrap, which turns a signal into an exit status
        above 128; that stays so if the kernel does not say how the bot itself ended.
        """
        status = self._end_status(wait_s)
        if self._is_wrapped and status is not None and status > _BY_SIGNAL:
            inside = self._status_inside()
            return status if inside is None else inside
        return status

    def _status_inside(self) -> int | None:
        """The exit status of the bot itself inside its sandbox, if the kernel says it."""
        return None if self._bot_ended is None else exit_code_of(self._bot_ended)

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
        """CPU time that the process has used, without its children."""
        if self._depth:
            self._find_bot_process()
        try:  # not `suppress`, which costs as much as the call
            self._cpu_ms = clock_gettime_ns(self._cpu_clock) / 1e6
        except OSError:  # it has ended: the last known value
            return self._cpu_ms
        return self._cpu_ms

    def _find_bot_process(self) -> None:
        """Find the process of the bot inside its sandbox."""
        found = _first_descendant(self.pid, self._depth)
        if found is not None:
            self._depth = 0
            self._bot_pid = found
            self._cpu_clock = (~found << 3) | 2
            self._bot_ended = _end_of(found)

    def core_wait_ms(self) -> float:
        """How long the process has waited for a core in total; 0 where the system does not say."""
        try:
            return int(Path(f"/proc/{self._bot_pid}/schedstat").read_text().split()[1]) / 1e6
        except (OSError, IndexError, ValueError):
            return 0.0

    def stderr_excerpt(self) -> bytes:
        """The first and last lines that the bot has written to stderr in this game."""
        size = _size(self._log)
        begin = min(self._game_log_at, size)  # the bot may have truncated the file
        return excerpt(size - begin, lambda at, count: os.pread(self._log, count, begin + at))

    def close_input(self) -> None:
        """Close the bot's input; its output can still be read."""
        assert self._child.stdin is not None
        if not self._broken:
            self._poll.unregister(self._stdin)
        self._child.stdin.close()
        self.input_closed = True

    def begin_game(self, *, is_first: bool) -> None:
        """Empty the stderr file if it is half full; what is written from now on belongs to this game.

        To the first game of a process also belongs what it has written since its start.
        """
        size = _size(self._log)
        if size > self.bot.limits.file_size // 2:
            os.ftruncate(self._log, 0)
            self._game_log_at = 0
        elif not is_first:
            self._game_log_at = size

    def stop(self, farewell: bytes) -> None:
        """Send `farewell`, wait a moment for the bot to exit, then kill whatever is left."""
        give_up_ns = monotonic_ns() + GRACE_NS
        self.say(farewell)
        self._send_all(give_up_ns)
        self._close_pipes()
        self.exit_status(wait_s=(give_up_ns - monotonic_ns()) / 1e9)
        self.kill()

    def _send_all(self, give_up_ns: int) -> None:
        """Send what is left, as far as the bot reads it before the deadline."""
        writable = select.poll()
        writable.register(self._stdin, select.POLLOUT)
        while self._unsent and not self._broken:
            left_ns = give_up_ns - monotonic_ns()
            if left_ns <= 0 or not writable.poll(left_ns / 1e6):
                return
            self._unsent = self._unsent[self._write(self._unsent) :]

    def kill(self) -> None:
        """Kill the process and all its descendants now; calling it again does nothing."""
        if self._gone:
            return
        self._gone = True
        self._close_pipes()
        REAPER.end(self.pid)
        self._child.poll()  # the reaper has waited for it
        if self._group is not None:
            self._group.remove()
        os.close(self._log)
        for pidfd in (self._ended, self._bot_ended):
            if pidfd is not None:
                os.close(pidfd)

    def _close_pipes(self) -> None:
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()


def _open_log(bot: Bot, stderr: Path) -> int:
    """The open file for its stderr, which stays ours even if the bot renames or replaces it."""
    try:
        stderr.parent.mkdir(parents=True, exist_ok=True)
        return os.open(stderr, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BotRefused(
            f"bot {bot.name} cannot be started: cannot open {stderr} for its stderr: {error.strerror}"
        ) from error


def _size(file: int) -> int:
    return os.fstat(file).st_size


def _end_of(pid: int) -> int | None:
    """A pidfd, readable once the process has ended; None where there are none."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


def _first_descendant(pid: int, down: int) -> int | None:
    """The first child of the first child and so on, `down` steps; None if there is none."""
    for _ in range(down):
        try:
            pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
        except (OSError, IndexError):
            return None
    return pid


def _signal_name(number: int) -> str:
    """Its name, such as SIGKILL; some signals have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

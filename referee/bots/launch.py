"""Starts a bot at its sandbox level, in its own session; it dies when the referee dies."""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT
from typing import Final, Literal, NamedTuple

from referee.bots.find import Bot, not_started
from referee.bots.reaper import MARK, REAPER
from referee.bots.sandbox import bubblewrap, build_view
from referee.bots.sandbox.cgroup import Group, delegated
from referee.bots.sandbox.file_count import limit_files
from referee.bots.sandbox.limits import DEFAULT_LIMITS, MIB, Limits, limits_of_build
from referee.bots.sandbox.seccomp import is_known, open_filter
from referee.bots.sandbox.start_gate import StartGate
from referee.errors import BotRefused
from referee.system import child_environment, pinned
from referee.text import visible

_PR_SET_PDEATHSIG: Final = 1
_DEFAULT_STACK: Final = 8 * MIB


class Started(NamedTuple):
    """A started process: the bot, or bubblewrap around it."""

    child: subprocess.Popen[bytes]
    depth: int  # of the bot below it: 0 if it is the bot itself
    group: Group | None
    first: int | None = None  # the first process inside bubblewrap: all others end with it


class Launch(NamedTuple):
    """The command, environment and files for starting a bot."""

    words: list[str]
    environment: dict[str, str]
    prepare: Callable[[], None] | None  # runs in our fork before the command; slow
    depth: int = 0
    seccomp: int | None = None  # descriptor of the filter that bubblewrap reads
    gate: StartGate | None = None  # holds the bot until its limits are set

    def passed(self) -> tuple[int, ...]:
        """The descriptors that the process inherits."""
        filtered = () if self.seccomp is None else (self.seccomp,)
        return filtered if self.gate is None else (*filtered, *self.gate.passed())

    def close(self) -> None:
        """Close these descriptors in this process."""
        if self.seccomp is not None:
            os.close(self.seccomp)
        if self.gate is not None:
            self.gate.close()


def start(bot: Bot, log: int, core: int | None) -> Started:
    """Start the bot with a pipe in each direction; `log` is the descriptor for its stderr.

    With `core` it runs on that core only. BotRefused if it cannot be started.
    """
    if shutil.which(bot.command[0]) is None:
        raise BotRefused(f"bot {bot.name} cannot be started: {not_started(bot.command[0])}")
    with pinned(core):
        started = _start(bot, _LAUNCHES[bot.level](bot), "started", Streams(PIPE, PIPE, log))
    if bot.level == "off":
        _cap_files(started.child.pid)
    return started


def start_build(bot: Bot, user: bubblewrap.User, output: int, hidden: Sequence[Path]) -> Started:
    """Start the build of a bot; `output` is the descriptor for all that it prints.

    In the strict sandbox it runs as this user, and cannot read the `hidden` paths. BotRefused if it
    cannot be started.
    """
    program = bot.build[0]
    if shutil.which(program) is None:
        error = errno.EACCES if Path(program).exists() else errno.ENOENT
        raise BotRefused(
            f"bot {bot.name} cannot be built: {os.strerror(error)}: {visible(program)}"
        )
    builder = replace(
        bot,
        command=bot.build,
        limits=limits_of_build(bot.limits),
        environment={},
        build_network=bot.build_network and bot.allow_network,
    )
    if bot.level == "strict":
        launch = _strict_build(builder, user, hidden)
    else:
        launch = _LAUNCHES[bot.level](builder)
    return _start(builder, launch, "built", Streams(DEVNULL, output, STDOUT))


class Streams(NamedTuple):
    """Standard input, output and error of a process, as `subprocess` takes them."""

    stdin: int
    stdout: int
    stderr: int


def _start(
    bot: Bot, launch: Launch, what: Literal["started", "built"], streams: Streams
) -> Started:
    """Start it with its limits; BotRefused if it cannot be started or built."""
    group: Group | None = None
    try:
        group = _group(bot)
        child = subprocess.Popen(
            [*group.enter(), *launch.words] if group else launch.words,
            cwd=bot.folder,
            env=launch.environment,
            stdin=streams.stdin,
            stdout=streams.stdout,
            stderr=streams.stderr,
            bufsize=0,
            start_new_session=True,
            # SIGXFSZ stays ignored: a full file must not kill the bot. Builds may need SIGPIPE.
            restore_signals=what == "built",
            preexec_fn=launch.prepare,  # noqa: PLW1509  no threads here
            pass_fds=launch.passed(),
        )
        first = _open_gate(launch, bot, child)
    except OSError as error:
        if group:
            group.remove()
        where = f": {visible(str(error.filename))}" if error.filename else ""
        raise BotRefused(f"bot {bot.name} cannot be {what}: {error.strerror}{where}") from error
    finally:
        launch.close()
    return Started(child, launch.depth, group, first)


def _open_gate(launch: Launch, bot: Bot, child: subprocess.Popen[bytes]) -> int | None:
    """Set the limits of the bot, then let it run; kill it if they cannot be set.

    Returns the first process inside bubblewrap.
    """
    if launch.gate is None:
        return None
    try:
        values, files = _values(bot.limits, bot.limits.processes), bot.limits.scratch_files
        return launch.gate.open(values, lambda pid: limit_files(pid, bubblewrap.SCRATCH, files))
    except OSError:
        REAPER.end(child.pid)
        child.communicate()  # it has ended; this closes its pipes
        raise


def _group(bot: Bot) -> Group | None:
    base = delegated() if bot.level != "off" else None
    return None if base is None else Group.make(base, bot.limits)


# -- the three levels


def _off(bot: Bot) -> Launch:
    launcher = death_launcher()
    prepare = None if launcher else _death_with_parent()
    return Launch([*launcher, *bot.command], _environment(bot), prepare)


def _limited(bot: Bot) -> Launch:
    """Limits are set by prlimit, which then becomes the bot, else in our fork."""
    launcher, limiter = death_launcher(), _limiter(bot.limits, _processes(bot.limits))
    if launcher and limiter:
        return Launch([*launcher, *limiter, *bot.command], _environment(bot), None)
    return Launch([*bot.command], _environment(bot), _prepare(bot.limits))


def strict_launch(bot: Bot) -> Launch:
    """The start inside bubblewrap, where processes are counted for this bot alone."""
    user = bubblewrap.new_user()
    environment = bubblewrap.environment(bot)
    return _wrapped(user, environment, lambda options: bubblewrap.wrap(bot, user, options))


def _strict_build(builder: Bot, user: bubblewrap.User, hidden: Sequence[Path]) -> Launch:
    environment = build_view.build_environment(builder, hidden)
    return _wrapped(
        user,
        environment,
        lambda options: build_view.wrap_build(builder, user, options, hidden),
    )


def _wrapped(
    user: bubblewrap.User, environment: dict[str, str], wrap: Callable[[list[str]], list[str]]
) -> Launch:
    """The start inside bubblewrap; `wrap` takes the options for the filter and the start gate."""
    seccomp = open_filter() if is_known() else None
    gate = StartGate(*user.files())
    filtered = [] if seccomp is None else ["--seccomp", str(seccomp)]
    words = wrap([*filtered, *gate.options()])
    return Launch(words, environment, None, bubblewrap.DEPTH, seccomp, gate)


_LAUNCHES: Final = {"off": _off, "limits": _limited, "strict": strict_launch}


def _environment(bot: Bot) -> dict[str, str]:
    return {**child_environment(), **bot.environment, MARK: str(os.getpid())}


# -- limits


def _limiter(limits: Limits, processes: int | None) -> list[str]:
    """A command that sets the limits, then becomes the bot; empty where there is none."""
    found = _prlimit()
    if found is None:
        return []
    numbers = "" if processes is None else f"--nproc={processes}"
    sizes = [f"--{name}={_within(name, amount)}" for name, amount in _amounts(limits).items()]
    return [found, *filter(None, [numbers]), *sizes, "--"]


def _amounts(limits: Limits) -> dict[str, int]:
    return {
        "data": limits.memory,
        "stack": min(_stack(), limits.memory),
        "fsize": limits.file_size,
        "nofile": limits.open_files,
    }


def _stack() -> int:
    """Our own limit, never unlimited: the stack does not count as data."""
    ours = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return _DEFAULT_STACK if ours == resource.RLIM_INFINITY else ours


def _within(name: str, amount: int) -> int:
    """At most our own hard limit, which cannot be exceeded."""
    ours = resource.getrlimit(_NUMBERS[name])[1]
    return amount if ours == resource.RLIM_INFINITY else min(amount, ours)


_NUMBERS: Final = {
    "data": resource.RLIMIT_DATA,
    "stack": resource.RLIMIT_STACK,
    "fsize": resource.RLIMIT_FSIZE,
    "nofile": resource.RLIMIT_NOFILE,
}


def _processes(limits: Limits) -> int | None:
    """The limit of processes for the whole user: the bot's limit plus all that run now."""
    try:
        running = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    except (OSError, IndexError, ValueError):
        return None
    return running + limits.processes


@functools.cache
def _prlimit() -> str | None:
    return shutil.which("prlimit") if sys.platform == "linux" else None


def _values(limits: Limits, processes: int | None) -> dict[int, int]:
    """The limits by the numbers of the `resource` module."""
    values = {_NUMBERS[name]: _within(name, amount) for name, amount in _amounts(limits).items()}
    return values if processes is None else {**values, resource.RLIMIT_NPROC: processes}


def _prepare(limits: Limits) -> Callable[[], None]:
    """A function for our fork: sets the limits and the parent-death signal before it becomes the bot."""
    die, values = _death_with_parent(), _values(limits, _processes(limits))

    def prepare() -> None:
        if die is not None:
            die()
        for number, amount in values.items():
            with suppress(OSError, ValueError):  # some systems know a limit and refuse to set it
                resource.setrlimit(number, (amount, amount))

    return prepare


def _cap_files(pid: int) -> None:
    """Limit the size of the files that the bot writes, including its stderr.

    It runs already; what it writes before this call is not limited.
    """
    if sys.platform == "linux":
        with suppress(ProcessLookupError, PermissionError):
            resource.prlimit(
                pid, resource.RLIMIT_FSIZE, (DEFAULT_LIMITS.file_size, DEFAULT_LIMITS.file_size)
            )


# -- dying with the parent


@functools.cache
def death_launcher() -> tuple[str, ...]:
    """A command that sets the parent-death signal, then becomes the bot.

    Empty without a setpriv that can do that.
    """
    found = shutil.which("setpriv") if sys.platform == "linux" else None
    if found is None:
        return ()
    launcher = (found, "--pdeathsig", "KILL")
    tried = subprocess.run([*launcher, "true"], capture_output=True, check=False)
    return launcher if tried.returncode == 0 else ()


def _death_with_parent() -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def ask_for_signal() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    return ask_for_signal


def die_with_parent() -> None:
    """Ask to be killed when our parent process dies, where the system can do that."""
    ask = _death_with_parent()
    if ask is not None:
        ask()

"""Runs the build of a bot at the level of its sandbox, and ends every process that it started."""

from __future__ import annotations

import os
import select
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots.find import Bot
from referee.bots.launch import Started, start_build
from referee.bots.reaper import REAPER
from referee.bots.sandbox import bubblewrap
from referee.errors import BotRefused
from referee.system import is_running

_SHOWN_OUTPUT: Final = 2000  # bytes at the end of what a build printed
_PIPE: Final = 1 << 20  # bytes that a pipe may hold
_POLL_S: Final = 0.05
_LONGEST_END_S: Final = 10.0


class BuildResult(NamedTuple):
    """The exit status and the last output of a build that has ended."""

    status: int | None  # None if it took too long
    output: str  # the end of what it printed


def run_build(bot: Bot, hidden: Sequence[Path]) -> BuildResult:
    """Run the build command of a bot; BotRefused if it cannot be started.

    In the strict sandbox it can write to its folder, and cannot read the `hidden` paths.
    """
    seconds = None if bot.level == "off" else bot.limits.build_seconds
    user = bubblewrap.new_user()
    with ExitStack() as around:
        if bot.level == "strict":
            around.enter_context(_lent(bot.folder, user))
        else:
            around.enter_context(REAPER.adopting())
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb", buffering=0) as output:
            try:
                started = start_build(bot, user, writing, hidden)
            finally:
                os.close(writing)
            return _follow(started, output.fileno(), seconds)


def _follow(started: Started, output: int, seconds: float | None) -> BuildResult:
    """Read what a build prints until it ends or its time is over, then end all its processes."""
    give_up = None if seconds is None else time.monotonic() + seconds
    tail, is_open = b"", True
    try:
        while (status := started.child.poll()) is None:
            if give_up is not None and time.monotonic() > give_up:
                break
            if is_open and select.select([output], [], [], _POLL_S)[0]:
                more = os.read(output, _PIPE)
                tail, is_open = (tail + more)[-_SHOWN_OUTPUT:], bool(more)
            elif not is_open:
                time.sleep(_POLL_S)
    finally:
        _end(started)
    os.set_blocking(output, False)
    with suppress(BlockingIOError):  # if a process that got away still holds the pipe
        tail += os.read(output, _PIPE)
    return BuildResult(status, tail[-_SHOWN_OUTPUT:].decode(errors="replace"))


def _end(started: Started) -> None:
    REAPER.end(started.child.pid)
    started.child.wait()
    give_up = time.monotonic() + _LONGEST_END_S
    while started.first is not None and is_running(started.first) and time.monotonic() < give_up:
        time.sleep(0.001)  # the system kills what is inside bubblewrap when that has ended
    if started.group is not None:
        started.group.remove()


@contextmanager
def _lent(folder: Path, user: bubblewrap.User) -> Iterator[None]:
    """Give the folder to the user of a build for the time of the block, if that is not our own.

    The owner of the folder gets everything in it afterwards. A file with a second name is not given:
    that name may be anywhere.
    """
    if user.uid == os.geteuid():
        yield
        return
    owner = folder.lstat()
    try:
        _lend(folder, user)
        yield
    finally:
        for path, about in _contents(folder):
            if about.st_uid == user.uid:
                os.lchown(path, owner.st_uid, owner.st_gid)


def _lend(folder: Path, user: bubblewrap.User) -> None:
    try:
        for path, about in _contents(folder):
            if stat.S_ISDIR(about.st_mode) or about.st_nlink == 1:
                os.lchown(path, user.uid, user.gid)
    except OSError as error:
        raise BotRefused(
            f"{error.filename} cannot be given to a build: {error.strerror}"
        ) from error


def _contents(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The folder and everything in it, except what git keeps there and what is too deep to name."""
    found = [folder]
    while found:
        path = found.pop()
        with suppress(OSError):
            about = path.lstat()
            yield path, about
            if stat.S_ISDIR(about.st_mode):
                found += [child for child in path.iterdir() if child != folder / ".git"]

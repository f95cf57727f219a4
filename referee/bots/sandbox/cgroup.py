"""A cgroup for each bot, which holds its memory and processes as a whole, where systemd delegates one.

`systemd-run --user --scope -p Delegate=yes referee ...` gives the referee such a tree. We move into a
leaf of it, since only leaves may hold processes, and every bot gets a leaf beside ours.
"""

from __future__ import annotations

import functools
import itertools
import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots.sandbox.limits import Limits

ROOT: Final = Path("/sys/fs/cgroup")
LEAF: Final = "referee"
_NEEDED: Final = {"memory", "pids"}
_ENTER: Final = 'echo 0 > "$0/cgroup.procs" && exec "$@"'
_numbers = itertools.count(1)


class Group(NamedTuple):
    """The cgroup of one bot."""

    folder: Path

    @staticmethod
    def make(base: Path, limits: Limits) -> Group:
        """A new one with these limits, or none."""
        group = Group(base / f"bot-{os.getpid()}-{next(_numbers)}")
        group.folder.mkdir()
        try:
            group.limit(limits)
        except OSError:
            group.remove()
            raise
        return group

    def limit(self, limits: Limits) -> None:
        """Hold what is in it to these; a bot that is out of memory is killed as a whole."""
        for name, value in (
            ("memory.max", limits.memory),
            ("memory.swap.max", 0),
            ("memory.oom.group", 1),
            ("pids.max", limits.processes),
        ):
            with suppress(FileNotFoundError):  # without swap there is no limit of it
                _write(self.folder / name, str(value))

    def enter(self) -> list[str]:
        """A command that enters it, then becomes another one: nothing runs outside."""
        return ["/bin/sh", "-c", _ENTER, str(self.folder)]

    def remove(self) -> None:
        """It is empty: all that was in it has been killed."""
        with suppress(OSError):
            self.folder.rmdir()


@functools.cache
def delegated() -> Path | None:
    """The cgroup below which bots get theirs, if we were given one."""
    own = own_group()
    if own is None:
        return None
    try:
        return _base(own)
    except OSError:
        return None


def own_group() -> Path | None:
    """The cgroup that we are in, if memory and processes are counted there."""
    try:
        own = ROOT / own_name().lstrip("/")
        controllers = set((own / "cgroup.controllers").read_text().split())
    except (OSError, StopIteration):
        return None
    return own if controllers >= _NEEDED else None


def own_name() -> str:
    """As the kernel tells it."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    return next(line[3:] for line in lines if line.startswith("0::"))


def _base(own: Path) -> Path | None:
    """The tree that is ours: the one above, if we were started in a leaf of it."""
    if own.name == LEAF and _is_delegated(own.parent):
        return own.parent
    if not _is_delegated(own):
        return None
    leaf = own / LEAF
    leaf.mkdir(exist_ok=True)
    _write(leaf / "cgroup.procs", str(os.getpid()))
    _write(own / "cgroup.subtree_control", "+memory +pids")
    return own


def _is_delegated(folder: Path) -> bool:
    """Whether systemd has marked it as somebody's own."""
    with suppress(OSError):
        return os.getxattr(folder, "user.delegate") == b"1" and os.access(folder, os.W_OK)
    return False


def _write(path: Path, text: str) -> None:
    with path.open("r+") as file:  # never made anew: these files are the kernel's
        file.write(text)

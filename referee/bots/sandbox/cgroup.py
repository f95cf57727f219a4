"""A cgroup per bot, which limits the memory and processes of the whole bot, where systemd delegates one.

`systemd-run --user --scope -p Delegate=yes referee ...` gives the referee such a tree. The referee moves
into a leaf of it, since only leaves may contain processes, and every bot gets a leaf beside it.
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
    """The cgroup that contains one bot."""

    folder: Path

    @staticmethod
    def make(base: Path, limits: Limits) -> Group:
        """A new cgroup with these limits; OSError, and nothing is left, if it cannot be made."""
        group = Group(base / f"bot-{os.getpid()}-{next(_numbers)}")
        group.folder.mkdir()
        try:
            group.limit(limits)
        except OSError:
            group.remove()
            raise
        return group

    def limit(self, limits: Limits) -> None:
        """Set these limits; when memory runs out, the whole bot is killed."""
        for name, value in (
            ("memory.max", limits.memory),
            ("memory.swap.max", 0),
            ("memory.oom.group", 1),
            ("pids.max", limits.processes),
        ):
            with suppress(FileNotFoundError):  # there is no such file without swap
                _write(self.folder / name, str(value))

    def enter(self) -> list[str]:
        """A command that enters the cgroup, then becomes the command after it."""
        return ["/bin/sh", "-c", _ENTER, str(self.folder)]

    def remove(self) -> None:
        """Remove the cgroup, whose processes have all ended."""
        with suppress(OSError):
            self.folder.rmdir()


@functools.cache
def delegated() -> Path | None:
    """The cgroup below which bots get theirs; None if none was delegated to us."""
    own = own_group()
    if own is None:
        return None
    try:
        return _base(own)
    except OSError:
        return None


def own_group() -> Path | None:
    """Our own cgroup, if it controls memory and processes."""
    try:
        own = ROOT / own_name().lstrip("/")
        controllers = set((own / "cgroup.controllers").read_text().split())
    except (OSError, StopIteration):
        return None
    return own if controllers >= _NEEDED else None


def own_name() -> str:
    """The name of our cgroup in /proc; StopIteration if there is none."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    return next(line[3:] for line in lines if line.startswith("0::"))


def _base(own: Path) -> Path | None:
    """The delegated cgroup: our own, or its parent if we were started in a leaf of it."""
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
    """Whether systemd has marked it as delegated, and we may write to it."""
    with suppress(OSError):
        return os.getxattr(folder, "user.delegate") == b"1" and os.access(folder, os.W_OK)
    return False


def _write(path: Path, text: str) -> None:
    with path.open("r+") as file:  # never created: the kernel provides these files
        file.write(text)

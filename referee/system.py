"""Facts about this system: cores and pinning, and what a process and its children use.

Where a system does not say something (most of it comes from Linux's /proc), the answer is empty.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_MIB: Final = 1 << 20
_PR_SET_DUMPABLE: Final = 4
# The kernel's struct pidfd_info: first which fields are known, last the wait status.
_PIDFD_INFO: Final = struct.Struct("=Q52xi")
_PIDFD_INFO_EXIT: Final = 1 << 3
_PIDFD_GET_INFO: Final = 3 << 30 | _PIDFD_INFO.size << 16 | 0xFF << 8 | 11  # _IOWR(0xFF, 11, ...)
# The environment variable that may hold the secret of a tournament.
SECRET_VARIABLE: Final = "REFEREE_SECRET"  # noqa: S105  a name

# -- cores and pinning


def can_pin() -> bool:
    """Whether a process can be pinned to a core here."""
    return hasattr(os, "sched_setaffinity")


def usable_cores() -> list[int]:
    """The cores that this process may use; empty where a process cannot be pinned."""
    return sorted(os.sched_getaffinity(0)) if can_pin() else []


def core_count() -> int:
    """The number of cores that this process may use."""
    return len(usable_cores()) or os.cpu_count() or 1


def current_core() -> int | None:
    """The core that runs this process now, or its first one; None where it cannot be pinned."""
    allowed = usable_cores()
    if not allowed:
        return None
    try:
        stat = Path("/proc/self/stat").read_text()
        core = int(stat.rpartition(")")[2].split()[36])
    except (OSError, ValueError, IndexError):
        return allowed[0]
    return core if core in allowed else allowed[0]


def pin(core: int) -> None:
    """Pin this thread, and all that it starts from now on, to a core; where that is possible."""
    if can_pin():
        os.sched_setaffinity(0, {core})


@contextmanager
def pinned(core: int | None) -> Iterator[None]:
    """Pin this thread, and all that it starts in the block, to a core; None changes nothing."""
    if core is None or not can_pin():
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


# -- processes


def has_process_files() -> bool:
    """Whether children and open files of a process can be counted here, which takes /proc."""
    return Path("/proc/self/task").is_dir()


def descendants(pid: int) -> list[int]:
    """All processes that descend from this one, as far as the processes in between are alive."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for word in (task / "children").read_text().split():
                found += [int(word), *descendants(int(word))]
    return found


def is_running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def exit_code_of(pidfd: int) -> int | None:
    """The exit status of an ended process, negative for a signal; it need not be our child.

    None while it runs, and where the kernel does not say (Linux before 6.15, other systems).
    """
    if sys.platform != "linux":
        return None
    import fcntl  # noqa: PLC0415  only POSIX systems have it

    info = bytearray(_PIDFD_INFO.size)
    _PIDFD_INFO.pack_into(info, 0, _PIDFD_INFO_EXIT, 0)
    try:
        fcntl.ioctl(pidfd, _PIDFD_GET_INFO, info)
    except OSError:
        return None
    known, status = _PIDFD_INFO.unpack(info)
    return os.waitstatus_to_exitcode(status) if known & _PIDFD_INFO_EXIT else None


def resident_mib(pid: int) -> float:
    """The memory that a process has now, in MiB; 0 for a process that has ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / _MIB


def peak_mib(pid: int) -> float:
    """The most memory that a process has had so far, in MiB; 0 if the system does not tell.

    `getrusage` is of no use for this: a process inherits the peak of the one that started it.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    kib = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return kib[0] / 1024 if kib else 0.0


def open_descriptors(pids: Iterable[int]) -> int:
    """The number of open descriptors of all these processes together."""
    count = 0
    for pid in pids:
        with suppress(OSError):
            count += len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208  no paths are needed
    return count


def most_open_files() -> int:
    """The number of files that this process may have open at once."""
    import resource  # noqa: PLC0415  only POSIX systems have it

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


def child_environment() -> dict[str, str]:
    """Our environment variables for a child process: without the secret of a tournament."""
    return {name: value for name, value in os.environ.items() if name != SECRET_VARIABLE}


def cpu_seconds(pid: int) -> float:
    """The CPU time that one process has used, without its children."""
    return time.clock_gettime((~pid << 3) | 2)


def ended_children_cpu_seconds() -> float:
    """The CPU time of all children of this process that have ended, and of their children."""
    import resource  # noqa: PLC0415  only POSIX systems have it

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def hide_memory() -> None:
    """Let no other process of this user read the memory and the open files of this one, on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)

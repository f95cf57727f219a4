"""Limits the number of files in the scratch folder of a sandbox.

Bubblewrap limits the bytes in it, but a file without bytes still costs the kernel about a kibibyte.
The number can only be changed where the folder is mounted: root can do that from outside, any other
user from inside the namespaces of the sandbox, which a process can enter only for good.
"""

from __future__ import annotations

import ctypes
import errno
import os
import warnings
from typing import Final

# System calls that have the same number on every architecture.
_FSCONFIG: Final = 431
_FSPICK: Final = 433

_FSPICK_CLOEXEC: Final = 1
_SET_STRING: Final = 1
_RECONFIGURE: Final = 7
_HERE: Final = -100  # AT_FDCWD
_NEW_ROOT: Final = "/newroot"  # where bubblewrap collects the folders of a sandbox
_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def limit_files(pid: int, scratch: str, files: int) -> None:
    """Let a process of bubblewrap, which waits, make so many files in its scratch folder.

    OSError if that cannot be set.
    """
    inside = f"{_NEW_ROOT}{scratch}"
    if os.geteuid() == 0:
        _set_most_files(f"/proc/{pid}/root{inside}", files)
    elif error := _in_namespaces_of(pid, inside, files):
        raise OSError(error, os.strerror(error), scratch)


def _set_most_files(folder: str, files: int) -> None:
    """Set the number for a mounted tmpfs; those files that it has already do not count."""
    now = os.statvfs(folder)
    most = str(now.f_files - now.f_ffree + files).encode()
    context = _call(_FSPICK, _HERE, os.fsencode(folder), _FSPICK_CLOEXEC)
    try:
        _call(_FSCONFIG, context, _SET_STRING, b"nr_inodes", most, 0)
        _call(_FSCONFIG, context, _RECONFIGURE, None, None, 0)
    finally:
        os.close(context)


def _in_namespaces_of(pid: int, folder: str, files: int) -> int:
    """Do it in a fork that enters the namespaces of this process; returns the number of an error."""
    namespaces = [os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY) for kind in ("user", "mnt")]
    try:
        with warnings.catch_warnings():
            # The fork takes no lock that a thread of ours might hold.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            os._exit(_enter_and_set(namespaces, folder, files))
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        for namespace in namespaces:
            os.close(namespace)


def _enter_and_set(namespaces: list[int], folder: str, files: int) -> int:
    try:
        for namespace in namespaces:
            _check(_LIBC.setns(namespace, 0))
        _set_most_files(folder, files)
    except OSError as error:
        return error.errno or errno.EIO
    except BaseException:  # noqa: BLE001  nothing may leave the fork
        return errno.EIO
    return 0


def _call(number: int, *words: int | bytes | None) -> int:
    given = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    return _check(_LIBC.syscall(ctypes.c_long(number), *given))


def _check(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result

"""A bot that tries what it must not: it is told an attempt, and says on a line what came of it."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import resource
import signal
import socket
import sys
import time
from pathlib import Path

PTRACE_ATTACH = 16
CLONE_NEWUSER = 0x10000000
MIB = 1 << 20
FOREVER = 3600


def reads(path: str) -> object:
    """A file, or the names in a folder."""
    place = Path(path)
    if place.is_dir():
        return sorted(child.name for child in place.iterdir())
    return place.read_text("utf-8", errors="replace")


def writes(path: str) -> object:
    with Path(path).open("a") as file:
        return file.write("written\n")


def creates(folder: str) -> object:
    Path(folder, "made-by-a-bot").mkdir()
    return "made"


def connects(host: str, port: str) -> object:
    with socket.create_connection((host, int(port)), timeout=5):
        return "connected"


def connects_locally(name: str) -> object:
    """To a socket whose name is no file; those of other network namespaces are not there."""
    with socket.socket(socket.AF_UNIX) as found:
        found.connect(f"\0{name}")
        return "connected"


def interfaces() -> object:
    return [name for _, name in socket.if_nameindex()]


def signals(pid: str) -> object:
    os.kill(int(pid), signal.SIGCONT)
    return "signalled"


def traces(pid: str) -> object:
    done = ctypes.CDLL(None, use_errno=True).ptrace(PTRACE_ATTACH, int(pid), None, None)
    if done:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "traced"


def reads_memory(pid: str) -> object:
    with Path(f"/proc/{pid}/mem").open("rb") as memory:
        return memory.fileno()


def processes() -> object:
    """The commands of all that can be seen."""
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
    return [command.replace(b"\0", b" ").decode(errors="replace") for command in commands]


def itself() -> object:
    return {
        "uid": os.getuid(),
        "groups": os.getgroups(),
        "environment": dict(os.environ),
        "arguments": sys.argv,
        "files": sorted(int(path.name) for path in Path("/proc/self/fd").iterdir())[:-1],
        "folder": str(Path.cwd()),
        "limits": {
            name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))
            for name in ("DATA", "NPROC", "FSIZE", "NOFILE")
        },
        "session": os.getsid(0) == os.getpid(),
    }


def becomes(uid: str) -> object:
    os.setuid(int(uid))
    return os.getuid()


def makes_namespace() -> object:
    """With a user namespace of its own it could mount scratch without a limit."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "made"


def reads_keys() -> object:
    """The session keyring, which is handed down from whoever started us."""
    number = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
    session = -3
    if ctypes.CDLL(None, use_errno=True).syscall(number, 0, session, 0) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "found"


def clones_into_namespace() -> object:
    """The same by a child that begins in one."""
    stack = ctypes.create_string_buffer(MIB)
    top = ctypes.c_void_p(ctypes.addressof(stack) + MIB)
    sleep = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: 0)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.clone(sleep, top, CLONE_NEWUSER | signal.SIGCHLD, None) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "made"


def takes_memory() -> object:
    """MiB that it gets."""
    kept: list[mmap.mmap] = []
    try:
        while len(kept) < 4096:
            kept.append(mmap.mmap(-1, MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    except (OSError, MemoryError):
        pass
    return len(kept)


def forks() -> object:
    """How many children it gets."""
    count = 0
    try:
        while count < 1000:
            if os.fork() == 0:
                time.sleep(FOREVER)
            count += 1
    except OSError:
        pass
    return count


def opens() -> object:
    """How many files it gets."""
    kept: list[int] = []
    try:
        while len(kept) < 5000:
            kept.append(os.open("/", os.O_RDONLY))
    except OSError:
        pass
    return len(kept)


def fills(folder: str) -> object:
    """MiB that fit into files of a folder."""
    written = 0
    try:
        for number in range(100):
            with Path(folder, f"{number}.bin").open("wb", buffering=0) as file:
                for _ in range(8):
                    written += file.write(bytes(MIB))
    except OSError:
        pass
    return written // MIB


def grows(path: str) -> object:
    """Bytes that one file takes; too many are an error, no death."""
    with Path(path).open("wb", buffering=0) as file:
        try:
            while file.tell() < 64 * MIB:
                file.write(bytes(MIB))
        except OSError as error:
            return [file.tell(), error.strerror]
    return [64 * MIB, None]


def leaves_daemon() -> object:
    """Twice forked, in a session of its own, with an environment of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execve("/bin/sleep", ["sleep", str(FOREVER)], {})
        os._exit(0)
    os.wait()
    return os.getpid()


def main() -> None:
    attempt, *words = json.loads(sys.stdin.readline())
    try:
        came: object = {"came": globals()[attempt](*words)}
    except (OSError, MemoryError) as error:
        came = {"refused": getattr(error, "strerror", None) or type(error).__name__}
    sys.stdout.write(json.dumps(came) + "\n")
    sys.stdout.flush()
    sys.stdin.read()


main()

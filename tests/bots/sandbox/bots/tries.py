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
MAP_GROWSDOWN = 0x100
MIB = 1 << 20
MOST_MIB = 4096
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
            for name in ("DATA", "STACK", "NPROC", "FSIZE", "NOFILE")
        },
        "session": os.getsid(0) == os.getpid(),
        "status": dict(line.split(":\t") for line in Path("/proc/self/status").open()),
    }


def namespaces() -> object:
    return {path.name: str(path.readlink()) for path in Path("/proc/self/ns").iterdir()}


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
    calls(number, 0, session, 0)
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


def takes_memory(way: str) -> object:
    """MiB that it gets by mappings, which are kept."""
    flags = {
        "its own": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
        "shared": mmap.MAP_SHARED | mmap.MAP_ANONYMOUS,
        "a stack": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_GROWSDOWN,
    }
    kept: list[mmap.mmap] = []
    try:
        while len(kept) < MOST_MIB:
            kept.append(mmap.mmap(-1, MIB, flags[way]))
    except (OSError, MemoryError):
        pass
    return len(kept)


def makes_memory(way: str) -> object:
    """A file without a name, or what System V has; closed or not, it stays as long as it is used."""
    machine = os.uname().machine
    numbers = {
        "memfd_create": {"x86_64": 319, "aarch64": 279},
        "memfd_secret": {"x86_64": 447, "aarch64": 447},
        "shmget": {"x86_64": 29, "aarch64": 194},
        "semget": {"x86_64": 64, "aarch64": 190},
        "msgget": {"x86_64": 68, "aarch64": 186},
    }
    words = {"memfd_create": (b"x", 0), "memfd_secret": (0,), "msgget": (0, 0o600)}
    return calls(numbers[way][machine], *words.get(way, (0, 1, 0o600)))


def calls(number: int, *words: object) -> int:
    """A system call by its number."""
    came: int = ctypes.CDLL(None, use_errno=True).syscall(number, *words)
    if came < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return came


def makes_ring() -> object:
    """By such a ring the kernel does what is asked, unseen by a filter of calls."""
    return calls(425, 4, ctypes.create_string_buffer(256))


def opens_socket(family: str) -> object:
    with socket.socket(int(family), socket.SOCK_STREAM) as made:
        return made.family


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
    """MiB that fit into files of a folder, each of them smaller than a file may be."""
    written = 0
    try:
        while written < 100 * MIB:
            with Path(folder, f"{written}.bin").open("wb", buffering=0) as file:
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

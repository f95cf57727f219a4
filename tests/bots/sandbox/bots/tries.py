"""A bot that tries what is forbidden: it reads the name of an attempt, and writes the result."""

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
MOST_FILES = 334_000  # cost the kernel 0.4 GB
FOREVER = 3600


def reads(path: str) -> object:
    """The text of a file, or the names in a folder."""
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
    """Connect to a socket without a file; those of other network namespaces do not exist here."""
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
    """The commands of all processes that are visible."""
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
    return [command.replace(b"\0", b" ").decode(errors="replace") for command in commands]


def inherited_files() -> list[int]:
    """The numbers of the open files, except the folder of this list and what ctypes opens."""
    paths = sorted(Path("/proc/self/fd").iterdir(), key=lambda path: int(path.name))[:-1]
    return [int(path.name) for path in paths if "libffi" not in path.readlink().name]


def itself() -> object:
    return {
        "uid": os.getuid(),
        "groups": os.getgroups(),
        "environment": dict(os.environ),
        "arguments": sys.argv,
        "files": inherited_files(),
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
    """In its own user namespace it could mount scratch folders without a limit."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "made"


def reads_keys() -> object:
    """Read the session keyring, which is inherited from whoever started the referee."""
    number = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
    session = -3
    calls(number, 0, session, 0)
    return "found"


def clones_into_namespace() -> object:
    """Start a child in a new user namespace."""
    stack = ctypes.create_string_buffer(MIB)
    top = ctypes.c_void_p(ctypes.addressof(stack) + MIB)
    sleep = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: 0)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.clone(sleep, top, CLONE_NEWUSER | signal.SIGCHLD, None) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "made"


def takes_memory(way: str) -> object:
    """How many MiB it can map; the mappings are kept."""
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
    """Make memory outside the limits: a file without a name, or an object of System V."""
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
    """Make a system call by its number."""
    result: int = ctypes.CDLL(None, use_errno=True).syscall(number, *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def makes_ring() -> object:
    """Set up io_uring, whose requests bypass a filter of system calls."""
    return calls(425, 4, ctypes.create_string_buffer(256))


def opens_socket(family: str) -> object:
    with socket.socket(int(family), socket.SOCK_STREAM) as made:
        return made.family


def forks() -> object:
    """How many children it can start."""
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
    """How many files it can open."""
    kept: list[int] = []
    try:
        while len(kept) < 5000:
            kept.append(os.open("/", os.O_RDONLY))
    except OSError:
        pass
    return len(kept)


def fills(folder: str) -> object:
    """How many MiB fit into a folder, in files of 1 MiB."""
    written = 0
    try:
        while written < 100 * MIB:
            with Path(folder, f"{written}.bin").open("wb", buffering=0) as file:
                written += file.write(bytes(MIB))
    except OSError:
        pass
    return written // MIB


def makes_files(folder: str, kind: str) -> object:
    """How many empty files, folders or names of one file fit into a folder, of very many."""
    made = 0
    first = Path(folder, "first")
    try:
        first.touch()
        for made in range(1, MOST_FILES):
            place = Path(folder, str(made))
            if kind == "folders":
                place.mkdir()
            elif kind == "links":
                place.hardlink_to(first)
            else:
                place.touch()
    except OSError as error:
        return [made, error.strerror]
    return [MOST_FILES, None]


def grows(path: str) -> object:
    """How many bytes fit into one file, and the error after that."""
    with Path(path).open("wb", buffering=0) as file:
        try:
            while file.tell() < 64 * MIB:
                file.write(bytes(MIB))
        except OSError as error:
            return [file.tell(), error.strerror]
    return [64 * MIB, None]


def leaves_daemon() -> object:
    """Leave a daemon: forked twice, with its own session and environment."""
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
        outcome: object = {"came": globals()[attempt](*words)}
    except (OSError, MemoryError) as error:
        outcome = {"refused": getattr(error, "strerror", None) or type(error).__name__}
    sys.stdout.write(json.dumps(outcome) + "\n")
    sys.stdout.flush()
    sys.stdin.read()


main()

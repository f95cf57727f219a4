"""The system-call filter: forbids what would get around namespaces and limits of a strict sandbox.

Where root sets up the sandbox, the bot has no user namespace in which bubblewrap could forbid new
ones, and in a new one a program would be root. Keyrings are inherited from the process that started the
referee, and may contain secrets. Some kinds of sockets ignore namespaces. Shared memory, and a stack
that a process maps itself, do not count as data, so no limit applies to them. The filter is a program
for the kernel's classic packet filter (BPF).
"""

from __future__ import annotations

import functools
import os
import platform
import struct
from typing import Final, NamedTuple, TypeAlias

Step: TypeAlias = tuple[int, int, int, int]  # code, jump if true, jump if false, value

_LOAD: Final = 0x20  # a word of the call's data
_KEEP_BITS: Final = 0x54
_JUMP_IF_EQUAL: Final = 0x15
_JUMP_IF_ANY_BIT: Final = 0x45
_JUMP_IF_NOT_LESS: Final = 0x35
_RETURN: Final = 0x06

_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _FOURTH_ARGUMENT = 0, 4, 16, 40  # in the call's data
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_FAILS: Final = 0x00050000  # with the number of an error
_REFUSED: Final = _FAILS | 1
_NO_MEMORY: Final = _FAILS | 12
_NOT_THERE: Final = _FAILS | 38  # as on an older system; of clone3, the C library then uses clone
_NO_FAMILY: Final = _FAILS | 97

_CLONE_NEWUSER: Final = 0x10000000
_FOREIGN: Final = 0x40000000  # numbers from here on are of another calling convention (x32)
_FAMILIES: Final = (1, 2, 10, 16)  # unix, inet, inet6, netlink: each namespace has its own
_MAP_GROWSDOWN: Final = 0x100
_MAP_KIND: Final = 0x2F  # shared or private, and anonymous or not
_SHARED_WITHOUT_FILE: Final = 0x21


class Machine(NamedTuple):
    """The kernel's number for an architecture, and the numbers of its system calls."""

    architecture: int
    clone: int
    socket: int
    mmap: int
    forbidden: tuple[int, ...]  # unshare, setns, add_key, request_key, keyctl
    missing: tuple[int, ...]


# The same on every architecture: io_uring_setup (its calls bypass a filter), clone3, memfd_secret,
# map_shadow_stack.
_MISSING: Final = (425, 435, 447, 453)

MACHINES: Final = {
    "x86_64": Machine(
        0xC000003E,
        clone=56,
        socket=41,
        mmap=9,
        forbidden=(272, 308, 248, 249, 250),
        missing=(*_MISSING, 319, 29, 64, 68),  # memfd_create, shmget, semget, msgget
    ),
    "aarch64": Machine(
        0xC00000B7,
        clone=220,
        socket=198,
        mmap=222,
        forbidden=(97, 268, 217, 218, 219),
        missing=(*_MISSING, 279, 194, 190, 186),
    ),
}


def is_known() -> bool:
    """Whether there is a filter for this machine's architecture."""
    return platform.machine() in MACHINES


@functools.cache
def filter_program(machine: Machine) -> bytes:
    """The filter as bytes; it kills a process that makes calls of another architecture."""
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        *_unless((_JUMP_IF_EQUAL, machine.architecture), _KILL),
        (_LOAD, 0, 0, _NUMBER),
        *_when((_JUMP_IF_NOT_LESS, _FOREIGN), _NOT_THERE),
        *_any_of(machine.missing, _NOT_THERE),
        *_any_of(machine.forbidden, _REFUSED),
        *_of(machine.clone, _clone()),
        *_of(machine.socket, _socket()),
        *_of(machine.mmap, _mmap()),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _clone() -> list[Step]:
    return [
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *_when((_JUMP_IF_ANY_BIT, _CLONE_NEWUSER), _REFUSED),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _socket() -> list[Step]:
    return [
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *_any_of(_FAMILIES, _ALLOW),
        (_RETURN, 0, 0, _NO_FAMILY),
    ]


def _mmap() -> list[Step]:
    return [
        (_LOAD, 0, 0, _FOURTH_ARGUMENT),
        *_when((_JUMP_IF_ANY_BIT, _MAP_GROWSDOWN), _NO_MEMORY),
        (_KEEP_BITS, 0, 0, _MAP_KIND),
        *_when((_JUMP_IF_EQUAL, _SHARED_WITHOUT_FILE), _NO_MEMORY),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _of(call: int, steps: list[Step]) -> list[Step]:
    """Run these steps, which end with a verdict, for one system call."""
    return [(_JUMP_IF_EQUAL, 0, len(steps), call), *steps]


def _any_of(values: tuple[int, ...], verdict: int) -> list[Step]:
    return [step for value in values for step in _when((_JUMP_IF_EQUAL, value), verdict)]


def _when(test: tuple[int, int], verdict: int) -> list[Step]:
    """Return this verdict if the test holds; otherwise continue."""
    code, value = test
    return [(code, 0, 1, value), (_RETURN, 0, 0, verdict)]


def _unless(test: tuple[int, int], verdict: int) -> list[Step]:
    code, value = test
    return [(code, 1, 0, value), (_RETURN, 0, 0, verdict)]


def open_filter() -> int:
    """A descriptor from which the filter can be read once."""
    reading, writing = os.pipe()
    try:
        os.write(writing, filter_program(MACHINES[platform.machine()]))
    finally:
        os.close(writing)
    return reading

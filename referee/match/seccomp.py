"""A filter of system calls: no new namespaces, in which a program would be root, and no keyrings.

Where root lays out the sandbox, there is no namespace around the bot in which bubblewrap could forbid
new ones. Keyrings are handed down from whoever started us, and hold secrets. The filter is a
program for the kernel's classic packet filter.
"""

from __future__ import annotations

import os
import platform
import struct
from typing import Final, NamedTuple, TypeAlias

Step: TypeAlias = tuple[int, int, int, int]  # what to do, how far to jump if so, if not, a value

_LOAD: Final = 0x20  # a word of the call's data
_JUMP_IF_EQUAL: Final = 0x15
_JUMP_IF_ANY_BIT: Final = 0x45
_JUMP_IF_NOT_LESS: Final = 0x35
_RETURN: Final = 0x06

_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # where they are in the call's data
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_REFUSED: Final = 0x00050000 | 1
_NOT_THERE: Final = 0x00050000 | 38  # of clone3: the C library then uses clone

_CLONE_NEWUSER: Final = 0x10000000
_FOREIGN: Final = 0x40000000  # numbers from here on are those of another way to call


class Machine(NamedTuple):
    """What a kind of processor is called by the kernel, and the numbers of its calls."""

    architecture: int
    clone: int
    forbidden: tuple[int, ...]  # unshare, setns, add_key, request_key, keyctl
    clone3: int = 435


MACHINES: Final = {
    "x86_64": Machine(0xC000003E, clone=56, forbidden=(272, 308, 248, 249, 250)),
    "aarch64": Machine(0xC00000B7, clone=220, forbidden=(97, 268, 217, 218, 219)),
}


def is_known() -> bool:
    """Whether there is a filter for this kind of processor."""
    return platform.machine() in MACHINES


def filter_program(machine: Machine) -> bytes:
    """Another architecture's calls, whose numbers are others, are the end."""
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        *_unless((_JUMP_IF_EQUAL, machine.architecture), _KILL),
        (_LOAD, 0, 0, _NUMBER),
        *_when((_JUMP_IF_NOT_LESS, _FOREIGN), _NOT_THERE),
        *_when((_JUMP_IF_EQUAL, machine.clone3), _NOT_THERE),
        *(step for call in machine.forbidden for step in _when((_JUMP_IF_EQUAL, call), _REFUSED)),
        *_unless((_JUMP_IF_EQUAL, machine.clone), _ALLOW),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *_when((_JUMP_IF_ANY_BIT, _CLONE_NEWUSER), _REFUSED),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _when(test: tuple[int, int], verdict: int) -> list[Step]:
    """This verdict if the test holds; else go on."""
    code, value = test
    return [(code, 0, 1, value), (_RETURN, 0, 0, verdict)]


def _unless(test: tuple[int, int], verdict: int) -> list[Step]:
    code, value = test
    return [(code, 1, 0, value), (_RETURN, 0, 0, verdict)]


def open_filter() -> int:
    """A file to read the filter from, once."""
    reading, writing = os.pipe()
    try:
        os.write(writing, filter_program(MACHINES[platform.machine()]))
    finally:
        os.close(writing)
    return reading

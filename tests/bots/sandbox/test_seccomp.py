"""The filter of system calls, interpreted step by step, for every architecture."""

from __future__ import annotations

import os
import platform
import struct

import pytest

from referee.bots.sandbox.seccomp import MACHINES, Machine, filter_program, is_known, open_filter

ALLOW, KILL, NOT_PERMITTED, NOT_THERE = 0x7FFF0000, 0x80000000, 0x50001, 0x50026
NO_MEMORY, NO_FAMILY = 0x5000C, 0x50061
CLONE3 = 435
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
NEW_USER, NEW_THREAD = 0x10000000, 0x3D0F00
READ = 0  # a harmless call on every architecture

every_machine = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


def verdict(machine: Machine, number: int, *arguments: int, architecture: int = 0) -> int:
    """What the kernel would do with this system call."""
    words = (*arguments, *[0] * 6)[:6]
    data = struct.pack("=IIQ6Q", number, architecture or machine.architecture, 0, *words)
    steps = list(struct.iter_unpack("=HBBI", filter_program(machine)))
    at = loaded = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
            continue
        if code == 0x54:
            loaded &= value
            continue
        holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
        at += yes if holds else no


@every_machine
def test_common_system_calls_are_allowed(machine: Machine) -> None:
    judged = {machine.clone, machine.socket, *machine.forbidden, *machine.missing}
    numbers = set(range(500)) - judged
    assert {verdict(machine, number, NEW_USER) for number in numbers} == {ALLOW}


@every_machine
def test_threads_and_children_are_allowed(machine: Machine) -> None:
    assert verdict(machine, machine.clone, NEW_THREAD) == ALLOW
    assert verdict(machine, machine.clone, 17) == ALLOW


@every_machine
def test_user_namespaces_and_keyrings_are_not_permitted(machine: Machine) -> None:
    assert verdict(machine, machine.clone, NEW_USER | 17) == NOT_PERMITTED
    assert {verdict(machine, number) for number in machine.forbidden} == {NOT_PERMITTED}


@every_machine
def test_clone3_is_missing_so_that_clone_is_used(machine: Machine) -> None:
    assert CLONE3 in machine.missing
    assert verdict(machine, CLONE3) == NOT_THERE


@every_machine
def test_only_socket_families_with_namespaces_are_allowed(machine: Machine) -> None:
    verdicts = {family: verdict(machine, machine.socket, family) for family in range(64)}
    assert {family for family, found in verdicts.items() if found == ALLOW} == {
        UNIX, INET, INET6, NETLINK,
    }  # fmt: skip
    assert set(verdicts.values()) == {ALLOW, NO_FAMILY}


SHARED, PRIVATE, FIXED, UNNAMED, GROWS = 1, 2, 0x10, 0x20, 0x100


@every_machine
@pytest.mark.parametrize("more", [0, FIXED, 0x4000])
def test_only_counted_memory_can_be_mapped(machine: Machine, more: int) -> None:
    def maps(flags: int) -> int:
        return verdict(machine, machine.mmap, 0, 4096, 3, flags | more)

    assert {maps(PRIVATE | UNNAMED), maps(PRIVATE), maps(SHARED)} == {ALLOW}
    assert {maps(SHARED | UNNAMED), maps(PRIVATE | UNNAMED | GROWS)} == {NO_MEMORY}


@every_machine
def test_other_calling_conventions_cannot_bypass_the_filter(machine: Machine) -> None:
    assert verdict(machine, READ, architecture=0x40000003) == KILL
    assert verdict(machine, 0x40000000 | machine.forbidden[0]) == NOT_THERE


def test_an_unknown_architecture_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not is_known()


@pytest.mark.skipif(not is_known(), reason="there is no filter for this architecture")
def test_the_filter_can_be_read_from_its_descriptor() -> None:
    file = open_filter()
    with os.fdopen(file, "rb") as opened:
        assert opened.read() == filter_program(MACHINES[platform.machine()])

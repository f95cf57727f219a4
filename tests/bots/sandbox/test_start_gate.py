"""The start gate of the strict sandbox: no bot runs before its limits are set."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.bots.process import BotProcess
from referee.bots.sandbox.start_gate import StartGate
from referee.errors import BotRefused
from support.match_setup import descriptors, left_running
from support.sandboxed import trying

WAITS = """
import os, resource, sys
info, ready, wait = map(int, sys.argv[1:])
os.write(info, b'{\\n  "child-pid": %d' % os.getpid())
os.write(info, b',\\n  "cgroup-namespace": 1\\n}\\n')
with os.fdopen(ready) as users:
    print(users.read())
with os.fdopen(wait) as groups:
    print(groups.read())
print(resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.fixture
def gate() -> Iterator[StartGate]:
    made = StartGate("users", "groups")
    yield made
    made.close()


def nothing(_: int) -> None:
    pass


def test_a_held_process_has_its_limits_when_it_continues(gate: StartGate) -> None:
    ends = gate.passed()
    command = [sys.executable, "-c", WAITS, *map(str, ends)]
    with subprocess.Popen(command, pass_fds=ends, stdout=subprocess.PIPE) as child:
        called: list[int] = []
        gate.open({resource.RLIMIT_NOFILE: 77}, called.append)
        assert child.communicate()[0] == b"users\ngroups\n(77, 77)\n"
    assert called == [child.pid]


def test_a_process_that_is_not_named_is_an_error(gate: StartGate) -> None:
    os.write(gate.passed()[0], b'{"pid": 1}')
    with pytest.raises(OSError, match="does not say which process"):
        gate.open({}, nothing)


@pytest.mark.parametrize("info", [b"", b"{"])
def test_the_gate_does_not_wait_for_a_failed_bubblewrap(gate: StartGate, info: bytes) -> None:
    os.write(gate.passed()[0], info)
    gate.open({resource.RLIMIT_NOFILE: 77}, nothing)


def test_no_descriptor_stays_open() -> None:
    before = descriptors()
    StartGate("", "").close()
    opened = StartGate("", "")
    opened.open({}, nothing)
    opened.close()
    assert descriptors() == before


@pytest.mark.usefixtures("strict")
def test_a_bot_whose_limits_cannot_be_set_never_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    before = descriptors()
    monkeypatch.setattr(resource, "prlimit", refuses)
    with pytest.raises(BotRefused, match="bot tries cannot be started: Operation not permitted"):
        BotProcess(trying(), tmp_path / "stderr.txt")
    assert descriptors() == before
    assert left_running() == []

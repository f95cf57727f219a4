"""The start gate of the strict sandbox: no bot runs before its limits are set."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.adjudication.faults import Fault
from referee.bots.process import BotProcess, monotonic_ns
from referee.bots.sandbox.start_gate import StartGate
from referee.errors import BotRefused
from support.match_setup import descriptors, left_running
from support.sandboxed import SOON_NS, trying

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


NOBODY = 2**22 + 1  # no process has this number


@pytest.fixture
def gate() -> Iterator[StartGate]:
    made = StartGate("users", "groups")
    yield made
    made.close()


def nothing(_: int) -> None:
    pass


def name_process(gate: StartGate, pid: int) -> None:
    """Name a process as bubblewrap does, and read the first file."""
    info, ready, _ = gate.passed()
    os.write(info, b'{"child-pid": %d }' % pid)
    assert os.read(ready, 100) == b"users"


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


def test_a_sandbox_that_bubblewrap_cannot_make_is_not_an_error(gate: StartGate) -> None:
    """It ends after it has named a process, and says why on stderr."""
    os.write(gate.passed()[0], b'{"child-pid": %d }' % os.getpid())
    assert gate.open({}, refuses) is None


def test_limits_of_a_process_that_has_ended_are_not_an_error(gate: StartGate) -> None:
    name_process(gate, NOBODY)
    assert gate.open({resource.RLIMIT_NOFILE: 77}, refuses) is None


def refuses(pid: int) -> None:
    raise OSError(None, f"nothing can be set for {pid}")


def test_what_cannot_be_set_for_the_process_that_waits_is_an_error(gate: StartGate) -> None:
    name_process(gate, os.getpid())
    with pytest.raises(OSError, match=f"nothing can be set for {os.getpid()}"):
        gate.open({}, refuses)


def test_what_cannot_be_set_for_a_process_that_has_ended_is_not_an_error(gate: StartGate) -> None:
    name_process(gate, NOBODY)
    assert gate.open({}, refuses) == NOBODY


def test_no_descriptor_stays_open() -> None:
    before = descriptors()
    StartGate("", "").close()
    opened = StartGate("", "")
    opened.open({}, nothing)
    opened.close()
    assert descriptors() == before


@pytest.mark.usefixtures("strict")
def test_what_bubblewrap_cannot_show_the_bot_is_in_its_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = subprocess.Popen

    def with_missing_folder(words: list[str], **options: Any) -> subprocess.Popen[bytes]:
        after = next(index for index, word in enumerate(words) if word.endswith("bwrap")) + 1
        return start([*words[:after], "--ro-bind", "/none", "/x", *words[after:]], **options)

    monkeypatch.setattr(subprocess, "Popen", with_missing_folder)
    process = BotProcess(trying(), tmp_path / "stderr.txt")
    assert process.hear(monotonic_ns() + SOON_NS) == Fault("crash", "ended with exit status 1")
    assert process.stderr_excerpt() == b"bwrap: Can't find source path /none: No such file or directory\n"  # fmt: skip
    process.kill()
    assert left_running() == []


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

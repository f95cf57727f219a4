"""Facts about this system: cores and pinning, and what processes use."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee import system

NOBODY = 2**22 + 1  # no process has this number
SLEEPER = [sys.executable, "-I", "-S", "-c", "import time; print(flush=True); time.sleep(60)"]

needs_pinning = pytest.mark.skipif(not system.can_pin(), reason="processes cannot be pinned here")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has it")
needs_proc = pytest.mark.skipif(not system.has_process_files(), reason="there is no /proc here")


def test_there_is_at_least_one_core() -> None:
    assert system.core_count() >= 1


@needs_pinning
def test_a_process_is_pinned_for_a_block_and_freed_again() -> None:
    before = system.usable_cores()
    with system.pinned(before[-1]):
        assert system.usable_cores() == [before[-1]]
        assert system.current_core() == before[-1]
    assert system.usable_cores() == before


@needs_pinning
def test_a_process_is_freed_again_after_an_error() -> None:
    before = system.usable_cores()
    with pytest.raises(LookupError), system.pinned(before[0]):
        raise LookupError
    assert system.usable_cores() == before


def test_without_a_core_nothing_is_pinned() -> None:
    before = system.usable_cores()
    with system.pinned(None):
        assert system.usable_cores() == before


def test_a_system_that_cannot_pin_still_counts_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "can_pin", lambda: False)
    assert (system.usable_cores(), system.current_core()) == ([], None)
    assert system.core_count() >= 1
    system.pin(0)
    with system.pinned(0):
        pass


@needs_pinning
def test_where_the_system_does_not_say_which_core_runs_it_is_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = tmp_path / "stat"
    monkeypatch.setattr(system, "Path", lambda _: stat)
    assert system.current_core() == system.usable_cores()[0]
    stat.write_text("1 (python) R 1")
    assert system.current_core() == system.usable_cores()[0]


@needs_proc
def test_a_child_is_found_until_it_has_ended() -> None:
    with subprocess.Popen(SLEEPER, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert child.pid in system.descendants(os.getpid())
        assert system.is_running(child.pid)
        assert system.cpu_seconds(child.pid) > 0
        child.kill()
    assert child.pid not in system.descendants(os.getpid())
    assert not system.is_running(child.pid)
    assert system.ended_children_cpu_seconds() > 0


@needs_proc
def test_own_memory_and_open_files_are_counted(tmp_path: Path) -> None:
    before = system.open_descriptors([os.getpid()])
    with (tmp_path / "x").open("wb"):
        assert system.open_descriptors([os.getpid()]) == before + 1
    assert system.resident_mib(os.getpid()) > 5


def test_a_process_that_does_not_exist_uses_nothing() -> None:
    assert system.descendants(NOBODY) == []
    assert not system.is_running(NOBODY)
    assert system.resident_mib(NOBODY) == 0
    assert system.peak_mib(NOBODY) == 0
    assert system.open_descriptors([NOBODY]) == 0


@needs_linux
@pytest.mark.parametrize("how", ["exit 7", "kill -9 $$", "exit 137"])
def test_an_ended_process_has_an_exit_status_for_everybody(how: str) -> None:
    child = subprocess.Popen(["/bin/sh", "-c", f"read _; {how}"], stdin=subprocess.PIPE)
    pidfd = os.pidfd_open(child.pid)
    assert system.exit_code_of(pidfd) is None
    child.communicate(b"\n")
    release = tuple(int(part) for part in os.uname().release.split(".")[:2])
    known = {"exit 7": 7, "kill -9 $$": -9, "exit 137": 137}[how]
    assert system.exit_code_of(pidfd) == (known if release >= (6, 15) else None)
    os.close(pidfd)


@needs_linux
def test_a_file_that_is_not_a_process_has_no_exit_status(tmp_path: Path) -> None:
    with (tmp_path / "x").open("wb") as file:
        assert system.exit_code_of(file.fileno()) is None


@needs_linux
def test_the_memory_of_a_process_is_hidden() -> None:
    libc, get, put = ctypes.CDLL(None), 3, 4  # PR_GET_DUMPABLE and PR_SET_DUMPABLE
    before = libc.prctl(get, 0, 0, 0, 0)
    try:
        system.hide_memory()
        assert libc.prctl(get, 0, 0, 0, 0) == 0
    finally:
        libc.prctl(put, before, 0, 0, 0)


def test_on_other_systems_nothing_is_known_or_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr(ctypes, "CDLL", calls.append)
    monkeypatch.setattr(sys, "platform", "darwin")
    system.hide_memory()
    assert system.exit_code_of(0) is None
    assert calls == []


def test_posix_modules_are_imported_only_when_needed() -> None:
    program = "import sys; import referee.system; print('resource' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"

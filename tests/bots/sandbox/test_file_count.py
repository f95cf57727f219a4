"""The number of files in a scratch folder: what cannot be set is an error; test_strict.py has the rest."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from referee.bots.sandbox import file_count
from referee.bots.sandbox.file_count import limit_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these calls")


@pytest.mark.parametrize("user", [0, 1000])
def test_a_process_without_a_sandbox_is_an_error(
    user: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root sets the number from outside, another user in the namespaces of the process."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    with pytest.raises(OSError, match="/nowhere") as refusal:
        limit_files(os.getpid(), "/nowhere", 5)
    # A process cannot enter the user namespace that it is in already.
    assert refusal.value.errno == (errno.ENOENT if user == 0 else errno.EINVAL)


def test_a_process_that_has_ended_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(FileNotFoundError):
        limit_files(2**22 + 1, "/nowhere", 5)


@pytest.mark.parametrize("folder", ["a folder in a file system", "/proc"])
def test_only_a_mounted_tmpfs_has_such_a_number(tmp_path: Path, folder: str) -> None:
    inside = tmp_path / folder
    inside.mkdir(exist_ok=True)
    with pytest.raises(OSError, match=r"Invalid argument|Operation not permitted"):
        file_count._set_most_files(str(inside), 5)


def test_no_error_leaves_the_fork_that_enters_the_namespaces() -> None:
    assert file_count._enter_and_set([], "/nowhere", 5) == errno.ENOENT
    assert file_count._enter_and_set([], "\0", 5) == errno.EIO
    with Path("/proc/self/status").open("rb") as file:
        assert file_count._enter_and_set([file.fileno()], "/nowhere", 5) == errno.EINVAL

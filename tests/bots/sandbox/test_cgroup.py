"""A cgroup for each bot where systemd delegates one; ordinary files replace the kernel's."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.bots import launch
from referee.bots.process import BotProcess
from referee.bots.sandbox import cgroup
from referee.bots.sandbox.cgroup import LEAF, Group
from referee.bots.sandbox.limits import Level
from referee.errors import BotRefused
from support.match_setup import descriptors
from support.sandboxed import SMALL, trying

MakeTree = Callable[..., Path]


@pytest.fixture
def make_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeTree]:
    """Make a tree of cgroups: ours is `name`, and the one named `marked` is delegated."""

    def make(
        name: str = "app.scope", controllers: str = "cpu memory pids", marked: str = ""
    ) -> Path:
        own = tmp_path / name
        own.mkdir(parents=True, exist_ok=True)
        for place in (own, own / LEAF):
            place.mkdir(exist_ok=True)
            for file in ("cgroup.procs", "cgroup.subtree_control"):
                (place / file).write_text("")
        (own / "cgroup.controllers").write_text(f"{controllers}\n")
        monkeypatch.setattr(cgroup, "ROOT", tmp_path)
        monkeypatch.setattr(cgroup, "own_name", lambda: f"/{name}")
        monkeypatch.setattr(cgroup, "_is_delegated", lambda folder: folder.name == marked)
        cgroup.delegated.cache_clear()
        return own

    yield make
    cgroup.delegated.cache_clear()


def test_without_delegation_there_is_no_cgroup(make_tree: MakeTree) -> None:
    make_tree()
    assert cgroup.delegated() is None


def test_a_cgroup_without_memory_limits_is_not_used(make_tree: MakeTree) -> None:
    make_tree(controllers="cpu", marked="app.scope")
    assert cgroup.delegated() is None


def test_the_referee_moves_into_a_leaf_beside_its_bots(make_tree: MakeTree) -> None:
    own = make_tree(marked="app.scope")
    assert cgroup.delegated() == own
    assert (own / LEAF / "cgroup.procs").read_text() == str(os.getpid())
    assert (own / "cgroup.subtree_control").read_text() == "+memory +pids"


def test_a_worker_in_that_leaf_uses_the_same_tree(make_tree: MakeTree) -> None:
    own = make_tree(f"app.scope/{LEAF}", marked="app.scope")
    assert cgroup.delegated() == own.parent


def test_a_cgroup_that_cannot_be_divided_is_not_used(
    make_tree: MakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If other processes run in it, the kernel refuses."""
    make_tree(marked="app.scope")

    def refuses(*_: object) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(cgroup, "_write", refuses)
    assert cgroup.delegated() is None


def test_a_bot_s_group_has_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: dict[str, str] = {}
    monkeypatch.setattr(cgroup, "_write", lambda path, text: written.update({path.name: text}))
    group = Group.make(tmp_path, SMALL)
    assert group.folder.parent == tmp_path
    assert written == {
        "memory.max": str(SMALL.memory),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": str(SMALL.processes),
    }
    group.remove()
    assert list(tmp_path.iterdir()) == []


def test_every_bot_gets_a_new_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "_write", lambda *_: None)
    assert Group.make(tmp_path, SMALL).folder != Group.make(tmp_path, SMALL).folder


def test_a_program_enters_the_group_before_it_runs(tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").write_text("")
    words = [*Group(tmp_path).enter(), "cat", str(tmp_path / "cgroup.procs")]
    assert subprocess.run(words, capture_output=True, check=True).stdout == b"0\n"


def test_a_program_that_cannot_enter_does_not_run(tmp_path: Path) -> None:
    words = [*Group(tmp_path / "gone").enter(), "echo", "began"]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode != 0
    assert done.stdout == b""


@pytest.mark.parametrize("level", ["limits", "strict"])
def test_a_group_that_cannot_be_made_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: Level
) -> None:
    monkeypatch.setattr(launch, "delegated", lambda: tmp_path / "gone")
    before = descriptors()
    with pytest.raises(BotRefused, match="bot tries cannot be started: No such file or directory"):
        BotProcess(trying(level), tmp_path / "stderr.txt")
    assert descriptors() == before


def test_a_cgroup_without_its_limits_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(cgroup, "_write", refuses)
    with pytest.raises(OSError, match="busy"):
        Group.make(tmp_path, SMALL)
    assert list(tmp_path.iterdir()) == []

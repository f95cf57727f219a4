"""Certain ends: whatever descends from a bot is ended with it, and nothing that does not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.bots import reaper as module
from referee.bots.find import Bot
from referee.bots.process import BotProcess
from referee.bots.reaper import MARK, REAPER, Reaper
from support.match_setup import children, left_running, marked, python
from support.paths import BAD_BOTS

pytestmark = pytest.mark.usefixtures("in_charge")

SLEEP = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[str], tuple[BotProcess, bytes]]]:
    """Starts one of the scraps, and hears its first line."""
    started: list[BotProcess] = []

    def begin(kind: str) -> tuple[BotProcess, bytes]:
        one = Bot(kind, python("scraps.py", kind), BAD_BOTS, "")
        started.append(BotProcess(one, tmp_path / f"{len(started)}.txt"))
        line = started[-1].hear(None)
        assert isinstance(line, bytes)
        return started[-1], line

    yield begin
    for process in started:
        process.kill()
    assert left_running() == []


Start = Callable[[str], tuple[BotProcess, bytes]]


def test_orphans_that_hide_are_found_all_the_same(start: Start) -> None:
    process, _ = start("daemons")
    orphans = set(children()) - {process.pid}
    assert len(orphans) == 4
    process.kill()
    assert children() == []


def test_a_whole_tree_is_ended(start: Start) -> None:
    process, _ = start("tree")
    process.kill()
    assert left_running() == []


def test_the_end_of_one_bot_leaves_the_orphans_of_another_in_play(start: Start) -> None:
    other, said = start("orphan-in-session")
    orphan = int(said)
    process, _ = start("daemons")
    process.kill()
    assert {other.pid, orphan} <= set(marked())
    other.kill()
    assert orphan not in marked()


def test_a_process_in_charge_kills_every_child_that_is_not_a_bot() -> None:
    stray = subprocess.Popen(SLEEP, start_new_session=True)
    REAPER.sweep()
    assert stray.pid not in children()
    stray.wait()


@pytest.fixture
def guest() -> Reaper:
    """One in a process that has other children too."""
    return Reaper()


def test_who_is_not_in_charge_ends_what_has_the_mark(guest: Reaper) -> None:
    environment = {**os.environ, MARK: str(os.getpid())}
    stray = subprocess.Popen(SLEEP, start_new_session=True, env=environment)
    while not module._is_marked(stray.pid):
        pass  # a moment after its start a process has no environment yet
    guest.sweep()
    assert stray.pid not in children()
    stray.wait()


@pytest.mark.parametrize("mark", [None, "1"])
def test_who_is_not_in_charge_leaves_the_children_of_others(
    guest: Reaper, mark: str | None
) -> None:
    environment = {**os.environ, **({} if mark is None else {MARK: mark})}
    with subprocess.Popen(SLEEP, env=environment) as child:
        guest.sweep()
        assert child.poll() is None
        child.kill()


def test_the_dead_are_waited_for() -> None:
    dead = subprocess.Popen(["true"])
    while f"{dead.pid} (true) Z" not in Path(f"/proc/{dead.pid}/stat").read_text():
        pass
    REAPER.sweep()
    assert not Path(f"/proc/{dead.pid}").exists()
    dead.wait()


def test_what_cannot_be_killed_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(SLEEP) as child:

        def not_ours(pid: int, signal: int) -> None:
            raise PermissionError

        with monkeypatch.context() as patch:
            patch.setattr(os, "kill", not_ours)
            patch.setattr(os, "killpg", not_ours)
            REAPER.sweep()
        assert child.poll() is None
        child.kill()


def test_our_own_group_is_never_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda group, _: killed.append(group))
    module._kill_group(os.getpgrp())
    assert killed == []


def test_where_the_system_does_not_list_children_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 0)
    assert module._children() == []

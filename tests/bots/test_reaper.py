"""The reaper: it kills all descendants of a bot, and no other process."""

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
    """Start one of the small programs, and return it with its first line."""
    started: list[BotProcess] = []

    def begin(kind: str) -> tuple[BotProcess, bytes]:
        bot = Bot(kind, python("small_programs.py", kind), BAD_BOTS, "")
        started.append(BotProcess(bot, tmp_path / f"{len(started)}.txt"))
        line = started[-1].hear(None)
        assert isinstance(line, bytes)
        return started[-1], line

    yield begin
    for process in started:
        process.kill()
    assert left_running() == []


Start = Callable[[str], tuple[BotProcess, bytes]]


def test_daemons_are_found_and_killed(start: Start) -> None:
    process, _ = start("daemons")
    orphans = set(children()) - {process.pid}
    assert len(orphans) == 4
    process.kill()
    assert children() == []


def test_a_whole_process_tree_is_killed(start: Start) -> None:
    process, _ = start("tree")
    process.kill()
    assert left_running() == []


def test_the_end_of_a_bot_spares_the_orphans_of_another(start: Start) -> None:
    other, line = start("orphan-in-session")
    orphan = int(line)
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
def not_in_charge() -> Reaper:
    """A reaper in a process that also has children which are not bots."""
    return Reaper()


def test_a_reaper_not_in_charge_kills_marked_children(not_in_charge: Reaper) -> None:
    environment = {**os.environ, MARK: str(os.getpid())}
    stray = subprocess.Popen(SLEEP, start_new_session=True, env=environment)
    while not module._is_marked(stray.pid):
        pass  # just after its start, a process has no environment
    not_in_charge.sweep()
    assert stray.pid not in children()
    stray.wait()


@pytest.mark.parametrize("mark", [None, "1"])
def test_a_reaper_not_in_charge_spares_other_children(
    not_in_charge: Reaper, mark: str | None
) -> None:
    environment = {**os.environ, **({} if mark is None else {MARK: mark})}
    with subprocess.Popen(SLEEP, env=environment) as child:
        not_in_charge.sweep()
        assert child.poll() is None
        child.kill()


def test_zombies_are_reaped() -> None:
    dead = subprocess.Popen(["true"])
    while f"{dead.pid} (true) Z" not in Path(f"/proc/{dead.pid}/stat").read_text():
        pass
    REAPER.sweep()
    assert not Path(f"/proc/{dead.pid}").exists()
    dead.wait()


def test_a_process_that_cannot_be_killed_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_without_a_list_of_children_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 0)
    assert module._children() == []

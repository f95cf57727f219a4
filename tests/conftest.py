"""For all tests: checks the build, fixes the examples of Hypothesis, kills what bots leave running."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import support.reaping
from referee.bots.reaper import REAPER
from referee.system import core_count
from referee.tournament.workers import pool
from referee.tournament.workers.player_cache import PlayerCache
from referee.version import build_name
from support.collection import keep_bytecode, keep_no_more_bytecode, share_rewriting
from support.forks import forked
from support.match_setup import close_idle_bots
from support.paths import TESTS


def pytest_report_header() -> str:
    return f"engine: {build_name()}"


def pytest_configure(config: pytest.Config) -> None:
    # A shell makes its background jobs ignore interrupts, and our child processes would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = os.environ.get("REFEREE_EXPECT_BUILD")
    if wanted and wanted != build_name():
        raise pytest.UsageError(
            f"REFEREE_EXPECT_BUILD is {wanted}, but the engine is {build_name()}"
        )
    if sys.platform == "linux":
        # Python 3.14 would start a fork server, which stays: tests that kill all children of this
        # process would kill it, too, and forks of this process would take it for their own.
        # test_a_terminal_gets_a_bar uses it, in a process of its own.
        multiprocessing.set_start_method("fork", force=True)
    keep_bytecode(config)
    gc.disable()  # a collection of tests makes no garbage
    from hypothesis import settings  # pytest rewrites the asserts of this plugin, too

    # The same examples on every machine, and no deadline that a busy machine could miss.
    settings.register_profile("steady", derandomize=True, deadline=None, database=None)
    settings.load_profile("steady")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """One worker more than cores: many tests wait for a process or for a limit of time."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # xdist reads it
    return core_count() + 1


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    share_rewriting(collector, report)
    return report


@cache
def _part(path: Path) -> int:
    """Return when the tests of a file run.

    The first ones all run on the first worker of xdist, so that only it starts a Dask cluster and
    parses all source files. The last ones are distributed a few at a time, so they share nothing.
    """
    if path.name == "test_dask_cluster.py":
        return 0
    if path.parent == TESTS:
        return 1
    return 3 if TESTS / "bots" in path.parents else 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (_part(item.path), item.path))


def pytest_collection_finish() -> None:
    keep_no_more_bytecode()
    gc.freeze()  # a collection of garbage need not visit all tests
    gc.set_threshold(100_000, 50, 1000)  # most tests leave next to no garbage
    gc.enable()


def pytest_runtest_teardown(item: pytest.Item) -> None:
    # A command took charge of this process, and would kill what other tests start here.
    if REAPER.in_charge and "in_charge" not in getattr(item, "fixturenames", ()):
        support.reaping.give_up_charge()


@pytest.fixture(scope="session", autouse=True)
def fast_workers() -> Iterator[None]:
    """The workers of tournaments that begin in the test process are forks of it."""
    with forked(pool):
        yield


@pytest.fixture(scope="module")
def few_processes() -> Iterator[None]:
    """The process of a bot plays all games of a block, so that fewer start.

    In a real tournament it may not (test_a_process_never_plays_two_games_of_a_block).
    """
    begin = PlayerCache.__init__

    def begin_with_one_set(self: PlayerCache, *arguments: Any, is_self_play: bool = False) -> None:
        begin(self, *arguments, is_self_play=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlayerCache, "__init__", begin_with_one_set)
        yield


@pytest.fixture
def interpreted() -> None:
    """Skip a test if the build is compiled, because the test replaces a part of the code."""
    if build_name() == "compiled":
        pytest.skip("the test replaces a part of the code, which a compiled build does not allow")


@pytest.fixture(scope="module")
def in_charge() -> Iterator[None]:
    """Make this process adopt and kill the orphans of bots until the module's last test."""
    with support.reaping.in_charge():
        yield
        close_idle_bots()

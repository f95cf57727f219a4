"""Fixtures for tests of the sandbox; this process reaps what bots leave running."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import support.reaping
from referee.bots.process import BotProcess
from support.match_setup import close_idle_bots, left_running
from support.sandboxed import attempt, need_strict, trying


@pytest.fixture(scope="module", autouse=True)
def in_charge() -> Iterator[None]:
    """Orphans of bots become children of this process, and are killed with their bots."""
    with support.reaping.in_charge():
        yield
        close_idle_bots()


@pytest.fixture
def strict() -> None:
    """Skip the test if the strict sandbox does not work here."""
    need_strict()


@pytest.fixture
def tries(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Start a bot that attempts something, and return the result; it runs until the test ends."""
    started: list[BotProcess] = []

    def begin(what: str, *words: object, **options: Any) -> Any:
        stderr = tmp_path / f"stderr-{len(started)}.txt"
        started.append(BotProcess(trying(**options), stderr))
        return attempt(started[-1], what, *words)

    yield begin
    for process in started:
        process.kill()
    assert left_running() == []

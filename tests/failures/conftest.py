"""Tests of failures kill workers and bots; this process adopts and kills their orphans."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import support.reaping
from referee.bots.reaper import REAPER
from referee.tournament.results import BlockResult
from support.command_runs import play_undisturbed


@pytest.fixture(autouse=True)
def in_charge() -> Iterator[None]:
    """Make this process kill the orphans of bots during each test, and older ones before it."""
    with support.reaping.in_charge():
        REAPER.sweep()
        yield
        REAPER.sweep()


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[BlockResult]:
    """The results of the tournament of `tournament_arguments` without a failure."""
    return play_undisturbed(tmp_path_factory.mktemp("undisturbed") / "t")

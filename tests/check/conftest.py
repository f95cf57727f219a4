"""Fixtures that run checks on a bot."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

import support.reaping
from referee.adjudication.clock import ClockRules
from referee.bots.find import find_bot
from referee.check.registry import CHECKS
from referee.check.run import Finding, run, trial

BOTS = Path(__file__).parent / "bots"

Found: TypeAlias = dict[str, Finding]
Examine: TypeAlias = Callable[..., Found]


@pytest.fixture(autouse=True)
def in_charge() -> Iterator[None]:
    """Make this process kill and reap what bots leave behind, during a test."""
    with support.reaping.in_charge():
        yield


@pytest.fixture
def examine() -> Examine:
    """Run checks on a bot: a kind of faulty.py, or anything that the command line takes."""

    def examined(word: str, *names: str, start_ms: int = 5000, move_ms: int = 3000) -> Found:
        is_kind = word.replace("-", "").isalpha() and word != "random"
        bot = find_bot(faulty(word) if is_kind else word)
        checks = [one for one in CHECKS if not names or one.name in names]
        with trial(bot, ClockRules(start_ms=start_ms, move_ms=move_ms)) as subject:
            return {finding.check.name: finding for finding in run(subject, checks)}

    return examined


def faulty(kind: str) -> str:
    """Return the command line of a kind of faulty bot."""
    return f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(BOTS / 'faulty.py'))} {kind}"

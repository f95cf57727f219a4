"""Fixtures that run checks on a bot."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest

import support.reaping
from referee.adjudication.clock import ClockRules
from referee.bots.find import find_bot
from referee.check.conversation import EXIT_MS
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
    """Run checks on a bot: a kind of faulty.py, or anything that the command line takes.

    The same checks of the same bot run once, and a game asks one decision of each kind, not
    several. `patience_ms` is how long they wait for a bot that is
    late or does not exit; only a bot that keeps them waiting needs another one.
    """

    def examined(
        word: str,
        *names: str,
        start_ms: int = 5000,
        move_ms: int = 3000,
        patience_ms: int = EXIT_MS,
    ) -> Found:
        clock = ClockRules(start_ms=start_ms, move_ms=move_ms)
        return _examined(word, frozenset(names), clock, patience_ms)

    return examined


@cache
def _examined(word: str, names: frozenset[str], clock: ClockRules, patience_ms: int) -> Found:
    is_kind = word.replace("-", "").isalpha() and word != "random"
    bot = find_bot(faulty(word) if is_kind else word)
    checks = [one for one in CHECKS if not names or one.name in names]
    with pytest.MonkeyPatch.context() as patch, trial(bot, clock) as subject:
        patch.setattr("referee.check.checks_play.EACH", 1)
        patch.setattr("referee.check.conversation._MARGIN_MS", patience_ms)
        patch.setattr("referee.check.conversation.EXIT_MS", patience_ms)
        patch.setattr("referee.bots.process.GRACE_NS", patience_ms * 1_000_000)
        return {finding.check.name: finding for finding in run(subject, checks)}


def faulty(kind: str) -> str:
    """Return the command line of a kind of faulty bot."""
    return f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(BOTS / 'faulty.py'))} {kind}"

"""The house bots as programs: found by name, checked, and with clocks that leave almost no time."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

import pytest

import support.reaping
from referee.adjudication.clock import NO_CLOCK, ClockRules
from referee.adjudication.standings import Outcome
from referee.bots.find import BUNDLED, bundled_names, find_bots
from referee.check.registry import CHECKS
from referee.check.run import Finding, run, trial
from referee.match.runner import Settings
from referee.match.session import GameSpec, Logs, Session
from support.combinations import named
from support.command_runs import PLAIN

HOUSE = ("trader", "greedy", "merchant", "navigator")
# What depends on a bot's own code; the bundled random bot passes every check with the same SDK.
CHECKS_OF_ITS_OWN_CODE = ("games", "parameters", "repeatable")
NAVIGATOR = BUNDLED / "navigator" / "bot.py"


@pytest.fixture(autouse=True)
def in_charge() -> Iterator[None]:
    """During a test, this process kills what bots leave running."""
    with support.reaping.in_charge():
        yield


def test_house_bots_are_found_by_name() -> None:
    assert set(HOUSE) <= set(bundled_names())
    assert [bot.name for bot in find_bots(HOUSE)] == list(HOUSE)


# --- the protocol ---------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def few_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask fewer decisions of a game: these bots think long about each."""
    monkeypatch.setattr("referee.check.checks_play.MANY", 5)
    monkeypatch.setattr("referee.check.checks_play.SOME", 2)


def failures(bot_name: str) -> list[str]:
    """The names of the checks of a bot's own code that it does not pass; its output is clean."""
    (bot,) = find_bots([bot_name])
    checks = [check for check in CHECKS if check.name in CHECKS_OF_ITS_OWN_CODE]
    with trial(bot, ClockRules(start_ms=30_000, move_ms=30_000)) as subject:
        failed = [found.check.name for found in run(subject, checks) if not has_passed(found)]
    assert (subject.stray, subject.late) == ([], [])
    return failed


def has_passed(found: Finding) -> bool:
    return found.verdict.status == "passed"


def test_trader_passes_the_checks() -> None:
    assert failures("trader") == []


def test_greedy_passes_the_checks() -> None:
    assert failures("greedy") == []


def test_merchant_passes_the_checks() -> None:
    assert failures("merchant") == []


def test_navigator_with_nodes_passes_and_is_repeatable() -> None:
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(NAVIGATOR))} --nodes 1"
    assert failures(command) == []


# --- the clock ------------------------------------------------------------------------------


def outcome_of(bots: tuple[str, ...], name: str, clock: ClockRules, seed: int) -> Outcome:
    """Play one game with the bots as real processes."""
    board, rules = named(name)
    with Logs() as logs, Session(find_bots(bots), logs) as session:
        session.greet(clock)
        return session.play(GameSpec(board, rules, seed, f"game {seed}", Settings(clock=clock)))


def test_navigator_never_loses_on_time() -> None:
    """The referee counts CPU time, so a busy machine costs nothing; the bot uses wall time."""
    clock = ClockRules(start_ms=30_000, bank_ms=600, increment_ms=5, move_ms=None, by_cpu=True)
    outcome = outcome_of(("navigator", PLAIN, PLAIN), "hanse-2-3:3:bigbox", clock, seed=1)
    assert outcome.faults == []
    assert outcome.state.is_over


def test_without_a_clock_the_house_bots_finish_a_game_too() -> None:
    outcome = outcome_of(("merchant", "greedy"), "hanse-2-3:2:bigbox+neutral=2009", NO_CLOCK, 3)
    assert outcome.faults == []
    assert outcome.void is None

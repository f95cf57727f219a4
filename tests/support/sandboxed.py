"""Bots in a sandbox that attempt something forbidden, and the results."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from referee.bots.find import Bot, environment
from referee.bots.process import BotProcess, monotonic_ns
from referee.bots.sandbox.levels import missing_for_strict
from referee.bots.sandbox.limits import DEFAULT_LIMITS, MIB, Level, Limits
from support.parts import is_wanted, reason
from support.paths import TESTS

BOTS = TESTS / "bots" / "sandbox" / "bots"
SOON_NS = 100 * 10**9  # plenty on any machine
SMALL = Limits(
    memory=64 * MIB,
    processes=16,
    scratch=8 * MIB,
    scratch_files=200,
    open_files=64,
    file_size=2 * MIB,
)


def need_strict() -> None:
    """Skip the test unless the strict sandbox is wanted; fail it if the sandbox does not work."""
    if not is_wanted("sandbox"):
        pytest.skip(reason("sandbox"))
    if lacks := missing_for_strict():
        pytest.fail(f"the strict sandbox does not work here: {lacks}")


def trying(level: Level = "strict", limits: Limits = DEFAULT_LIMITS) -> Bot:
    """Return a bot that makes the attempts that `attempt` sends it."""
    command = (sys.executable, str(BOTS / "tries.py"))
    words = {"environment": environment(), "level": level, "limits": limits}
    return Bot("tries", command, BOTS, "0" * 64, **words)  # type: ignore[arg-type]


def attempt(process: BotProcess, what: str, *words: object) -> Any:
    """Let the bot attempt something; return its result, or `refused: why`."""
    process.say(json.dumps([what, *map(str, words)]).encode() + b"\n")
    heard = process.hear(monotonic_ns() + SOON_NS)
    assert isinstance(heard, bytes), (heard, process.stderr_excerpt().decode())
    came = json.loads(heard)
    return came["came"] if "came" in came else f"refused: {came['refused']}"

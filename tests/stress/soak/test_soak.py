"""`python -m stress.soak` for a few seconds: its bad bots misbehave, and it finds lost blocks."""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from referee.adjudication.clock import NO_CLOCK
from referee.bots.find import Bot
from stress.soak import __main__ as program
from stress.soak import bad_bot
from stress.soak import run as soak
from stress.soak.records import Lags, read_records
from stress.soak.run import Measurement, Soaked
from support.blocks import block, finished_block
from support.match_setup import PLAIN, BotMatch
from support.sandboxed import need_strict

FAULTS = {
    "breeds": "crash", "cheats": "illegal", "crashes": "crash", "floods": "flood",
    "hoards": "crash", "mumbles": "garbage", "sleeps": "timeout", "vanishes": "start",
}  # fmt: skip
SLOW = replace(NO_CLOCK, move_ms=100)


@pytest.mark.parametrize("kind", bad_bot.KINDS)
def test_a_bad_bot_is_at_fault_as_its_name_says(kind: str) -> None:
    program = Path(bad_bot.__file__)
    with BotMatch([PLAIN, PLAIN], clock=SLOW if kind == "sleeps" else NO_CLOCK) as match:
        command = (sys.executable, "-I", "-S", str(program), kind)
        match.players[0].player.bot = Bot(kind, command, program.parent, "0")
        game = match.play()
    assert game.faults(0)[0] == FAULTS[kind]
    assert game.faults(1) == []


@pytest.mark.parametrize("level", ["limits", "strict"])
def test_a_short_soak_loses_nothing(
    level: str, in_charge: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if level == "strict":
        need_strict()
    monkeypatch.setattr(soak, "MAX_TURNS", 30)
    words = ["--hours", "0.0001", "--workers", "1", "--sandbox", level, "--json"]
    done = CliRunner().invoke(program.soak, words)
    found = json.loads(done.stdout)
    assert found["sandbox"] == level
    assert (found["bots"], found["bad"], found["workers"]) == (24, 8, 1)
    assert found["games"] == 4 * found["blocks"] > 0
    for what in ("lost", "doubled", "void", "broken_records", "left_running", "left_open"):
        assert found[what] == 0, what
    assert found["lags"]["count"] > 0
    assert done.exit_code == (0 if found["clean"] else 1)


# --- Problems that it must find


def soaked() -> Soaked:
    measurements = [Measurement(step, step, 50.0, 90.0, 100, 20, 1.0) for step in range(40)]
    return Soaked(1.0, "limits", 24, 8, 2, measurements=measurements)


def test_a_run_without_a_problem_is_clean() -> None:
    assert soaked().is_clean


@pytest.mark.parametrize(
    "what", ["lost", "doubled", "void", "broken_records", "left_running", "left_open"]
)
def test_a_run_with_a_problem_is_not_clean(what: str) -> None:
    found = soaked()
    setattr(found, what, 1)
    assert not found.is_clean


def test_memory_that_grows_is_not_clean() -> None:
    found = soaked()
    found.measurements = [
        Measurement(step, step, 50.0 + step, 90.0, 100, 20, 1.0) for step in range(40)
    ]
    assert not found.is_clean
    assert [one.name for one in found.trends() if not one.is_flat] == ["own memory, MiB"]


def test_a_record_that_is_missing_or_breaks_off_is_found(tmp_path: Path) -> None:
    played = finished_block(block(1))
    lines = b'{"line":"decision","lag_ms":2.500}\n{"line":"end"}\n'
    for number, data in enumerate((lines, lines, lines[:40])):
        (tmp_path / f"{number}.jsonl.gz").write_bytes(gzip.compress(data))
    lags = Lags()
    assert read_records(tmp_path, played, lags) == (0, 2)
    assert lags.to_dict() == {
        "count": 3,
        "worst_ms": 2.5,
        "above_ms": {"1": 3, "10": 0, "50": 0, "100": 0},
    }


def test_faults_are_added_up_by_kind() -> None:
    found = soaked()
    found.faults = Counter({"crash": 2, "flood": 1})
    assert soak.to_dict(found)["faults"] == {"crash": 2, "flood": 1}

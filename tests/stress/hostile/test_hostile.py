"""Attackers in games with other bots: all their processes are killed, and the game continues."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee.bots.reaper import Reaper
from stress.hostile import attacks as hostile
from stress.hostile import guessing
from stress.hostile.__main__ import hostile as program
from stress.hostile.attacks import Attack, attacks, measure
from stress.hostile.guessing import Guessing, guess_seed

FAULTS = {
    "fork-bomb": "timeout",
    "memory-bomb": "crash",
    "daemon": "crash",
    "sigterm-ignorer": "timeout",
    "stdout-flood": "flood",
    "stderr-flood": "timeout",
}


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("kind", hostile.KINDS)
def test_nothing_survives_in_the_strict_sandbox(kind: str) -> None:
    found = measure("strict", kind, 2)
    assert found.faults == {FAULTS[kind]: 2}
    assert (found.survivors, found.unfinished) == (0, 0)


@pytest.mark.parametrize("kind", attacks("limits"))
def test_nothing_survives_with_limits_alone(kind: str) -> None:
    found = measure("limits", kind, 2)
    assert found.faults == {FAULTS[kind]: 2}
    assert (found.survivors, found.unfinished) == (0, 0)


def test_a_fork_bomb_is_not_tried_without_a_limit_on_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hostile, "is_root", lambda: True)
    assert "fork-bomb" not in attacks("limits")
    assert "fork-bomb" in attacks("strict")
    monkeypatch.setattr(hostile, "is_root", lambda: False)
    assert "fork-bomb" in attacks("limits")


def attack(**changes: object) -> Attack:
    words: dict[str, object] = {
        "kind": "daemon", "kills": 2, "faults": {"crash": 2}, "survivors": 0, "unfinished": 0,
        "lag_ms": 1.0, "p99_lag_ms": 2.0, "most_lag_ms": 3.0,
    }  # fmt: skip
    return Attack(**{**words, **changes})  # type: ignore[arg-type]


def test_a_survivor_an_unfinished_game_and_a_long_wait_are_failures() -> None:
    assert attack().is_held()
    assert not attack(survivors=1).is_held()
    assert not attack(unfinished=1).is_held()
    assert not attack(most_lag_ms=50.1).is_held()
    assert attack(most_lag_ms=50.1).is_held(60.0)


@pytest.mark.usefixtures("strict")
def test_a_bot_in_the_strict_sandbox_cannot_guess_the_seed_of_its_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    guessed = guess_seed("strict", 100_000, 2026)
    assert guessed.found is None
    assert guessed.control is not None  # the same bot finds a seed of the first version at once


def test_a_right_guess_and_a_bot_that_finds_nothing_at_all_are_failures() -> None:
    assert Guessing(10, None, 5).is_held
    assert not Guessing(10, 5, 5).is_held
    assert not Guessing(10, None, None).is_held


@pytest.mark.parametrize(
    ("found", "guessed", "status"),
    [
        (attack(), Guessing(10, None, 5), 0),
        (attack(survivors=1), Guessing(10, None, 5), 1),
        (attack(), Guessing(10, 5, 5), 1),
    ],
)
def test_the_program_prints_a_table_or_json_and_its_status(
    monkeypatch: pytest.MonkeyPatch, found: Attack, guessed: Guessing, status: int
) -> None:
    monkeypatch.setattr(hostile, "measure", lambda *_: found)
    monkeypatch.setattr(guessing, "guess_seed", lambda *_: guessed)
    words = ["--kills", "2", "--guesses", "10", "--sandbox", "limits"]
    shown = CliRunner().invoke(program, words)
    assert shown.exit_code == status
    assert "daemon" in shown.stdout
    printed = json.loads(CliRunner().invoke(program, [*words, "--json"]).stdout)
    assert (printed["held"] and printed["guessing"]["held"]) == (status == 0)
    assert printed["attacks"][0]["faults"] == {"crash": 2}

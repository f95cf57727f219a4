"""The model of tuning, the spoilt weights, and the verdict of the program."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.bots.find import find_bot
from stress.tuning import WEIGHTS, Spoilt, main, spoil, tune_with_kills
from stress.tuning_model import by_evolution, by_steps, model_terms, regained

FOUND = Spoilt(1, 200.0, 30.0, 10, 0, {"post": 3.0}, {"post": 1.1}, same_values=True)


def test_in_the_model_steps_regain_more_than_an_evolution_strategy() -> None:
    terms = model_terms(40, 8)
    steps = regained(by_steps, 6, 200, terms=terms, trials=5, seed=1)
    evolution = regained(by_evolution, 6, 200, terms=terms, trials=5, seed=1)
    assert steps.mean > 0.8
    assert steps.mean > evolution.mean


def test_spoilt_weights_are_off_by_two_to_four_within_their_ranges() -> None:
    declared = [one for one in find_bot("merchant").parameters if one.name in WEIGHTS]
    assert len(declared) == len(WEIGHTS) >= 10
    for seed in (1, 2, 3):
        values = spoil(declared, seed)
        for one in declared:
            ratio = max(values[one.name] / one.default, one.default / values[one.name])
            assert 1.99 < ratio < 4.01
            assert one.check(values[one.name]) == values[one.name]


@pytest.mark.parametrize(
    "bad",
    [
        replace(FOUND, loss=140.0, left=0.0),
        replace(FOUND, left=50.0),
        replace(FOUND, loss=0.0, left=0.0),
        replace(FOUND, same_values=False),
        replace(FOUND, left_running=1),
    ],
)
def test_the_program_fails_if_anything_is_missing(
    monkeypatch: pytest.MonkeyPatch, bad: Spoilt
) -> None:
    for found, status in ((FOUND, 0), (bad, 1)):
        monkeypatch.setattr("stress.tuning.tune_spoilt", lambda *_, found=found, **__: found)
        shown = CliRunner().invoke(main, ["spoilt", "--json"])
        assert json.loads(shown.stdout)["clean"] is (status == 0)
        assert shown.exit_code == status


def test_kills_are_counted_over_all_runs_in_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_kills = 0

    def kill_one(*_: object, **__: object) -> int:
        nonlocal new_kills
        new_kills += 1
        return 1  # process left

    tuned = tmp_path / "killed"
    tuned.mkdir()
    (tuned / "values.toml").write_text("[values]\npost = 3.5\n", "utf-8")
    (tmp_path / "kills.txt").write_text("0\n0\n", "ascii")  # of a run that was stopped
    monkeypatch.setattr("stress.tuning.disturb", kill_one)
    monkeypatch.setattr("stress.tuning.finish", lambda *_: 1.0)
    assert tune_with_kills([], tuned, 5, seed=1) == ({"post": 3.5}, 3)
    assert new_kills == 3

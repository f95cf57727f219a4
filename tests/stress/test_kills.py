"""A tournament whose whole process tree is killed can be resumed without losing a block."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.tournament.sprt import Sprt, Verdict
from stress.kills import Kills, SprtKills, kill_and_resume, main
from support.command_runs import PLAIN
from support.forks import Fork


def test_a_killed_tournament_is_resumed_without_a_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stress.tournament_runs.Popen", Fork)
    bots = [PLAIN] * 2
    found = kill_and_resume(tmp_path, 1, blocks=4, max_turns=4, seed=11, workers=1, bots=bots)
    assert (found.blocks, found.lost, found.doubled, found.different) == (4, 0, 0, 0)
    assert found.same_standings
    assert found.left_running == 0


@pytest.mark.parametrize(("lost", "status"), [(0, 0), (1, 1)])
def test_the_program_prints_a_verdict_or_json(
    monkeypatch: pytest.MonkeyPatch, lost: int, status: int
) -> None:
    found = Kills(4, 5, 6, lost, 0, 0, same_standings=True, left_running=0)
    monkeypatch.setattr("stress.kills.kill_and_resume", lambda *_, **__: found)
    shown = CliRunner().invoke(main, ["--kills", "4"])
    assert shown.exit_code == status
    assert f"{lost} lost" in shown.stdout
    assert json.loads(CliRunner().invoke(main, ["--json"]).stdout)["clean"] == (status == 0)


@pytest.mark.parametrize(("blocks", "status"), [(20, 0), (21, 1)])
def test_the_program_prints_both_verdicts_of_a_sequential_test(
    monkeypatch: pytest.MonkeyPatch, blocks: int, status: int
) -> None:
    state = Sprt(0, 200).judge([0.5] * 20)
    whole = Verdict("random", 0, 200, state)
    killed = Verdict("random", 0, 200, replace(state, blocks=state.blocks + blocks - 20))
    found = SprtKills(5, 6, whole, killed, left_running=0)
    monkeypatch.setattr("stress.kills.kill_test", lambda *_, **__: found)
    shown = CliRunner().invoke(main, ["--kills", "5", "--sprt", "0", "200"])
    assert shown.exit_code == status
    assert "Undisturbed: Not better: 'random'" in shown.stdout

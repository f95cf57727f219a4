"""A tournament whose whole process tree is killed can be resumed without losing a block."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from stress.kills import Kills, kill_and_resume, main
from support.command_runs import PLAIN


def test_a_killed_tournament_is_resumed_without_a_difference(tmp_path: Path) -> None:
    bots = [PLAIN] * 3
    found = kill_and_resume(tmp_path, 1, blocks=4, max_turns=6, seed=11, workers=1, bots=bots)
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

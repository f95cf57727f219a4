"""`referee bench verify`: both speeds in one run, and their ratio."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from referee.bench import verify
from referee.cli import main
from referee.version import build_name


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "GAMES", 2)
    monkeypatch.setattr(verify, "FEWEST_ROUNDS", 1)
    monkeypatch.setattr(verify, "MAX_TURNS", 40)


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", "verify", "--seconds", "0", *arguments])


def test_json_is_one_object_with_both_speeds() -> None:
    words = json.loads(bench("--board", "east", "--json").stdout)
    assert (words["bench"], words["build"]) == ("verify", build_name())
    (east,) = words["boards"]
    assert east["board"] == "east"
    assert min(east["engine_decisions_per_s"], east["verify_decisions_per_s"]) > 0
    assert words["lowest_ratio"] == east["ratio"] > 0.1


def test_the_table_has_a_row_for_each_board_that_was_asked_for() -> None:
    table = bench("--board", "hanse-2-3").stdout
    assert "hanse-2-3" in table
    assert "ratio" in table
    assert "britannia" not in table

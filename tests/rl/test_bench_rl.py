"""`referee bench rl`: its figures, for people and for programs."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner, Result

import referee.rl
from referee.cli import main
from referee.version import build_name


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", "rl", "--seconds", "0", *arguments])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games, so that the figures mean nothing, but come soon."""
    for name, value in {"GAMES": 1, "BATCH": 16, "BATCH_STEPS": 2, "FEWEST_ROUNDS": 1}.items():
        monkeypatch.setattr(f"referee.bench.rl.{name}", value)
    monkeypatch.setattr("referee.bench.rl.MAX_TURNS", 20)


@pytest.mark.usefixtures("quick")
def test_json_is_one_object_with_every_board_asked_for() -> None:
    words = json.loads(bench("--board", "east", "--board", "hanse-2-3", "--json").stdout)
    assert words["build"] == build_name()
    assert words["seats"] == {"east": 4, "hanse-2-3": 3}
    assert words["actions"] == {"east": 3205, "hanse-2-3": 2727}
    for work in ("engine", "environment", "batch", "share", "batch_share"):
        assert all(value > 0 for value in words[work].values())


@pytest.mark.usefixtures("quick")
def test_the_table_has_a_row_for_each_board_that_was_asked_for() -> None:
    table = bench("--board", "east", "--seats", "3").stdout
    assert "east" in table
    assert "hanse-4-5" not in table
    assert "%" in table


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("referee.rl.environment", "referee.bench.rl"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.delattr(referee.rl, "environment", raising=False)
    monkeypatch.delattr("referee.bench.rl", raising=False)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    result = bench()
    assert result.exit_code == 2
    assert "pip install '.[rl]'" in result.stderr

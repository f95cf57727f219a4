"""`python -m stress.deals`: it compares as many decisions as asked for, and reports problems."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from stress import deals


@pytest.fixture(autouse=True)
def one_ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    """The board with the shortest random games, instead of all rulesets."""
    monkeypatch.setattr(deals, "combinations", lambda: ["hanse-2-3:3:bigbox+missions"])


def test_a_short_run_finds_nothing() -> None:
    result = CliRunner().invoke(deals.main, ["--decisions", "2", "--redraws", "3", "--json"])
    words = json.loads(result.stdout)
    assert result.exit_code == 0
    assert words["decisions"] >= 2
    assert words["problems"] == []


def test_a_problem_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "problems", lambda *_: ["another view"])
    result = CliRunner().invoke(deals.main, ["--decisions", "1"])
    assert "another view" in result.stdout
    assert result.exit_code == 1

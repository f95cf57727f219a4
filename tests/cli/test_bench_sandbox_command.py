"""`referee bench sandbox`: what each level costs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import support.reaping
from referee.bench.c_programs import compiler
from referee.bench.sandbox import levels
from referee.cli import main

WORDS = ["bench", "sandbox", "--starts", "2", "--rounds", "2"]


@pytest.mark.skipif(compiler() is None, reason="it measures a bot in C")
def test_what_the_sandbox_costs_is_measured_by_level() -> None:
    with support.reaping.in_charge():
        shown = CliRunner().invoke(main, WORDS)
        printed = json.loads(CliRunner().invoke(main, [*WORDS, "--json"]).stdout)
    assert "limits" in shown.stdout
    assert [price["level"] for price in printed["levels"]] == levels()


def test_without_a_compiler_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.bench.sandbox.compiler", lambda: None)
    with support.reaping.in_charge():
        result = CliRunner().invoke(main, WORDS)
    assert result.exit_code == 2
    assert "a C compiler is needed" in result.stderr

"""`referee bench match`: its figures, for people and for programs."""

import json

import pytest
from click.testing import CliRunner

from referee.bench import match
from referee.bench.build import build_name
from referee.bench.programs import compiler
from referee.cli import main


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "MAX_TURNS", 8)
    monkeypatch.setattr(match, "ROUNDS", 1)
    monkeypatch.setattr(match, "CASES", (match.CASES[0], match.CASES[-1]))


def bench(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["bench", "match", "--memory-games", "10", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_is_one_object_with_every_case() -> None:
    words = json.loads(bench("--json"))
    assert words["build"] == build_name()
    assert set(words["us_per_decision"]) == {case.name for case in match.cases()}
    assert all(cost["total"] > 0 for cost in words["us_per_decision"].values())
    assert words["memory_mib"]["games"] == 10


def test_the_table_has_a_row_for_each_case_and_fits_eighty_columns() -> None:
    table = bench()
    assert "codes/none, Python" in table
    assert ("codes/none, C" in table) == (compiler() is not None)
    assert max(map(len, table.split("Memory")[0].splitlines())) <= 100

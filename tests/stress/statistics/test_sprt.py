"""The sequential test is rarely wrong; `tox -e statistics` runs more simulations."""

from __future__ import annotations

import json
import math

import pytest
from click.testing import CliRunner

from stress.statistics import sprt as sprt_test
from stress.statistics.__main__ import main
from stress.statistics.sprt import Gauntlet, measure_errors

TESTS = 80  # of each hero


@pytest.mark.parametrize(
    "gauntlet",
    [
        Gauntlet(0, 200),
        Gauntlet(0, 200, favour="seats"),
        Gauntlet(100, 300, opponents=(0.0,)),
    ],
    ids=str,
)
def test_wrong_verdicts_are_as_rare_as_promised(gauntlet: Gauntlet) -> None:
    """At most 5 % may be wrong; three standard errors are added."""
    errors = measure_errors(gauntlet, TESTS)
    assert errors.undecided == 0
    assert errors.false_pass <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / TESTS)
    assert errors.false_fail <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / TESTS)


def test_the_program_prints_json_and_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sprt_test, "GAUNTLETS", (Gauntlet(0, 200),))
    result = CliRunner().invoke(main, ["sprt", "--repetitions", "3", "--json"])
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)["gauntlets"]
    assert found["gauntlet"]["high"] == 200
    result = CliRunner().invoke(main, ["sprt", "--repetitions", "3"])
    assert "Promised: 5%" in result.stdout

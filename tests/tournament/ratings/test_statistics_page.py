"""docs/statistics.md: the worked example prints what the page shows."""

from __future__ import annotations

import re

import pytest

from support.paths import ROOT

PAGE = (ROOT / "docs" / "statistics.md").read_text("utf-8")


def part(marker: str) -> str:
    (found,) = re.findall(rf"<!-- {marker}: ratings -->\n```\w+\n(.*?)```\n", PAGE, re.DOTALL)
    return str(found)


def test_the_worked_example_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(part("example"), "statistics.md", "exec"), {})
    assert capsys.readouterr().out == part("output")


def test_the_table_of_expected_scores_is_right() -> None:
    from referee.tournament.ratings.estimates import expected_score

    rows = re.findall(r"^\| (\d+) \| (?:in )?(\d+) %", PAGE, re.MULTILINE)
    assert len(rows) == 5
    for elo, percent in rows:
        assert round(100 * expected_score(float(elo), 0)) == int(percent)

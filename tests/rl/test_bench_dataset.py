"""`referee bench dataset`: its figures, for people and for programs."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner, Result

from referee.bench import dataset
from referee.cli import main
from referee.version import build_name


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", "dataset", "--seconds", "0", *arguments])


@pytest.fixture(autouse=True)
def _short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "MAX_TURNS", 20)
    monkeypatch.setattr(dataset, "GAMES", 1)


def test_json_has_the_speed_and_the_peak_memory_of_every_board_asked_for() -> None:
    words = json.loads(bench("--board", "east", "--records", "3", "--json").stdout)
    assert words["build"] == build_name()
    assert (words["seats"], words["records"]) == ({"east": 4}, {"east": 3})
    assert words["decisions"]["east"] % 3 == 0  # one game, three times
    for figure in ("decisions", "per_s", "per_cpu_s", "bytes_per_decision"):
        assert words[figure]["east"] > 0
    if sys.platform == "linux":
        assert 20 < words["peak_mib"]["east"] < 500


def test_the_table_has_a_row_for_each_board_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A thread starts faster than a process, and the table has the same columns.
    monkeypatch.setattr(dataset, "ProcessPoolExecutor", lambda n, mp_context: ThreadPoolExecutor(n))
    table = bench("--board", "hanse-2-3", "--records", "1").stdout
    assert "hanse-2-3" in table
    assert "hanse-4-5" not in table

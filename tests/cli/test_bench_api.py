"""`referee bench api`: both sides search the same games, and its figures are shares."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from referee.bench import api
from referee.bench.api import middle_of_game, search_api, search_engine
from referee.cli import main
from referee.version import build_name


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", "api", "--seconds", "0", *arguments])


def test_both_sides_find_the_same() -> None:
    root = middle_of_game("east", 3)
    found = search_api(root, 5)
    assert found == search_engine(root.engine_state, 5)
    assert found.decisions > 100


def test_the_table_and_the_json_have_the_boards_that_were_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(api, "TRIED", 1)
    monkeypatch.setattr(api, "MAX_TURNS", 100)
    words = json.loads(bench("--board", "east", "--seats", "3", "--json").stdout)
    assert (words["build"], words["seats"]) == (build_name(), {"east": 3})
    assert all(words[figure]["east"] > 0 for figure in ("engine", "api", "share"))
    table = bench("--board", "hanse-2-3").stdout
    assert "hanse-2-3" in table
    assert "%" in table

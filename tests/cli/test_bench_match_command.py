"""`referee bench match`: its figures, for people and for programs."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.bench import match, own_bot
from referee.bench.c_programs import compiler
from referee.bots.find import BUNDLED, find_bot
from referee.cli import main
from referee.version import build_name

Measure = Callable[[Any, Path], object]


def once(measure: Measure) -> Measure:
    """Measure each case, bot or number of games once, because the figures are printed twice."""
    measured: dict[str, object] = {}

    def find(subject: Any, folder: Path) -> object:
        name = getattr(subject, "name", str(subject))
        if name not in measured:
            measured[name] = measure(subject, folder)
        return measured[name]

    return find


MEASURE_CASE = match.measure_case
CASE = once(MEASURE_CASE)
MEMORY = once(match.measure_memory)
BOT = once(own_bot.measure_bot)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "measure_case", CASE)
    monkeypatch.setattr(match, "measure_memory", MEMORY)
    monkeypatch.setattr(own_bot, "measure_bot", BOT)
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


def test_without_a_compiler_what_cannot_be_measured_is_null(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match, "compiler", lambda: None)
    monkeypatch.setattr(match, "measure_case", MEASURE_CASE)
    words = json.loads(bench("--json"), parse_constant=pytest.fail)
    (cost,) = words["us_per_decision"].values()
    assert (cost["echo"], cost["ratio"]) == (None, None)
    assert cost["total"] > 0


def test_the_table_has_a_row_for_each_case_and_fits_eighty_columns() -> None:
    table, _ = bench().split("'times echo'")
    assert "codes/none, Python" in table
    assert ("codes/none, C" in table) == (compiler() is not None)
    assert max(map(len, table.splitlines())) <= 80


def test_a_given_bot_is_measured_with_the_detail_that_it_asks_for() -> None:
    (cost,) = json.loads(bench("--bot", "random", "--json"))["us_per_decision"]
    assert (cost["bot"], cost["detail"], cost["encoding"]) == ("random", "codes", "json")
    assert 0 < cost["own"] <= cost["total"]
    assert "codes, json" in bench("--bot", "random")


def test_words_after_a_folder_are_arguments_of_the_bot() -> None:
    bot = own_bot.bot_with_words(f"{shlex.quote(str(BUNDLED / 'random'))} --codes")
    assert bot.command[-1] == "--codes"
    assert bot.folder == BUNDLED / "random"
    assert own_bot.bot_with_words("random").command == find_bot("random").command


def test_a_bot_that_never_says_hello_is_refused_in_a_sentence() -> None:
    result = CliRunner().invoke(main, ["bench", "match", "--bot", "true"])
    assert result.exit_code == 2
    assert "bot true did not send hello" in result.stderr

"""`referee stats`: tables, one object, or rows."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.records.stats import COLUMNS
from support.recorded_games import SOME_FAULTS, record, recorded

NAMES = ("hanse-4-5:5:bigbox+missions+favours+max_turns=70", "east:3:original+max_turns=50")


def referee(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["stats", *map(str, arguments)], env={"COLUMNS": "80"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    for number, name in enumerate(NAMES * 2):
        path = folder / f"{number}.jsonl{'.gz' if number % 2 else ''}"
        record(path, name, seed=number, faults=SOME_FAULTS if number == 1 else {})
    return folder


def test_every_kind_of_figure_has_its_table(folder: Path) -> None:
    result = referee(folder)
    assert result.exit_code == 0
    for words in (
        "4 games",
        "turns: ",
        "decisions: ",
        "ended by: ",
        "income",
        "create",
        "privilege",
        "exchange posts",
        "The 10 routes that were created most often",
        "0 of 3",
        "4 of 5",
        "script-4",
        "netw.",
        "slowest ms",
    ):
        assert words in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "…" not in result.stdout


def test_json_is_one_object(folder: Path) -> None:
    words = json.loads(referee(folder, "--json").stdout)
    assert words["games"] == 4
    assert {one["players"] for one in words["seats"]} == {3, 5}


def test_csv_has_a_row_for_each_seat_of_each_game(folder: Path, tmp_path: Path) -> None:
    printed = referee(folder, "--csv", "-").stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 16
    file = tmp_path / "games.csv"
    assert referee(folder, "--csv", file).stdout == ""
    assert file.read_text("utf-8") == printed


def test_one_process_and_many_count_the_same(folder: Path) -> None:
    one = json.loads(referee(folder, "--json", "--workers", "1").stdout)
    assert one == json.loads(referee(folder, "--json", "--workers", "3").stdout)


def test_games_that_are_left_out_are_counted(folder: Path, tmp_path: Path) -> None:
    data = recorded(NAMES[1])
    (tmp_path / "fine.jsonl").write_bytes(data)
    (tmp_path / "cut.jsonl").write_bytes(data[:-5])
    assert "1 game; left out: 1 incomplete" in referee(tmp_path).stdout
    (tmp_path / "wrong.jsonl").write_bytes(b"{}\n")
    result = referee(tmp_path)
    assert result.exit_code == 1
    assert "left out: 1 incomplete, 1 wrong" in result.stdout
    assert "wrong.jsonl, line 1: this is not a line of a record" in result.stderr


def test_an_empty_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_bytes(b"")
    result = referee(tmp_path)
    assert result.exit_code == 0
    assert "0 games; left out: 1 incomplete" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "RECORD"),
        (["nowhere"], "there is no record"),
        (["FOLDER", "--json", "--csv", "-"], "mutually exclusive"),
        (["FOLDER", "--csv", "/nowhere/x.csv"], "cannot write"),
        (["FOLDER", "--top", "0"], "--top"),
    ],
)
def test_a_refusal_is_one_sentence_and_status_2(
    arguments: list[str], why: str, folder: Path
) -> None:
    result = referee(*[str(folder) if word == "FOLDER" else word for word in arguments])
    assert result.exit_code == 2
    assert why in result.stderr
    assert result.stderr.count("\n") == 1

"""`referee standings` and `referee faults`: their output and their errors."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.terminal.seats import DOT
from referee.terminal.tournament.standings import interval_bar
from referee.tournament.ratings import Entry
from referee.tournament.ratings.scale import RatingRange, interval_of
from referee.tournament.store.store import Store
from support.blocks import block, fault, finished_block
from support.sample_store import blocks_with_faults, plain_blocks, write_store

Words = dict[str, Any]


@pytest.fixture
def without_faults(tmp_path: Path) -> Path:
    return write_store(tmp_path / "t", plain_blocks())


@pytest.fixture
def with_faults(tmp_path: Path) -> Path:
    return write_store(tmp_path / "t", blocks_with_faults())


def referee(*arguments: object, columns: int = 80) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": str(columns)})


def printed(*arguments: object, columns: int = 80) -> str:
    result = referee(*arguments, columns=columns)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def refused(*arguments: object) -> str:
    """The error message, which must be one line."""
    result = referee(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("referee: ")


# --- Output


def test_every_bot_has_a_row_the_best_first(without_faults: Path) -> None:
    table = printed("standings", without_faults)
    ranks = [line.split()[0] for line in table.splitlines() if line[:1].isdigit()]
    assert ranks == ["1", "2", "3", "4"]
    assert "6 blocks, 24 games" in table
    assert "how likely the bot is stronger than the one below" in " ".join(table.split())


@pytest.mark.parametrize("columns", [80, 100, 160])
def test_no_line_is_wider_than_the_terminal(
    with_faults: Path, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(with_faults.parent)
    shown = printed("standings", "t", "--matrix", "--points", "5,3,1", columns=columns)
    assert max(map(len, shown.splitlines())) <= columns


def test_json_is_one_object_in_ascii(with_faults: Path) -> None:
    shown = printed("standings", with_faults, "--json")
    data = json.loads(shown)
    assert shown.isascii()
    assert shown.count("\n") == 1
    assert [entry["rank"] for entry in data["standings"]] == [1, 2, 3, 4]
    assert data["finished"] == {"blocks": 3, "games": 12, "faults": 2}


def test_games_with_faults_can_be_left_out(with_faults: Path) -> None:
    whole = json.loads(printed("standings", with_faults, "--json"))
    clean = json.loads(printed("standings", with_faults, "--json", "--without-faults"))
    assert (whole["games"], clean["games"]) == (12, 11)
    assert whole["without_faults"]["standings"] == clean["standings"]
    assert "Without the games in which a bot committed a fault" in printed("standings", with_faults)


def test_without_faults_there_is_no_second_table(without_faults: Path) -> None:
    assert "Without the games" not in printed("standings", without_faults)
    assert json.loads(printed("standings", without_faults, "--json"))["without_faults"] is None


def test_each_kind_of_table_has_its_own_standings(tmp_path: Path) -> None:
    small = block(9, ("a", "b"))._replace(table="small")
    folder = write_store(
        tmp_path / "t",
        [*plain_blocks(2), finished_block(small), finished_block(small._replace(id="b-x"))],
    )
    data = json.loads(printed("standings", folder, "--json"))
    assert {name: ratings["games"] for name, ratings in data["by_table"].items()} == {
        "hanse-4-5:4:bigbox": 8,
        "small": 4,
    }
    only = json.loads(printed("standings", folder, "--json", "--table", "small"))
    assert (only["games"], only["by_table"]) == (4, {})
    assert "small: 2 blocks, 4 games" in printed("standings", folder)


def test_points_are_given_by_place(without_faults: Path) -> None:
    data = json.loads(printed("standings", without_faults, "--json", "--points", "3,1"))
    assert sum(entry["points"] for entry in data["standings"]) == 24 * 4
    assert "points" in printed("standings", without_faults, "--points", "3,1")


def test_the_anchor_is_rated_1500(without_faults: Path) -> None:
    data = json.loads(printed("standings", without_faults, "--json", "--anchor", "c"))
    assert {entry["bot"]: entry["rating"] for entry in data["standings"]}["c"] == 1500
    assert "c is 1500" in printed("standings", without_faults, "--anchor", "c")


def test_the_anchor_holds_at_every_table_where_it_played(tmp_path: Path) -> None:
    small = [block(number, ("a", "b"))._replace(table="small") for number in (8, 9)]
    faulty = blocks_with_faults(2)
    folder = write_store(tmp_path / "t", [*faulty, *map(finished_block, small)])
    data = json.loads(printed("standings", folder, "--json", "--anchor", "d"))
    assert {name: ratings["anchor"] for name, ratings in data["by_table"].items()} == {
        "hanse-4-5:4:bigbox": "d",
        "small": None,
    }
    assert data["without_faults"]["anchor"] == "d"


def test_the_matrix_has_a_row_and_a_column_for_each_bot(without_faults: Path) -> None:
    shown = printed("standings", without_faults, "--matrix")
    rows = shown[shown.index("How likely each bot is stronger") :].splitlines()[3:7]
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4"]
    assert [row.split().index("–") for row in rows] == [2, 3, 4, 5]


def test_csv_has_a_row_for_each_bot(without_faults: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(printed("standings", without_faults, "--csv"))))
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert all(row["games"] == "24" for row in rows)


def test_a_tournament_without_games_can_be_shown(tmp_path: Path) -> None:
    folder = write_store(tmp_path / "t", [])
    assert "0 blocks, 0 games" in printed("standings", folder, "--matrix")
    assert json.loads(printed("standings", folder, "--json"))["games"] == 0


def test_a_fault_names_the_file_with_the_stderr_of_its_process(tmp_path: Path) -> None:
    crash = replace(fault(1), stderr_excerpt=b"\tat line 7\n", stderr_file="b.1.0.txt")
    folder = write_store(tmp_path / "t", [finished_block(block(0), [crash])])
    assert "b.1.0.txt" not in printed("faults", folder)  # on another machine
    (folder / "stderr").mkdir()
    (folder / "stderr" / "b.1.0.txt").write_text("\tat line 7\n")
    shown = printed("faults", folder)
    assert f"file   {folder}/stderr/b.1.0.txt" in shown
    assert "stderr         at line 7" in shown
    (data,) = map(json.loads, printed("faults", folder, "--json").splitlines())
    assert data["stderr_file"] == f"{folder}/stderr/b.1.0.txt"


def test_a_running_tournament_can_be_shown(without_faults: Path) -> None:
    with Store.resume(without_faults):
        assert "24 games" in printed("standings", without_faults)
        assert "No bot committed a fault" in printed("faults", without_faults)


# --- Errors


@pytest.mark.parametrize("command", ["standings", "faults"])
def test_a_folder_without_a_tournament_is_refused(tmp_path: Path, command: str) -> None:
    assert "is not the folder of a tournament" in refused(command, tmp_path)
    assert "is not the folder of a tournament" in refused(command, tmp_path / "nowhere")


@pytest.mark.parametrize("command", ["standings", "faults"])
def test_a_folder_that_cannot_be_read_is_refused(command: str) -> None:
    assert refused(command, "x" * 300).startswith("cannot read the folder xxx")


def test_a_store_of_a_newer_referee_is_refused(without_faults: Path) -> None:
    with closing(sqlite3.connect(without_faults / "tournament.sqlite")) as file, file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    assert "a newer referee wrote it" in refused("standings", without_faults)


def test_a_file_that_is_not_a_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tournament.sqlite").write_text("this is not a database, but it is long enough")
    assert "cannot be used" in refused("standings", tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--table", "attic"], "no game was played at table 'attic'"),
        (["--anchor", "nobody"], "'nobody' cannot be the anchor"),
        (["--points", "5;3"], "'5;3' is not a valid list of points"),
        (["--points", "inf"], "'inf' is not a valid list of points"),
        (["--json", "--csv"], "--json, --csv and --export are mutually exclusive"),
    ],
)
def test_options_that_are_not_valid_are_refused(
    without_faults: Path, options: list[str], message: str
) -> None:
    assert message in refused("standings", without_faults, *options)


def test_the_faults_of_an_unknown_bot_are_refused(without_faults: Path) -> None:
    sentence = "--bot: no bot has the name 'x': the bots are a, b, c, d\n"
    assert refused("faults", without_faults, "--bot", "x") == sentence


# --- Faults


def test_each_fault_is_printed_with_the_output_of_the_bot(with_faults: Path) -> None:
    shown = printed("faults", with_faults)
    assert "2 faults" in shown
    assert "b, seat 1, decision 7" in shown
    assert "chose 99 (illegal): strike 1" in shown
    assert "\\xff{}" in shown
    assert "oops" in shown


def test_no_output_of_a_bot_reaches_the_terminal_as_a_command(with_faults: Path) -> None:
    shown = printed("faults", with_faults)
    assert "\x1b" not in shown
    assert "\\u001b[2J[bold red]=1+1" in shown


def test_the_faults_of_one_bot_can_be_shown(with_faults: Path) -> None:
    shown = printed("faults", with_faults, "--bot", "c")
    assert "c, seat 2" in shown
    assert "b, seat 1" not in shown


def test_only_the_first_faults_are_shown_by_default(tmp_path: Path) -> None:
    first, *_ = blocks_with_faults(1)
    many = [finished_block(block(number), list(first.games[0].faults)) for number in range(15)]
    folder = write_store(tmp_path / "t", many)
    assert "and 10 more; --all shows all of them" in printed("faults", folder)
    assert "30. " in printed("faults", folder, "--all")


def test_json_has_a_line_for_each_fault(with_faults: Path) -> None:
    shown = printed("faults", with_faults, "--json")
    data = [json.loads(line) for line in shown.splitlines()]
    assert shown.isascii()
    assert [(fault["bot"], fault["fault"], fault["decision"]) for fault in data] == [
        ("b", "illegal", 7),
        ("c", "malformed", 9),
    ]
    assert data[0]["data"] == "\\xff{}"


def test_the_bar_of_a_hopeless_bot_is_an_arrow() -> None:
    entries = [
        Entry(bot, rating, rating - 20, rating + 20, 3, 9, 0.0, None, None, 0, 0, 0, None, None)
        for bot, rating in (("a", 1600.0), ("b", 1580.0), ("c", 1500.0), ("hopeless", 300.0))
    ]
    span = RatingRange.of(interval_of(entry) for entry in entries)
    bars = [interval_bar(entry, span, 30).plain for entry in entries]
    assert [bar.index(DOT) for bar in bars[:3]] == [25, 21, 4]
    assert bars[3].rstrip() == "<"
    assert {len(bar) for bar in bars} == {30}

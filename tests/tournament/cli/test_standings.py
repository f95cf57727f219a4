"""`referee standings` and `referee faults`: what they print of a tournament, and what they refuse."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.tournament.store.store import Store
from support.blocks import block, finished_block
from support.sample_store import blocks_with_faults, plain_blocks, write_store

Words = dict[str, Any]


@pytest.fixture
def quiet_one(tmp_path: Path) -> Path:
    return write_store(tmp_path / "t", plain_blocks())


@pytest.fixture
def faulty_one(tmp_path: Path) -> Path:
    return write_store(tmp_path / "t", blocks_with_faults())


def referee(*arguments: object, columns: int = 80) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": str(columns)})


def printed(*arguments: object, columns: int = 80) -> str:
    result = referee(*arguments, columns=columns)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def refused(*arguments: object) -> str:
    """The one sentence of a refusal."""
    result = referee(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("referee: ")


# --- What it prints


def test_every_bot_has_a_row_from_the_best_to_the_last(quiet_one: Path) -> None:
    table = printed("standings", quiet_one)
    ranks = [line.split()[0] for line in table.splitlines() if line[:1].isdigit()]
    assert ranks == ["1", "2", "3", "4"]
    assert "6 blocks, 24 games" in table
    assert "how likely the bot is stronger than the one below" in " ".join(table.split())


@pytest.mark.parametrize("columns", [80, 100, 160])
def test_no_line_is_wider_than_the_terminal(
    faulty_one: Path, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(faulty_one.parent)
    shown = printed("standings", "t", "--matrix", "--points", "5,3,1", columns=columns)
    assert max(map(len, shown.splitlines())) <= columns


def test_json_is_one_object_in_ascii(faulty_one: Path) -> None:
    shown = printed("standings", faulty_one, "--json")
    words = json.loads(shown)
    assert shown.isascii()
    assert shown.count("\n") == 1
    assert [entry["rank"] for entry in words["standings"]] == [1, 2, 3, 4]
    assert words["finished"] == {"blocks": 3, "games": 12, "faults": 2}


def test_games_with_faults_can_be_left_out(faulty_one: Path) -> None:
    whole = json.loads(printed("standings", faulty_one, "--json"))
    clean = json.loads(printed("standings", faulty_one, "--json", "--without-faults"))
    assert (whole["games"], clean["games"]) == (12, 11)
    assert whole["without_faults"]["standings"] == clean["standings"]
    assert "Without the games in which a bot committed a fault" in printed("standings", faulty_one)


def test_without_faults_there_is_no_second_table(quiet_one: Path) -> None:
    assert "Without the games" not in printed("standings", quiet_one)
    assert json.loads(printed("standings", quiet_one, "--json"))["without_faults"] is None


def test_each_kind_of_table_has_standings_of_its_own(tmp_path: Path) -> None:
    small = block(9, ("a", "b"))._replace(table="small")
    folder = write_store(
        tmp_path / "t",
        [*plain_blocks(2), finished_block(small), finished_block(small._replace(id="b-x"))],
    )
    words = json.loads(printed("standings", folder, "--json"))
    assert {name: one["games"] for name, one in words["by_table"].items()} == {
        "hanse-4-5:4:bigbox": 8,
        "small": 4,
    }
    only = json.loads(printed("standings", folder, "--json", "--table", "small"))
    assert (only["games"], only["by_table"]) == (4, {})
    assert "small: 2 blocks, 4 games" in printed("standings", folder)


def test_points_are_given_by_place(quiet_one: Path) -> None:
    words = json.loads(printed("standings", quiet_one, "--json", "--points", "3,1"))
    assert sum(entry["points"] for entry in words["standings"]) == 24 * 4
    assert "points" in printed("standings", quiet_one, "--points", "3,1")


def test_the_anchor_is_rated_1500(quiet_one: Path) -> None:
    words = json.loads(printed("standings", quiet_one, "--json", "--anchor", "c"))
    assert {entry["bot"]: entry["rating"] for entry in words["standings"]}["c"] == 1500
    assert "c is 1500" in printed("standings", quiet_one, "--anchor", "c")


def test_the_anchor_holds_at_every_table_where_it_played(tmp_path: Path) -> None:
    small = [block(number, ("a", "b"))._replace(table="small") for number in (8, 9)]
    faulty = blocks_with_faults(2)
    folder = write_store(tmp_path / "t", [*faulty, *map(finished_block, small)])
    words = json.loads(printed("standings", folder, "--json", "--anchor", "d"))
    assert {name: one["anchor"] for name, one in words["by_table"].items()} == {
        "hanse-4-5:4:bigbox": "d",
        "small": None,
    }
    assert words["without_faults"]["anchor"] == "d"


def test_the_matrix_has_a_row_and_a_column_for_each_bot(quiet_one: Path) -> None:
    shown = printed("standings", quiet_one, "--matrix")
    rows = shown[shown.index("How likely each bot is stronger") :].splitlines()[3:7]
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4"]
    assert [row.split().index("–") for row in rows] == [2, 3, 4, 5]


def test_csv_has_a_row_for_each_bot(quiet_one: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(printed("standings", quiet_one, "--csv"))))
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert all(row["games"] == "24" for row in rows)


def test_a_tournament_without_a_game_can_be_looked_at(tmp_path: Path) -> None:
    folder = write_store(tmp_path / "t", [])
    assert "0 blocks, 0 games" in printed("standings", folder, "--matrix")
    assert json.loads(printed("standings", folder, "--json"))["games"] == 0


def test_it_can_be_looked_at_while_it_goes_on(quiet_one: Path) -> None:
    with Store.resume(quiet_one):
        assert "24 games" in printed("standings", quiet_one)
        assert "No bot committed a fault" in printed("faults", quiet_one)


# --- What it refuses


@pytest.mark.parametrize("command", ["standings", "faults"])
def test_a_folder_without_a_tournament_is_refused(tmp_path: Path, command: str) -> None:
    assert "holds no tournament" in refused(command, tmp_path)
    assert "holds no tournament" in refused(command, tmp_path / "nowhere")


@pytest.mark.parametrize("command", ["standings", "faults"])
def test_a_folder_that_cannot_be_looked_into_is_refused(command: str) -> None:
    assert refused(command, "x" * 300).startswith("cannot look into xxx")


def test_a_store_of_a_newer_referee_is_refused(quiet_one: Path) -> None:
    with sqlite3.connect(quiet_one / "tournament.sqlite") as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    assert "a newer referee wrote it" in refused("standings", quiet_one)


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tournament.sqlite").write_text("no database at all, but long enough to be one")
    assert "cannot be used" in refused("standings", tmp_path)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--table", "attic"], "no game was played at 'attic'"),
        (["--anchor", "nobody"], "'nobody' cannot be the anchor"),
        (["--points", "5;3"], "'5;3' is not a valid list of points"),
        (["--points", "inf"], "'inf' is not a valid list of points"),
        (["--json", "--csv"], "--json, --csv and --export are mutually exclusive"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    quiet_one: Path, options: list[str], sentence: str
) -> None:
    assert sentence in refused("standings", quiet_one, *options)


def test_the_faults_of_an_unknown_bot_are_refused(quiet_one: Path) -> None:
    sentence = "'x' is not a bot of this tournament; its bots are a, b, c, d\n"
    assert refused("faults", quiet_one, "--bot", "x") == sentence


# --- Faults


def test_each_fault_is_told_with_what_came_and_what_the_bot_said(faulty_one: Path) -> None:
    shown = printed("faults", faulty_one)
    assert "2 faults" in shown
    assert "b, seat 1, decision 7" in shown
    assert "chose 99 (illegal): strike 1" in shown
    assert "\\xff{}" in shown
    assert "oops" in shown


def test_no_word_of_a_bot_reaches_the_terminal_as_a_command(faulty_one: Path) -> None:
    shown = printed("faults", faulty_one)
    assert "\x1b" not in shown
    assert "\\u001b[2J[bold red]=1+1" in shown


def test_faults_of_one_bot_can_be_asked_for(faulty_one: Path) -> None:
    shown = printed("faults", faulty_one, "--bot", "c")
    assert "c, seat 2" in shown
    assert "b, seat 1" not in shown


def test_only_the_first_faults_are_shown_unless_all_are_asked_for(tmp_path: Path) -> None:
    first, *_ = blocks_with_faults(1)
    many = [finished_block(block(number), list(first.games[0].faults)) for number in range(15)]
    folder = write_store(tmp_path / "t", many)
    assert "and 10 more; --all shows all of them" in printed("faults", folder)
    assert "30. " in printed("faults", folder, "--all")


def test_json_has_every_fault_on_a_line_of_its_own(faulty_one: Path) -> None:
    shown = printed("faults", faulty_one, "--json")
    words = [json.loads(line) for line in shown.splitlines()]
    assert shown.isascii()
    assert [(one["bot"], one["fault"], one["decision"]) for one in words] == [
        ("b", "illegal", 7),
        ("c", "malformed", 9),
    ]
    assert words[0]["data"] == "\\xff{}"

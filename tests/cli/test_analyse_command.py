"""`referee analyse`: a table, objects, rows, and the summary of a bot."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.terminal.analysis import COLUMNS
from support.recorded_games import record, record_bytes, recorded

NAME = "east:3:original+max_turns=3"
QUICK = ("--rounds", "1")


def referee(*arguments: str | Path, width: int = 80) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], env={"COLUMNS": str(width)})


def analyse(*arguments: str | Path) -> Result:
    return referee("analyse", *arguments, *QUICK)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record; the first test that analyses it fills its cache for the others."""
    folder = tmp_path_factory.mktemp("records")
    return record(folder / "game.jsonl", NAME, names=["ann", "ben", "ann#2"])


def test_the_table_has_a_row_for_each_turn(game: Path) -> None:
    result = analyse(game)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[1] == "game.jsonl: east, ann, ben, ann#2"
    assert [line.split()[0] for line in lines[4:7]] == ["1", "2", "3"]
    assert all("→" in line and "%" in line for line in lines[4:7])
    assert max(map(len, lines)) <= 80


def test_json_is_one_object_a_record(game: Path) -> None:
    (line,) = analyse(game, "--json").stdout.splitlines()
    words = json.loads(line)
    assert (words["verdict"], words["board"], words["names"]) == (
        "fine", "east", ["ann", "ben", "ann#2"],
    )  # fmt: skip
    assert words["settings"] == {"time_ms": None, "rounds": 1, "omniscient": False}
    assert words["is_complete"]
    assert [turn["turn"] for turn in words["turns"]] == [1, 2, 3]
    assert all(len(turn["chances"]) == 3 for turn in words["turns"])
    assert words["summary"]


def test_csv_has_a_row_for_each_turn(game: Path, tmp_path: Path) -> None:
    printed = analyse(game, "--csv", "-").stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["turn"] for row in rows] == ["1", "2", "3"]
    assert analyse(game, "--csv", tmp_path / "turns.csv").stdout == ""
    assert (tmp_path / "turns.csv").read_text("utf-8") == printed


def test_one_seat_and_one_bot(game: Path) -> None:
    one = json.loads(analyse(game, "--seat", "1", "--json").stdout)
    assert {turn["seat"] for turn in one["turns"]} == {1}
    assert not one["is_complete"]
    both = json.loads(analyse(game, "--bot", "ann", "--json").stdout)
    assert {turn["seat"] for turn in both["turns"]} == {0, 2}


def cut(path: Path, turns: int) -> Path:
    """The first turns of a game that would last longer."""
    lines = recorded("east:3:original+max_turns=60").splitlines(keepends=True)
    ends = [at for at, line in enumerate(lines) if b'"line":"turn"' in line]
    path.write_bytes(b"".join(lines[: ends[turns - 1] + 1]))
    return path


def test_the_summary_of_a_bot_ends_with_commands_that_work(tmp_path: Path) -> None:
    game = cut(tmp_path / "my game.jsonl", 7)
    words = json.loads(analyse(game, "--bot", "script-0", "--json").stdout)
    losses = [turn["loss"] for turn in words["turns"]]
    result = analyse(tmp_path, "--bot", "script-0")
    assert "script-0: 3 turns in 1 game" in result.stdout
    for title in ("kind of decision", "phase", "board"):
        assert title in result.stdout
    _, _, worst = result.stdout.partition("The worst turns")
    shown = [line.strip() for line in worst.splitlines() if "referee replay" in line]
    assert len(shown) == sum(loss > 0 for loss in losses) > 0
    assert referee(*shlex.split(shown[0])[1:]).exit_code == 0


def test_an_incomplete_record_is_analysed_as_far_as_it_goes(tmp_path: Path) -> None:
    result = analyse(cut(tmp_path / "cut.jsonl", 2))
    assert result.exit_code == 0
    assert "the record ends before the game does" in result.stderr
    assert "After turn 2, " in result.stdout


def test_wrong_and_void_records_are_reported_and_left_out(game: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in recorded(NAME).splitlines()]
    (tmp_path / "void.jsonl").write_bytes(
        record_bytes([*lines[:3], {"line": "void", "message": "no disk"}])
    )
    (tmp_path / "wrong.jsonl").write_bytes(record_bytes([lines[0], lines[2]]))
    (tmp_path / "odd.jsonl").write_bytes(b"{}\n")
    result = analyse(tmp_path, "--workers", "4")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "void.jsonl: the game is void: no disk" in result.stderr
    assert "wrong.jsonl: " in result.stderr
    assert "odd.jsonl, line 1: " in result.stderr
    assert len(result.stderr.splitlines()) == 3
    assert not list(tmp_path.glob("*.analysis.jsonl"))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "RECORD"),
        (["nowhere"], "there is no record"),
        (["GAME", "--json", "--csv", "-"], "mutually exclusive"),
        (["GAME", "--time", "5"], "mutually exclusive"),
        (["GAME", "--bot", "bem"], "no bot has the name 'bem': did you mean 'ben'?"),
        (["GAME", "--seat", "3"], "no record has a seat 3: seats are numbered from 0 to 2"),
        (["GAME", "--csv", "/nowhere/x.csv"], "cannot write"),
    ],
)
def test_a_refusal_is_one_sentence_and_status_2(arguments: list[str], why: str, game: Path) -> None:
    result = analyse(*[str(game) if word == "GAME" else word for word in arguments])
    assert result.exit_code == 2
    assert why in result.stderr
    assert result.stderr.count("\n") == 1


def test_many_records_are_divided_among_the_workers(game: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copy(game, tmp_path / f"{name}.jsonl")
    (tmp_path / "odd.jsonl").write_bytes(b"{}\n")
    result = analyse(tmp_path, "--bot", "ann", "--json", "--workers", "1")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [Path(one["record"]).name for one in objects] == ["a.jsonl", "b.jsonl", "odd.jsonl"]
    assert result.exit_code == 1
    assert objects[0]["turns"] == objects[1]["turns"]
    assert set(objects[2]) == {"record", "verdict", "why"}
    assert objects[2]["verdict"] == "wrong"


def test_records_without_the_seat_are_left_out(game: Path, tmp_path: Path) -> None:
    (tmp_path / "three.jsonl").write_bytes(game.read_bytes())
    record(tmp_path / "two.jsonl", "east:2:bigbox+neutral=2009+max_turns=2")
    lines = analyse(tmp_path, "--seat", "2", "--json").stdout.splitlines()
    assert [Path(json.loads(line)["record"]).name for line in lines] == ["three.jsonl"]

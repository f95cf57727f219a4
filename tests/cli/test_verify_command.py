"""`referee verify`: what it prints, and its exit status."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from support import forks
from support.paths import REFEREE
from support.recorded_games import lines_of, record_bytes, recorded

PLAIN = "hanse-2-3:3:bigbox+max_turns=9"


def referee(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, arguments)], env={"COLUMNS": "80"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five records: two are fine, one is incomplete, one is void, one is wrong."""
    data = recorded(PLAIN, with_faults=True)
    (tmp_path / "fine.jsonl").write_bytes(data)
    (tmp_path / "fine-too.jsonl").write_bytes(recorded(PLAIN))
    (tmp_path / "cut.jsonl").write_bytes(data[:-300])
    (tmp_path / "void.jsonl").write_bytes(data[:-2000].rpartition(b"\n")[0] + VOID)
    lines = lines_of(data)
    lines[-1]["standings"][0]["total"] += 1
    (tmp_path / "wrong.jsonl").write_bytes(record_bytes(lines))
    return tmp_path


VOID = b'\n{"line":"void","message":"KeyError: 7"}\n'


def test_each_record_has_a_line_and_the_last_line_is_the_sum(folder: Path) -> None:
    result = referee(folder)
    assert result.exit_code == 1
    words = [line.split()[0] for line in result.stdout.splitlines()]
    assert words == ["incomplete", "fine", "fine", "void", "wrong", "2"]
    assert "standings[0].total is" in result.stdout
    assert f"wrong.jsonl, line {len(lines_of(folder / 'fine.jsonl'))}: " in result.stdout
    assert "2 fine, 1 incomplete, 1 void, 1 wrong" in result.stdout


def test_the_exit_status_is_1_if_a_record_is_wrong(folder: Path) -> None:
    assert referee(folder / "fine.jsonl", folder / "void.jsonl").exit_code == 0
    assert referee(folder / "cut.jsonl").exit_code == 0
    assert referee(folder / "cut.jsonl", "--complete").exit_code == 1
    assert referee(folder / "wrong.jsonl").exit_code == 1


def test_json_is_one_object_a_record(folder: Path) -> None:
    result = referee(folder, "--json")
    assert result.exit_code == 1
    found = {Path(one["record"]).stem: one for one in map(json.loads, result.stdout.splitlines())}
    kinds = {name: one["verdict"] for name, one in found.items()}
    assert kinds == {
        "fine": "fine",
        "fine-too": "fine",
        "cut": "incomplete",
        "void": "void",
        "wrong": "wrong",
    }
    assert found["wrong"]["line"] == len(lines_of(folder / "fine.jsonl"))
    assert found["fine"]["reason"] == "max-turns"
    assert found["fine"]["faults"] > 0


def test_quiet_prints_only_wrong_records(folder: Path) -> None:
    assert referee(folder / "fine.jsonl", folder / "cut.jsonl", "--quiet").stdout == ""
    result = referee(folder, "--quiet")
    assert result.stdout.startswith("wrong ")
    assert result.stdout.count("\n") == 1
    assert referee(folder / "cut.jsonl", "--quiet", "--complete").stdout.startswith("incomplete ")


def test_with_many_records_only_those_that_are_not_fine_have_a_line(folder: Path) -> None:
    for number in range(30):
        (folder / f"more-{number}.jsonl").write_bytes(recorded(PLAIN))
    result = referee(folder, "--workers", "2")
    assert "32 fine" in result.stdout
    assert result.stdout.count("\n") == 4
    assert (
        referee(folder, "--workers", "1").stdout.splitlines()[:3]
        == (result.stdout.splitlines()[:3])
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "RECORD"),
        (["nowhere.jsonl"], "there is no record nowhere.jsonl"),
        (["no*.jsonl"], "no record matches"),
        (["--workers", "0", "x"], "--workers"),
        (["--json", "--quiet", "x"], "mutually exclusive"),
    ],
)
def test_a_refusal_is_one_sentence_and_status_2(arguments: list[str], why: str) -> None:
    result = referee(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert why in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_record_that_may_not_be_read_is_wrong(folder: Path) -> None:
    (folder / "fine.jsonl").chmod(0)
    result = referee(folder / "fine.jsonl")
    assert result.exit_code == 1
    assert "Permission denied" in result.stdout


def test_a_closed_pipe_is_not_an_error(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = forks.run([*REFEREE, "verify", "--json", str(folder)], stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_terminal_gets_a_bar(folder: Path) -> None:
    """The bar is on stderr, and gone at the end."""
    for number in range(8):
        (folder / f"more-{number}.jsonl").write_bytes(recorded(PLAIN))
    ours, theirs = pty.openpty()
    command = [*REFEREE, "verify", str(folder), "--workers", "2"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs, env=environment, text=True, check=False
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "verifying" in shown
    assert "10 fine" in done.stdout

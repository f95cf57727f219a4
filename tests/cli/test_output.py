"""Where output goes: to a terminal, to a file, or to a pipe that is closed."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from support import forks
from support.groups import together
from support.paths import REFEREE
from support.recorded_games import record

PIPE_CLOSED = 141
# Printed by click, by rich, and as JSON; the first in a new process of Python.
PRINTING = [
    (subprocess.run, "--version"),
    (forks.run, "maps show east"),
    (forks.run, "maps list --json"),
]
Run = Callable[..., subprocess.CompletedProcess[str]]
FULL = Path("/dev/full")
NARROW = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three records of one short game."""
    folder = tmp_path_factory.mktemp("records")
    first = record(folder / "0.jsonl", "east:3:bigbox+max_turns=4")
    for number in (1, 2):
        shutil.copy(first, folder / f"{number}.jsonl")
    return folder


def on_a_terminal(*words: str | Path, stdout: int | None = None) -> str:
    """Run a command on a terminal; return all that was written there."""
    master, slave = pty.openpty()
    command = [*REFEREE, *map(str, words)]
    done = forks.Fork(command, stdout=stdout or slave, stderr=slave, env=NARROW)
    os.close(slave)
    shown = b""
    try:
        while piece := os.read(master, 4096):
            shown += piece
    except OSError:  # Linux reports the end of the output this way
        pass
    os.close(master)
    assert done.wait(60) == 0
    return shown.decode()


def test_json_goes_to_the_file_and_the_bar_to_the_terminal(records: Path, tmp_path: Path) -> None:
    with (tmp_path / "verdicts.jsonl").open("w+") as file:
        shown = on_a_terminal("verify", records, "--json", stdout=file.fileno())
        file.seek(0)
        verdicts = [json.loads(line)["verdict"] for line in file]
    assert verdicts == ["fine"] * 3
    assert "verdict" not in shown


def test_results_on_a_terminal_begin_their_own_lines(records: Path) -> None:
    lines = on_a_terminal("verify", records).replace("\x1b[2K", "\r").split("\n")
    shown = [line.rpartition("\r")[2] or line for line in map(str.rstrip, lines)]
    assert sum("/1.jsonl" in line for line in shown) == 1
    assert all("verifying" not in line for line in shown if ".jsonl" in line)


@pytest.mark.parametrize(("run", "line"), PRINTING)
def test_a_closed_pipe_ends_a_command_with_its_own_status(run: Run, line: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run([*REFEREE, *line.split()], stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (PIPE_CLOSED, "")


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
@pytest.mark.parametrize(("run", "line"), PRINTING)
def test_a_full_disk_is_reported_in_one_sentence(run: Run, line: str) -> None:
    with FULL.open("wb") as full:
        done = run([*REFEREE, *line.split()], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "referee: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize("stream", [0, 1, 2])
def test_a_command_works_with_a_closed_stream(stream: int) -> None:
    line = f'exec "$@" {stream}>&-'
    words = [*REFEREE, "maps", "list", "--json"]
    done = subprocess.run(["sh", "-c", line, "sh", *words], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) == (stream != 1)


@pytest.mark.parametrize(
    ("line", "encoding"),
    [
        ("replay RECORD", "ascii"),
        ("stats RECORD", "latin-1"),
        ("maps show britannia-2-3", "ascii"),
    ],
)
def test_characters_that_cannot_be_encoded_are_replaced(
    line: str, encoding: str, records: Path
) -> None:
    words = line.replace("RECORD", str(records / "0.jsonl")).split()
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = forks.run([*REFEREE, *words], env=environment, text=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" not in done.stdout


@pytest.mark.parametrize("words", [("play", "{0}", "random"), ("verify", "{0}")])
def test_control_characters_in_file_names_are_not_printed(words: tuple[str, ...]) -> None:
    name = "no\x1b[2Jsuch\u202efolder"
    result = CliRunner().invoke(main, [word.format(name) for word in words])
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    assert "\u202e" not in result.stderr
    assert "\\u001b[2J" in result.stderr or r"\x1b" in result.stderr


@pytest.mark.parametrize("group", [[], ["maps"], ["bench"]])
def test_a_group_without_a_command_prints_its_help(group: list[str]) -> None:
    result = CliRunner().invoke(main, group, prog_name="referee")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Usage: {' '.join(['referee', *group])} ")


@together(
    ("line", "message"),
    [
        ("new-bot x", "Choose from: python, javascript, "),
        ("new-bot x", "cpp, c, shell; see 'referee new-bot --help'"),
        ("play random --ponder x", "'x' is not one of 'report', 'forbid', 'allow'; see "),
        ("play random --seed x", "invalid value for '--seed': 'x' is not a whole number; see "),
        ("play random --seed -1", "-1 is not a number from 0 to 9007199254740991; see "),
        ("bench engine --seats 0", "invalid value for '--seats': 0 is less than 1; see "),
        ("bench engine --seconds x", "'x' is not a number; see 'referee bench engine --help'"),
        ("play --bord east", "did you mean '--board'? See 'referee play --help'"),
        ("play randm random", "did you mean 'random'? It must be a folder with bot.toml, one of "),
        ("maps show est", 'did you mean "east"? The boards are britannia-2-3, '),
    ],
)
def test_a_mistake_is_reported_on_one_line(line: str, message: str) -> None:
    result = CliRunner().invoke(main, line.split(), prog_name="referee")
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


# -- which sandbox is in force


def printed(*words: str | Path) -> str:
    """Return what a command that starts bots prints."""
    result = CliRunner().invoke(main, [*map(str, words), "--sandbox", "off"])
    assert result.exit_code == 0, result.output
    return result.stdout


OFF = "sandbox: off; bots can do whatever this user can"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A record of random bots, and the objects that were printed of the game."""
    path = tmp_path_factory.mktemp("played") / "game.jsonl"
    words = ("play", "random", "random", "--max-turns", "2", "--record", path, "--json")
    return path, printed(*words)


def test_the_first_object_of_a_game_says_which_sandbox_is_in_force(
    played: tuple[Path, str],
) -> None:
    first, *_ = map(json.loads, played[1].splitlines())
    assert (first["event"], first["sandbox"]) == ("game", OFF)


def test_check_says_which_sandbox_is_in_force() -> None:
    words = ("check", "random", "--only", "quit")
    assert printed(*words).startswith(f"{OFF}\n")
    assert json.loads(printed(*words, "--json"))["sandbox"] == OFF


def test_reask_says_which_sandbox_is_in_force(played: tuple[Path, str]) -> None:
    words = ("reask", played[0], "random", "--seat", "1")
    assert printed(*words).endswith(f"\n{OFF}\n")
    assert json.loads(printed(*words, "--json"))["sandbox"] == OFF

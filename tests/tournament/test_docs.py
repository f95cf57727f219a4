"""docs/tournaments.md: what it says can be run, runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from referee.tournament.wishes import Wishes, read_wishes

DOC = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text("utf-8")
RUN = re.findall(r"<!-- run -->\n```sh\n(.*?)\n```\n", DOC, re.DOTALL)


def example(marker: str) -> str:
    (found,) = re.findall(rf"<!-- example: {marker} -->\n```\w+\n(.*?)\n```\n", DOC, re.DOTALL)
    return str(found)


def test_the_file_of_the_example_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "tournament.toml"
    path.write_text(example("tournament.toml"), "utf-8")
    wishes = read_wishes(path)
    assert wishes.bots is not None
    assert len(wishes.bots) == 4
    assert wishes.tables is not None
    assert [table.board for table in wishes.tables] == ["hanse-4-5", "east"]


def test_every_key_of_a_file_is_named() -> None:
    said = re.findall(r"`(\w+)`", DOC)
    assert {field.name for field in msgspec.structs.fields(Wishes)} <= set(said)


def test_the_commands_run_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "tournament.toml").write_text(example("tournament.toml"), "utf-8")
    commands = [line for block in RUN[1:] for line in block.splitlines()]
    assert len(commands) >= 6
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(command)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.parametrize("command", RUN[:1])
def test_the_first_command_is_the_demonstration(command: str) -> None:
    assert command == "referee tournament"  # it takes a minute, and CI runs it from the README

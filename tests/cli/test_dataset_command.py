"""`referee dataset`: what it prints, and when it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.rl import Dataset
from support.recorded_games import recorded

NAME = "east:5:original+max_turns=15"


def referee(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["dataset", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.jsonl").write_bytes(recorded(NAME))
    return tmp_path


def test_it_says_what_it_wrote(folder: Path) -> None:
    result = referee(folder, "--out", folder / "data")
    assert result.exit_code == 0
    assert result.stdout.startswith("1 game, ")
    assert f"{NAME}: rows of 2,789, 3,205 actions" in result.stdout
    assert len(Dataset(folder / "data")) > 30


def test_json_is_one_object(folder: Path) -> None:
    words = json.loads(referee(folder, "--out", folder / "data", "--shard", "20", "--json").stdout)
    data = Dataset(folder / "data")
    assert (words["games"], words["decisions"], words["layouts"]) == (1, len(data), [NAME])
    assert words["shards"] == len(list(data)) > 2


def test_a_wrong_record_is_left_out_and_named(folder: Path) -> None:
    lines = recorded(NAME).splitlines(keepends=True)
    (folder / "wrong.jsonl").write_bytes(b"".join([*lines[:3], b"{}\n"]))
    (folder / "cut.jsonl").write_bytes(b"".join(lines[:3]))
    result = referee(folder, "--out", folder / "data")
    assert result.exit_code == 1
    assert "wrong.jsonl, line 4: " in result.stderr
    assert "left out: 1 incomplete, 1 wrong" in result.stderr
    assert [one.index for one in Dataset(folder / "data").games()] == [0]


def test_without_a_complete_game_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_bytes(recorded(NAME).splitlines(keepends=True)[0])
    result = referee(tmp_path, "--out", tmp_path / "data")
    assert result.exit_code == 2
    assert "there is no complete game in 1 record" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["cut.jsonl"]


def test_a_folder_with_files_is_not_overwritten(folder: Path) -> None:
    result = referee(folder / "game.jsonl", "--out", folder)
    assert result.exit_code == 2
    assert "is not empty; name a new one" in result.stderr

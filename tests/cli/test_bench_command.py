"""`referee bench engine`: its figures, for people and for programs."""

import configparser
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee import atlas
from referee.bench import engine
from referee.cli import main
from referee.cli.bench import MOVED
from referee.version import build_name
from support.groups import together


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "GAMES", 2)
    monkeypatch.setattr(engine, "FEWEST_ROUNDS", 1)
    monkeypatch.setattr(engine, "MAX_TURNS", 20)


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", "engine", "--seconds", "0", *arguments])


def test_json_is_one_object_with_every_board() -> None:
    words = json.loads(bench("--json").stdout)
    assert words["build"] == build_name()
    boards = set(atlas.board_names())
    for figure in ("decisions_per_s", "copy_us", "apply_us", "replay_decisions_per_s", "digest"):
        assert set(words[figure]) == boards
    assert all(words["decisions_per_s"][board] > 0 for board in boards)


def test_both_runs_play_the_same_games() -> None:
    one, two = (json.loads(bench("--board", "east", "--json").stdout) for _ in range(2))
    assert one["digest"] == two["digest"]
    assert one["decisions"] == two["decisions"]


def test_the_table_has_a_row_for_each_board_that_was_asked_for() -> None:
    table = bench("--board", "east", "--board", "hanse-4-5", "--seats", "5").stdout
    assert "east" in table
    assert "hanse-4-5" in table
    assert "hanse-2-3" not in table
    assert build_name() in table


def test_seats_that_a_board_does_not_have_are_refused() -> None:
    result = bench("--board", "hanse-2-3", "--seats", "5")
    assert result.exit_code == 2
    assert result.stderr == "referee: board hanse-2-3 takes 2 to 3 seats, not 5\n"


# --- Commands that moved to the project's tests ----------------------------------------------


@together("name", MOVED)
@together("more", [[], ["--help"], ["replies", "--count", "5"]])
def test_a_command_that_moved_names_the_tox_command(name: str, more: list[str]) -> None:
    result = CliRunner().invoke(main, ["bench", name, *more])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"referee: `referee bench {name}` moved to the project's tests;"
        f" run `tox -e {MOVED[name]}` in a checkout\n"
    )


def test_every_environment_that_is_named_exists() -> None:
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(Path(__file__).resolve().parents[2] / "tox.ini")
    assert [one for one in MOVED.values() if f"testenv:{one}" not in tox] == []


def test_commands_that_moved_are_not_in_the_help() -> None:
    listed = CliRunner().invoke(main, ["bench", "--help"]).stdout.partition("Commands:")[2]
    assert [name for name in MOVED if f"  {name} " in listed] == []

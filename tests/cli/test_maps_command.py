"""`referee maps`: what it lists, shows and checks, and its exit status."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from referee import atlas
from referee.cli import main
from support.small_board import ISLAND


def maps(*arguments: str, columns: int = 80) -> Result:
    return CliRunner().invoke(main, ["maps", *arguments], env={"COLUMNS": str(columns)})


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "island.toml").write_text(ISLAND, "utf-8")
    (tmp_path / "bad.toml").write_text(ISLAND.replace("limit = 4", "limit = 7"), "utf-8")
    return tmp_path


def test_list_has_a_row_for_each_board() -> None:
    result = maps("list")
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["hanse-4-5", "The", "Hanseatic", "League", "4-5", "27", "34", "107"] in rows
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_list_as_json_says_what_is_special() -> None:
    boards = json.loads(maps("list", "--json").stdout)["maps"]
    assert [one["id"] for one in boards] == list(atlas.board_names())
    east = boards[2]
    assert (east["points"], east["ships"], east["spaces"]) == (98, 6, 55)
    assert east["special"] == ["ships", "permanent markers", "green cities"]


@pytest.mark.parametrize("columns", [80, 140])
@pytest.mark.parametrize("name", atlas.board_names())
def test_show_fits_the_terminal(name: str, columns: int) -> None:
    result = maps("show", name, columns=columns)
    assert result.exit_code == 0
    assert result.stdout.startswith(atlas.load_board(name).title)
    assert all(len(line) <= columns for line in result.stdout.splitlines())


def test_show_with_tables_has_every_city_and_route() -> None:
    shown = maps("show", "britannia-2-3", "--tables", columns=120).stdout
    words = atlas.load_board("britannia-2-3").words
    assert all(route["id"] in shown for route in words["routes"])
    assert all(city["id"] in shown for city in words["cities"])


def test_show_as_json_prints_the_board(files: Path) -> None:
    words = json.loads(maps("show", str(files / "island.toml"), "--json").stdout)
    assert atlas.board_from_words(words).title == "The Island"


def test_show_draws_into_a_file(files: Path) -> None:
    drawing = files / "drawing.svg"
    result = maps("show", str(files / "island.toml"), "--svg", str(drawing))
    assert (result.exit_code, result.stdout.split()[0]) == (0, "Written:")
    assert ET.parse(drawing).getroot().tag.endswith("svg")


def test_show_draws_to_standard_output() -> None:
    assert ET.fromstring(maps("show", "east", "--svg", "-").stdout).tag.endswith("svg")


def test_a_drawing_that_cannot_be_written_is_an_error(files: Path) -> None:
    result = maps("show", "east", "--svg", str(files / "no" / "such.svg"))
    assert result.exit_code == 2
    assert "cannot be written: No such file or directory" in result.stderr


@pytest.mark.parametrize(
    "arguments", [["show", "est"], ["show"], ["show", "east", "--json", "--tables"], ["check"]]
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    result = maps(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("referee: ")


def test_check_reports_every_file_and_mistake(files: Path) -> None:
    good, bad = str(files / "island.toml"), str(files / "bad.toml")
    result = maps("check", good, bad)
    assert result.exit_code == 1
    assert result.stdout == (
        f"{good}: valid\n{bad}:7: completed_cities_limit: 7 cities can never be completed;"
        " it is 1 to 6, the number of cities\n"
    )


def test_check_of_valid_files_exits_with_0(files: Path) -> None:
    assert maps("check", str(files / "island.toml")).exit_code == 0


def test_check_reports_a_missing_file(files: Path) -> None:
    result = maps("check", str(files / "none.toml"))
    assert result.exit_code == 1
    assert "the file cannot be read: No such file or directory" in result.stdout


def test_check_as_json_is_for_programs(files: Path) -> None:
    good, bad = str(files / "island.toml"), str(files / "bad.toml")
    result = maps("check", good, bad, "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (found["ok"], found["files"][good]) == (False, [])
    (mistake,) = found["files"][bad]
    assert (mistake["line"], mistake["place"]) == (7, "completed_cities_limit")
    assert mistake["allowed"] == "it is 1 to 6, the number of cities"

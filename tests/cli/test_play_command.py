"""`referee play`: what it prints, what it refuses, and how it leaves."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.random_play import SEEDS

PARTS = ("track", "abilities", "markers", "special", "cities", "network", "missions")


def referee(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"COLUMNS": "80"})


def played(*arguments: str) -> dict:  # type: ignore[type-arg]  # JSON
    result = referee("play", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))


def refused(*arguments: str) -> str:
    """The one sentence of a refusal."""
    result = referee("play", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("referee: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


# --- What it prints


def test_the_final_table_has_every_part_of_the_total() -> None:
    table = referee("play", *["random"] * 4, "--seed", "7").stdout
    for word in ("rank", *PARTS, "countries", "total", "random#4", "turns", "decisions"):
        assert word in table


def test_countries_that_give_prestige_have_rows_of_their_own() -> None:
    table = referee("play", *["random"] * 4, "--board", "britannia-4-5", "--seed", "7").stdout
    assert "Wales" in table
    assert "Scotland" in table


@pytest.mark.parametrize("columns", ["80", "120"])
def test_the_final_table_fits_the_terminal(columns: str) -> None:
    arguments = ["play", *["random"] * 5, "--board", "britannia-4-5", "--seed", "7"]
    table = CliRunner().invoke(main, arguments, env={"COLUMNS": columns}).stdout
    assert max(len(line) for line in table.splitlines()) <= int(columns)
    assert "…" not in table


def test_json_is_one_object_and_its_parts_add_up() -> None:
    game = played("random", "random", "random", "--missions", "--seed", "7")
    assert game["rules"]["missions"] is True
    assert game["seed"] == 7
    assert [standing["seat"] for standing in game["standings"]] == [0, 1, 2]
    for standing in game["standings"]:
        parts = sum(standing[part] for part in PARTS) + sum(standing["countries"].values())
        assert standing["total"] == parts


def test_quiet_prints_one_line() -> None:
    assert referee("play", "random", "random", "--seed", "7", "--quiet").stdout.count("\n") == 1


def test_the_same_seed_plays_the_same_game() -> None:
    assert played("random", "random", "--seed", "7") == played("random", "random", "--seed", "7")


def test_a_seed_that_is_not_given_is_drawn_and_told() -> None:
    game = played("random", "random")
    assert 0 <= game["seed"] < SEEDS
    assert played("random", "random", "--seed", str(game["seed"])) == game


@pytest.mark.parametrize(
    ("players", "board"), [(2, "hanse-2-3"), (3, "hanse-2-3"), (4, "hanse-4-5"), (5, "hanse-4-5")]
)
def test_the_board_follows_the_number_of_players(players: int, board: str) -> None:
    assert played(*["random"] * players, "--seed", "7")["rules"]["board"] == board


@pytest.mark.parametrize(
    ("options", "rule", "value"),
    [
        (["--edition", "original"], "edition", "original"),
        (["--neutral", "2009"], "neutral", "2009"),
        (["--favours"], "favours", True),
        (["--promos"], "promos", True),
        (["--board", "britannia-2-3", "--permits"], "permits", True),
        (["--max-turns", "5"], "max_turns", 5),
    ],
)
def test_every_option_reaches_the_rules(options: list[str], rule: str, value: object) -> None:
    assert played("random", "random", *options, "--seed", "7")["rules"][rule] == value


def test_a_game_is_scored_as_it_stands_after_max_turns() -> None:
    game = played("random", "random", "--max-turns", "5", "--seed", "7")
    assert (game["reason"], game["turns"]) == ("max-turns", 5)


# --- What it refuses


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["random", "clever"], "'clever' is no bot"),
        (["random"], "takes 2 to 3 players, not 1"),
        (["random"] * 6, "takes 4 to 5 players, not 6"),
        (["random"] * 4, "no board"),
        (["random"] * 2 + ["--permits"], "permits"),
        (["random"] * 3 + ["--neutral", "2009"], "2 players only"),
        (["random"] * 2 + ["--edition", "original", "--promos"], "promo"),
        (["random"] * 2 + ["--seed", "-1"], "--seed"),
        (["random"] * 2 + ["--seed", str(SEEDS)], "--seed"),
        (["random"] * 2 + ["--max-turns", "1000001"], "max_turns"),
        (["random"] * 2 + ["--json", "--quiet"], "--json and --quiet"),
        (["random"] * 2 + ["--board", "nowhere.toml"], "nowhere.toml"),
        ([], "BOT"),
        (["random", "--frobnicate"], "--frobnicate"),
    ],
)
def test_a_refusal_is_one_sentence_and_status_2(arguments: list[str], reason: str) -> None:
    if reason == "no board":
        arguments = [*arguments, "--board", "atlantis"]
    assert reason in refused(*arguments)


def test_bots_as_processes_are_said_to_come_later() -> None:
    assert "come later" in refused("random", "./my-bot")


# --- How it leaves


def test_an_unknown_command_is_a_usage_error() -> None:
    result = referee("frobnicate")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_the_version_names_the_build() -> None:
    result = referee("--version")
    assert result.exit_code == 0
    assert "engine)" in result.stdout


def test_the_module_is_the_command() -> None:
    command = [
        sys.executable,
        "-m",
        "referee",
        "play",
        "random",
        "random",
        "--seed",
        "7",
        "--quiet",
    ]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout == referee("play", "random", "random", "--seed", "7", "--quiet").stdout


def test_an_interrupted_command_says_so_and_leaves_with_130(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.random_play.play_game", interrupt)
    result = referee("play", "random", "random")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.strip() == "referee: interrupted"

"""`referee reask`: what it prints, and its exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.terminal.records import choice_phrase
from support.recorded_games import record


def referee(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], env={"COLUMNS": "80"})


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded game of the bundled bot."""
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    options = ("--max-turns", "12", "--seed", "3", "--record", path, "--quiet")
    assert referee("play", *["random"] * 3, *options).exit_code == 0
    return path


def test_a_bot_with_a_fixed_seed_gives_the_same_answers(game: Path) -> None:
    result = referee("reask", game, "random", "--seat", "2")
    assert result.exit_code == 0, result.output
    assert "the same" in result.stdout
    assert "different" not in result.stdout
    assert "answer time: mean " in result.stdout


def test_the_seat_is_found_by_the_name_of_the_bot(game: Path) -> None:
    words = json.loads(referee("reask", game, "random", "--json").stdout)
    assert (words["seat"], words["name"], words["same_throughout"]) == (0, "random", True)
    assert words["asked"] == words["same"] > 5
    assert words["times"]["count"] == words["recorded_times"]["count"] == words["asked"]


def test_differences_are_listed_and_the_status_is_1(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", "hanse-2-3:3:bigbox+max_turns=30")
    result = referee("reask", path, "random", "--seat", "1")
    assert result.exit_code == 1
    assert "different" in result.stdout
    assert "turn" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    words = json.loads(referee("reask", path, "random", "--seat", "1", "--json").stdout)
    assert words["differences"][0]["recorded"]["do"]
    assert words["differences"][0]["answered"]["do"]
    if len(words["differences"]) > 20:
        assert "--all lists them" in result.stdout


def test_one_decision_can_be_asked_again(game: Path) -> None:
    decisions = [json.loads(line) for line in game.read_text().splitlines()]
    asked = [line for line in decisions if line.get("by") == "bot" and line["seat"] == 1]
    result = referee("reask", game, "random", "--at", str(asked[3]["id"]))
    assert result.exit_code == 0, result.output
    assert "seat 1 (random#2)" in result.stdout
    assert f"{asked[3]['do']['do']} " in result.stdout
    assert "1 answer, 1 the same" in result.stdout


def test_what_a_bot_writes_to_stderr_can_be_printed(game: Path) -> None:
    program = "import sys; sys.stderr.write('oh dear'); sys.exit(3)"
    bot = f'talker={sys.executable} -c "{program}"'
    assert "talker | oh dear\n" in referee("reask", game, bot, "--seat", "1", "--stderr").stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["RECORD", "random", "--at", "999"], "has no decision 999: its last decision is "),
        (["RECORD", "random", "--at", "1", "--seat", "2"], "decision 1 was asked of seat 0"),
        (["random"], "BOT"),
        (["RECORD", "clever-bot"], "is not a valid bot"),
        (["RECORD", "human"], "a person cannot be asked"),
        (["RECORD", "random", "--seat", "3"], "no seat 3; its seats are 0 to 2"),
        (["RECORD", "new=random", "--seat", "-1"], "--seat"),
        (["nowhere.jsonl", "random"], "No such file"),
    ],
)
def test_a_refusal_is_one_sentence_and_status_2(arguments: list[str], why: str, game: Path) -> None:
    result = referee("reask", *[str(game) if word == "RECORD" else word for word in arguments])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert why in result.stderr


def test_the_stderr_of_a_bot_that_ends_is_named(game: Path) -> None:
    program = "import sys; sys.stderr.write('oh dear'); sys.exit(3)"
    result = referee("reask", game, f'{sys.executable} -c "{program}"', "--seat", "1")
    assert result.exit_code == 1
    assert "The bot could not be asked further" in result.stdout
    assert "Its stderr:\n  oh dear\n" in result.stdout


def test_a_choice_without_a_reward_says_so() -> None:
    words = {"do": "create", "route": "bremen--hamburg", "reward": None}
    assert choice_phrase(words) == "create route bremen--hamburg no reward"

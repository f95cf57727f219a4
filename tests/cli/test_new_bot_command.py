"""`referee new-bot`: what it prints, and its errors in one sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.bots.starter_kits import LANGUAGES
from referee.cli.group import Commands
from referee.cli.new_bot import new_bot

COMMANDS = Commands("referee", commands=[new_bot])


def referee(*words: str) -> Result:
    return CliRunner().invoke(COMMANDS, ["new-bot", *words])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_is_created_and_the_next_steps_are_printed(tmp_path: Path, language: str) -> None:
    folder = tmp_path / "mine"
    done = referee(str(folder), "--language", language)
    assert done.exit_code == 0
    assert f"Created mine, a bot in {LANGUAGES[language].title}." in done.stdout
    assert f"referee check {folder}\n" in done.stdout
    assert f"cd {folder} && {LANGUAGES[language].test}\n" in done.stdout
    assert (folder / LANGUAGES[language].think).is_file()


def test_a_folder_with_a_space_is_quoted_in_commands(tmp_path: Path) -> None:
    done = referee(str(tmp_path / "two words"), "--language", "shell")
    assert f"referee check '{tmp_path}/two words'\n" in done.stdout


def test_a_missing_program_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = referee(str(tmp_path / "mine"), "--language", "java")
    assert done.exit_code == 0
    assert "It needs java and mvn, which this machine does not have.\n" in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{full}", "--language", "go"], "is not empty; name a new one"),
        (["{new}", "--language", "go", "--name", "a b"], "a bot's name must be 1 to 40"),
        (["{new}", "--language", "cobol"], "'cobol' is not one of 'python', 'javascript'"),
        (["{new}"], "missing option '--language'. Choose from: python, "),
    ],
)
def test_an_error_is_one_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    places = {"full": tmp_path / "full", "new": tmp_path / "new"}
    done = referee(*[word.format(**places) for word in words])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert not (tmp_path / "new").exists()


def test_help_has_examples() -> None:
    help_page = referee("--help").stdout
    assert "referee new-bot my-bot --language python" in help_page
    assert all(language in help_page for language in LANGUAGES)


def test_a_new_bot_in_python_passes_its_own_tests(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    referee(str(folder), "--language", "python")
    words = [sys.executable, "-m", "unittest"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ran 2 tests" in done.stderr

"""Bots made from starter kits: their files, their names, and what is refused."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from referee import schema
from referee.bots import content, find, starter_kits
from referee.bots.find import find_bot
from referee.bots.starter_kits import LANGUAGES, agents_page, kit_files, make_bot, name_after
from referee.cli.group import Commands
from referee.engine import terms
from referee.errors import BotRefused, OutputRefused
from support.command_lines import parse_command_line
from support.groups import together
from support.kit_messages import few
from support.paths import ROOT


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder that a build did not make, by path."""
    made = {"target", "node_modules", "build", "dist", "bin", ".referee-build"}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not made & set(path.relative_to(folder).parts)
    }


@together("language", LANGUAGES)
def test_a_new_bot_can_be_found(tmp_path: Path, language: str) -> None:
    make_bot(tmp_path / language / "Fast.1", language)
    bot = find_bot(str(tmp_path / language / "Fast.1"))
    assert bot.name == "Fast.1"


@together("language", LANGUAGES)
def test_a_kit_has_what_the_table_of_languages_says(language: str) -> None:
    files = kit_files(language, "x")
    assert {"bot.toml", "README.md", LANGUAGES[language].think} <= set(files)
    readme = files["README.md"].decode()
    assert LANGUAGES[language].test in readme
    assert f"`{LANGUAGES[language].think.rpartition('java/bot/')[2]}`" in readme


@together("language", LANGUAGES)
def test_a_kit_marks_one_place_for_the_authors_code(language: str) -> None:
    files = kit_files(language, "x")
    places = [path for path, data in files.items() if b"YOUR OWN THINKING GOES HERE" in data]
    assert places == [LANGUAGES[language].think]


@together("language", LANGUAGES)
def test_the_name_is_in_bot_toml_both_pages_and_hello(language: str) -> None:
    named = [path for path, data in kit_files(language, "Eve_9").items() if b"Eve_9" in data]
    assert len(named) == 4
    assert {"bot.toml", "README.md", "AGENTS.md"} < set(named)
    assert not [path for path, data in kit_files(language, "Eve_9").items() if b"my-bot" in data]


@together("language", LANGUAGES)
def test_build_results_are_ignored_by_git_and_not_part_of_the_bot(language: str) -> None:
    files = kit_files(language, "x")
    words = tomllib.loads(files["bot.toml"].decode())
    ignored = files.get(".gitignore", b"").decode().replace("/", "").split()
    folders = set(ignored) - {".referee-build"}
    assert folders <= content._BUILD_FOLDERS
    assert bool(folders - {"__pycache__"}) == ("build" in words)


@together("language", LANGUAGES)
def test_the_page_about_kits_has_a_row_for_each_language(language: str) -> None:
    page = (ROOT / "docs" / "write-a-bot.md").read_text("utf-8").splitlines()
    (row,) = [line for line in page if line.startswith(f"| `{language}` |")]
    assert row.endswith(f"| `{LANGUAGES[language].think}` | `{LANGUAGES[language].test}` |")


def test_every_sample_bot_that_is_a_kit_is_in_the_table_of_languages() -> None:
    kits = {path.name for path in find.BUNDLED.glob("random-*")}
    assert {language.kit for language in LANGUAGES.values()} == kits


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_messages_of_a_kit_are_up_to_date(language: str) -> None:
    assert kit_files(language, "x")["messages.jsonl"].decode() == few()


def test_build_results_in_a_sample_bot_are_not_part_of_its_kit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bot(tmp_path / "random-rust", "rust")
    (tmp_path / "random-rust" / "target").mkdir()
    (tmp_path / "random-rust" / "target" / "bot").write_text("x")
    (tmp_path / "random-rust" / ".referee-build").write_text("0\n")
    fresh = kit_files("rust", "x")
    monkeypatch.setattr(starter_kits, "BUNDLED", tmp_path)
    assert kit_files("rust", "x") == fresh


# --- the page for coding assistants ----------------------------------------------------------


@together("language", LANGUAGES)
def test_the_page_for_assistants_has_the_facts_of_the_language(language: str) -> None:
    files = kit_files(language, "x")
    page, readme, kit = (
        files["AGENTS.md"].decode(),
        files["README.md"].decode(),
        LANGUAGES[language],
    )
    assert "$" not in page
    assert f"`{kit.think}`" in page
    assert f"```sh\n{kit.test}\n```" in page
    assert f"```sh\n{kit.look}\n```" in page
    assert f"`{kit.look}` answers the recorded messages" in readme
    assert kit.log.partition(",")[0] in readme


def test_the_page_for_assistants_names_every_message_with_its_fields() -> None:
    page = agents_page("python", "x")
    rows = re.findall(r"^\| `(\w+)` \|(.*?)\|", page, re.MULTILINE)
    names = list(schema.MESSAGES)
    assert [
        f"bot-{row}" if at > 5 and row == "hello" else row for at, (row, _) in enumerate(rows)
    ] == names
    for (_, fields), kind in zip(rows, schema.MESSAGES.values(), strict=True):
        named = re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", fields))
        assert sorted(named) == sorted(kind.__annotations__)


def test_the_page_for_assistants_names_what_exists() -> None:
    page = agents_page("python", "x")
    offered, faults = (
        re.findall(r"`([\w-]+)`", page.partition(begin)[2].partition(end)[0])
        for begin, end in (
            ("The decision `turn` offers ", "; other decisions"),
            ("is a fault: ", ".\n"),
        )
    )
    assert set(offered) == set(terms.DOINGS[:9])
    assert faults == list(terms.FAULTS)
    for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL):
        for line in block.splitlines():
            assert json.loads(line)["do"] in offered


def commands(page: str) -> list[str]:
    """Return every command of the referee on a page, in a block or in a sentence."""
    return re.findall(r"(?:^|`)(referee [a-z]+ [^`\n]+)", page, re.MULTILINE)


@together("command", commands(agents_page("python", "x")))
def test_the_commands_for_assistants_can_be_parsed(command: str) -> None:
    if command.split()[1] not in Commands.modules:
        pytest.skip(f"this version has no {command.split()[1]}")
    parse_command_line(command)


# --- names ---------------------------------------------------------------------------------


def test_a_bot_has_the_name_of_its_folder_by_default(tmp_path: Path) -> None:
    assert make_bot(tmp_path / "one", "shell") == "one"
    assert make_bot(tmp_path / "two", "shell", "Two.b") == "Two.b"
    assert find_bot(str(tmp_path / "two")).name == "Two.b"


@pytest.mark.parametrize(
    ("folder", "name"),
    [("two words", "two-words"), ("-.-", "my-bot"), ("é" * 3, "my-bot"), ("x" * 50, "x" * 40)],
)
def test_invalid_characters_of_a_folder_are_replaced(folder: str, name: str) -> None:
    assert name_after(Path(folder)) == name


@pytest.mark.parametrize("name", ["", "two words", "x" * 41, 'a"b', "é"])
def test_an_invalid_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        BotRefused, match="a bot's name must be 1 to 40 characters from A-Z a-z 0-9"
    ):
        make_bot(tmp_path / "new", "python", name)
    assert not (tmp_path / "new").exists()


# --- folders -------------------------------------------------------------------------------


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    make_bot(tmp_path, "shell", "x")
    assert files_of(tmp_path) == kit_files("shell", "x")


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("x")
    with pytest.raises(OutputRefused, match="is not empty; name a new one"):
        make_bot(tmp_path, "python")
    assert [path.name for path in tmp_path.iterdir()] == [".hidden"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputRefused, match="is a file; name a new folder"):
        make_bot(tmp_path / "file", "python")
    with pytest.raises(OutputRefused, match="cannot be written: Not a directory"):
        make_bot(tmp_path / "file" / "new", "python")

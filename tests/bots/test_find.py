"""Finding bots: what a word of the command line means, and what bot.toml may contain."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import protocol
from referee.bots import content
from referee.bots import find as module
from referee.bots.find import bundled_names, find_bot, find_bots
from referee.bots.profile import NO_PROFILE, Profile
from referee.errors import BotRefused

Make = Callable[..., Path]


def refused(word: str) -> str:
    """The sentence that refuses this word."""
    with pytest.raises(BotRefused) as error:
        find_bot(word)
    assert "\n" not in str(error.value)
    return str(error.value)


# --- words ---------------------------------------------------------------------


def test_a_folder_with_bot_toml_is_a_bot(make: Make) -> None:
    place = make()
    found = find_bot("mine")
    assert (found.name, found.folder) == ("mine", place)
    assert not found.is_human


@pytest.mark.parametrize("word", ["mine", "mine/", "./mine", "../{here}/mine"])
def test_a_folder_may_be_given_by_any_path(make: Make, word: str) -> None:
    place = make()
    assert find_bot(word.format(here=place.parent.name)).folder == place


def test_the_current_folder_can_be_the_bot(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(make())
    assert find_bot(".").name == "mine"


def test_the_name_comes_from_bot_toml_not_from_the_folder(make: Make) -> None:
    make(where="elsewhere")
    assert find_bot("elsewhere").name == "mine"


def test_a_bundled_bot_is_found_by_its_name(make: Make) -> None:
    assert "random" in bundled_names()
    assert find_bot("random").folder == module.BUNDLED / "random"


def test_a_folder_comes_before_a_bundled_bot(make: Make) -> None:
    place = make(where="random")
    assert find_bot("random").folder == place


def test_a_folder_without_bot_toml_is_not_a_bot(make: Make, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert refused("empty") == "the folder 'empty' is not a bot: it has no bot.toml"


def test_a_folder_without_bot_toml_does_not_hide_a_bundled_bot(make: Make, tmp_path: Path) -> None:
    (tmp_path / "random").mkdir()
    assert find_bot("random").folder == module.BUNDLED / "random"


def test_a_command_in_quotes_is_a_bot(make: Make, tmp_path: Path) -> None:
    found = find_bot("sh -c 'echo  two  words'")
    assert found.command == ("sh", "-c", "echo  two  words")
    assert found.folder == tmp_path


def test_a_command_is_named_by_its_last_word(make: Make) -> None:
    assert find_bot("sh some/where/clever.sh").name == "clever"
    assert find_bot("sh").name == "sh"
    assert find_bot("sh -c 'a b/c d!'").name == "c-d"
    assert find_bot("sh '!!!'").name == "bot"


def test_a_name_is_never_too_long(make: Make) -> None:
    assert len(find_bot(f"sh {'x' * 200}").name) == 40


def test_a_long_command_is_a_command(make: Make) -> None:
    program = "pass;" * 2000
    assert find_bot(f"python -c '{program}'").command[-1] == program


def test_a_relative_program_becomes_an_absolute_path(make: Make, tmp_path: Path) -> None:
    program = tmp_path / "run"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_bot("./run --fast").command == (str(program), "--fast")


def test_human_is_a_person(make: Make) -> None:
    assert find_bot("human").is_human


@pytest.mark.parametrize("word", ["mine", "random", "human", "sh -c x"])
def test_every_bot_can_be_given_a_name(make: Make, word: str) -> None:
    make()
    assert find_bot(f"Fast.2_b-c={word}").name == "Fast.2_b-c"


def test_an_existing_folder_may_have_an_equals_sign(make: Make) -> None:
    make(where="a=b")
    assert find_bot("a=b").name == "mine"


def test_a_command_may_have_an_equals_sign(make: Make) -> None:
    assert find_bot("sh -c A=1").command == ("sh", "-c", "A=1")


@pytest.mark.parametrize("word", ["", "no-such-bot", "no-such-program --fast"])
def test_any_other_word_is_refused(make: Make, word: str) -> None:
    assert refused(word).startswith(f"{word!r} is not a valid bot: ")


@pytest.mark.parametrize("word", ["no/such/bot", "./no-such-program --fast", "nowhere/"])
def test_a_path_that_does_not_exist_is_named(make: Make, word: str) -> None:
    assert refused(word) == f"there is no folder or program {word.split(maxsplit=1)[0]!r}"


@pytest.mark.parametrize(
    ("word", "meant"),
    [("mein", "mine"), ("./mein", "./mine"), ("bots/mien/", "bots/mine")],
)
def test_a_mistyped_folder_gets_a_suggestion(make: Make, word: str, meant: str) -> None:
    make()
    make(where="bots/mine")
    assert f": did you mean {meant!r}?" in refused(word)


def test_a_file_that_is_not_executable_is_not_a_missing_one(make: Make) -> None:
    place = make()
    assert refused("mine/bot.py --fast") == (
        "'mine/bot.py' is not executable: use chmod +x, or start it with its interpreter, as in"
        " 'python mine/bot.py'"
    )
    (place.parent / "start").touch(0o755)
    assert refused("start") == "to start the program 'start' in this folder, write ./start"


def test_a_similar_name_is_suggested(make: Make) -> None:
    assert "did you mean 'random'?" in refused("randon")


def test_an_unclosed_quote_is_refused(make: Make) -> None:
    assert "cannot be split into words: No closing quotation" in refused("sh -c 'x")


# --- several bots -------------------------------------------------------------------------------


def test_the_same_bot_again_is_numbered(make: Make) -> None:
    make()
    names = [bot.name for bot in find_bots(["random", "mine", "random", "mine", "random"])]
    assert names == ["random", "mine", "random#2", "mine#2", "random#3"]


def test_the_same_bot_by_another_name_is_not_numbered(make: Make) -> None:
    assert [bot.name for bot in find_bots(["random", "other=random"])] == ["random", "other"]


def test_two_different_bots_with_the_same_name_are_refused(make: Make) -> None:
    make()
    (make(where="yours") / "bot.py").write_text("print(2)\n")
    with pytest.raises(BotRefused, match="two different bots have the name 'mine'; rename one"):
        find_bots(["mine", "yours"])


def test_two_different_bots_may_be_given_other_names(make: Make) -> None:
    make()
    (make(where="yours") / "bot.py").write_text("print(2)\n")
    assert [bot.name for bot in find_bots(["mine", "x=yours"])] == ["mine", "x"]


def test_several_people_may_play(make: Make) -> None:
    assert [bot.name for bot in find_bots(["human", "human"])] == ["human", "human#2"]


# --- bot.toml ------------------------------------------------------------------------------

MISTAKES = {
    "name = ": "cannot be read: ",
    'command = ["x"]': "name must be 1 to 40 characters from A-Z a-z 0-9 . _ - (not None",
    'name = 5\ncommand = ["x"]': "name must be 1 to 40 characters from A-Z a-z 0-9 . _ - (not 5",
    'name = ""\ncommand = ["x"]': "name must be 1 to 40 characters from A-Z a-z 0-9 . _ - (not ''",
    'name = "two words"\ncommand = ["x"]': "name must be 1 to 40 characters from A-Z a-z 0-9 . _ - (not 'two",
    f'name = "{"x" * 41}"\ncommand = ["x"]': "name must be 1 to 40 characters from A-Z a-z 0-9 . _ - (not 'xxx",
    'name = "x#2"\ncommand = ["x"]': "name must be 1 to 40 characters from A-Z a-z 0-9 . _ - (not 'x#2'",
    'name = "x"': "command must be a command: a list of words, or one string",
    'name = "x"\ncommand = []': "command must be a command: ",
    'name = "x"\ncommand = ""': "command must be a command: ",
    'name = "x"\ncommand = 5': "command must be a command: ",
    'name = "x"\ncommand = ["x", 5]': "command must be a command: ",
    'name = "x"\ncommand = "a \'b"': "command cannot be split into words: ",
    'name = "x"\ncommand = [""]': "command must begin with a program",
    'name = "x"\ncommand = ["a\\u0000b"]': "command must begin with a program",
    'name = "x"\ncommand = "x"\nbuild = []': "build must be a command: ",
    'name = "x"\ncommand = "x"\nbuild = 5': "build must be a command: ",
    'name = "x"\ncommand = "x"\nbuilt = "y"': "unknown key 'built'; the keys are author, build, build_network, ",
    'name = "x"\ncommand = "x"\ndescription = 5': "description must be a string",
    f'name = "x"\ncommand = "x"\nauthor = "{"a" * 101}"': "author has 101 characters; the most are 100",
    'name = "x"\ncommand = "x"\nlink = "javascript:1"': "link must be an address that begins with https://",
    'name = "x"\ncommand = "x"\nlink = "https://"': "link must be an address that begins with https://",
    'name = "x"\ncommand = "x"\nlink = "https://[::1"': "link must be an address that begins with https://",
    'name = "x"\ncommand = "x"\nlink = "https://a b"': "link must be an address that begins with https://",
    'name = "x"\ncommand = "x"\nlink = "//a.org"': "link must be an address that begins with https://",
    'name = "x"\ncommand = "x"\nlimits = 5': "limits must be a table",
    'name = "x"\ncommand = "x"\nbuild_network = "yes"': "build_network must be true or false",
}


@pytest.mark.parametrize("toml", MISTAKES)
def test_every_mistake_in_bot_toml_gets_one_sentence(make: Make, toml: str) -> None:
    make(toml)
    assert refused("mine").startswith(
        f"mine/bot.toml: {MISTAKES[toml]}".replace(": cannot be r", " cannot be r")
    )


def test_bot_toml_says_who_wrote_the_bot(make: Make) -> None:
    make(
        'name = "x"\ncommand = "sh"\nauthor = "Ada"\ndescription = "A bot."\n'
        'link = "https://example.org/ada?x=1#y"'
    )
    assert find_bot("mine").profile == Profile("Ada", "A bot.", "https://example.org/ada?x=1#y")
    assert find_bot("random").profile != NO_PROFILE
    assert find_bot("sh -c true").profile == NO_PROFILE


def test_a_bot_toml_that_is_not_text_is_refused(make: Make) -> None:
    (make() / "bot.toml").write_bytes(b'name = "\xff"')
    assert refused("mine").startswith("mine/bot.toml cannot be read: ")


@pytest.mark.parametrize("value", ["[" * 5000, "9" * 5000])
def test_an_extreme_value_in_bot_toml_gets_one_sentence(make: Make, value: str) -> None:
    make(f'name = "x"\ncommand = "x"\ndescription = {value}\n')
    assert refused("mine").startswith("mine/bot.toml cannot be read: ")


def test_a_bot_toml_that_is_too_large_is_not_read(make: Make) -> None:
    os.truncate(make() / "bot.toml", 1 << 40)
    assert refused("mine") == "mine/bot.toml is larger than 1024 KiB"


def test_a_file_that_cannot_be_read_is_named(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    read = Path.read_bytes

    def locked(path: Path) -> bytes:
        if path.name == "bot.py":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", locked)
    assert refused("mine") == "mine/bot.py cannot be read: Permission denied"


def test_a_bot_toml_that_cannot_be_read_has_a_plain_reason(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    make()

    def locked(path: Path, **_: str) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_text", locked)
    assert refused("mine") == "mine/bot.toml cannot be read: Permission denied"


def test_a_folder_that_is_too_large_is_refused(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    monkeypatch.setattr(content, "_LARGEST_FOLDER", 10)
    assert refused("mine").startswith("the folder mine is larger than ")


# --- the command ---------------------------------------------------------------------------


def command(make: Make, line: str) -> tuple[str, ...]:
    make(f'name = "mine"\ncommand = {line}\n')
    return find_bot("mine").command


def test_python_is_the_referees_python(make: Make) -> None:
    assert command(make, '["python", "bot.py"]') == (sys.executable, "bot.py")


def test_a_command_string_is_split_without_a_shell(make: Make) -> None:
    words = command(make, "\"sh -c 'a b' $HOME; rm\"")
    assert words == ("sh", "-c", "a b", "$HOME;", "rm")


def test_a_program_in_the_folder_gets_an_absolute_path(make: Make, tmp_path: Path) -> None:
    assert command(make, '["./target/bot", "x"]') == (str(tmp_path / "mine/target/bot"), "x")


def test_a_link_to_a_program_stays_a_link(make: Make, tmp_path: Path) -> None:
    """Python finds its virtual environment by the name of the link."""
    (make() / "bin").mkdir()
    (tmp_path / "mine/bin/python").symlink_to(sys.executable)
    assert command(make, '"./bin/python bot.py"') == (str(tmp_path / "mine/bin/python"), "bot.py")


def test_other_programs_are_found_on_the_path(make: Make) -> None:
    assert command(make, '["node", "bot.js"]') == ("node", "bot.js")


def test_a_python_bot_can_import_protocol(make: Make) -> None:
    make()
    packages = Path(protocol.__file__).resolve().parent.parent
    assert str(packages) in find_bot("mine").environment["PYTHONPATH"].split(":")


def test_the_users_pythonpath_comes_first(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/one:/two")
    make()
    assert find_bot("mine").environment["PYTHONPATH"].startswith("/one:/two:")

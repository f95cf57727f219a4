"""Building bots: once for each content, with one message if the build fails."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.bots.build import build_bot
from referee.bots.find import Bot, find_bot
from referee.errors import BotRefused

Make = Callable[..., Path]


BUILT = 'name = "mine"\ncommand = ["./program"]\nbuild = ["sh", "make.sh"]\n'
MAKE = "echo built >> log.txt; cp bot.py program; mkdir -p target; date > target/when\n"


@pytest.fixture
def built(make: Make) -> Path:
    place = make(BUILT)
    (place / "make.sh").write_text(MAKE)
    return place


def builds(place: Path) -> int:
    """Find and build the bot; return how often it has been built so far."""
    build_bot(find_bot("mine"))
    return (place / "log.txt").read_text().count("built")


def test_a_bot_is_built_once(built: Path) -> None:
    assert [builds(built) for _ in range(3)] == [1, 1, 1]


def test_a_bot_is_built_again_when_a_source_changes(built: Path) -> None:
    builds(built)
    (built / "bot.py").write_text("print(3)\n")
    assert [builds(built), builds(built)] == [2, 2]
    assert (built / "program").read_text() == "print(3)\n"


def test_a_bot_is_built_again_when_its_program_is_gone(built: Path) -> None:
    builds(built)
    (built / "program").unlink()
    assert builds(built) == 2


@pytest.mark.parametrize("product", ["target/release/bot", "build"])
def test_a_bot_is_built_again_when_what_its_command_uses_is_gone(make: Make, product: str) -> None:
    """Also in a folder for what builds make, which is never looked through."""
    command = f'["{product}"]' if "/" in product else f'["java", "-cp", "{product}", "Bot"]'
    place = make(f'name = "mine"\ncommand = {command}\nbuild = ["sh", "make.sh"]\n')
    (place / "make.sh").write_text(f"echo built >> log.txt; mkdir -p {product}\n")
    assert [builds(place), builds(place)] == [1, 1]
    (place / product).rmdir()
    assert [builds(place), builds(place)] == [2, 2]


def test_a_build_does_not_change_the_hash(built: Path) -> None:
    before = find_bot("mine").content
    builds(built)
    assert find_bot("mine").content == before


def test_a_build_is_announced(built: Path) -> None:
    announced: list[str] = []
    build_bot(find_bot("mine"), announced.append)
    build_bot(find_bot("mine"), announced.append)
    assert announced == ["building mine: sh make.sh"]


def test_a_failed_build_shows_its_output(built: Path) -> None:
    (built / "make.sh").write_text("echo out; echo err >&2; exit 3\n")
    with pytest.raises(BotRefused) as error:
        build_bot(find_bot("mine"))
    assert str(error.value) == (
        "bot mine cannot be built: sh make.sh ended with exit status 3:\nout\nerr"
    )


def test_the_output_of_a_build_cannot_control_the_terminal(make: Make) -> None:
    script = "\\u001b]0;x\\u0007\\u202e; printf '\\\\033]0;x\\\\007'; exit 3"
    make(f'name = "mine"\ncommand = "x"\nbuild = ["sh", "-c", "{script}"]\n')
    announced: list[str] = []
    with pytest.raises(BotRefused) as error:
        build_bot(find_bot("mine"), announced.append)
    lines = [*announced, *str(error.value).splitlines()]
    assert len(lines) > 2
    assert all(line.isprintable() for line in lines)


def test_a_build_may_make_files_with_any_name(make: Make) -> None:
    script = "printf x > $(printf '\\\\377')"
    make(f'name = "mine"\ncommand = "x"\nbuild = ["sh", "-c", "{script}"]\n')
    before = find_bot("mine").content
    build_bot(find_bot("mine"))
    assert find_bot("mine").content == before


def test_a_failed_build_is_tried_again(built: Path) -> None:
    (built / "make.sh").write_text("exit 3\n")
    with pytest.raises(BotRefused):
        build_bot(find_bot("mine"))
    with pytest.raises(BotRefused):
        build_bot(find_bot("mine"))


def test_a_build_with_a_missing_program_is_refused(make: Make) -> None:
    make('name = "mine"\ncommand = "x"\nbuild = "no-such-compiler -o x"\n')
    with pytest.raises(BotRefused) as error:
        build_bot(find_bot("mine"))
    sentence = "bot mine cannot be built: No such file or directory: no-such-compiler"
    assert str(error.value) == sentence


def test_python_in_a_build_is_the_referees_python(make: Make) -> None:
    make('name = "mine"\ncommand = "x"\nbuild = "python make.py"\n')
    assert find_bot("mine").build == (sys.executable, "make.py")


def test_a_bot_without_a_build_command_is_not_built(make: Make) -> None:
    place = make()
    build_bot(find_bot("mine"))
    assert sorted(path.name for path in place.iterdir()) == ["bot.py", "bot.toml"]


def test_a_person_needs_no_build() -> None:
    build_bot(Bot("human", (), Path.cwd(), "human"))

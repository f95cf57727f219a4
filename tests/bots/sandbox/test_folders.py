"""A bot's folder and its interpreter inside the strict sandbox."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.bots.find import Bot, find_bot
from referee.bots.process import BotProcess
from referee.bots.sandbox import bubblewrap
from referee.match.players import BotPlayer
from referee.match.runner import RefereedGame, Settings
from support.match_setup import FORMATS, left_running, rules_for
from support.sandboxed import BOTS, attempt

pytestmark = pytest.mark.usefixtures("strict")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a bot, with modes that let everybody write."""
    made = tmp_path / "bots" / "mine"
    made.mkdir(parents=True)
    shutil.copy(BOTS / "tries.py", made / "bot.py")
    (made / "bot.toml").write_text('name = "mine"\ncommand = ["python", "bot.py"]\n')
    (made / "data").mkdir()
    (made / "data" / "book.txt").write_text("openings")
    for path in (made, made / "data", made / "bot.py", made / "data" / "book.txt"):
        path.chmod(0o777)
    return made


@pytest.fixture
def run(tmp_path: Path, folder: Path) -> Iterator[Callable[..., object]]:
    """Start that bot in the strict sandbox, and return the result of an attempt."""
    started: list[BotProcess] = []

    def begin(what: str, *words: object) -> object:
        bot = replace(find_bot(str(folder)), level="strict")
        started.append(BotProcess(bot, tmp_path / f"{len(started)}.txt"))
        return attempt(started[-1], what, *words)

    yield begin
    for process in started:
        process.kill()
    assert left_running() == []


Run = Callable[..., object]


def test_a_bot_reads_its_whole_folder(run: Run, folder: Path) -> None:
    assert run("reads", folder / "data" / "book.txt") == "openings"


def test_a_bot_starts_in_its_folder(run: Run, folder: Path) -> None:
    about = run("itself")
    assert isinstance(about, dict)
    assert about["folder"] == str(folder)


def test_a_bot_cannot_write_to_its_folder_despite_its_modes(run: Run, folder: Path) -> None:
    for path in (folder / "new.txt", folder / "bot.py", folder / "data" / "book.txt"):
        assert run("writes", path) == "refused: Read-only file system"
    assert not (folder / "new.txt").exists()


def test_a_bot_cannot_read_another_bots_folder(run: Run, folder: Path) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "secret.txt").write_text("a plan")
    assert run("reads", folder.parent) == ["mine"]
    assert run("reads", other / "secret.txt") == "refused: No such file or directory"


def test_a_link_out_of_the_folder_has_no_target(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("a plan")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    assert run("reads", folder / "link.txt") == "refused: No such file or directory"


def faults_of(bot: Bot, tmp_path: Path) -> list[str]:
    """The faults in a short game of this bot against itself."""
    players = [BotPlayer(bot, tmp_path / f"stderr-{seat}.txt") for seat in range(3)]
    try:
        outcome = RefereedGame(FORMATS, rules_for(3), 5, "a-game", players, Settings()).play()
    finally:
        for player in players:
            player.close()
    assert left_running() == []
    return [f"{fault.fault} {fault.stderr!r}" for fault in outcome.faults]


@pytest.mark.parametrize("word", ["random", "greedy", str(BOTS / "node"), str(BOTS / "java")])
def test_an_interpreter_works_inside(word: str, tmp_path: Path) -> None:
    bot = find_bot(word)
    if shutil.which(bot.command[0]) is None:
        pytest.skip(f"{bot.command[0]} is not installed")
    assert faults_of(replace(bot, level="strict"), tmp_path) == []


def test_a_whole_virtual_environment_is_readable(tmp_path: Path) -> None:
    venv = tmp_path / "tools" / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")
    (venv / "bin" / "python").symlink_to(sys.executable)
    bot = Bot("venv", (str(venv / "bin" / "python"), "bot.py"), BOTS, "")
    readable = bubblewrap.readable(bot)
    assert venv in readable
    assert Path(sys.executable).resolve() in readable


def test_a_bot_cannot_make_our_programs_readable(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by bot.toml nor by a link, unless the organiser has the program on the path."""
    prefix = tmp_path / "prefix"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "pyvenv.cfg").write_text("")
    program = prefix / "bin" / "tool"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (folder / "link").symlink_to(program)
    named = replace(find_bot(str(folder)), command=(str(program),))
    linked = replace(named, command=(str(folder / "link"),))
    for bot in (named, linked):
        assert not bubblewrap.can_run(bot)
        assert not any(path.is_relative_to(prefix) for path in bubblewrap.readable(bot))
    monkeypatch.setenv("PATH", str(prefix / "bin"), prepend=os.pathsep)
    for bot in (named, linked):
        assert bubblewrap.can_run(bot)
        assert prefix in bubblewrap.readable(bot)


def test_a_program_in_the_folder_makes_nothing_else_readable(folder: Path) -> None:
    """Not even if the folder is inside a virtual environment."""
    (folder.parent / "pyvenv.cfg").write_text("")
    bot = replace(find_bot(str(folder)), command=(str(folder / "bot.py"),))
    assert folder.parent not in bubblewrap.readable(bot)


def test_only_bin_and_lib_of_an_installation_are_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program in a user's own bin does not make the rest of that folder readable."""
    for part in ("bin", "lib", "mail"):
        (tmp_path / part).mkdir()
    program = tmp_path / "bin" / "node"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    readable = bubblewrap.readable(Bot("node", (str(program), "bot.js"), BOTS / "node", ""))
    inside = {path for path in readable if path.is_relative_to(tmp_path)}
    assert inside == {program, tmp_path / "bin", tmp_path / "lib"}


def test_bundled_bots_inside_the_package_are_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a wheel, they are inside the package, which every bot can read."""
    bundled = tmp_path / "package" / "sample_bots"
    for name in ("mine", "other"):
        (bundled / name).mkdir(parents=True)
        (bundled / name / "bot.toml").write_text(f'name = "{name}"\ncommand = ["sh", "bot.sh"]\n')
        (bundled / name / "bot.sh").write_text("find $1 -name bot.sh; cat\n")
    (bundled / "shared").mkdir()
    monkeypatch.setattr(bubblewrap, "BUNDLED", bundled)
    monkeypatch.setattr(bubblewrap, "_packages", lambda _: [tmp_path / "package"])
    mine = find_bot(str(bundled / "mine"))
    bot = replace(mine, command=(*mine.command, str(bundled)), level="strict")
    process = BotProcess(bot, tmp_path / "stderr.txt")
    process.say(b"that is all\n")
    try:
        assert process.hear(None) == str(bundled / "mine" / "bot.sh").encode()
        assert process.hear(None) == b"that is all"
    finally:
        process.kill()

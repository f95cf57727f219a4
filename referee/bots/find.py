"""Finds bots: a folder with bot.toml, a bundled bot, a command line, or a person at the terminal."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import protocol
from referee.bots.content import exists, hash_command, hash_folder, is_file
from referee.bots.parameters import (
    Parameter,
    Values,
    all_values,
    arguments,
    content_with,
    files_of,
    join_settings,
    name_with,
    other_values,
    parse_values,
    read_parameters,
    split_settings,
)
from referee.bots.profile import LONGEST, NO_PROFILE, Profile, read_profile
from referee.bots.sandbox.limits import DEFAULT_LIMITS, Level, Limits, read_amounts
from referee.bots.values_file import MARK, file_in
from referee.errors import BotRefused
from referee.text import did_you_mean, join_hint, reason_of, visible

HERE = Path(__file__).resolve().parent.parent
BUNDLED = HERE / "sample_bots" if (HERE / "sample_bots").is_dir() else HERE.parent / "sample_bots"
THINKING = HERE / "thinking"  # what the bundled bots share
_THINKING_SUFFIXES = (".py", ".npz", ".json")

NAME = re.compile(r"[A-Za-z0-9._-]{1,40}")
_KEYS = {"name", "command", "build", "build_network", "limits", "parameters", *LONGEST}
_LARGEST_TOML = 1 << 20


@dataclass(frozen=True)
class Bot:
    """A bot, or a person, that can take a seat."""

    name: str
    command: tuple[str, ...]  # empty for a person, and for a bot in this process
    folder: Path
    content: str  # the hash of its files, and its values if they are not the defaults
    build: tuple[str, ...] = ()
    build_network: bool = False  # whether bot.toml asks for the network during the build
    allow_network: bool = False  # whether the organiser allows that
    environment: dict[str, str] = field(default_factory=dict)
    asks: dict[str, int] = field(default_factory=dict)  # the limits that bot.toml requests
    level: Level = "limits"  # of the sandbox that it is started in
    limits: Limits = DEFAULT_LIMITS
    in_process: object = None  # a function, or a bot of the SDK, that answers in this process
    import_path: str = ""  # of such a bot, if another process can import it: module:attr
    profile: Profile = NO_PROFILE
    parameters: tuple[Parameter, ...] = ()
    values: Values = field(default_factory=dict)  # those that are not the defaults

    @property
    def files(self) -> str:
        """The hash of its files; it is the same for all values of its parameters."""
        return files_of(self.content)

    @property
    def all_values(self) -> Values:
        """The value of each of its parameters."""
        return all_values(self.parameters, self.values)

    @property
    def is_bundled(self) -> bool:
        """Whether it comes with the referee."""
        return self.folder.parent == BUNDLED

    @property
    def is_human(self) -> bool:
        """Whether a person at the terminal answers."""
        return not self.command and self.in_process is None and not self.import_path


def find_bots(words: Sequence[str]) -> list[Bot]:
    """Return a bot for each word, with unique names: the second `random` is `random#2`.

    BotRefused for a word that is not a bot, and if two different bots have the same name.
    """
    return with_unique_names(map(find_bot, words))


def with_unique_names(
    found_bots: Iterable[Bot], hint: str = "rename one of them with NAME=BOT"
) -> list[Bot]:
    """The same bots with unique names.

    BotRefused if two different bots have the same name; `hint` says how to rename them.
    """
    bots: list[Bot] = []
    for found in found_bots:
        same = [bot for bot in bots if bot.name.partition("#")[0] == found.name]
        if any(bot.content != found.content for bot in same):
            raise BotRefused(f"two different bots have the name {found.name!r}; {hint}")
        bots.append(replace(found, name=f"{found.name}#{len(same) + 1}") if same else found)
    return bots


def find_bot(word: str) -> Bot:
    """Return the bot for a word of the command line: [NAME=]FOLDER, BUNDLED, human or COMMAND.

    A folder and a bundled bot may be followed by values of its parameters: --set PARAMETER=VALUE,
    or --set @FILE for all values in a file.
    BotRefused if the word is not a valid bot, its bot.toml is wrong, or a value is.
    """
    given, rest = split_name(word)
    if given is not None:
        return replace(find_bot(rest), name=given)
    place, settings = split_place(word)
    folder = _folder_of(place)
    if folder is not None:
        bot = _from_folder(folder)
        return with_values(bot, parse_values(bot.parameters, settings, bot.name))
    if word == "human":
        return Bot("human", (), Path.cwd(), "human")
    return _from_command(word)


def _folder_of(place: str) -> Path | None:
    if place and is_bot_folder(Path(place)):
        return Path(place)
    return BUNDLED / place if place in bundled_names() else None


def split_place(word: str) -> tuple[str, list[str]]:
    """The folder, bundled name or command of a word without NAME=, and its settings NAME=VALUE."""
    return (word, []) if exists(Path(word)) else split_settings(word)


def with_place(
    word: str,
    change: Callable[[str], str | None],
    change_file: Callable[[str], str] = lambda file: file,
) -> str:
    """The word with another folder: `change` gets the present one, and returns None to keep it.

    `change_file` gets each file of values (`--set @FILE`), and returns the one to read instead.
    """
    given, rest = split_name(word)
    place, settings = split_place(rest)
    changed = change(place)
    if changed is None and place not in bundled_names():
        return word  # a command, whose arguments are its own
    settings = [
        setting if (file := file_in(setting)) is None else MARK + change_file(file)
        for setting in settings
    ]
    start = "" if given is None else f"{given}="
    return start + join_settings(place if changed is None else changed, settings)


def with_values(bot: Bot, values: Values) -> Bot:
    """The bot with these values of its parameters; it must have the defaults so far.

    With other values than the defaults it is another player, with its own name and content.
    BotRefused if it does not declare a parameter, or a value is not in its range.
    """
    others = other_values(bot.parameters, values, bot.name)
    if not others:
        return bot
    program = bot.command[: len(bot.command) - len(arguments(bot.parameters, {}))]
    return replace(
        bot,
        name=name_with(bot.name, others),
        command=(*program, *arguments(bot.parameters, others)) if program else (),
        content=content_with(bot.files, others),
        values=others,
    )


def split_name(word: str) -> tuple[str | None, str]:
    """The name and the rest of a word NAME=BOT; None and the word if it gives no name."""
    given, equals, rest = word.partition("=")
    if equals and NAME.fullmatch(given) and not exists(Path(word)):
        return given, rest
    return None, word


def as_name(text: str) -> str:
    """The text with other characters than those of a name replaced by `-`; it may be empty."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-")[:40]


def is_bot_folder(path: Path) -> bool:
    """Whether the path is a folder with bot.toml."""
    return is_file(path / "bot.toml")


def bundled_names() -> list[str]:
    """The names of the bots that come with the referee."""
    if not BUNDLED.is_dir():
        return []
    return sorted(path.parent.name for path in BUNDLED.glob("*/bot.toml"))


def _from_folder(folder: Path) -> Bot:
    place = folder / "bot.toml"
    words = _read_toml(place)
    unknown = sorted(set(words) - _KEYS)
    if unknown:
        raise BotRefused(
            f"{place}: unknown key {unknown[0]!r}; the keys are {', '.join(sorted(_KEYS))}"
        )
    name = words.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BotRefused(
            f"{place}: name must be 1 to 40 characters from A-Z a-z 0-9 . _ - (not {name!r})"
        )
    _check_types(place, words)
    build = _command(place, "build", words["build"]) if "build" in words else ()
    asks = read_amounts(words.get("limits", {}), f"{place}: limits")
    parameters = read_parameters(words.get("parameters", {}), str(place))
    command = resolve(_command(place, "command", words.get("command")), folder)
    return Bot(
        name=name,
        command=(*command, *arguments(parameters, {})),
        folder=folder.resolve(),
        content=hash_folder(folder, is_built=bool(build), shared=_shared_with(folder, build)),
        build=resolve(build, folder) if build else (),
        build_network=words.get("build_network", False),
        environment=environment(),
        asks=asks,
        profile=read_profile(words, place),
        parameters=parameters,
    )


def _shared_with(folder: Path, build: tuple[str, ...]) -> list[Path]:
    """The files of `referee.thinking`: they are content of a bundled bot which runs without a build.

    What a compiled build adds does not count.
    """
    is_bundled = folder.resolve().parent == BUNDLED
    files = THINKING.rglob("*") if is_bundled and not build else ()
    return sorted(path for path in files if path.suffix in _THINKING_SUFFIXES)


def _read_toml(place: Path) -> dict[str, Any]:
    try:
        if place.stat().st_size > _LARGEST_TOML:
            raise BotRefused(f"{place} is larger than {_LARGEST_TOML >> 10} KiB")
        return tomllib.loads(place.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise BotRefused(f"{place} cannot be read: it is nested too deeply") from error
    except (OSError, ValueError) as error:  # tomllib does not catch a number with too many digits
        raise BotRefused(f"{place} cannot be read: {reason_of(error)}") from error


def _check_types(place: Path, words: dict[str, Any]) -> None:
    if not isinstance(words.get("limits", {}), dict):
        raise BotRefused(f"{place}: limits must be a table")
    if not isinstance(words.get("build_network", False), bool):
        raise BotRefused(f"{place}: build_network must be true or false")


def _command(place: Path, key: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = _split(f"{place}: {key}", value)
    if not isinstance(value, list) or not value or not all(isinstance(w, str) for w in value):
        raise BotRefused(f"{place}: {key} must be a command: a list of words, or one string")
    if not value[0] or "\0" in "".join(value):
        raise BotRefused(f"{place}: {key} must begin with a program and have no null character")
    return tuple(value)


def _split(what: str, text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise BotRefused(f"{what} cannot be split into words: {error}") from error


def resolve(command: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """The command with `python` as the referee's own, and a relative program within the folder."""
    first, *rest = command
    if first == "python":
        return (sys.executable, *rest)
    if os.sep in first and not Path(first).is_absolute():
        # A link is not followed: Python finds its virtual environment by the name of the link.
        return (os.path.normpath(folder.resolve() / first), *rest)
    return command


def environment() -> dict[str, str]:
    """PYTHONPATH with the folder of `protocol`, so that Python bots can import it."""
    packages = str(Path(protocol.__file__).resolve().parent.parent)
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {"PYTHONPATH": os.pathsep.join([*paths, packages])}


def _from_command(text: str) -> Bot:
    words = _split(f"bot {text!r}", text)
    if not words or not _is_program(words[0]):
        raise BotRefused(_unknown(text, words[0] if words else ""))
    return Bot(
        name=as_name(Path(words[-1]).stem or words[0]) or "bot",
        command=resolve(tuple(words), Path.cwd()),
        folder=Path.cwd(),
        content=hash_command(words),
        environment=environment(),
    )


def _is_program(word: str) -> bool:
    return word == "python" or shutil.which(word) is not None


def _unknown(text: str, first: str) -> str:
    """Why a text is not a bot; `first` is the first word of it."""
    if text and exists(Path(text)) and Path(text).is_dir():
        return f"the folder {text!r} is not a bot: it has no bot.toml"
    if first and is_file(Path(first)):
        return not_started(first)
    beside = _bot_folders_beside(first)
    if os.sep in first:
        question = did_you_mean(first.rstrip(os.sep), beside)
        there_is_none = f"there is no folder or program {first!r}"
        return f"{there_is_none}: {question}" if question else there_is_none
    names = [*bundled_names(), "human"]
    allowed = (
        f"it must be a folder with bot.toml, one of {', '.join(names)},"
        " or a command in quotes whose first word is a program"
    )
    question = did_you_mean(text, [*names, *beside])
    return f"{text!r} is not a valid bot: {join_hint(question, allowed)}"


def _bot_folders_beside(word: str) -> list[str]:
    """The folders of bots in the place that the word names, written as the word is."""
    parent = os.path.dirname(word.rstrip(os.sep))  # noqa: PTH120  `./` stays
    try:
        return [os.path.join(parent, path.parent.name) for path in Path(parent).glob("*/bot.toml")]  # noqa: PTH118
    except (OSError, ValueError):
        return []


def not_started(program: str) -> str:
    """Why this program cannot be started: it is not there, or not executable."""
    shown = visible(program)
    if not is_file(Path(program)):
        where = "" if os.sep in program else " on the path"
        return f"there is no program {shown!r}{where}"
    if os.access(program, os.X_OK):  # but it is not on the path
        return f"to start the program {shown!r} in this folder, write ./{shown}"
    return (
        f"{shown!r} is not executable: use chmod +x, or start it with its interpreter, as in"
        f" 'python {shown}'"
    )

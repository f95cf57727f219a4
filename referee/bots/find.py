"""Finding bots: a folder with bot.toml, a bundled bot, a command line, or a person at the terminal."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import protocol
from referee.atlas.shape import visible
from referee.errors import BotRefused
from referee.match.limits import USUAL, Level, Limits, read_amounts
from referee.nearest import did_you_mean, then

HERE = Path(__file__).resolve().parent.parent
BUNDLED = HERE / "sample_bots" if (HERE / "sample_bots").is_dir() else HERE.parent / "sample_bots"

_NAME = re.compile(r"[A-Za-z0-9._-]{1,40}")
_KEYS = {"name", "command", "build", "limits", "description"}
_CACHES = {"__pycache__"}
_MADE = {"target", "node_modules", "build", "dist", "out", "bin", "obj", "__pycache__"}
_STAMP = ".referee-build"
_LARGEST_TOML = 1 << 20
_LARGEST_FOLDER = 256 * 1024 * 1024


@dataclass(frozen=True)
class Bot:
    """A bot that can take a seat."""

    name: str
    command: tuple[str, ...]  # empty for a person, and for a bot in this process
    folder: Path
    content: str  # a hash of what it is made of
    build: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    asks: dict[str, int] = field(default_factory=dict)  # limits that bot.toml asks for
    level: Level = "limits"  # of the sandbox that it is started in
    limits: Limits = USUAL
    in_process: object = None  # a function, or a bot of the SDK, that answers in this very process

    @property
    def is_human(self) -> bool:
        """Whether a person at the terminal answers."""
        return not self.command and self.in_process is None


def find_bots(words: Sequence[str]) -> list[Bot]:
    """A bot for each word, with names of their own: the second `random` is `random#2`."""
    return tell_apart(map(find_bot, words))


def tell_apart(found_bots: Iterable[Bot]) -> list[Bot]:
    """The same bots with names of their own; two different ones of one name are refused."""
    bots: list[Bot] = []
    for found in found_bots:
        same = [bot for bot in bots if bot.name.partition("#")[0] == found.name]
        if any(bot.content != found.content for bot in same):
            raise BotRefused(
                f"two different bots have the name {found.name!r}; name one of them: NAME=BOT"
            )
        bots.append(replace(found, name=f"{found.name}#{len(same) + 1}") if same else found)
    return bots


def find_bot(word: str) -> Bot:
    """The bot that a word on the command line means."""
    given, equals, rest = word.partition("=")
    if equals and _NAME.fullmatch(given) and not _is_there(Path(word)):
        return replace(find_bot(rest), name=given)
    if word and is_bot_folder(Path(word)):
        return _from_folder(Path(word))
    if word in bundled_names():
        return _from_folder(BUNDLED / word)
    if word == "human":
        return Bot("human", (), Path.cwd(), "human")
    return _from_command(word)


def is_bot_folder(path: Path) -> bool:
    """Whether it is a folder with bot.toml."""
    return _is_file(path / "bot.toml")


def _is_there(path: Path) -> bool:
    """A command line may be too long to be asked for as a file."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_file(path: Path) -> bool:
    return _is_there(path) and path.is_file()


def bundled_names() -> list[str]:
    """The bots that come with the referee."""
    if not BUNDLED.is_dir():
        return []
    return sorted(path.parent.name for path in BUNDLED.glob("*/bot.toml"))


def _from_folder(folder: Path) -> Bot:
    place = folder / "bot.toml"
    words = _read_toml(place)
    unknown = sorted(set(words) - _KEYS)
    if unknown:
        raise BotRefused(
            f"{place}: unknown key {unknown[0]!r}; there are {', '.join(sorted(_KEYS))}"
        )
    name = words.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BotRefused(f"{place}: name must be 1 to 40 of A-Z a-z 0-9 . _ -, not {name!r}")
    _check_types(place, words)
    build = _command(place, "build", words["build"]) if "build" in words else ()
    asks = read_amounts(words.get("limits", {}), f"{place}: limits")
    return Bot(
        name=name,
        command=resolve(_command(place, "command", words.get("command")), folder),
        folder=folder.resolve(),
        content=hash_folder(folder, is_built=bool(build)),
        build=resolve(build, folder) if build else (),
        environment=environment(),
        asks=asks,
    )


def _read_toml(place: Path) -> dict[str, Any]:
    try:
        if place.stat().st_size > _LARGEST_TOML:
            raise BotRefused(f"{place} is larger than {_LARGEST_TOML >> 10} KiB")
        return tomllib.loads(place.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise BotRefused(f"{place} cannot be read: it is nested too deeply") from error
    except (OSError, ValueError) as error:  # a number of too many digits is no error of TOML
        raise BotRefused(f"{place} cannot be read: {error}") from error


def _check_types(place: Path, words: dict[str, Any]) -> None:
    if not isinstance(words.get("description", ""), str):
        raise BotRefused(f"{place}: description must be a string")
    if not isinstance(words.get("limits", {}), dict):
        raise BotRefused(f"{place}: limits must be a table")


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
    """`python` is the referee's own; a program in the folder is meant before one on the path."""
    first, *rest = command
    if first == "python":
        return (sys.executable, *rest)
    if os.sep in first and not Path(first).is_absolute():
        # A link stays one: by its own name a Python finds its virtual environment.
        return (os.path.normpath(folder.resolve() / first), *rest)
    return command


def environment() -> dict[str, str]:
    """`protocol` is importable for Python bots, wherever the referee is installed."""
    home = str(Path(protocol.__file__).resolve().parent.parent)
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {"PYTHONPATH": os.pathsep.join([*paths, home])}


def _from_command(text: str) -> Bot:
    words = _split(f"bot {text!r}", text)
    if not words or not _is_program(words[0]):
        raise BotRefused(_unknown(text))
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(words[-1]).stem or words[0]).strip("-")[:40]
    return Bot(
        name=name or "bot",
        command=resolve(tuple(words), Path.cwd()),
        folder=Path.cwd(),
        content=_hash_command(words),
        environment=environment(),
    )


def _is_program(word: str) -> bool:
    return word == "python" or shutil.which(word) is not None


def _unknown(text: str) -> str:
    names = [*bundled_names(), "human"]
    if text and _is_there(Path(text)) and Path(text).is_dir():
        return f"the folder {text!r} has no bot.toml, so it is no bot"
    allowed = (
        f"it must be a folder with bot.toml, one of {', '.join(names)},"
        " or a command in quotes whose first word is a program"
    )
    return f"{text!r} is no bot: {then(did_you_mean(text, names), allowed)}"


# -- contents


def hash_folder(folder: Path, *, is_built: bool = False) -> str:
    """A hash of the files that a bot is made of; what its build makes does not count.

    What bundled bots share counts for each of them that is run as it is.
    """
    shared = [] if is_built or folder.resolve().parent != BUNDLED else shared_folders(BUNDLED)
    digest = hashlib.sha256()
    try:
        for piece in _pieces(folder, "", is_built=is_built):
            digest.update(piece)
        for beside in shared:
            for piece in _pieces(beside, f"../{beside.name}/", is_built=False):
                digest.update(piece)
    except OSError as error:
        place = visible(str(error.filename or folder))
        raise BotRefused(f"{place} cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def shared_folders(bundled: Path) -> list[Path]:
    """What bundled bots import from beside their own folders; no bot can name such a folder."""
    folders = [path for path in bundled.iterdir() if path.is_dir() and path.name[0] not in "._"]
    return sorted(path for path in folders if not is_bot_folder(path))


def _pieces(folder: Path, prefix: str, *, is_built: bool) -> Iterator[bytes]:
    """Names, sizes and contents; of a link out of the folder just where it leads.

    What lies there is not the bot's, and may be anything that we can read.
    """
    own = set(sources(folder, is_built=is_built))
    for path in sorted(_files(folder, is_built=is_built)):
        data = path.read_bytes() if path in own else os.fsencode(path.readlink())
        yield os.fsencode(f"{prefix}{_within(folder, path)}\0{len(data)}\0")
        yield data


def sources(folder: Path, *, is_built: bool) -> list[Path]:
    """The files of a bot, as it came; a link that leads out of its folder is none of them."""
    found = [path for path in _files(folder, is_built=is_built) if _is_own(folder, path)]
    if sum(path.stat().st_size for path in found) > _LARGEST_FOLDER:
        raise BotRefused(f"the folder {folder} is larger than {_LARGEST_FOLDER >> 20} MiB")
    return found


def _files(folder: Path, *, is_built: bool) -> list[Path]:
    left_out = _MADE if is_built else _CACHES
    made = _read_stamp(folder).made if is_built else []
    found: list[Path] = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in left_out and not name.startswith(".")]
        found += [Path(place, name) for name in files if not name.startswith(".")]
    return [path for path in found if path.is_file() and _within(folder, path) not in made]


def _is_own(folder: Path, path: Path) -> bool:
    return not path.is_symlink() or path.resolve().is_relative_to(folder.resolve())


def _within(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def _hash_command(words: list[str]) -> str:
    digest = hashlib.sha256()
    for word in words:
        digest.update(os.fsencode(word) + b"\0")
        if _is_file(Path(word)):
            digest.update(Path(word).read_bytes())
    return digest.hexdigest()


# -- building


class _Stamp(NamedTuple):
    """What was built last, and which files came to be by it."""

    content: str = ""
    made: list[str] = []  # noqa: RUF012  never changed


def _read_stamp(folder: Path) -> _Stamp:
    try:
        text = (folder / _STAMP).read_text("utf-8", "surrogateescape")  # names may be any bytes
        content, *made = text.splitlines()
    except (OSError, ValueError):
        return _Stamp()
    return _Stamp(content, made)


def build_bot(bot: Bot, tell: Callable[[str], None] | None = None) -> None:
    """Run the bot's build command, once for each content of its folder."""
    if not bot.build or _is_built(bot):
        return
    if tell is not None:
        tell(f"building {bot.name}: {visible(shlex.join(bot.build))}")
    known = _read_stamp(bot.folder).made
    before = _names_of_sources(bot.folder)
    _run_build(bot)
    made = _names_of_sources(bot.folder) - before
    try:
        text = "\n".join([bot.content, *sorted({*known, *made})])
        (bot.folder / _STAMP).write_text(f"{text}\n", "utf-8", "surrogateescape")
    except OSError as error:
        raise BotRefused(f"{error.filename} cannot be written: {error.strerror}") from error


def _is_built(bot: Bot) -> bool:
    stamp = _read_stamp(bot.folder)
    return stamp.content == bot.content and all(_is_there(bot.folder / made) for made in stamp.made)


def _names_of_sources(folder: Path) -> set[str]:
    return {_within(folder, path) for path in sources(folder, is_built=True)}


def _run_build(bot: Bot) -> None:
    try:
        done = subprocess.run(
            bot.build,
            cwd=bot.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        program = visible(bot.build[0])
        raise BotRefused(f"bot {bot.name} cannot be built: {error.strerror}: {program}") from error
    if done.returncode:
        output = done.stdout[-2000:].decode(errors="replace").strip()
        lines = "\n".join(map(visible, output.expandtabs().splitlines()))
        raise BotRefused(
            f"bot {bot.name} cannot be built: {visible(shlex.join(bot.build))} ended with exit"
            f" status {done.returncode}:\n{lines}"
        )

"""The command line of bubblewrap for the strict sandbox, and what a bot can read inside.

Inside there are a read-only system, the bot's own files, an interpreter, the SDK, and one scratch
folder of limited size; no other files of the machine, no network, and no other processes.
"""

from __future__ import annotations

import functools
import itertools
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import protocol
import referee
from referee.bots.content import is_file
from referee.bots.find import BUNDLED, Bot, is_bot_folder

SCRATCH: Final = "/tmp"  # noqa: S108  the sandbox's own
DEPTH: Final = 2  # of the bot below the process that we start
PATHS: Final = "/usr/local/bin:/usr/bin:/bin"

_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store",
    "/etc/ld.so.cache", "/etc/alternatives",
)  # fmt: skip
_DEVICES: Final = ("null", "urandom")  # memory mapped from /dev/zero would not be limited
_UNSHARED: Final = (
    "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
)  # fmt: skip
_WITHOUT_NETWORK: Final = ("--unshare-net",)
_UNPRIVILEGED: Final = ("--unshare-user", "--disable-userns")
ENVIRONMENT: Final = {"HOME": SCRATCH, "TMPDIR": SCRATCH, "LANG": "C.UTF-8", "USER": "bot"}
_FIRST_UID: Final = 1 << 30
_uids = itertools.count()
_PARTS: Final = ("bin", "lib", "lib64", "libexec", "conf")  # of an interpreter's own tree


class User(NamedTuple):
    """The user that a bot is inside."""

    uid: int
    gid: int

    def files(self) -> tuple[str, str]:
        """The lists of users and groups inside: some programs fail if they do not find theirs."""
        return f"bot:x:{self.uid}:{self.gid}::{SCRATCH}:/bin/sh\n", f"bot:x:{self.gid}:\n"


def new_user() -> User:
    """The user for a new bot: our own, and for root an ID that nothing else uses."""
    if not is_root():
        return User(os.geteuid(), os.getegid())
    uid = _unused_uid()
    return User(uid, uid)


def wrap(bot: Bot, user: User, options: Iterable[str]) -> list[str]:
    """The command that starts a bot inside; `options` are those for the filter and the start gate.

    For an ordinary user, the bot gets its own user namespace, in which it cannot make another one.
    For root, bubblewrap mounts the folders as root, who can read them all; then the bot becomes a user
    ID that nothing else uses, and a filter of system calls keeps it from making a namespace.
    """
    return wrap_in(layout(bot), bot, user, options)


def wrap_in(
    layout: Iterable[str], bot: Bot, user: User, options: Iterable[str], *, network: bool = False
) -> list[str]:
    """The command that starts a bot with this file tree, and with our network if it is given."""
    rights = _without_rights(user) if is_root() else []
    command = [*rights, program(bot), *bot.command[1:]]
    apart = [*_UNSHARED, *([] if network else _WITHOUT_NETWORK)]
    apart += [] if is_root() else _UNPRIVILEGED
    common = ["--die-with-parent", "--new-session", "--chdir", str(bot.folder), *layout]
    # The root becomes read-only; the gate has made its files by then.
    return [bubblewrap(), *apart, *common, *options, "--remount-ro", "/", "--", *command]


def environment(bot: Bot) -> dict[str, str]:
    """The whole environment of a bot inside."""
    beside = Path(program(bot)).parent
    return {**bot.environment, **ENVIRONMENT, "PATH": f"{PATHS}:{beside}"}


def is_root() -> bool:
    """Whether the referee runs as root."""
    return os.geteuid() == 0


@functools.cache
def bubblewrap() -> str:
    """The path of bubblewrap, or just its name if it is not installed."""
    return shutil.which("bwrap") or "bwrap"


@functools.cache
def _setpriv() -> str:
    return shutil.which("setpriv") or "setpriv"


def _without_rights(user: User) -> list[str]:
    return [
        _setpriv(),
        "--reuid", str(user.uid), "--regid", str(user.gid), "--clear-groups",
        "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all",
    ]  # fmt: skip


def _unused_uid() -> int:
    """A user ID for one bot alone, so that its processes are counted alone; far above real ones."""
    return _FIRST_UID + ((os.getpid() & 0x3FFFFF) << 8 | next(_uids) & 0xFF)


# -- the files inside


def layout(bot: Bot) -> tuple[str, ...]:
    """The options for the whole file tree inside; cached, as finding it takes half of a start."""
    key = (bot.folder, program(bot), bot.command, bot.limits.scratch)
    if key not in _layouts:
        _layouts[key] = tuple(tree_options(bot, readable(bot)))
    return _layouts[key]


_layouts: Final[dict[tuple[object, ...], tuple[str, ...]]] = {}


def tree_options(bot: Bot, shown: Iterable[Path]) -> list[str]:
    """The options for the file tree of a bot that can read these paths."""
    paths = _outermost(shown)
    return [
        *system_layout(),
        "--perms", "1777", "--size", str(bot.limits.scratch), "--tmpfs", SCRATCH,
        *_folders([*paths, bot.folder]),
        *(word for path in paths for word in ("--ro-bind", str(path), str(path))),
        *_without_bundled(bot, paths),
    ]  # fmt: skip


@functools.cache
def system_layout() -> tuple[str, ...]:
    """The options that are the same for every bot: programs, libraries, /proc and a few devices."""
    words: list[str] = ["--dir", "/etc"]
    for path in system_paths():
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        else:
            words += ["--ro-bind", str(path), str(path)]
    words += ["--proc", "/proc", "--size", "4096", "--tmpfs", "/dev"]
    for name in _DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    words += ["--symlink", "urandom", "/dev/random", "--symlink", "/proc/self/fd", "/dev/fd"]
    # Shared memory counts as scratch.
    words += ["--symlink", SCRATCH, "/dev/shm", "--remount-ro", "/dev"]  # noqa: S108
    return tuple(words)


@functools.cache
def system_paths() -> tuple[Path, ...]:
    """The parts of the system that every bot can read."""
    java = Path("/etc").glob("java-*")  # where Debian keeps the settings of its Java
    return tuple(path for path in [*map(Path, _SYSTEM), *sorted(java)] if path.exists())


def readable(bot: Bot) -> list[Path]:
    """What a bot can read besides the system: its files, its interpreter, and the SDK.

    A bot that is a command can read the files that it names, but not what lies beside them.
    """
    own = [bot.folder] if is_bot_folder(bot.folder) else _named_files(bot)
    first = Path(program(bot))
    return [*own, *_interpreter(bot), *_packages(first)]


def program(bot: Bot) -> str:
    """The full path of the bot's program; links are kept."""
    return os.path.abspath(shutil.which(bot.command[0]) or bot.command[0])  # noqa: PTH100  links stay


def _named_files(bot: Bot) -> list[Path]:
    named = (Path(bot.folder, word) for word in bot.command)
    return [Path(os.path.normpath(path)) for path in named if is_file(path)]


def _interpreter(bot: Bot) -> Iterator[Path]:
    """Its program, link by link, each with the installation that it belongs to.

    A link in the bot's own folder may lead only to a program that the organiser has installed:
    otherwise a bot could read any file that we can read.
    """
    path, seen = Path(program(bot)), set[Path]()
    trusted = not is_bot_folder(bot.folder)  # a command comes from the organiser
    while path not in seen:
        seen.add(path)
        is_own = path.is_relative_to(bot.folder)
        trusted = trusted or (not is_own and _is_installed(path))
        if not trusted and not is_own:
            return
        yield path
        if trusted:  # the bot's own folder is readable already
            yield from tree_of(path, is_own=is_own)
        if path.is_symlink():
            path = Path(os.path.normpath(path.parent / path.readlink()))


def can_run(bot: Bot) -> bool:
    """Whether its program is in its folder, or one that the organiser has put on the path.

    A link counts as the file at its end.
    """
    return any(not path.is_symlink() for path in _interpreter(bot))


def _is_installed(path: Path) -> bool:
    folders = map(Path, filter(None, os.environ.get("PATH", "").split(os.pathsep)))
    own = (Path(sys.executable).parent, Path(sys.base_prefix) / "bin")
    return _is_system(path) or path.parent in (*folders, *own)


def tree_of(program: Path, *, is_own: bool) -> Iterator[Path]:
    """A whole virtual environment, or the parts of an installation that programs need to run."""
    prefix = program.parent.parent
    if (prefix / "pyvenv.cfg").is_file():
        yield prefix
    elif program.parent.name == "bin" and not is_own:
        yield from (prefix / part for part in _PARTS if (prefix / part).is_dir())


def _packages(program: Path) -> list[Path]:
    """The SDK, and for Python the engine with its maps, which a checkout has beside it."""
    sdk = Path(protocol.__file__).resolve().parent
    if not program.name.startswith("python"):
        return [sdk]
    package = Path(referee.__file__).resolve().parent
    beside = [package.parent / "maps"] if (package.parent / "pyproject.toml").is_file() else []
    return [sdk, package, *beside]


def _without_bundled(bot: Bot, paths: Iterable[Path]) -> list[str]:
    """Hides the bundled bots; a bundled bot still sees itself."""
    if not _is_system(BUNDLED) and not any(BUNDLED.is_relative_to(path) for path in paths):
        return []
    shown = [bot.folder] if bot.folder.parent == BUNDLED else []
    hidden = ["--size", "4096", "--tmpfs", str(BUNDLED)]
    return [*hidden, *_shown(shown), "--remount-ro", str(BUNDLED)]


def _shown(folders: Iterable[Path]) -> list[str]:
    return [
        word for path in folders for word in ("--dir", str(path), "--ro-bind", str(path), str(path))
    ]


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Those paths that lie neither within another one nor within the system."""
    found: list[Path] = []
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if _is_system(path) or not path.exists():
            continue
        if not any(path.is_relative_to(other) for other in found):
            found.append(path)
    return found


def _folders(paths: Iterable[Path]) -> list[str]:
    """The folders above these, made readable for all: by itself bubblewrap would not."""
    above = {folder for path in paths for folder in (path, *path.parents) if folder.is_dir()}
    above -= {Path("/"), Path(SCRATCH)}
    ordered = sorted(above, key=lambda folder: len(folder.parts))
    return [word for folder in ordered if not _is_system(folder) for word in ("--dir", str(folder))]


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(system) for system in system_paths())

"""The strict sandbox: the command line of bubblewrap, and what a bot can read inside.

Inside there are a read-only system, the bot's own files, an interpreter, the SDK, and one scratch
folder of a fixed size. Nothing else of the machine's files, no network, and no other process.
"""

from __future__ import annotations

import functools
import itertools
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import protocol
import referee
from referee.bots.find import BUNDLED, Bot, is_bot_folder, shared_folders

SCRATCH: Final = "/tmp"  # noqa: S108  the sandbox's own
AROUND: Final = 2  # processes from the one that we start down to the bot
PATHS: Final = "/usr/local/bin:/usr/bin:/bin"

_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store",
    "/etc/ld.so.cache", "/etc/alternatives",
)  # fmt: skip
_DEVICES: Final = ("null", "urandom")  # /dev/zero would be memory that nobody counts
_APART: Final = (
    "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
)  # fmt: skip
_UNPRIVILEGED: Final = ("--unshare-user", "--disable-userns")
_FIRST_UID: Final = 1 << 30
_uids = itertools.count()
_PARTS: Final = ("bin", "lib", "lib64", "libexec", "conf")  # of an interpreter's own tree


def wrap(bot: Bot, options: Iterable[str]) -> list[str]:
    """The command that starts a bot inside; the options tell of a filter and of a gate.

    A user gets a user namespace of the bot's own, in which no further one can be made. Root lays the
    folders out as root, who can reach them all; then the bot becomes a user that nobody else is. A
    filter of system calls keeps it from making a namespace there.
    """
    rights = _without_rights() if is_root() else []
    command = [*rights, program(bot), *bot.command[1:]]
    apart = _APART if is_root() else (*_APART, *_UNPRIVILEGED)
    common = ["--die-with-parent", "--new-session", *layout(bot), "--chdir", str(bot.folder)]
    return [bubblewrap(), *apart, *common, *options, "--", *command]


def environment(bot: Bot) -> dict[str, str]:
    """All that a bot finds in its environment."""
    beside = Path(program(bot)).parent
    return {
        **bot.environment,
        "PATH": f"{PATHS}:{beside}",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "LANG": "C.UTF-8",
        "USER": "bot",
    }


def is_root() -> bool:
    """Whether we may do what bots may not."""
    return os.geteuid() == 0


@functools.cache
def bubblewrap() -> str:
    """Where it is; just its name if it is nowhere."""
    return shutil.which("bwrap") or "bwrap"


def _without_rights() -> list[str]:
    uid = str(_unused_uid())
    return [
        shutil.which("setpriv") or "setpriv", "--reuid", uid, "--regid", uid, "--clear-groups",
        "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all",
    ]  # fmt: skip


def _unused_uid() -> int:
    """A user for one bot alone, so that its processes are counted alone; far above all real ones."""
    return _FIRST_UID + ((os.getpid() & 0x3FFFFF) << 8 | next(_uids) & 0xFF)


# -- what there is inside


def layout(bot: Bot) -> tuple[str, ...]:
    """The whole tree of files inside; looking for them takes as long as half a start, so only once."""
    key = (bot.folder, program(bot), bot.command, bot.limits.scratch)
    if key not in _layouts:
        _layouts[key] = tuple(_lay_out(bot))
    return _layouts[key]


_layouts: Final[dict[tuple[object, ...], tuple[str, ...]]] = {}


def _lay_out(bot: Bot) -> list[str]:
    """Last of all, what is no scratch becomes read-only."""
    paths = _outermost(readable(bot))
    return [
        *system_layout(),
        "--perms", "1777", "--size", str(bot.limits.scratch), "--tmpfs", SCRATCH,
        *_folders([*paths, bot.folder]),
        *(word for path in paths for word in ("--ro-bind", str(path), str(path))),
        *_without_bundled(bot, paths),
        "--remount-ro", "/",
    ]  # fmt: skip


@functools.cache
def system_layout() -> tuple[str, ...]:
    """What is the same for every bot: programs and libraries, its processes, and a few devices."""
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
    # What programs share through memory counts as scratch.
    words += ["--symlink", SCRATCH, "/dev/shm", "--remount-ro", "/dev"]  # noqa: S108
    return tuple(words)


@functools.cache
def system_paths() -> tuple[Path, ...]:
    """The parts of the system that every bot can read."""
    java = Path("/etc").glob("java-*")  # where Debian keeps the settings of its Java
    return tuple(path for path in [*map(Path, _SYSTEM), *sorted(java)] if path.exists())


def readable(bot: Bot) -> list[Path]:
    """What a bot can read beside the system: its files, its interpreter, and the SDK.

    A bot that is a command has the files that it names; all else may be beside them.
    """
    own = [bot.folder] if is_bot_folder(bot.folder) else _named_files(bot)
    first = Path(program(bot))
    return [*own, *_interpreter(bot), *_packages(first)]


def program(bot: Bot) -> str:
    """The first word of its command, in full."""
    return os.path.abspath(shutil.which(bot.command[0]) or bot.command[0])  # noqa: PTH100  links stay


def _named_files(bot: Bot) -> list[Path]:
    named = (Path(bot.folder, word) for word in bot.command)
    return [Path(os.path.normpath(path)) for path in named if _is_file(path)]


def _is_file(path: Path) -> bool:
    """A word of a command may be too long to be asked for as a file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _interpreter(bot: Bot) -> Iterator[Path]:
    """Its program, link by link, each with the tree that it belongs to.

    A bot's own folder may link to what is ours to run, and to nothing else: what else it names may be
    anything that we can read.
    """
    path, seen = Path(program(bot)), set[Path]()
    trusted = not is_bot_folder(bot.folder)  # a command is the organiser's own word
    while path not in seen:
        seen.add(path)
        is_own = path.is_relative_to(bot.folder)
        trusted = trusted or (not is_own and _is_ours_to_run(path))
        if not trusted and not is_own:
            return
        yield path
        if trusted:  # what is the bot's own is there already
            yield from _tree_of(path, is_own=is_own)
        if path.is_symlink():
            path = Path(os.path.normpath(path.parent / path.readlink()))


def can_run(bot: Bot) -> bool:
    """Whether its program is in its folder, or one that the organiser has put on the path.

    A link counts for what it leads to, which is the first that is none.
    """
    return any(not path.is_symlink() for path in _interpreter(bot))


def _is_ours_to_run(path: Path) -> bool:
    folders = map(Path, filter(None, os.environ.get("PATH", "").split(os.pathsep)))
    own = (Path(sys.executable).parent, Path(sys.base_prefix) / "bin")
    return _is_system(path) or path.parent in (*folders, *own)


def _tree_of(program: Path, *, is_own: bool) -> Iterator[Path]:
    """A virtual environment as a whole; of an installation what it runs by, and no home beside it."""
    prefix = program.parent.parent
    if (prefix / "pyvenv.cfg").is_file():
        yield prefix
    elif program.parent.name == "bin" and not is_own:
        yield from (prefix / part for part in _PARTS if (prefix / part).is_dir())


def _packages(program: Path) -> list[Path]:
    """The SDK, and for Python the engine with its maps; in a checkout these lie beside it."""
    sdk = Path(protocol.__file__).resolve().parent
    if not program.name.startswith("python"):
        return [sdk]
    home = Path(referee.__file__).resolve().parent
    beside = [home.parent / "maps"] if (home.parent / "pyproject.toml").is_file() else []
    return [sdk, home, *beside]


def _without_bundled(bot: Bot, paths: Iterable[Path]) -> list[str]:
    """Of the bundled bots, one sees itself and what they share; any other bot sees nothing."""
    shown = shared_folders(BUNDLED) if bot.folder.parent == BUNDLED else []
    if not _is_system(BUNDLED) and not any(BUNDLED.is_relative_to(path) for path in paths):
        return _shown(shown)
    shown += [bot.folder] if bot.folder.parent == BUNDLED else []
    hidden = ["--size", "4096", "--tmpfs", str(BUNDLED)]
    return [*hidden, *_shown(shown), "--remount-ro", str(BUNDLED)]


def _shown(folders: Iterable[Path]) -> list[str]:
    return [
        word for path in folders for word in ("--dir", str(path), "--ro-bind", str(path), str(path))
    ]


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Those that are in no other one, nor in the system."""
    found: list[Path] = []
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if _is_system(path) or not path.exists():
            continue
        if not any(path.is_relative_to(other) for other in found):
            found.append(path)
    return found


def _folders(paths: Iterable[Path]) -> list[str]:
    """The folders above these, open to everybody: bubblewrap itself would make them its own."""
    above = {folder for path in paths for folder in (path, *path.parents) if folder.is_dir()}
    above -= {Path("/"), Path(SCRATCH)}
    ordered = sorted(above, key=lambda folder: len(folder.parts))
    return [word for folder in ordered if not _is_system(folder) for word in ("--dir", str(folder))]


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(system) for system in system_paths())

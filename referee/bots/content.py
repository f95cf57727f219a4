"""Which files a bot consists of, and the hash of their names and contents."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import BotRefused
from referee.text import visible

STAMP: Final = ".referee-build"
_USED: Final = "/"  # separates the lists of a stamp; it is not a relative path
_CACHES: Final = {"__pycache__"}
_BUILD_FOLDERS: Final = {"target", "node_modules", "build", "dist", "out", "bin", "obj", *_CACHES}
_LARGEST_FOLDER = 256 * 1024 * 1024
_LARGEST_STAMP = 16 * 1024 * 1024
_DEEPEST: Final = 100  # folders inside each other; Python fails at about 1000


class Stamp(NamedTuple):
    """What was built last: the content's hash, and paths relative to the bot's folder."""

    content: str = ""
    made: Sequence[str] = ()  # by the build, outside of the folders that are always left out
    used: Sequence[str] = ()  # by the bot's command

    def to_text(self) -> str:
        """The text of the file that `read_stamp` reads."""
        return "\n".join([self.content, *self.made, _USED, *self.used, ""])


def read_stamp(folder: Path) -> Stamp:
    """What the build of a bot's folder left behind; an empty stamp if nothing was built."""
    try:
        # A build may have put a link or a pipe there.
        descriptor = os.open(folder / STAMP, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, encoding="utf-8", errors="surrogateescape") as file:
            if os.fstat(descriptor).st_size > _LARGEST_STAMP:
                return Stamp()
            content, *names = file.read(_LARGEST_STAMP).splitlines()  # names may be any bytes
    except (OSError, ValueError):
        return Stamp()
    end = names.index(_USED) if _USED in names else len(names)
    return Stamp(content, names[:end], names[end + 1 :])


def write_stamp(folder: Path, stamp: Stamp) -> None:
    """Write what was built, in place of whatever a build put there; OSError if that fails."""
    path = folder / STAMP
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(stamp.to_text())


def hash_folder(folder: Path, *, is_built: bool = False, shared: Iterable[Path] = ()) -> str:
    """The SHA-256 of a bot's files, without what its build makes.

    The files of `shared` count too. BotRefused if a file cannot be read or all are too large.
    """
    digest = hashlib.sha256()
    try:
        for piece in _pieces(folder, is_built=is_built):
            digest.update(piece)
        for path in shared:
            data = path.read_bytes()
            digest.update(os.fsencode(f"../{path.parent.name}/{path.name}\0{len(data)}\0"))
            digest.update(data)
    except OSError as error:
        place = visible(str(error.filename or folder))
        raise BotRefused(f"{place} cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def hash_command(words: Iterable[str]) -> str:
    """The SHA-256 of a command: its words, and the contents of those that are files."""
    digest = hashlib.sha256()
    for word in words:
        digest.update(os.fsencode(word) + b"\0")
        if is_file(Path(word)):
            digest.update(Path(word).read_bytes())
    return digest.hexdigest()


def sources(folder: Path, *, is_built: bool) -> list[Path]:
    """The bot's own files: neither hidden, nor caches, nor links that lead out of the folder.

    With `is_built`, what its build makes is left out. BotRefused if they are too large.
    """
    found = [path for path in _files(folder, is_built=is_built) if _is_own(folder, path)]
    if sum(path.stat().st_size for path in found) > _LARGEST_FOLDER:
        raise BotRefused(f"the folder {folder} is larger than {_LARGEST_FOLDER >> 20} MiB")
    return found


def source_names(folder: Path) -> set[str]:
    """The paths of the sources of a bot with a build command, relative to its folder."""
    return {_within(folder, path) for path in sources(folder, is_built=True)}


def exists(path: Path) -> bool:
    """Whether the path exists; a command line may be too long or too odd to be a path."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether the path is a file; False also for what cannot be a path."""
    return exists(path) and path.is_file()


def _pieces(folder: Path, *, is_built: bool) -> Iterator[bytes]:
    """Names, sizes and contents; a link out of the folder counts only by its target's path.

    The target is not the bot's own: it may be any file that this user can read.
    """
    own = set(sources(folder, is_built=is_built))
    for path in sorted(_files(folder, is_built=is_built)):
        data = path.read_bytes() if path in own else os.fsencode(path.readlink())
        yield os.fsencode(f"{_within(folder, path)}\0{len(data)}\0")
        yield data


def _files(folder: Path, *, is_built: bool) -> list[Path]:
    left_out = _BUILD_FOLDERS if is_built else _CACHES
    made = read_stamp(folder).made if is_built else ()
    found: list[Path] = []
    for place, folders, files in os.walk(folder):
        if len(Path(place).relative_to(folder).parts) > _DEEPEST:
            raise BotRefused(
                f"the folder {folder} has more than {_DEEPEST} folders inside each other"
            )
        folders[:] = [name for name in folders if name not in left_out and not name.startswith(".")]
        found += [Path(place, name) for name in files if not name.startswith(".")]
    return [path for path in found if path.is_file() and _within(folder, path) not in made]


def _is_own(folder: Path, path: Path) -> bool:
    return not path.is_symlink() or path.resolve().is_relative_to(folder.resolve())


def _within(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()

"""The folder of a site: ours or empty before anything is written, with names that every system takes."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

import msgspec

from referee.errors import SiteRefused
from referee.text import printable
from referee.version import __version__

MARKER: Final = "site.json"
BOTS: Final = "bots"
GAMES: Final = "games"
DATA: Final = "data"
_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_LONGEST: Final = 40


class Marker(msgspec.Struct, frozen=True):
    """What says that a folder is a site, and whose pages are in it."""

    site: int = 1
    referee: str = __version__


def file_name(text: str) -> str:
    """The text itself if it is plain, else something like it; no two texts share one, in any case.

    The mark before the digest cannot be in a plain name, so that nobody can take another's.
    """
    if _PLAIN.fullmatch(text):
        return text
    like = re.sub(r"[^a-z0-9]+", "-", text.lower())[:_LONGEST].strip("-")
    return f"{like}~{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}"


class SiteFolder:
    """A folder that pages are written to, and in the end holds these pages only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written: set[Path] = set()
        self.is_of_this_referee = self._claim()

    def write(self, name: str, text: str) -> None:
        """A file of the site."""
        target = self.expect(name)
        try:
            target.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise SiteRefused(f"cannot write {shown(target)}: {error.strerror}") from error

    def expect(self, name: str) -> Path:
        """Where a file of this site is; it will not be tidied away."""
        target = self.path / name
        self._written.add(target)
        return target

    def tidy(self) -> None:
        """Remove the pages of bots and games that an earlier site had and this one has not."""
        stale = {page for folder in (BOTS, GAMES) for page in (self.path / folder).glob("*.html")}
        for page in stale - self._written:
            try:
                page.unlink(missing_ok=True)
            except OSError as error:
                raise SiteRefused(f"cannot remove {shown(page)}: {error.strerror}") from error

    def _claim(self) -> bool:
        """Make the folder ours; whether what is in it was made by this version of the referee."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            is_empty = not any(self.path.iterdir())
            marker = None if is_empty else _read_marker(self.path)
            if not is_empty and marker is None:
                raise SiteRefused(
                    f"{shown(self.path)} is neither empty nor a site made before; name another"
                    " folder"
                )
            for folder in (BOTS, GAMES, DATA):
                (self.path / folder).mkdir(exist_ok=True)
            (self.path / MARKER).write_bytes(msgspec.json.encode(Marker()) + b"\n")
        except OSError as error:
            raise SiteRefused(f"cannot write to {shown(self.path)}: {error.strerror}") from error
        return marker == Marker()


def shown(path: Path) -> str:
    """A path in a sentence."""
    return printable(str(path))


def _read_marker(folder: Path) -> Marker | None:
    try:
        return msgspec.json.decode((folder / MARKER).read_bytes(), type=Marker)
    except (OSError, msgspec.DecodeError):
        return None

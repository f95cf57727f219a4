"""The folder of a site: it must be empty or an earlier site; file names are valid on every system."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec

from referee.errors import SiteRefused
from referee.text import printable, visible
from referee.version import __version__
from referee.web.site.html import Html, tag

MARKER: Final = "site.json"
BOTS: Final = "bots"
GAMES: Final = "games"
DATA: Final = "data"
_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_LONGEST: Final = 40


class Marker(msgspec.Struct, frozen=True):
    """The content of the file that marks a folder as a site, with the version that made it."""

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


def bot_page(bot: str) -> str:
    """The file of a bot's page."""
    return f"{BOTS}/{file_name(bot)}.html"


def game_page(block: str, number: int) -> str:
    """The file of a game's page."""
    return f"{GAMES}/{file_name(block)}-{number}.html"


class Links(NamedTuple):
    """Addresses from a folder; `root` leads from there to that of the site."""

    pages: Mapping[tuple[str, int], str]  # the games that have a page
    root: str = ""

    def up(self) -> Links:
        """The same from a folder of the site."""
        return self._replace(root="../")

    def bot(self, bot: str) -> Html:
        """The name of a bot that leads to its page."""
        return tag("a", bot, href=self.root + bot_page(bot))

    def game(self, place: tuple[str, int], decision: int | None = None) -> str | None:
        """The page of a game at a decision, if it has one."""
        if place not in self.pages:
            return None
        at = "" if decision is None else f"#{decision}"
        return f"{self.root}{self.pages[place]}{at}"

    def games_of(self, bot: str) -> str:
        """The list of all games, showing those of one bot."""
        return f"{self.root}games.html#bot={quote(visible(bot), safe='')}"

    def faults_of(self, bot: str) -> str:
        """The list of all faults, showing those of one bot."""
        return f"{self.root}faults.html#bot={quote(visible(bot), safe='')}"


class SiteFolder:
    """A folder to which pages are written, and from which `tidy` removes all others."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written: set[Path] = set()
        self.is_of_this_referee = self._claim()

    def write(self, name: str, text: str) -> None:
        """Write a file of the site; SiteRefused if that fails."""
        target = self.expect(name)
        try:
            target.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise SiteRefused(f"cannot write {shown(target)}: {error.strerror}") from error

    def expect(self, name: str) -> Path:
        """Return the path of a file of this site, which `tidy` will keep."""
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
        """Mark the folder as a site; return whether this version of the referee made its pages."""
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
    """Return a path for a message."""
    return printable(str(path))


def _read_marker(folder: Path) -> Marker | None:
    try:
        return msgspec.json.decode((folder / MARKER).read_bytes(), type=Marker)
    except (OSError, msgspec.DecodeError):
        return None

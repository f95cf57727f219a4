"""The folder of a site, the names of its files, and links from page to page."""

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
    """A file name for a text that is valid on every system: the text itself, or a similar name.

    Two texts never get the same name, even where upper and lower case are the same. The "~" before
    the digest cannot be in a plain name, so no text can be chosen to get the name of another.
    """
    if _PLAIN.fullmatch(text):
        return text
    similar = re.sub(r"[^a-z0-9]+", "-", text.lower())[:_LONGEST].strip("-")
    return f"{similar}~{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}"


def bot_page(bot: str) -> str:
    return f"{BOTS}/{file_name(bot)}.html"


def game_page(block: str, number: int) -> str:
    return f"{GAMES}/{file_name(block)}-{number}.html"


class Links(NamedTuple):
    """Links for the pages in one folder; `root` is the relative path from there to the site."""

    pages: Mapping[tuple[str, int], str]  # the files of the games that have a page
    root: str = ""

    def from_subfolder(self) -> Links:
        """The same links for pages in a subfolder of the site."""
        return self._replace(root="../")

    def bot(self, bot: str) -> Html:
        """The name of a bot as a link to its page."""
        return tag("a", bot, href=self.root + bot_page(bot))

    def game(self, key: tuple[str, int], decision: int | None = None) -> str | None:
        """The address of a game's page, at a decision; None if the game has no page."""
        if key not in self.pages:
            return None
        at = "" if decision is None else f"#{decision}"
        return f"{self.root}{self.pages[key]}{at}"

    def games_of(self, bot: str) -> str:
        """The address of the list of games, filtered by a bot."""
        return f"{self.root}games.html#bot={quote(visible(bot), safe='')}"

    def faults_of(self, bot: str) -> str:
        """The address of the list of faults, filtered by a bot."""
        return f"{self.root}faults.html#bot={quote(visible(bot), safe='')}"


class SiteFolder:
    """A folder that pages are written to; SiteRefused if it is neither empty nor a site already."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: set[Path] = set()
        self.is_of_this_referee = self._claim()

    def write(self, name: str, text: str) -> None:
        """Write a file of the site; SiteRefused if that fails."""
        target = self.keep(name)
        try:
            target.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise SiteRefused(f"cannot write {shown(target)}: {error.strerror}") from error

    def keep(self, name: str) -> Path:
        """Keep a file when `remove_old_pages` is called; return its path."""
        target = self.path / name
        self._kept.add(target)
        return target

    def remove_old_pages(self) -> None:
        """Remove the pages of bots and games that were neither written nor kept; SiteRefused if that fails."""
        pages = {page for folder in (BOTS, GAMES) for page in (self.path / folder).glob("*.html")}
        for page in pages - self._kept:
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
                    f"{shown(self.path)} is neither empty nor a site made before; choose another"
                    " folder"
                )
            for folder in (BOTS, GAMES, DATA):
                (self.path / folder).mkdir(exist_ok=True)
            (self.path / MARKER).write_bytes(msgspec.json.encode(Marker()) + b"\n")
        except OSError as error:
            raise SiteRefused(f"cannot write to {shown(self.path)}: {error.strerror}") from error
        return marker == Marker()


def shown(path: Path) -> str:
    """A path as text for an error message."""
    return printable(str(path))


def _read_marker(folder: Path) -> Marker | None:
    try:
        return msgspec.json.decode((folder / MARKER).read_bytes(), type=Marker)
    except (OSError, msgspec.DecodeError):
        return None

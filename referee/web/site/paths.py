"""The folder of a site, the names of its files, and links from page to page."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec

from referee.errors import SiteRefused
from referee.text import printable, visible
from referee.web import shared
from referee.web.site.html import Html, tag

MARKER: Final = "site.json"
BOTS: Final = "bots"
GAMES: Final = "games"
RECORDS: Final = "records"
DATA: Final = "data"
_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_LONGEST: Final = 40


class Marker(msgspec.Struct, frozen=True):
    """The content of the file that marks a folder as a site."""

    site: int = 2
    pages: str = ""  # a digest of what all pages of games have in common
    files: tuple[str, ...] = ()  # all that the site consists of


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


def game_record(block: str, number: int) -> str:
    return f"{RECORDS}/{file_name(block)}-{number}.jsonl.gz"


class Links(NamedTuple):
    """Links for the pages in one folder; `root` is the relative path from there to the site."""

    pages: Mapping[tuple[str, int], str]  # the files of the games that have a page
    root: str = ""
    has_records: bool = True  # whether the records of these games can be downloaded

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

    def record(self, key: tuple[str, int]) -> str | None:
        """The address of a game's record; None if the site does not have it."""
        is_there = self.has_records and key in self.pages
        return f"{self.root}{game_record(*key)}" if is_there else None

    def games_of(self, bot: str) -> str:
        """The address of the list of games, filtered by a bot."""
        return f"{self.root}games.html#bot={quote(visible(bot), safe='')}"

    def faults_of(self, bot: str) -> str:
        """The address of the list of faults, filtered by a bot."""
        return f"{self.root}faults.html#bot={quote(visible(bot), safe='')}"


@dataclass
class FileCounts:
    """How many files of a site were written, had their content already, and were removed."""

    written: int = 0
    unchanged: int = 0
    removed: int = 0


class SiteFolder:
    """A folder that a site is written to; SiteRefused if it is neither empty nor a site already.

    A file that has its content already is not written again. The site knows its own files, and
    removes no others.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.counts = FileCounts()
        self._files: set[str] = set()
        self._before = self._claim()

    def expect(self, names: Iterable[str], pages: str) -> bool:
        """Note which files will be written, so that a later run knows them even if this one is killed.

        Return whether the pages of games had the same digest of what they have in common before.
        """
        is_same = self._before.pages == pages
        files = tuple(sorted({*self._before.files, *names}))
        self._mark(Marker(pages=pages if is_same else "", files=files))
        return is_same

    def write(self, name: str, text: str) -> None:
        """Write a file of the site; SiteRefused if that fails."""
        with self._errors(name):
            self.count(name, is_written=write_if_changed(self.path / name, text.encode()))

    def copy(self, name: str, source: Path) -> None:
        """Copy a file to the site; SiteRefused if that fails."""
        with self._errors(name):
            self.count(name, is_written=write_if_changed(self.path / name, source.read_bytes()))

    def count(self, name: str, *, is_written: bool) -> None:
        """Note that a file belongs to the site, and whether it was written or had its content already."""
        self._files.add(name)
        if is_written:
            self.counts.written += 1
        else:
            self.counts.unchanged += 1

    def finish(self, pages: str) -> None:
        """Remove what the site no longer has, and note what it has; SiteRefused if that fails."""
        for name in sorted(set(self._before.files) - self._files):
            with self._errors(name):
                (self.path / name).unlink(missing_ok=True)
            self.counts.removed += 1
        self._mark(Marker(pages=pages, files=tuple(sorted(self._files))))

    def _claim(self) -> Marker:
        """Mark the folder as a site; return what the site was before."""
        with self._errors(""):
            self.path.mkdir(parents=True, exist_ok=True)
            is_empty = not any(self.path.iterdir())
            before = Marker() if is_empty else _read_marker(self.path)
            if before is None:
                raise SiteRefused(
                    f"{shown(self.path)} is neither empty nor a site made before; choose another"
                    " folder"
                )
            for folder in (BOTS, GAMES, RECORDS, DATA, shared.FOLDER):
                (self.path / folder).mkdir(exist_ok=True)
        if is_empty:
            self._mark(before)
        return before

    def _mark(self, marker: Marker) -> None:
        with self._errors(MARKER):
            write_if_changed(self.path / MARKER, msgspec.json.encode(marker) + b"\n")

    @contextmanager
    def _errors(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            place = shown(self.path / name)
            raise SiteRefused(f"cannot write to {place}: {error.strerror}") from error


def write_if_changed(path: Path, content: bytes) -> bool:
    """Write a file, unless it has this content already; return whether it was written."""
    try:
        if path.stat().st_size == len(content) and path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    # A page that is cut off because this process is killed would look up to date to the next one.
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(path)
    return True


def shown(path: Path) -> str:
    """A path as text for an error message."""
    return printable(str(path))


def _read_marker(folder: Path) -> Marker | None:
    """Read the marker of a site; None if the folder is not a site."""
    try:
        marker = msgspec.json.decode((folder / MARKER).read_bytes(), type=Marker)
    except (OSError, msgspec.DecodeError):
        return None
    if marker.site == 1:  # of an earlier version, which did not list the files
        pages = [page for part in (BOTS, GAMES) for page in (folder / part).glob("*.html")]
        return Marker(files=tuple(str(page.relative_to(folder)) for page in pages))
    return msgspec.structs.replace(marker, files=tuple(filter(_is_inside, marker.files)))


def _is_inside(name: str) -> bool:
    """Whether a name cannot lead out of the folder of the site."""
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and ".." not in parts

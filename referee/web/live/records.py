"""Records of single games on the server: a list of them, and the page of each."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from referee.errors import RefereeError
from referee.records.find import is_record_name
from referee.records.lines import GameLine
from referee.records.reader import RecordReader
from referee.text import plural
from referee.web.game.page import SiteFrame
from referee.web.live.app import html
from referee.web.live.hub import Hub
from referee.web.site.html import SiteHead, intro, page, section, table, tag

TITLE: Final = "Recorded games"
MOST_LISTED: Final = 500
_UNSAFE: Final = re.compile(r"[^a-z0-9]+")


class ListedRecord(NamedTuple):
    """A record that the server shows, with its key in addresses."""

    key: str
    path: Path
    name: str  # without its suffix


class RecordIndex:
    """The records of these files and folders; new files in the folders are found."""

    def __init__(self, places: Iterable[Path]) -> None:
        self._places = list(places)
        self._known: dict[str, ListedRecord] = {}

    def record(self, key: str) -> Path | None:
        """The record of a game; None if there is no such game."""
        if key not in self._known:
            self.refresh()
        found = self._known.get(key)
        return None if found is None else found.path

    def frame(self, key: str) -> SiteFrame:
        """What surrounds the page of a game: a link back to the list."""
        nav = tag("nav", tag("a", TITLE, href="../"), aria_label="Site")
        title = self._known[key].name if key in self._known else TITLE
        return SiteFrame(title, "" if self.only is not None else nav, frozenset())

    @property
    def only(self) -> ListedRecord | None:
        """The record, if one file is shown and nothing else."""
        if len(self._places) == 1 and len(self._known) == 1 and not self._places[0].is_dir():
            return next(iter(self._known.values()))
        return None

    def refresh(self) -> list[ListedRecord]:
        """Look for records, and return all of them."""
        found = [record for place in self._places for record in _records_at(place)]
        self._known = {record.key: record for record in found}
        return list(self._known.values())


def _records_at(place: Path) -> Iterator[ListedRecord]:
    if not place.is_dir():
        yield _listed(place, place.name)
        return
    for path in sorted(place.rglob("*.jsonl*")):
        if is_record_name(path.name) and path.is_file():
            yield _listed(path, path.relative_to(place).as_posix())


def _listed(path: Path, name: str) -> ListedRecord:
    """A record with a key that stays the same when it is packed."""
    plain = name.removesuffix(".gz").removesuffix(".jsonl")
    digest = hashlib.sha256(str(path.parent / plain).encode()).hexdigest()[:8]
    slug = _UNSAFE.sub("-", plain.lower()).strip("-")[:40]
    return ListedRecord(f"{slug}-{digest}", path, plain)


class RecordList:
    """The first page: all records, the newest first. A single record is shown at once."""

    def __init__(self, index: RecordIndex) -> None:
        self._index = index

    def routes(self, hub: Hub) -> Sequence[BaseRoute]:

        async def home(_: Request) -> Response:
            records = await hub.read(self._index.refresh)
            only = self._index.only
            if only is not None:
                return RedirectResponse(f"game/{only.key}")
            return html(await hub.build(lambda: list_page(records)))

        return [Route("/", home)]

    def files(self) -> dict[str, str]:
        """No files: the games have their own."""
        return {}


def list_page(records: Sequence[ListedRecord]) -> str:
    """The list of records as a page."""
    newest = sorted(records, key=lambda record: -_changed(record.path))[:MOST_LISTED]
    rows = [
        [tag("a", record.name, href=f"game/{record.key}"), _players(record.path)]
        for record in newest
    ]
    about = f"{plural(len(records), 'record')}, the newest first."
    if len(newest) < len(records):
        about += f" Only the newest {MOST_LISTED} are listed."
    games = section("games", "Games", intro(about), table(["game", "players"], rows, "stacked"))
    return page(SiteHead(TITLE, "", ()), "Games", [games])


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _players(path: Path) -> str:
    """The players of a record; a dash if it cannot be read."""
    try:
        first = next(RecordReader(path).lines(), None)
    except RefereeError:
        first = None
    if not isinstance(first, GameLine):
        return "–"
    return ", ".join(player.name for player in first.players)

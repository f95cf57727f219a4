"""What the store of a tournament says, read again when it has changed, but only as often as is cheap."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Final

from referee.errors import RefereeError
from referee.tournament.live_ratings import RatingOptions
from referee.tournament.ratings import Ratings, rate
from referee.tournament.store.store import FILE
from referee.web.game.page import board_files
from referee.web.site.build import page_makers, site_head
from referee.web.site.html import SiteHead
from referee.web.site.paths import Links, game_page
from referee.web.site.snapshot import Snapshot, read_snapshot
from referee.web.site.statistics import Figures, figures_of

SHORTEST_PAUSE: Final = 1.0  # seconds
PAUSE_FACTOR: Final = 200  # times the CPU time that reading took: it uses half a percent of a core
LIVE: Final = ("./", "Live")

FileStatus = tuple[int, int]


class Reading:
    """The tournament at one moment, without what spectators may not see. Pages are made when they are needed."""

    def __init__(self, snapshot: Snapshot, options: RatingOptions) -> None:
        self.snapshot = snapshot
        self._options = self._possible(options)
        self._pages: dict[str, str] = {}

    def _possible(self, options: RatingOptions) -> RatingOptions:
        """The options, without an anchor that has not played yet; void games do not count."""
        games = (game for result in self.snapshot.results for game in result.games)
        has_played = any(options.anchor in game.bots for game in games)
        return options if has_played else options._replace(anchor=None)

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of all bots."""
        points, anchor = self._options
        names = self.snapshot.names
        return rate(self.snapshot.results, bots=names, points=points, anchor=anchor)

    @cached_property
    def _figures(self) -> Figures:
        return figures_of(self.snapshot, *self._options)

    @cached_property
    def head(self) -> SiteHead:
        """The head of all pages, with a link to the live page."""
        head = site_head(self.snapshot)
        return head._replace(pages=(LIVE, *head.pages))

    @cached_property
    def _makers(self) -> dict[str, Callable[[], str]]:
        games = self.snapshot.games
        pages = {game.key: game_page(*game.key) for game in games if game.record is not None}
        links = Links(pages, has_records=False)
        made = f"{len(pages)} of {len(games)} games were recorded and can be replayed."
        return page_makers(self.snapshot, self._figures, links, made, self.head)

    def page(self, name: str) -> str | None:
        """A page of the site; None if there is no such page."""
        if name not in self._pages and name in self._makers:
            self._pages[name] = self._makers[name]()
        return self._pages.get(name)

    @cached_property
    def board_files(self) -> dict[str, str]:
        """The files of all boards of the tournament."""
        return {
            name: text
            for board, _ in self.snapshot.setups
            for name, text in board_files(board.words).items()
        }


class TournamentState:
    """The newest reading of a tournament's store; StoreRefused at first if it cannot be read."""

    def __init__(self, folder: Path, options: RatingOptions) -> None:
        self.folder = folder
        self._options = options
        self._status = _status(folder)
        self._next = 0.0
        self.reading = self._read()

    def refresh(self, *, is_last: bool = False) -> Reading:
        """Read the store again if it has changed, and if the last time is long enough ago.

        The last time, before the server ends, does not wait.
        """
        now, cpu = time.monotonic(), time.thread_time()
        status = _status(self.folder)
        if status != self._status and (is_last or now >= self._next):
            try:
                self.reading = self._read()
                self._status = status
            except RefereeError:
                pass  # such as a store that is being replaced: the next call tries again
            took = time.thread_time() - cpu
            self._next = now + max(SHORTEST_PAUSE, PAUSE_FACTOR * took)
        return self.reading

    def _read(self) -> Reading:
        return Reading(read_snapshot(self.folder).for_spectators(), self._options)


def _status(folder: Path) -> tuple[FileStatus | None, FileStatus | None]:
    """What changes whenever the store does: of its file, and of its log of changes."""
    return _file_status(folder / FILE), _file_status(folder / f"{FILE}-wal")


def _file_status(path: Path) -> FileStatus | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if status.st_size else None

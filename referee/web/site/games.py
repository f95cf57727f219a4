"""The pages of games on a site: which games get a page, and making the pages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from referee.errors import RecordRefused, SiteRefused
from referee.records.find import analysis_path
from referee.records.verify import in_parallel
from referee.system import core_count
from referee.tournament.store.games import StoredGame
from referee.version import __version__
from referee.web import shared
from referee.web.game.board_drawing import drawing_of
from referee.web.game.page import SiteFrame, site_page_of
from referee.web.site.html import SiteHead, tag
from referee.web.site.interest import most_interesting
from referee.web.site.paths import (
    Links,
    SiteFolder,
    game_page,
    game_record,
    shown,
    write_if_changed,
)
from referee.web.site.snapshot import Snapshot
from referee.web.template import asset

DEFAULT_PAGES: Final = 200

PageSelection: TypeAlias = Literal["default", "all", "faults", "none"] | int


class PageResult(NamedTuple):
    """A page that was asked for: whether it was written, or why it could not be made."""

    page: Path
    is_written: bool = False
    why: str | None = None


Progress: TypeAlias = Callable[[Iterator[PageResult], int, str], Iterator[PageResult]]


@dataclass
class GamePages:
    """The games that have a page, and counts of what was done."""

    pages: dict[tuple[str, int], str] = field(default_factory=dict)  # the file of each game
    made: int = 0
    kept: int = 0  # from an earlier site, and still up to date
    missing: list[str] = field(default_factory=list)  # selected, but without a valid record


def select_games(
    games: Sequence[StoredGame], selection: PageSelection, ratings: Mapping[str, float]
) -> list[StoredGame]:
    """The games that should have a page, oldest first; a game without a record has none.

    A number selects that many of the most interesting games.
    """
    games = [game for game in games if game.record is not None]
    if selection == "faults":
        return [game for game in games if game.faults]
    if selection == "none":
        return []
    if selection == "all":
        return games
    most = DEFAULT_PAGES if selection == "default" else selection
    chosen = {game.key for game in most_interesting(games, ratings, most)}
    return [game for game in games if game.key in chosen]


class _PageJob(NamedTuple):
    """A page to make from a record."""

    game: StoredGame
    record: Path
    name: str
    frame: SiteFrame


def make_games(
    snapshot: Snapshot,
    folder: SiteFolder,
    games: Sequence[StoredGame],
    head: SiteHead,
    progress: Progress,
) -> GamePages:
    """Make the pages on all cores, and copy the records; a page that is newer than its record and analysis is kept."""
    boards = frozenset(drawing_of(board.words).digest for board, _ in snapshot.setups)
    names = (name(*game.key) for game in games for name in (game_page, game_record))
    is_up_to_date = folder.expect(names, pages_digest(head))
    found = GamePages()
    jobs: list[_PageJob] = []
    for game in games:
        name, record = game_page(*game.key), game.record_in(snapshot.folder)
        if record is None or not record.is_file():
            found.missing.append(f"{name}: its record is missing")
        elif is_up_to_date and _is_newer(folder.path / name, record):
            _add(found, folder, game, record, is_written=False)
        else:
            nav = _nav(head, game)
            jobs.append(_PageJob(game, record, name, SiteFrame(head.title, nav, boards)))
    _make(folder, jobs, progress, found)
    return found


def pages_digest(head: SiteHead) -> str:
    """A digest of what all pages of games have in common; if it changes, they are made again."""
    parts = msgspec.json.encode([asset("game/page.html"), shared.digest(), __version__, head.title])
    return hashlib.sha256(parts).hexdigest()[:16]


def _nav(head: SiteHead, game: StoredGame) -> str:
    """Links from the page of a game to the rest of the site, and to its record."""
    links = Links({game.key: game_page(*game.key)}).from_subfolder()
    record = links.record(game.key)
    return tag(
        "nav",
        tag("a", head.title, href=f"{links.root}index.html"),
        tag("a", "Games", href=f"{links.root}games.html"),
        tag("a", "Record", href=record, download=""),
        aria_label="Site",
    )


def _make(
    folder: SiteFolder, jobs: Sequence[_PageJob], progress: Progress, found: GamePages
) -> None:
    targets = {folder.path / job.name: job for job in jobs}
    write = _PageWriter({target: (job.record, job.frame) for target, job in targets.items()})
    results: Iterator[PageResult] = in_parallel(write, list(targets), core_count())
    for result in progress(results, len(jobs), "pages of games"):
        job = targets[result.page]
        if result.why is None:
            _add(found, folder, job.game, job.record, is_written=result.is_written)
        else:
            found.missing.append(f"{job.name}: {result.why}")


def _add(
    found: GamePages, folder: SiteFolder, game: StoredGame, record: Path, *, is_written: bool
) -> None:
    """Note that a game has a page, and publish its record."""
    name = game_page(*game.key)
    folder.count(name, is_written=is_written)
    folder.copy(game_record(*game.key), record)
    found.pages[game.key] = name
    if is_written:
        found.made += 1
    else:
        found.kept += 1


@dataclass(frozen=True)
class _PageWriter:
    """Writes the page of a record; it is sent to other processes."""

    records: dict[Path, tuple[Path, SiteFrame]]  # by the path of the page

    def __call__(self, target: Path) -> PageResult:
        try:
            page = site_page_of(*self.records[target])
        except RecordRefused as error:
            return PageResult(target, why=str(error))
        try:
            return PageResult(target, is_written=write_if_changed(target, page.encode()))
        except OSError as error:
            raise SiteRefused(f"cannot write to {shown(target)}: {error.strerror}") from error


def _is_newer(page: Path, record: Path) -> bool:
    """Whether a page is newer than its record, and than the analysis of the record if there is one."""
    analysis = analysis_path(record)
    sources = [record, analysis] if analysis.exists() else [record]
    try:
        made = page.stat().st_mtime
        return all(made > source.stat().st_mtime for source in sources)
    except OSError:
        return False

"""The pages of games on a site: which games get a page, and making the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.errors import RecordRefused
from referee.records.verify import in_parallel
from referee.system import core_count
from referee.web.game.page import write_page
from referee.web.site.paths import SiteFolder, game_page
from referee.web.site.snapshot import Snapshot, StoredGame

DEFAULT_PAGES: Final = 200

PageSelection: TypeAlias = Literal["default", "all", "faults", "none"] | int
PageResult: TypeAlias = tuple[Path, str | None]  # a page, and why it could not be made
Progress: TypeAlias = Callable[[Iterator[PageResult], int, str], Iterator[PageResult]]


@dataclass
class GamePages:
    """The games that have a page, and counts of what was done."""

    pages: dict[tuple[str, int], str] = field(default_factory=dict)  # the file of each game
    made: int = 0
    kept: int = 0  # from an earlier site, and still up to date
    missing: list[str] = field(default_factory=list)  # selected, but without a valid record


def select_games(games: Sequence[StoredGame], selection: PageSelection) -> list[StoredGame]:
    """The games that should have a page, oldest first; a game without a record has none."""
    games = [game for game in games if game.record is not None]
    if selection == "default":
        with_faults = [game for game in games if game.faults][-DEFAULT_PAGES:]
        kept = {game.key for game in with_faults}
        others = [game for game in games if game.key not in kept]
        kept |= {game.key for game in _newest(others, DEFAULT_PAGES - len(with_faults))}
        return [game for game in games if game.key in kept]
    if selection == "faults":
        return [game for game in games if game.faults]
    if selection == "none":
        return []
    return list(games) if selection == "all" else _newest(games, selection)


def _newest(games: Sequence[StoredGame], count: int) -> list[StoredGame]:
    return list(games[-count:]) if count else []


class _PageJob(NamedTuple):
    game: StoredGame
    record: Path
    name: str


def make_games(
    snapshot: Snapshot, folder: SiteFolder, selection: PageSelection, progress: Progress
) -> GamePages:
    """Make the pages on all cores; a page that is newer than its record is kept as it is."""
    found = GamePages()
    jobs: list[_PageJob] = []
    for game in select_games(snapshot.games, selection):
        name, record = game_page(*game.key), game.record_in(snapshot.folder)
        if record is None or not record.is_file():
            found.missing.append(f"{name}: its record is missing")
        elif folder.is_of_this_referee and _is_newer(folder.path / name, record):
            folder.keep(name)
            found.kept += 1
            found.pages[game.key] = name
        else:
            jobs.append(_PageJob(game, record, name))
    _make(folder, jobs, progress, found)
    return found


def _make(
    folder: SiteFolder, jobs: Sequence[_PageJob], progress: Progress, found: GamePages
) -> None:
    targets = {folder.path / job.name: job for job in jobs}
    write = _PageWriter({target: job.record for target, job in targets.items()})
    results: Iterator[PageResult] = in_parallel(write, list(targets), core_count())
    for target, why in progress(results, len(jobs), "pages of games"):
        job = targets[target]
        if why is None:
            folder.keep(job.name)
            found.made += 1
            found.pages[job.game.key] = job.name
        else:
            found.missing.append(f"{job.name}: {why}")


@dataclass(frozen=True)
class _PageWriter:
    """Writes the page of a record; it is sent to other processes."""

    records: dict[Path, Path]  # by the path of the page

    def __call__(self, target: Path) -> PageResult:
        try:
            write_page(self.records[target], target)
        except RecordRefused as error:
            return target, str(error)
        return target, None


def _is_newer(page: Path, record: Path) -> bool:
    try:
        return page.stat().st_mtime > record.stat().st_mtime
    except OSError:
        return False

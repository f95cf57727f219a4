"""A tournament as a static web site: it can be opened from disk and loads nothing from other places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from referee.text import plural
from referee.tournament.live_ratings import RatingOptions
from referee.tournament.standings import make_standings
from referee.web import shared
from referee.web.game.page import board_files
from referee.web.site.bot import BotPage
from referee.web.site.descriptions import tournament_subtitle, tournament_title
from referee.web.site.downloads import write_data
from referee.web.site.games import (
    GamePages,
    PageSelection,
    Progress,
    make_games,
    pages_digest,
    select_games,
)
from referee.web.site.html import SiteHead
from referee.web.site.index import index_page
from referee.web.site.lists import Lists, faults_page, games_page
from referee.web.site.matrices import FILE, TITLE, has_own_page, matrices_page
from referee.web.site.paths import FileCounts, Links, SiteFolder, bot_page
from referee.web.site.snapshot import Snapshot, open_snapshot, snapshot_of
from referee.web.site.statistics import Figures, figures_of


@dataclass(frozen=True)
class SiteSummary:
    """What was written: the site, and counts of what is in it."""

    site: Path
    blocks: int
    games: int
    bots: int
    pages: GamePages
    files: FileCounts

    def to_dict(self) -> dict[str, object]:
        """The summary as `--json` prints it."""
        return {
            "site": str(self.site / "index.html"),
            "blocks": self.blocks,
            "games": self.games,
            "bots": self.bots,
            "pages_made": self.pages.made,
            "pages_kept": self.pages.kept,
            "without_page": self.pages.missing,
            "files": asdict(self.files),
        }


def make_site(
    folder: Path,
    out: Path,
    *,
    games: PageSelection = "default",
    points: Sequence[float] | None = None,
    anchor: str | None = None,
    progress: Progress = lambda results, _, __: results,
) -> SiteSummary:
    """Write the site of the tournament in `folder` to `out`; return a summary of it.

    `games` selects the games that get a page, `points` are the points for each place. `progress`
    wraps the iterator over the pages of games, and so can show how far it is. Raises a RefereeError
    if the store cannot be read, the anchor has not played, or the site cannot be written.
    """
    with open_snapshot(folder) as store:
        snapshot = snapshot_of(store)
        # First, so that nothing is written if it fails.
        figures = figures_of(snapshot, points, anchor)
        site = SiteFolder(out)
        standings = make_standings(store, RatingOptions(figures.points, anchor))
        write_data(site, store, standings, snapshot, figures)
    head = _head(snapshot, figures)
    _write_shared_files(site, snapshot)
    selected = select_games(snapshot.games, games, figures.rating_of)
    pages = make_games(snapshot, site, selected, head, progress)
    for name, text in _pages(snapshot, figures, pages, head):
        site.write(name, text)
    site.finish(pages_digest(head))
    blocks, played, bots = len(snapshot.results), len(snapshot.games), len(snapshot.bots)
    return SiteSummary(out, blocks, played, bots, pages, site.counts)


def _head(snapshot: Snapshot, figures: Figures) -> SiteHead:
    matrices = [(FILE, TITLE)] if snapshot.results and has_own_page(figures) else []
    names = [
        ("index.html", "Standings"),
        *matrices,
        ("games.html", "Games"),
        ("faults.html", "Faults"),
        ("index.html#played", "Settings"),
        ("index.html#data", "Data"),
    ]
    return SiteHead(tournament_title(snapshot), tournament_subtitle(snapshot), tuple(names))


def _write_shared_files(site: SiteFolder, snapshot: Snapshot) -> None:
    boards = {
        name: text
        for board, _ in snapshot.setups
        for name, text in board_files(board.words).items()
    }
    for name, text in (shared.files() | boards).items():
        site.write(f"{shared.FOLDER}/{name}", text)


def _pages(
    snapshot: Snapshot, figures: Figures, games: GamePages, head: SiteHead
) -> Iterator[tuple[str, str]]:
    links = Links(games.pages)
    lists = Lists(snapshot, figures.order, links)
    made = describe_pages(len(snapshot.games), games)
    yield "index.html", index_page(snapshot, figures, links, head)
    if snapshot.results and has_own_page(figures):
        yield FILE, matrices_page(figures, links, head)
    yield "games.html", games_page(snapshot, lists, made, head)
    yield "faults.html", faults_page(snapshot, lists, head)
    for entry in figures.ratings.entries:
        yield bot_page(entry.bot), BotPage(snapshot, figures, links, entry).page(head)


def describe_pages(games: int, pages: GamePages) -> str:
    """Say how many of the games have a page."""
    text = f"{len(pages.pages)} of {plural(games, 'game')} can be replayed."
    if not pages.missing:
        return text
    return f"{text} {len(pages.missing)} more have no valid record."

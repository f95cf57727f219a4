"""A tournament as a static web site: it can be opened from disk and loads nothing from other places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

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
from referee.web.site.moments import Moments, worst_moments
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
    head = site_head(snapshot)
    _write_shared_files(site, snapshot)
    selected = select_games(snapshot.games, games, figures.rating_of)
    pages = make_games(snapshot, site, selected, head, progress)
    made = describe_pages(len(snapshot.games), pages)
    moments = worst_moments(snapshot, pages.pages.keys())
    links = Links(pages.pages)
    for name, make in page_makers(snapshot, figures, links, made, head, moments).items():
        site.write(name, make())
    site.finish(pages_digest(head))
    blocks, played, bots = len(snapshot.results), len(snapshot.games), len(snapshot.bots)
    return SiteSummary(out, blocks, played, bots, pages, site.counts)


def site_head(snapshot: Snapshot) -> SiteHead:
    """What all pages of the site have at the top."""
    matrices = [(FILE, TITLE)] if has_own_page(snapshot) else []
    names = [
        ("index.html", "Standings"),
        *matrices,
        ("games.html", "Games"),
        ("faults.html", "Faults"),
        ("index.html#played", "Settings"),
        *([] if snapshot.is_public else [("index.html#data", "Data")]),
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


def page_makers(
    snapshot: Snapshot,
    figures: Figures,
    links: Links,
    made: str,
    head: SiteHead,
    moments: Moments = MappingProxyType({}),
) -> dict[str, Callable[[], str]]:
    """Functions that make the pages of the site, without those of games, by the names of their files.

    `links` knows the pages of games, and `made` says how many there are. `moments` are the worst
    moments of the bots.
    """
    lists = Lists(snapshot, figures.order, links)
    makers: dict[str, Callable[[], str]] = {
        "index.html": lambda: index_page(snapshot, figures, links, head),
        "games.html": lambda: games_page(snapshot, lists, made, head),
        "faults.html": lambda: faults_page(snapshot, lists, head),
    }
    if has_own_page(snapshot):
        makers[FILE] = lambda: matrices_page(figures, links, head)
    for entry in figures.ratings.entries:
        bot = BotPage(snapshot, figures, links, entry, moments.get(entry.bot, ()))
        makers[bot_page(entry.bot)] = partial(bot.page, head)
    return makers


def describe_pages(games: int, pages: GamePages) -> str:
    """Say how many of the games have a page."""
    text = f"{len(pages.pages)} of {plural(games, 'game')} can be replayed."
    if not pages.missing:
        return text
    return f"{text} {len(pages.missing)} more have no valid record."

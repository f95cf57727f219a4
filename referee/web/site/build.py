"""A tournament as a static web site: it can be opened from disk and loads nothing from other places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.tournament.live_ratings import RatingOptions
from referee.tournament.standings import make_standings
from referee.web.site.bot import BotPage
from referee.web.site.descriptions import tournament_title
from referee.web.site.downloads import write_data
from referee.web.site.games import GamePages, PageSelection, Progress, make_games
from referee.web.site.index import index_page
from referee.web.site.lists import Lists, faults_page, games_page
from referee.web.site.paths import Links, SiteFolder, bot_page
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
        figures = figures_of(
            snapshot, points, anchor
        )  # first, so that nothing is written if it fails
        site = SiteFolder(out)
        standings = make_standings(store, RatingOptions(figures.points, anchor))
        write_data(site, store, standings, snapshot, figures)
    pages = make_games(snapshot, site, games, progress)
    for name, text in _pages(snapshot, figures, pages):
        site.write(name, text)
    site.remove_old_pages()
    return SiteSummary(out, len(snapshot.results), len(snapshot.games), len(snapshot.bots), pages)


def _pages(snapshot: Snapshot, figures: Figures, games: GamePages) -> Iterator[tuple[str, str]]:
    links, subtitle = Links(games.pages), tournament_title(snapshot)
    lists = Lists(snapshot, figures.order, links)
    yield "index.html", index_page(snapshot, figures, links)
    yield (
        "games.html",
        games_page(snapshot, lists, describe_pages(len(snapshot.games), games), subtitle),
    )
    yield "faults.html", faults_page(snapshot, lists, subtitle)
    for entry in figures.ratings.entries:
        yield bot_page(entry.bot), BotPage(snapshot, figures, links, entry).page(subtitle)


def describe_pages(games: int, pages: GamePages) -> str:
    """Say how many of the games have a page."""
    text = f"{len(pages.pages)} of {games} games can be replayed."
    if not pages.missing:
        return text
    return f"{text} {len(pages.missing)} more have no valid record."

"""A tournament as a static web site: it opens from the disk and loads nothing from anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.tournament.live_ratings import RatingOptions
from referee.tournament.standings import make_standings
from referee.web.site.bot import BotPage
from referee.web.site.descriptions import title
from referee.web.site.downloads import write_data
from referee.web.site.games import GamePages, Wanted, Watched, make_games
from referee.web.site.index import index_page
from referee.web.site.lists import Lists, faults_page, games_page
from referee.web.site.paths import Links, SiteFolder, bot_page
from referee.web.site.snapshot import Source, open_snapshot, source_of
from referee.web.site.statistics import Figures, figures_of


@dataclass(frozen=True)
class Made:
    """What was written: the site, and counts of what is in it."""

    site: Path
    blocks: int
    games: int
    bots: int
    pages: GamePages

    def to_dict(self) -> dict[str, object]:
        """Return plain data for `--json`."""
        return {
            "site": str(self.site / "index.html"),
            "blocks": self.blocks,
            "games": self.games,
            "bots": self.bots,
            "pages_made": self.pages.made,
            "pages_kept": self.pages.kept,
            "without_page": self.pages.without,
        }


def make_site(
    folder: Path,
    out: Path,
    *,
    games: Wanted = "default",
    points: Sequence[float] | None = None,
    anchor: str | None = None,
    watched: Watched = lambda tried, _, __: tried,
) -> Made:
    """Make the site of the tournament in a folder; `watched` wraps the iteration over pages of games.

    Raises RefereeError if the store cannot be read, the anchor has not played, or the site cannot be
    written.
    """
    with open_snapshot(folder) as store:
        source = source_of(store)
        figures = figures_of(source, points, anchor)  # it may refuse, and nothing is written yet
        site = SiteFolder(out)
        standings = make_standings(store, RatingOptions(figures.points, anchor))
        write_data(site, store, standings, source, figures)
    pages = make_games(source, site, games, watched)
    for name, text in _pages(source, figures, pages):
        site.write(name, text)
    site.tidy()
    return Made(out, len(source.results), len(source.games), len(source.bots), pages)


def _pages(source: Source, figures: Figures, games: GamePages) -> Iterator[tuple[str, str]]:
    links, occasion = Links(games.pages), title(source)
    lists = Lists(source, figures.order, links)
    yield "index.html", index_page(source, figures, links)
    yield (
        "games.html",
        games_page(source, lists, describe_pages(len(source.games), games), occasion),
    )
    yield "faults.html", faults_page(source, lists, occasion)
    for entry in figures.ratings.entries:
        yield bot_page(entry.bot), BotPage(source, figures, links, entry).page(occasion)


def describe_pages(games: int, pages: GamePages) -> str:
    """Describe how many of the games have a page."""
    have = f"{len(pages.pages)} of {games} games have a page to watch them on."
    if not pages.without:
        return have
    return f"{have} For {len(pages.without)} more there is no good record."

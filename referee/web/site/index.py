"""The first page of a site: the standings and everything that explains them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from referee.text import plural
from referee.tournament.ratings import Entry, SeatEffect
from referee.tournament.ratings.scale import RatingInterval, interval_of
from referee.web.site.cells import COUNT_HEADS, count_cells, rating_text
from referee.web.site.charts import Bars
from referee.web.site.descriptions import dates, progress, settings
from referee.web.site.downloads import FILES
from referee.web.site.html import (
    NO_DATA,
    Child,
    Html,
    SiteHead,
    facts,
    intro,
    joined,
    page,
    section,
    sortable,
    tag,
)
from referee.web.site.interest import Highlight, close_games, upsets
from referee.web.site.markdown import rendered
from referee.web.site.matrices import cross_table, has_own_page, link_to_matrices, superiority
from referee.web.site.paths import DATA, Links
from referee.web.site.rounds import swiss_rounds
from referee.web.site.snapshot import Snapshot
from referee.web.site.standings import growth, standings
from referee.web.site.statistics import Figures, summed

WATCHED: Final = 4  # games of each kind that the first page recommends


def index_page(snapshot: Snapshot, figures: Figures, links: Links, head: SiteHead) -> str:
    return page(head, "Standings", _sections(snapshot, figures, links))


def _sections(snapshot: Snapshot, figures: Figures, links: Links) -> Iterator[Html]:
    yield status(snapshot)
    if snapshot.about.introduction:
        markup = rendered(snapshot.about.introduction)
        yield tag("section", markup, id="introduction", class_="card prose")
    if not snapshot.results:
        yield section("standings", "Standings", tag("p", "No block is finished yet."))
    else:
        yield standings(snapshot, figures, links)
        yield from games_to_watch(snapshot, figures, links)
        yield growth(figures, links)
        yield from swiss_rounds(snapshot, links)
        if has_own_page(snapshot):
            yield link_to_matrices()
        else:
            yield superiority(figures, links)
            yield cross_table(figures, links)
        yield seats(snapshot, figures)
        if len(figures.selections) > 1:
            yield selections(snapshot, figures, links)
        yield faults(snapshot, figures, links)
    yield settings_section(snapshot)
    if not snapshot.is_public:
        yield data_files()


def status(snapshot: Snapshot) -> Html:
    """How far the tournament is, in one line."""
    games, bots = plural(len(snapshot.games), "game"), plural(len(snapshot.bots), "bot")
    parts = [tag("b", progress(snapshot)), games, bots, dates(snapshot)]
    return tag("p", *(tag("span", part) for part in parts if part), id="status", class_="status")


def games_to_watch(snapshot: Snapshot, figures: Figures, links: Links) -> Iterator[Html]:
    """The games that can be replayed and are most worth it: upsets and close games."""
    games = [game for game in snapshot.games if game.key in links.pages]
    kinds = {"Upsets": upsets(games, figures.rating_of), "Close games": close_games(games)}
    parts = [
        joined((tag("h3", title), tag("ul", *_watch(highlights, links), class_="plain")))
        for title, highlights in kinds.items()
        if highlights
    ]
    if parts:
        yield section("watch", "Games to watch", *parts)


def _watch(highlights: Sequence[Highlight], links: Links) -> Iterator[Html]:
    for highlight in highlights[:WATCHED]:
        game = highlight.game
        link = tag("a", f"{game.block}-{game.number}", href=links.game(game.key))
        yield tag("li", link, f" – {highlight.reason}")


# -- seats, selections of games, faults


def seats(snapshot: Snapshot, figures: Figures) -> Html:
    """What each seat of each table is worth in Elo."""
    effects = figures.ratings.seats
    bars = Bars([RatingInterval(effect.elo, effect.low, effect.high) for effect in effects], 0)
    axis = tag("th", bars.axis(), scope="col", class_="wide")
    head: list[Child] = ["table", "seat", "Elo", axis, *COUNT_HEADS]
    labels = snapshot.table_labels
    rows = [_seat(figures, effect, bars, labels[effect.table]) for effect in effects]
    text = "The advantage of each seat, compared with the mean of all seats of its table."
    return section("seats", "Seats", intro(text), sortable(head, rows))


def _seat(figures: Figures, effect: SeatEffect, bars: Bars, table: str) -> list[Child]:
    interval = RatingInterval(effect.elo, effect.low, effect.high)
    return [
        table,
        effect.seat,
        tag("td", rating_text(interval), class_="strong"),
        tag("td", bars.bar(interval), class_="wide"),
        *count_cells(summed(figures.by_seat, table=effect.table, seat=effect.seat)),
    ]


def selections(snapshot: Snapshot, figures: Figures, links: Links) -> Html:
    """The ratings from some of the games, beside those from all games."""
    entries_by_selection = {
        name: {entry.bot: entry for entry in ratings.entries}
        for name, ratings in figures.selections.items()
    }
    rows = [
        [links.bot(bot), *(_entry(entries.get(bot)) for entries in entries_by_selection.values())]
        for bot in figures.order
    ]
    labels = snapshot.table_labels
    heads = [
        f"{labels.get(name, name)} ({ratings.games})"
        for name, ratings in figures.selections.items()
    ]
    text = "Each column uses only some of the games; their number is in parentheses."
    return section(
        "selections", "Ratings from some of the games", intro(text), sortable(["bot", *heads], rows)
    )


def _entry(entry: Entry | None) -> str:
    return rating_text(interval_of(entry)) if entry is not None and entry.games else NO_DATA


def faults(snapshot: Snapshot, figures: Figures, links: Links) -> Html:
    """How often each bot was at fault, by the kind of fault."""
    counts = Counter((fault.bot, fault.fault) for fault in snapshot.faults)
    if not counts:
        return section("faults", "Faults", intro("No bot was at fault."))
    kinds = sorted({kind for _, kind in counts})
    rows = [
        [
            tag("a", bot, href=links.faults_of(bot)),
            *(counts[bot, kind] or NO_DATA for kind in kinds),
        ]
        for bot in figures.order
        if any(counts[bot, kind] for kind in kinds)
    ]
    out = [
        tag("li", f"{bot.name} is disqualified in the tournament: {bot.out}")
        for bot in snapshot.bots
        if bot.out
    ]
    text = f"List of faults ({len(snapshot.faults)})"
    link = tag("p", tag("a", text, href="faults.html"))
    return section("faults", "Faults", sortable(["bot", *kinds], rows), tag("ul", *out), link)


# -- settings and data


def settings_section(snapshot: Snapshot) -> Html:
    """The settings of the tournament, and its bots."""
    bots = [
        [bot.name, bot.profile.author or NO_DATA, bot.content[:16], bot.out or NO_DATA]
        for bot in snapshot.bots
    ]
    return section(
        "played",
        "Settings",
        facts(settings(snapshot)),
        sortable(["bot", "author", "digest", "disqualified"], bots),
    )


def data_files() -> Html:
    """Links to the data files, with a description of each."""
    items = (
        tag("li", tag("a", name, href=f"{DATA}/{name}", download=name), f" – {content}")
        for name, content in FILES.items()
    )
    return section("data", "Data", tag("ul", *items, class_="plain"))

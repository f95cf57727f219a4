"""The first page of a site: the standings and everything that explains them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from referee.tournament.ratings import Entry, SeatEffect
from referee.web.site.cells import (
    COUNTED,
    ITSELF,
    chance_cell,
    counted_cells,
    meeting_cell,
    rating_text,
    spread,
)
from referee.web.site.charts import Bars
from referee.web.site.descriptions import played, title
from referee.web.site.downloads import FILES
from referee.web.site.html import Child, Html, facts, intro, page, section, table, tag
from referee.web.site.paths import DATA, Links
from referee.web.site.snapshot import Source
from referee.web.site.standings import growth, standings
from referee.web.site.statistics import Figures, RatingInterval, summed


def index_page(source: Source, figures: Figures, links: Links) -> str:
    """Return the first page of the site."""
    return page("Tournament", _sections(source, figures, links), occasion=title(source))


def _sections(source: Source, figures: Figures, links: Links) -> Iterator[Html]:
    if not source.results:
        yield section("standings", "Standings", tag("p", "No block is finished yet."))
    else:
        yield standings(source, figures, links)
        yield growth(figures, links)
        yield superiority(figures, links)
        yield cross_table(figures, links)
        yield seats(figures)
        if len(figures.apart) > 1:
            yield apart(figures, links)
        yield faults(source, figures, links)
    yield what_is_played(source)
    yield data_files()


# -- one against another


def superiority(figures: Figures, links: Links) -> Html:
    """How likely each is stronger than each other."""
    order = figures.order
    group = {bot: number for number, some in enumerate(figures.ratings.groups) for bot in some}

    def cell(bot: str, other: str, chance: float) -> Html:
        if bot == other:
            return ITSELF
        have_met = bot in group and group[bot] == group.get(other)
        return chance_cell(chance) if have_met else tag("td", "–", class_="none")

    rows = [
        [links.bot(bot), *(cell(bot, *one) for one in zip(order, chances, strict=True))]
        for bot, chances in zip(order, figures.ratings.superiority, strict=True)
    ]
    said = "How likely the bot of the row is truly stronger than that of the column."
    return section("superiority", "Likelihood of superiority", intro(said), _square(order, rows))


def cross_table(figures: Figures, links: Links) -> Html:
    """The table of who came before whom."""
    order = figures.order

    def cell(bot: str, other: str) -> Html:
        return ITSELF if bot == other else meeting_cell(figures.meetings.get((bot, other)))

    rows = [[links.bot(bot), *(cell(bot, other) for other in order)] for bot in order]
    said = (
        "In which share of their games the bot of the row came before that of the column, and how"
        " many games they had; a tie counts one half."
    )
    return section("cross", "Cross table", intro(said), _square(order, rows))


def _square(order: Sequence[str], rows: Sequence[Sequence[Child]]) -> Html:
    heads = (tag("th", tag("span", bot), scope="col", title=bot) for bot in order)
    return table(["", *heads], rows, "square")


# -- apart


def seats(figures: Figures) -> Html:
    """The table of what each seat is worth."""
    effects = figures.ratings.seats
    bars = Bars([RatingInterval(one.elo, one.low, one.high) for one in effects], 0)
    head = ["table", "seat", "Elo", tag("th", bars.axis(), scope="col", class_="wide")]
    head += COUNTED
    rows = [_seat(figures, one, bars) for one in effects]
    said = "What a seat is worth to whoever sits there, against the mean of the table's seats."
    return section("seats", "Seats", intro(said), table(head, rows))


def _seat(figures: Figures, one: SeatEffect, bars: Bars) -> list[Child]:
    known = RatingInterval(one.elo, one.low, one.high)
    return [
        one.table,
        one.seat + 1,
        tag("td", rating_text(known), class_="strong"),
        tag("td", bars.bar(known), class_="wide"),
        *counted_cells(summed(figures.chairs, table=one.table, seat=one.seat)),
    ]


def apart(figures: Figures, links: Links) -> Html:
    """The same ratings from fewer games."""
    found = {
        name: {entry.bot: entry for entry in ratings.entries}
        for name, ratings in figures.apart.items()
    }
    rows = [
        [links.bot(bot), *(_entry(entries.get(bot)) for entries in found.values())]
        for bot in figures.order
    ]
    heads = [f"{name} ({ratings.games})" for name, ratings in figures.apart.items()]
    said = "Ratings from some of the games alone; in brackets how many these are."
    return section("apart", "Apart", intro(said), table(["bot", *heads], rows))


def _entry(entry: Entry | None) -> str:
    return rating_text(spread(entry)) if entry is not None and entry.games else "–"


def faults(source: Source, figures: Figures, links: Links) -> Html:
    """Who was at fault how often, by the kind of fault."""
    counts = Counter((fault.bot, fault.fault) for fault in source.faults)
    if not counts:
        return section("faults", "Faults", intro("No bot was at fault."))
    kinds = sorted({kind for _, kind in counts})
    rows = [
        [tag("a", bot, href=links.faults_of(bot)), *(counts[bot, kind] or "–" for kind in kinds)]
        for bot in figures.order
        if any(counts[bot, kind] for kind in kinds)
    ]
    out = [
        tag("li", f"{bot.name} is out of the tournament: {bot.out}")
        for bot in source.bots
        if bot.out
    ]
    every = tag("p", tag("a", f"All {len(source.faults)} faults, with links", href="faults.html"))
    return section("faults", "Faults", table(["bot", *kinds], rows), tag("ul", *out), every)


# -- about


def what_is_played(source: Source) -> Html:
    """The settings of the tournament, and its bots."""
    bots = [[bot.name, bot.content[:16], bot.out or "–"] for bot in source.bots]
    return section(
        "played",
        "What is played",
        facts(played(source)),
        table(["bot", "digest", "out of the tournament"], bots),
    )


def data_files() -> Html:
    """Links to the data files, for programs."""
    items = (
        tag("li", tag("a", name, href=f"{DATA}/{name}", download=name), f" – {words}")
        for name, words in FILES.items()
    )
    return section("data", "Data", tag("ul", *items, class_="plain"))

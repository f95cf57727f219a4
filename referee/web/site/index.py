"""The first page of a site: the standings and everything that explains them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from referee.tournament.ratings import Entry, SeatEffect
from referee.web.site.cells import (
    COUNT_HEADS,
    SELF_CELL,
    chance_cell,
    count_cells,
    interval_of,
    meeting_cell,
    rating_text,
)
from referee.web.site.charts import Bars
from referee.web.site.descriptions import settings, tournament_title
from referee.web.site.downloads import FILES
from referee.web.site.html import Child, Html, facts, intro, page, section, table, tag
from referee.web.site.paths import DATA, Links
from referee.web.site.snapshot import Snapshot
from referee.web.site.standings import growth, standings
from referee.web.site.statistics import Figures, RatingInterval, summed


def index_page(snapshot: Snapshot, figures: Figures, links: Links) -> str:
    return page(
        "Tournament", _sections(snapshot, figures, links), subtitle=tournament_title(snapshot)
    )


def _sections(snapshot: Snapshot, figures: Figures, links: Links) -> Iterator[Html]:
    if not snapshot.results:
        yield section("standings", "Standings", tag("p", "No block is finished yet."))
    else:
        yield standings(snapshot, figures, links)
        yield growth(figures, links)
        yield superiority(figures, links)
        yield cross_table(figures, links)
        yield seats(figures)
        if len(figures.selections) > 1:
            yield selections(figures, links)
        yield faults(snapshot, figures, links)
    yield settings_section(snapshot)
    yield data_files()


# -- one bot against another


def superiority(figures: Figures, links: Links) -> Html:
    """How likely each bot is stronger than each other bot."""
    order = figures.order
    group = {bot: number for number, bots in enumerate(figures.ratings.groups) for bot in bots}

    def cell(bot: str, other: str, chance: float) -> Html:
        if bot == other:
            return SELF_CELL
        comparable = bot in group and group[bot] == group.get(other)
        return chance_cell(chance) if comparable else tag("td", "–", class_="none")

    rows = [
        [links.bot(bot), *(cell(bot, *pair) for pair in zip(order, chances, strict=True))]
        for bot, chances in zip(order, figures.ratings.superiority, strict=True)
    ]
    text = "How likely the bot in the row is stronger than the bot in the column."
    return section("superiority", "Likelihood of superiority", intro(text), _square(order, rows))


def cross_table(figures: Figures, links: Links) -> Html:
    """How often each bot finished ahead of each other bot."""
    order = figures.order

    def cell(bot: str, other: str) -> Html:
        return SELF_CELL if bot == other else meeting_cell(figures.meetings.get((bot, other)))

    rows = [[links.bot(bot), *(cell(bot, other) for other in order)] for bot in order]
    text = (
        "How often the bot in the row finished ahead of the bot in the column; a tie counts as one"
        " half. The small number is how many games they played."
    )
    return section("cross", "Cross table", intro(text), _square(order, rows))


def _square(order: Sequence[str], rows: Sequence[Sequence[Child]]) -> Html:
    heads = (tag("th", tag("span", bot), scope="col", title=bot) for bot in order)
    return table(["", *heads], rows, "square")


# -- seats, selections of games, faults


def seats(figures: Figures) -> Html:
    """What each seat of each table is worth in Elo."""
    effects = figures.ratings.seats
    bars = Bars([RatingInterval(effect.elo, effect.low, effect.high) for effect in effects], 0)
    head = ["table", "seat", "Elo", tag("th", bars.axis(), scope="col", class_="wide")]
    head += COUNT_HEADS
    rows = [_seat(figures, effect, bars) for effect in effects]
    text = "The advantage of each seat, compared with the mean of all seats of its table."
    return section("seats", "Seats", intro(text), table(head, rows))


def _seat(figures: Figures, effect: SeatEffect, bars: Bars) -> list[Child]:
    interval = RatingInterval(effect.elo, effect.low, effect.high)
    return [
        effect.table,
        effect.seat,
        tag("td", rating_text(interval), class_="strong"),
        tag("td", bars.bar(interval), class_="wide"),
        *count_cells(summed(figures.by_seat, table=effect.table, seat=effect.seat)),
    ]


def selections(figures: Figures, links: Links) -> Html:
    """The ratings from some of the games, beside those from all games."""
    entries_by_selection = {
        name: {entry.bot: entry for entry in ratings.entries}
        for name, ratings in figures.selections.items()
    }
    rows = [
        [links.bot(bot), *(_entry(entries.get(bot)) for entries in entries_by_selection.values())]
        for bot in figures.order
    ]
    heads = [f"{name} ({ratings.games})" for name, ratings in figures.selections.items()]
    text = "Each column uses only some of the games; their number is in parentheses."
    return section(
        "selections", "Ratings from some of the games", intro(text), table(["bot", *heads], rows)
    )


def _entry(entry: Entry | None) -> str:
    return rating_text(interval_of(entry)) if entry is not None and entry.games else "–"


def faults(snapshot: Snapshot, figures: Figures, links: Links) -> Html:
    """How often each bot was at fault, by the kind of fault."""
    counts = Counter((fault.bot, fault.fault) for fault in snapshot.faults)
    if not counts:
        return section("faults", "Faults", intro("No bot was at fault."))
    kinds = sorted({kind for _, kind in counts})
    rows = [
        [tag("a", bot, href=links.faults_of(bot)), *(counts[bot, kind] or "–" for kind in kinds)]
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
    return section("faults", "Faults", table(["bot", *kinds], rows), tag("ul", *out), link)


# -- settings and data


def settings_section(snapshot: Snapshot) -> Html:
    """The settings of the tournament, and its bots."""
    bots = [[bot.name, bot.content[:16], bot.out or "–"] for bot in snapshot.bots]
    return section(
        "played",
        "Settings",
        facts(settings(snapshot)),
        table(["bot", "digest", "disqualified"], bots),
    )


def data_files() -> Html:
    """Links to the data files, with a description of each."""
    items = (
        tag("li", tag("a", name, href=f"{DATA}/{name}", download=name), f" – {content}")
        for name, content in FILES.items()
    )
    return section("data", "Data", tag("ul", *items, class_="plain"))

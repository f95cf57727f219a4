"""The standings with their interval bars, and the ratings over time."""

from __future__ import annotations

from referee.text import plural
from referee.tournament.ratings import Entry
from referee.tournament.ratings.scale import interval_of
from referee.web.site.cells import place_and_bot, rating_text
from referee.web.site.charts import TINTS, Bars, curve_chart, legend
from referee.web.site.html import (
    NO_DATA,
    Child,
    Html,
    intro,
    likelihood,
    number,
    percent,
    section,
    sortable,
    tag,
)
from referee.web.site.paths import Links
from referee.web.site.snapshot import Snapshot
from referee.web.site.statistics import Figures


def standings(snapshot: Snapshot, figures: Figures, links: Links) -> Html:
    """The table of all bots, best first."""
    ratings = figures.ratings
    bars = Bars([interval_of(entry) for entry in ratings.entries if entry.games], ratings.anchor_at)
    out = {bot.name for bot in snapshot.bots if bot.out is not None}
    head: list[Child] = ["bot", tag("th", "rating", scope="col", aria_sort="descending")]
    head.append(tag("th", bars.axis(), scope="col", class_="wide"))
    head += ["above next", "blocks", "games", "first", "mean rank", "mean prestige"]
    head += ["points"] * (figures.points is not None)
    head += ["faults", "disqualified"]
    rows = [
        [
            place_and_bot(place, entry.bot, links, *_out_mark(is_out=entry.bot in out)),
            *_figures(entry, bars, links, figures),
        ]
        for place, entry in enumerate(ratings.entries, start=1)
    ]
    return section(
        "standings",
        "Standings",
        *_verdict(snapshot),
        intro(_explanation(figures)),
        sortable(head, rows),
    )


def _verdict(snapshot: Snapshot) -> list[Html]:
    """The sentence of a sequential test, if there is one."""
    verdict = snapshot.verdict
    return [] if verdict is None else [tag("p", tag("strong", f"{verdict.sentence}."))]


def _explanation(figures: Figures) -> str:
    ratings = figures.ratings
    mean = f"{ratings.anchor_at:.0f}"
    fixed = f"{ratings.anchor or 'the mean of all bots'} is at {mean}"
    text = (
        f"{plural(ratings.blocks, 'block')}, {plural(ratings.games, 'game')}. Ratings are on the Elo"
        f" scale with 95 % confidence intervals; {fixed}. “Above next” is how likely a bot is"
        " stronger than the bot below it."
    )
    if len(ratings.groups) > 1:
        text += (
            f" {len(ratings.groups)} groups of bots have not played against each other, so their"
            " ratings cannot be compared."
        )
    return text


def _out_mark(*, is_out: bool) -> list[Html]:
    return [tag("span", "disqualified", class_="chip fault")] if is_out else []


def _figures(entry: Entry, bars: Bars, links: Links, figures: Figures) -> list[Child]:
    if not entry.games:
        return [
            NO_DATA,
            tag("td", "no games", class_="wide"),
            *[NO_DATA] * (8 + (figures.points is not None)),
        ]
    return [
        tag("td", rating_text(interval_of(entry)), class_="strong", data_label="rating"),
        tag("td", bars.bar(interval_of(entry)), class_="wide"),
        likelihood(entry.superiority_over_next),
        entry.blocks,
        entry.games,
        percent(entry.first_places / entry.games),
        number(entry.mean_rank, 2),
        number(entry.mean_total, 1),
        *([number(entry.points, 1)] if figures.points is not None else []),
        _faults(entry, links),
        entry.disqualified or tag("td", "0", class_="none"),
    ]


def _faults(entry: Entry, links: Links) -> Html:
    if not entry.faults:
        return tag("td", "0", class_="none")
    text = f"{entry.faults} in {plural(entry.faulted_games, 'game')}"
    return tag("td", tag("a", text, href=links.faults_of(entry.bot)))


def growth(figures: Figures, links: Links) -> Html:
    """The chart of ratings over time, of as many bots as there are colours."""
    rated = [entry.bot for entry in figures.ratings.entries if entry.games]
    bots = rated[:TINTS]
    text = (
        "The ratings as more and more blocks are finished, with 95 % confidence intervals. What does"
        " not fit the scale leaves the chart."
    )
    if len(bots) < len(rated):
        text += f" The best {len(bots)} bots are shown; every bot has its own chart on its page."
    return section(
        "growth",
        "Ratings over time",
        intro(text),
        curve_chart(figures.curve, bots),
        legend([links.bot(bot) for bot in bots]),
    )

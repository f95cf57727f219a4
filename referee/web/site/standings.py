"""The standings with their interval bars, and how the ratings grew."""

from __future__ import annotations

from referee.tournament.ratings import Entry
from referee.web.site.cells import rating_text, spread
from referee.web.site.charts import TINTS, Bars, curve_chart, legend
from referee.web.site.html import (
    Child,
    Html,
    intro,
    likelihood,
    number,
    percent,
    section,
    table,
    tag,
)
from referee.web.site.paths import Links
from referee.web.site.snapshot import Source
from referee.web.site.statistics import Figures


def standings(source: Source, figures: Figures, links: Links) -> Html:
    """The bots, the best first."""
    ratings = figures.ratings
    bars = Bars([spread(entry) for entry in ratings.entries if entry.games], ratings.anchor_at)
    out = {bot.name for bot in source.bots if bot.out is not None}
    head = ["bot", "rating", tag("th", bars.axis(), scope="col", class_="wide")]
    head += ["over the next", "blocks", "games", "first", "mean rank", "mean prestige"]
    head += ["points"] * (figures.points is not None)
    head += ["faults", "disqualified"]
    rows = [_standing(entry, bars, links, out, figures) for entry in ratings.entries]
    return section(
        "standings",
        "Standings",
        intro(_about(figures)),
        table(head, rows, "ranked"),
    )


def _about(figures: Figures) -> str:
    ratings = figures.ratings
    mean = f"{ratings.anchor_at:.0f}"
    fixed = f"{ratings.anchor} is at {mean}" if ratings.anchor else f"the mean is {mean}"
    said = (
        f"{ratings.blocks} blocks, {ratings.games} games. Ratings on the Elo scale with 95 %"
        f" intervals; {fixed}. “Over the next” is how likely a bot is stronger than the one below."
    )
    if len(ratings.groups) > 1:
        said += (
            f" {len(ratings.groups)} groups of bots never met: their ratings cannot be compared."
        )
    return said


def _standing(
    entry: Entry, bars: Bars, links: Links, out: set[str], figures: Figures
) -> list[Child]:
    who = tag("th", links.bot(entry.bot), *_mark(entry.bot in out), scope="row")
    if not entry.games:
        return [who, "–", "no games", *["–"] * (8 + (figures.points is not None))]
    return [
        who,
        tag("td", rating_text(spread(entry)), class_="strong"),
        tag("td", bars.bar(spread(entry)), class_="wide"),
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


def _mark(is_out: bool) -> list[Html]:
    return [tag("span", "out", class_="chip fault")] if is_out else []


def _faults(entry: Entry, links: Links) -> Html:
    if not entry.faults:
        return tag("td", "0", class_="none")
    words = f"{entry.faults} in {entry.faulted_games} games"
    return tag("td", tag("a", words, href=links.faults_of(entry.bot)))


def growth(figures: Figures, links: Links) -> Html:
    """How the ratings came about."""
    rated = [entry.bot for entry in figures.ratings.entries if entry.games]
    bots = rated[:TINTS]
    few = "all bots"
    if len(bots) < len(rated):
        few = f"the best {len(bots)}; every bot's own page has its curve"
    said = f"After growing numbers of blocks, in the order in which these were finished: {few}."
    return section(
        "growth",
        "Growth of the ratings",
        intro(said),
        tag("div", curve_chart(figures.curve, bots), class_="scroll"),
        legend([links.bot(bot) for bot in bots]),
    )

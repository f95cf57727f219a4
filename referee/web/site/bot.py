"""The page of one bot: its rating, against whom, from which seats, its faults and its games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.tournament.ratings import Difference, Entry
from referee.web.site.cells import (
    COUNTED,
    chance_cell,
    counted_cells,
    meeting_cell,
    rating_text,
    spread,
)
from referee.web.site.charts import Bars, curve_chart
from referee.web.site.html import (
    Child,
    Html,
    facts,
    intro,
    likelihood,
    number,
    page,
    percent,
    section,
    table,
    tag,
)
from referee.web.site.lists import Lists, list_of
from referee.web.site.paths import Links
from referee.web.site.snapshot import Source
from referee.web.site.statistics import Figures, RatingInterval, summed

MOST: Final = 300  # games and faults on a bot's own page; the common lists have all


class BotPage:
    """Makes the page of one bot."""

    def __init__(self, source: Source, figures: Figures, links: Links, entry: Entry) -> None:
        self._source = source
        self._figures = figures
        self._links = links.up()
        self._entry = entry
        self._bot = entry.bot

    def page(self, occasion: str) -> str:
        """Return the whole page as HTML."""
        bot = self._bot
        games = [game for game in self._source.games if any(s.bot == bot for s in game.seats)]
        faults = [fault for fault in self._source.faults if fault.bot == bot]
        lists = Lists(self._source, self._figures.order, self._links)
        data = lists.data(games[-MOST:], faults[-MOST:])
        parts = self._parts(len(games), len(faults))
        return page(bot, parts, root="../", occasion=occasion, data=data)

    def _parts(self, games: int, faults: int) -> Iterator[Html]:
        yield self._rating()
        if self._entry.games:
            yield section("growth", "Growth of the rating", self._curve())
            yield section("opponents", "By opponent", self._opponents())
            yield section("seats", "By seat and table", self._seats())
        yield section("faults", "Faults", self._newest(faults, "faults"), list_of("faults"))
        yield section("games", "Games", self._newest(games, "games"), list_of("games"))

    def _newest(self, count: int, what: str) -> Html:
        """How many there are, and where all of them are."""
        every = self._links.games_of if what == "games" else self._links.faults_of
        shown = f"The newest {MOST} of {count} {what}. " if count > MOST else f"{count} {what}. "
        link = tag("a", f"In the list of all {what}", href=every(self._bot))
        return intro(shown, link)

    def _rating(self) -> Html:
        return section("rating", self._bot, facts(self._facts()))

    def _facts(self) -> Iterator[tuple[str, Child]]:
        entry = self._entry
        stored = {bot.name: bot for bot in self._source.bots}.get(self._bot)
        if stored is not None:
            yield "digest", stored.content[:16]
        if stored is not None and stored.out is not None:
            yield "out of the tournament", stored.out
        if not entry.games:
            yield "games", "none yet"
            return
        place = self._figures.order.index(self._bot) + 1
        yield "place", f"{place} of {len(self._figures.order)}"
        yield "rating", rating_text(spread(entry))
        yield "played", f"{entry.games} games in {entry.blocks} blocks"
        yield "first places", percent(entry.first_places / entry.games)
        yield "mean rank", number(entry.mean_rank, 2)
        yield "mean prestige", number(entry.mean_total, 1)
        if entry.points is not None:
            yield "points", number(entry.points, 1)
        yield "faults", f"{entry.faults}, in {entry.faulted_games} games"
        yield "disqualified", f"in {entry.disqualified} games"

    def _curve(self) -> Html:
        return tag("div", curve_chart(self._figures.curve, [self._bot]), class_="scroll")

    def _opponents(self) -> Html:
        """Every other bot: how they fared, and how the ratings differ."""
        figures, bot = self._figures, self._bot
        others = [other for other in figures.order if (bot, other) in figures.meetings]
        gaps = [figures.ratings.difference(bot, other) for other in others]
        bars = Bars([RatingInterval(gap.elo, gap.low, gap.high) for gap in gaps], 0)
        head = ["opponent", "came before it", "expected", "is stronger", "Elo above it"]
        head.append(tag("th", bars.axis(), scope="col", class_="wide"))
        return table(head, [self._opponent(gap, bars) for gap in gaps])

    def _opponent(self, gap: Difference, bars: Bars) -> list[Child]:
        known = RatingInterval(gap.elo, gap.low, gap.high)
        return [
            self._links.bot(gap.other),
            meeting_cell(self._figures.meetings[gap.bot, gap.other]),
            likelihood(gap.expected_score),
            chance_cell(gap.superiority),
            tag("td", rating_text(known), class_="strong"),
            tag("td", bars.bar(known), class_="wide"),
        ]

    def _seats(self) -> Html:
        """Table by table: all seats together, then each."""
        rows: list[list[Child]] = []
        for kind in self._source.definition.tables:
            together = summed(self._figures.chairs, bot=self._bot, table=kind.name)
            if not together.games:
                continue
            rows.append([kind.name, tag("td", "all", class_="strong"), *counted_cells(together)])
            for seat in range(kind.seats):
                one = summed(self._figures.chairs, bot=self._bot, table=kind.name, seat=seat)
                rows.append(["", seat + 1, *counted_cells(one)])
        return table(["table", "seat", *COUNTED], rows)

"""The page of one bot: its rating, its results by opponent and seat, its faults and its games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.bots.parameters import settings_of
from referee.bots.profile import NO_PROFILE, Profile, is_web_address
from referee.text import plural
from referee.tournament.ratings import Difference, Entry
from referee.tournament.ratings.scale import RatingInterval, interval_of
from referee.web.site.cells import (
    COUNT_HEADS,
    chance_cell,
    count_cells,
    meeting_cell,
    rating_text,
)
from referee.web.site.charts import Bars, curve_chart
from referee.web.site.html import (
    Child,
    Html,
    SiteHead,
    facts,
    intro,
    likelihood,
    number,
    page,
    percent,
    section,
    sortable,
    tag,
)
from referee.web.site.lists import Lists, list_of
from referee.web.site.moments import ABOUT, Moment, moments_table
from referee.web.site.paths import Links
from referee.web.site.snapshot import Snapshot
from referee.web.site.statistics import Figures, summed

MOST_ROWS: Final = 300  # of games and of faults; the lists of the site have all

_OPPONENTS: Final = (
    "“Finished ahead” is the share of games in which this bot finished ahead of the opponent, with"
    " the number of games. “Expected” is the share that follows from the ratings. “Is stronger” is"
    " how likely this bot is stronger than the opponent."
)


class BotPage:
    """Makes the page of one bot."""

    def __init__(
        self,
        snapshot: Snapshot,
        figures: Figures,
        links: Links,
        entry: Entry,
        moments: Sequence[Moment] = (),
    ) -> None:
        self._moments = moments
        self._snapshot = snapshot
        self._figures = figures
        self._links = links.from_subfolder()
        self._entry = entry
        self._bot = entry.bot

    def page(self, head: SiteHead) -> str:
        bot = self._bot
        games = [game for game in self._snapshot.games if any(s.bot == bot for s in game.seats)]
        faults = [fault for fault in self._snapshot.faults if fault.bot == bot]
        lists = Lists(self._snapshot, self._figures.order, self._links)
        data = lists.data(games[-MOST_ROWS:], faults[-MOST_ROWS:])
        parts = self._parts(len(games), len(faults))
        return page(head, bot, parts, root="../", data=data)

    def _parts(self, games: int, faults: int) -> Iterator[Html]:
        yield self._rating()
        if self._entry.games:
            yield section("growth", "Rating over time", self._curve())
            yield section("opponents", "By opponent", intro(_OPPONENTS), self._opponents())
            yield section("seats", "By seat and table", self._seats())
        if self._moments:
            table = moments_table(self._moments, self._links)
            yield section("moments", "Worst moments", intro(ABOUT), table)
        yield section("faults", "Faults", self._newest(faults, "faults"), list_of("faults"))
        yield section("games", "Games", self._newest(games, "games"), list_of("games"))

    def _newest(self, count: int, what: str) -> Html:
        """How many games or faults there are, and a link to the list of all bots."""
        if not count:
            return intro(f"No {what}.")
        address = self._links.games_of if what == "games" else self._links.faults_of
        text = f"{count} {what}. " if count <= MOST_ROWS else f"Newest {MOST_ROWS} of {count}. "
        return intro(text, tag("a", f"Open in the list of all {what}", href=address(self._bot)))

    def _rating(self) -> Html:
        profile = self._profile
        about = [tag("p", profile.description)] if profile.description else []
        return section("rating", self._bot, *about, facts(self._facts()))

    @property
    def _profile(self) -> Profile:
        stored = {bot.name: bot.profile for bot in self._snapshot.bots}
        return stored.get(self._bot, NO_PROFILE)

    def _about(self) -> Iterator[tuple[str, Child]]:
        """The author and the link; an address that is not one of a web page is shown as text."""
        author, link = self._profile.author, self._profile.link
        if author:
            yield "author", author
        if link:
            rel = "nofollow noopener noreferrer"
            yield "link", tag("a", link, href=link, rel=rel) if is_web_address(link) else link

    def _facts(self) -> Iterator[tuple[str, Child]]:
        entry = self._entry
        stored = {bot.name: bot for bot in self._snapshot.bots}.get(self._bot)
        yield from self._about()
        if stored is not None:
            yield "digest", stored.content[:16]
        if stored is not None and stored.values:
            yield "parameters", ", ".join(settings_of(stored.values))
        if stored is not None and stored.out is not None:
            yield "disqualified in the tournament", stored.out
        if not entry.games:
            yield "games", "none yet"
            return
        place = self._figures.order.index(self._bot) + 1
        yield "place", f"{place} of {len(self._figures.order)}"
        yield "rating", rating_text(interval_of(entry))
        yield "played", f"{plural(entry.games, 'game')} in {plural(entry.blocks, 'block')}"
        yield "first places", percent(entry.first_places / entry.games)
        yield "mean rank", number(entry.mean_rank, 2)
        yield "mean prestige", number(entry.mean_total, 1)
        if entry.points is not None:
            yield "points", number(entry.points, 1)
        faulted, out = entry.faulted_games, entry.disqualified
        yield "faults", f"{entry.faults}, in {plural(faulted, 'game')}" if faulted else "none"
        yield "disqualified", f"in {plural(out, 'game')}" if out else "never"

    def _curve(self) -> Html:
        return curve_chart(self._figures.curve, [self._bot])

    def _opponents(self) -> Html:
        """The results against every other bot, and the differences between the ratings."""
        figures, bot = self._figures, self._bot
        others = [other for other in figures.order if (bot, other) in figures.meetings]
        gaps = [figures.ratings.difference(bot, other) for other in others]
        bars = Bars([RatingInterval(gap.elo, gap.low, gap.high) for gap in gaps], 0)
        head: list[Child] = ["opponent", "finished ahead", "expected", "is stronger"]
        head += ["Elo difference", tag("th", bars.axis(), scope="col", class_="wide")]
        return sortable(head, [self._opponent(gap, bars) for gap in gaps])

    def _opponent(self, gap: Difference, bars: Bars) -> list[Child]:
        interval = RatingInterval(gap.elo, gap.low, gap.high)
        return [
            self._links.bot(gap.other),
            meeting_cell(self._figures.meetings[gap.bot, gap.other]),
            likelihood(gap.expected_score),
            chance_cell(gap.superiority),
            tag("td", rating_text(interval), class_="strong"),
            tag("td", bars.bar(interval), class_="wide"),
        ]

    def _seats(self) -> Html:
        """For each table, all seats together and then each seat."""
        rows: list[list[Child]] = []
        for kind in self._snapshot.definition.tables:
            all_seats = summed(self._figures.by_seat, bot=self._bot, table=kind.name)
            if not all_seats.games:
                continue
            label = self._snapshot.table_labels[kind.name]
            rows.append([label, tag("td", "all", class_="strong"), *count_cells(all_seats)])
            for seat in range(kind.seats):
                sums = summed(self._figures.by_seat, bot=self._bot, table=kind.name, seat=seat)
                rows.append([label, seat, *count_cells(sums)])
        return sortable(["table", "seat", *COUNT_HEADS], rows)

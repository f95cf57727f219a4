"""Table cells that several pages of a site share: ratings, counts, and percentages with a colour."""

from __future__ import annotations

from typing import Final

from referee.tournament.ratings import Entry
from referee.web.site.html import Child, Html, likelihood, number, percent, tag
from referee.web.site.statistics import Meeting, RatingInterval, Sums

SELF_CELL: Final = tag("td", class_="self")  # a bot against itself
COUNT_HEADS: Final = ("games", "first", "mean rank", "mean prestige")  # of `count_cells`


def interval_of(entry: Entry) -> RatingInterval:
    return RatingInterval(entry.rating, entry.low, entry.high)


def rating_text(interval: RatingInterval) -> str:
    """A rating with half the width of its interval, like "1520 ± 30"."""
    rating, high = interval.rating, interval.high
    return number(rating) if high is None else f"{number(rating)} ± {number(high - rating)}"


def count_cells(sums: Sums) -> list[Child]:
    """The cells below COUNT_HEADS."""
    if not sums.games:
        return [0, "–", "–", "–"]
    return [
        sums.games,
        percent(sums.first_places / sums.games),
        number(sums.ranks / sums.games, 2),
        number(sums.totals / sums.games, 1),
    ]


def chance_cell(chance: float) -> Html:
    """A probability, coloured by its value."""
    return tag("td", likelihood(chance), class_=heat(chance))


def meeting_cell(meeting: Meeting | None) -> Html:
    """The share of games in which one bot finished ahead of another, and their number; a dash if they never met."""
    if meeting is None:
        return tag("td", "–", class_="none")
    share = meeting.share
    return tag("td", percent(share), " ", tag("small", meeting.games), class_=heat(share))


def heat(share: float) -> str:
    """The CSS class of a colour, from h0 (never) to h10 (always)."""
    return f"h{round(10 * share)}"

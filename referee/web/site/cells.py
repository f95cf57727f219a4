"""Cells that several pages of a site have: ratings, and shares with a colour."""

from __future__ import annotations

from typing import Final

from referee.tournament.ratings import Entry
from referee.web.site.html import Child, Html, likelihood, number, percent, tag
from referee.web.site.statistics import Meeting, RatingInterval, Sums

ITSELF: Final = tag("td", class_="self")  # where a row meets its own column
COUNTED: Final = ("games", "first", "mean rank", "mean prestige")  # the heads of `counted_cells`


def spread(entry: Entry) -> RatingInterval:
    """The rating of an entry with its interval."""
    return RatingInterval(entry.rating, entry.low, entry.high)


def rating_text(one: RatingInterval) -> str:
    """A rating with how far it may be off."""
    reach = "" if one.high is None else f" ± {number(one.high - one.rating)}"
    return f"{number(one.rating)}{reach}"


def counted_cells(sums: Sums) -> list[Child]:
    """Games, first places, mean rank and mean prestige."""
    if not sums.games:
        return [0, "–", "–", "–"]
    return [
        sums.games,
        percent(sums.first_places / sums.games),
        number(sums.ranks / sums.games, 2),
        number(sums.totals / sums.games, 1),
    ]


def chance_cell(chance: float) -> Html:
    """How likely something is."""
    return tag("td", likelihood(chance), class_=heat(chance))


def meeting_cell(meeting: Meeting | None) -> Html:
    """How often one came before another, and in how many games."""
    if meeting is None:
        return tag("td", "–", class_="none")
    share = meeting.share
    return tag("td", percent(share), " ", tag("small", meeting.games), class_=heat(share))


def heat(share: float) -> str:
    """The class of a colour: h0, h1, ... h10."""
    return f"h{round(10 * share)}"

"""Table cells that several pages of a site share: ratings, counts, and percentages with a colour."""

from __future__ import annotations

from typing import Final

from referee.tournament.ratings.meetings import Meeting
from referee.tournament.ratings.scale import RatingInterval
from referee.web.site.html import NO_DATA, Child, Html, likelihood, number, percent, tag
from referee.web.site.paths import Links
from referee.web.site.statistics import Sums

ABSENT_CELL: Final = tag("td", NO_DATA, class_="none")
SELF_CELL: Final = tag("td", class_="self")  # a bot against itself
COUNT_HEADS: Final = ("games", "first", "mean rank", "mean prestige")  # of `count_cells`


def place_and_bot(place: int, bot: str, links: Links, *marks: Html) -> Html:
    """The head of a row: the place and the name of a bot, and marks beside it."""
    number = tag("span", f"{place}. ", class_="place")
    return tag("th", number, links.bot(bot), *marks, scope="row", data_sort=bot)


def rating_text(interval: RatingInterval) -> str:
    """A rating with half the width of its interval, like "1520 ± 30"."""
    rating, high = interval.rating, interval.high
    return number(rating) if high is None else f"{number(rating)} ± {number(high - rating)}"


def count_cells(sums: Sums) -> list[Child]:
    """The cells below COUNT_HEADS."""
    if not sums.games:
        return [0, NO_DATA, NO_DATA, NO_DATA]
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
        return ABSENT_CELL
    share = meeting.share
    return tag("td", percent(share), " ", tag("small", meeting.games), class_=heat(share))


def heat(share: float) -> str:
    """The CSS class of a colour, from h0 (never) to h10 (always)."""
    return f"h{round(10 * share)}"

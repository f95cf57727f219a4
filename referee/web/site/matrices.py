"""One bot against another: who is probably stronger, and who finished ahead how often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.web.site.cells import (
    ABSENT_CELL,
    SELF_CELL,
    chance_cell,
    meeting_cell,
    place_and_bot,
)
from referee.web.site.html import Html, SiteHead, intro, labelled, page, section, table, tag
from referee.web.site.paths import Links
from referee.web.site.snapshot import Snapshot
from referee.web.site.statistics import Figures

MOST_ON_FIRST_PAGE: Final = 10  # bots; larger matrices have a page of their own
TITLE: Final = "Bot against bot"
FILE: Final = "matrices.html"


def has_own_page(snapshot: Snapshot) -> bool:
    """Whether the matrices are too large for the first page."""
    return bool(snapshot.results) and len(snapshot.bots) > MOST_ON_FIRST_PAGE


def matrices_page(figures: Figures, links: Links, head: SiteHead) -> str:
    """The page with both matrices."""
    return page(head, TITLE, [superiority(figures, links), cross_table(figures, links)])


def link_to_matrices() -> Html:
    """The section of the first page that leads to the matrices."""
    text = "How likely each bot is stronger than each other bot, and how often it finished ahead: "
    return section("superiority", TITLE, tag("p", text, tag("a", "both matrices", href=FILE)))


def superiority(figures: Figures, links: Links) -> Html:
    """How likely each bot is stronger than each other bot."""
    order = figures.order
    group = {bot: number for number, bots in enumerate(figures.ratings.groups) for bot in bots}

    def cell(bot: str, other: str, chance: float) -> Html:
        if bot == other:
            return SELF_CELL
        comparable = bot in group and group[bot] == group.get(other)
        return chance_cell(chance) if comparable else ABSENT_CELL

    rows = [
        [cell(bot, *pair) for pair in zip(order, chances, strict=True)]
        for bot, chances in zip(order, figures.ratings.superiority, strict=True)
    ]
    text = "How likely the bot in the row is stronger than the bot in the column."
    square = _square(order, rows, links)
    return section("superiority", "Likelihood of superiority", intro(text), square)


def cross_table(figures: Figures, links: Links) -> Html:
    """How often each bot finished ahead of each other bot."""
    order = figures.order

    def cell(bot: str, other: str) -> Html:
        return SELF_CELL if bot == other else meeting_cell(figures.meetings.get((bot, other)))

    rows = [[cell(bot, other) for other in order] for bot in order]
    text = (
        "How often the bot in the row finished ahead of the bot in the column; a tie counts as one"
        " half. The small number is how many games they played."
    )
    return section("cross", "Cross table", intro(text), _square(order, rows, links))


def _square(order: Sequence[str], rows: Sequence[Sequence[Html]], links: Links) -> Html:
    """A table whose columns have numbers instead of names; the names are in the rows."""
    heads = (
        tag("th", str(place), scope="col", title=bot, aria_label=bot)
        for place, bot in enumerate(order, start=1)
    )
    is_small = len(order) <= MOST_ON_FIRST_PAGE
    titled = (
        [place_and_bot(place, bot, links), *(_labelled(cells, order) if is_small else cells)]
        for place, (bot, cells) in enumerate(zip(order, rows, strict=True), start=1)
    )
    return table(["", *heads], titled, "square stacked" if is_small else "square")


def _labelled(cells: Sequence[Html], bots: Sequence[str]) -> list[Html]:
    """The cells with the names of the bots in their columns, for narrow screens."""
    return [labelled(cell, bot) for cell, bot in zip(cells, bots, strict=True)]

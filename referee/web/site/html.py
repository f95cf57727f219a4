"""HTML elements and whole pages of the site.

Markup has the type `Html`. Only `tag` and `joined` make it, and they escape all other text, so no
name or message can become markup. The content security policy of a page allows no script but that
of the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from referee.web import shared, template
from referee.web.template import LIVE_POLICY, SHARED_POLICY, embedded, filled

NO_DATA: Final = "–"


class Html(str):
    """Markup that is already escaped."""

    __slots__ = ()


Child: TypeAlias = str | int
Attribute: TypeAlias = str | int | float | None


def tag(name: str, *children: Child, **attributes: Attribute) -> Html:
    """An element. `class_` stands for class, `data_x` for data-x; attributes that are None are left out."""
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{text}>{joined(children)}</{name}>")


def escaped(text: str) -> Html:
    """Text as markup; control characters are made visible."""
    return Html(template.escaped(text))


def joined(children: Iterable[Child]) -> Html:
    """Children one after the other; those that are not markup yet are escaped."""
    return Html(
        "".join(child if isinstance(child, Html) else escaped(str(child)) for child in children)
    )


def section(name: str, title: str, *children: Child) -> Html:
    """A part of a page with a heading; `name` is its id, for links to it."""
    return tag("section", tag("h2", title), *children, id=name, class_="card")


def intro(*children: Child) -> Html:
    """The paragraph at the top of a section that explains it."""
    return tag("p", *children, class_="soft")


def facts(pairs: Iterable[tuple[str, Child]]) -> Html:
    """A list of names with their values."""
    items = (joined((tag("dt", name), tag("dd", value))) for name, value in pairs)
    return tag("dl", *items, class_="facts")


def table(head: Sequence[Child], rows: Iterable[Sequence[Child]], css_class: str = "") -> Html:
    """A table whose first column has row headings; children that are not cells yet become cells.

    On a narrow screen, each row of a table of the class `stacked` is a small list, so every cell has
    the title of its column.
    """
    top = tag("tr", *(_cell(title, "th", "col") for title in head))
    labels = ["" if isinstance(title, Html) else str(title) for title in head]
    body = (tag("tr", *(_row(cells, labels))) for cells in rows)
    made = tag("table", tag("thead", top), tag("tbody", *body), class_=css_class or None)
    return tag("div", made, class_="scroll")


def sortable(head: Sequence[Child], rows: Iterable[Sequence[Child]]) -> Html:
    """A table that readers can sort by each of its columns."""
    return table(head, rows, "sortable stacked")


def _row(cells: Sequence[Child], labels: Sequence[str]) -> Iterable[Html]:
    for number, (cell, label) in enumerate(zip(cells, labels, strict=True)):
        made = _cell(cell, "td" if number else "th", None if number else "row")
        yield labelled(made, label) if number and label else made


def _cell(content: Child, name: str, scope: str | None) -> Html:
    if isinstance(content, Html) and content.startswith(("<td", "<th")):
        return content
    return tag(name, content, scope=scope)


def labelled(cell: Html, label: str) -> Html:
    """A cell with the title of its column."""
    return Html(f'{cell[:3]} data-label="{escaped(label)}"{cell[3:]}')


def number(value: float | None, places: int = 0) -> str:
    """A number with so many decimal places; a dash for None."""
    return NO_DATA if value is None else f"{round(value, places) + 0.0:.{places}f}"  # never "-0"


def percent(share: float | None) -> str:
    """A share, from 0 to 1, as a percentage; a dash for None."""
    return NO_DATA if share is None else f"{100 * share:.1f} %"


def likelihood(chance: float | None) -> str:
    """A probability as a percentage, never shown as 0 % or 100 %; a dash for None."""
    if chance is None or 0.0005 <= chance < 0.9995:
        return percent(chance)
    return "> 99.9 %" if chance > 0.5 else "< 0.1 %"


class SiteHead(NamedTuple):
    """What all pages of a site have at the top."""

    title: str  # of the tournament
    subtitle: str  # what is played
    pages: tuple[tuple[str, str], ...]  # the addresses and names of the pages


def page(
    head: SiteHead,
    title: str,
    body: Iterable[Html],
    *,
    root: str = "",
    data: object = None,
    is_live: bool = False,
) -> str:
    """A whole page. `root` is the path from its folder to the site; `data` is what its script shows.

    The script of a live page asks its server for what is new.
    """
    nav = (_nav_link(root, address, text, title) for address, text in head.pages)
    return filled(
        "site/site.html",
        {
            "policy": LIVE_POLICY if is_live else SHARED_POLICY,
            "title": escaped(f"{title} · {head.title}"),
            "heading": tag("a", head.title, href=f"{root}index.html"),
            "subtitle": escaped(head.subtitle),
            "style": shared.style_link(root, "site.css"),
            "nav": joined(nav),
            "body": "\n".join(body),
            "data": embedded(data),
            "script": shared.script_link(root, "tournament.js" if is_live else "site.js"),
        },
    )


def _nav_link(root: str, address: str, text: str, current: str) -> Html:
    is_here = text == current and not root  # a bot may have the name of a page
    return tag("a", text, href=f"{root}{address}", aria_current="page" if is_here else None)

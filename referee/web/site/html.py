"""Pages of the site: markup that is safe by the way it is made, in a frame that lets nothing else run.

Text becomes markup in `tag` alone, and there it is escaped; what is already markup is of type `Html`.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from referee.text import visible
from referee.web.game.page import embedded
from referee.web.template import asset, filled, policy, styled

_PAGES: Final = (
    ("index.html", "Standings"),
    ("games.html", "Games"),
    ("faults.html", "Faults"),
    ("index.html#played", "What is played"),
    ("index.html#data", "Data"),
)


class Html(str):
    """Markup that stands in a page as it is."""

    __slots__ = ()


Child: TypeAlias = str | int
Attribute: TypeAlias = str | int | float | None


def tag(name: str, *children: Child, **attributes: Attribute) -> Html:
    """An element; `class_` is class, `data_x` is data-x, and an attribute that is None is left out."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{said}>{joined(children)}</{name}>")


def escaped(text: str) -> Html:
    """Text as markup that shows it, and shows everything in it."""
    return Html(html.escape(visible(text)))


def joined(children: Iterable[Child]) -> Html:
    """Children one after the other."""
    return Html("".join(one if isinstance(one, Html) else escaped(str(one)) for one in children))


def section(name: str, title: str, *children: Child) -> Html:
    """A part of a page, with a heading that an address can lead to."""
    return tag("section", tag("h2", title), *children, id=name, class_="card")


def intro(*said: Child) -> Html:
    """What a part of a page is about."""
    return tag("p", *said, class_="soft")


def facts(pairs: Iterable[tuple[str, Child]]) -> Html:
    """Names, and what each of them is."""
    found = (joined((tag("dt", name), tag("dd", words))) for name, words in pairs)
    return tag("dl", *found, class_="facts")


def table(head: Sequence[Child], rows: Iterable[Sequence[Child]], kind: str = "") -> Html:
    """A table whose first column names the rows; cells that are not `td` or `th` yet become one."""
    top = tag("tr", *(_cell(one, "th", "col") for one in head))
    body = (tag("tr", *(_row(cells))) for cells in rows)
    made = tag("table", tag("thead", top), tag("tbody", *body), class_=kind or None)
    return tag("div", made, class_="scroll")


def _row(cells: Sequence[Child]) -> Iterable[Html]:
    for number, cell in enumerate(cells):
        yield _cell(cell, "td" if number else "th", None if number else "row")


def _cell(content: Child, name: str, scope: str | None) -> Html:
    if isinstance(content, Html) and content.startswith(("<td", "<th")):
        return content
    return tag(name, content, scope=scope)


def number(value: float | None, places: int = 0) -> str:
    """A number as it is read; a dash where there is none."""
    return "–" if value is None else f"{round(value, places) + 0.0:.{places}f}"  # never "-0"


def percent(share: float | None) -> str:
    """A share of what was counted."""
    return "–" if share is None else f"{100 * share:.1f} %"


def likelihood(chance: float | None) -> str:
    """How likely something is; never certain."""
    if chance is None or 0.0005 <= chance < 0.9995:
        return percent(chance)
    return "> 99.9 %" if chance > 0.5 else "< 0.1 %"


def page(
    title: str, body: Iterable[Html], *, root: str = "", occasion: str = "", data: object = None
) -> str:
    """A whole page; `root` leads from its folder to that of the site, `data` is for its script."""
    style, script = (
        styled("site/site.css"),
        f'"use strict";\n(() => {{\n{asset("site/site.js")}}})();\n',
    )
    links = (tag("a", words, href=f"{root}{address}") for address, words in _PAGES)
    slots = {
        "policy": policy((style,), (script,)),
        "title": escaped(title),
        "style": style,
        "script": script,
        "nav": joined(links),
        "occasion": escaped(occasion),
        "body": "\n".join(body),
        "data": embedded(data),
    }
    return filled("site/site.html", slots)

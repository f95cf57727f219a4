"""The introduction of a tournament: Markdown as safe markup.

HTML in the text is shown as text. Links lead to web pages only, and nothing is loaded: there are no
pictures.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from markdown_it import MarkdownIt

from referee.bots.profile import is_web_address
from referee.text import visible
from referee.web.site.html import Html

_TOP_HEADING: Final = 3  # the page has headings of its own above
_REL: Final = "nofollow noopener noreferrer"


def rendered(text: str) -> Html:
    """Markdown as markup; its headings are below those of the page."""
    parser = _parser()
    tokens = parser.parse("\n".join(visible(line.expandtabs(4)) for line in text.split("\n")))
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1:]) + _TOP_HEADING - 1, 6)}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", _REL)
    return Html(parser.renderer.render(tokens, parser.options, {}))


class _Parser(MarkdownIt):
    """A parser that knows only links to web pages."""

    def validateLink(self, url: str) -> bool:  # noqa: N802  the name that the parser calls
        return is_web_address(url)


@cache
def _parser() -> MarkdownIt:
    return _Parser("commonmark", {"html": False}).enable("table").disable("image")

"""Where things of the site are, as addresses from one of its folders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from referee.text import visible
from referee.web.site.paths import BOTS, GAMES, file_name
from referee.web.site.html import Html, tag


def bot_page(bot: str) -> str:
    """The file of a bot's page."""
    return f"{BOTS}/{file_name(bot)}.html"


def game_page(block: str, number: int) -> str:
    """The file of a game's page."""
    return f"{GAMES}/{file_name(block)}-{number}.html"


class Links(NamedTuple):
    """Addresses from a folder; `root` leads from there to that of the site."""

    pages: Mapping[tuple[str, int], str]  # the games that have a page
    root: str = ""

    def up(self) -> Links:
        """The same from a folder of the site."""
        return self._replace(root="../")

    def bot(self, bot: str) -> Html:
        """The name of a bot that leads to its page."""
        return tag("a", bot, href=self.root + bot_page(bot))

    def game(self, place: tuple[str, int], decision: int | None = None) -> str | None:
        """The page of a game at a decision, if it has one."""
        if place not in self.pages:
            return None
        at = "" if decision is None else f"#{decision}"
        return f"{self.root}{self.pages[place]}{at}"

    def games_of(self, bot: str) -> str:
        """The list of all games, showing those of one bot."""
        return f"{self.root}games.html#bot={quote(visible(bot), safe='')}"

    def faults_of(self, bot: str) -> str:
        """The list of all faults, showing those of one bot."""
        return f"{self.root}faults.html#bot={quote(visible(bot), safe='')}"

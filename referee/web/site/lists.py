"""The long lists, games and faults: data for the page's script, which shows as much as one looks at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from referee.narration.log import shown_text
from referee.text import visible
from referee.tournament.store.store import StoredFault
from referee.web.site.html import Html, page, section, tag
from referee.web.site.paths import DATA, Links, bot_page
from referee.web.site.snapshot import OneGame, Source

MOST_FAULTS: Final = 5000  # with what the bots sent and said these are long; the data has them all
LONGEST_OUTPUT: Final = 2000

Row = list[Any]


class Lists:
    """Rows for the script; bots and tables are numbers there."""

    def __init__(self, source: Source, order: Sequence[str], links: Links) -> None:
        self._links = links
        self._order = list(order)
        self._bots = {bot: number for number, bot in enumerate(order)}
        self._tables = source.tables
        self._table_of = {(game.block, game.number): game.table for game in source.games}

    def data(
        self, games: Iterable[OneGame] = (), faults: Iterable[StoredFault] = ()
    ) -> dict[str, Any]:
        """What the script of a page needs; the newest first."""
        return {
            "bots": [visible(bot) for bot in self._order],
            "pages": [self._links.root + bot_page(bot) for bot in self._order],
            "tables": [visible(table) for table in self._tables],
            "games": [self._game(game) for game in games][::-1],
            "faults": [self._fault(fault) for fault in faults][::-1],
        }

    def _game(self, game: OneGame) -> Row:
        seats = [
            [self._bot(seat.bot), seat.rank, seat.total, seat.faults, int(seat.out is not None)]
            for seat in game.seats
        ]
        return [
            visible(f"{game.block}-{game.number}"),
            self._links.game(game.place),
            self._table(game.table),
            game.finished,
            seats,
            game.turns,
            game.decisions,
            game.reason,
            round(game.seconds, 1),
            game.faults,
            None if game.void is None else shown_text(game.void),
        ]

    def _fault(self, fault: StoredFault) -> Row:
        return [
            visible(f"{fault.block}-{fault.number}"),
            self._links.game((fault.block, fault.number), fault.decision),
            self._table(self._table_of[fault.block, fault.number]),
            self._bot(fault.bot),
            fault.seat,
            fault.decision,
            fault.fault,
            shown_text(fault.message),
            fault.strikes,
            int(bool(fault.disqualified)),
            output_text(fault.data),
            output_text(fault.stderr),
        ]

    def _bot(self, bot: str) -> int:
        return self._bots.get(bot, -1)

    def _table(self, table: str) -> int:
        return self._tables.index(table) if table in self._tables else -1


def output_text(data: bytes) -> str:
    """What a bot wrote, its length bounded; lines stay lines, everything else is made visible."""
    text = data[-LONGEST_OUTPUT:].decode("utf-8", "replace")
    return "\n".join(visible(line.replace("\t", "    ")) for line in text.split("\n"))


def list_of(what: str) -> Html:
    """Where the script puts a list."""
    waiting = tag("p", "The list needs JavaScript; the data has all of it.", class_="soft")
    return tag("div", waiting, data_list=what)


def games_page(source: Source, lists: Lists, made: str, occasion: str) -> str:
    """The page with the list of all games."""
    body = section("games", "Games", tag("p", made, class_="soft"), list_of("games"))
    return page("Games", [body], occasion=occasion, data=lists.data(games=source.games))


def faults_page(source: Source, lists: Lists, occasion: str) -> str:
    """All faults, each with the game at its decision."""
    shown = source.faults[-MOST_FAULTS:]
    if not source.faults:
        said = "No bot was at fault."
    elif len(shown) < len(source.faults):
        said = f"The newest {len(shown)} of {len(source.faults)} faults; the data has all of them."
    else:
        said = f"{len(shown)} in all. A link leads to the game at the decision."
    download = tag("a", "faults.csv", href=f"{DATA}/faults.csv", download="faults.csv")
    body = section(
        "faults", "Faults", tag("p", said, " ", download, class_="soft"), list_of("faults")
    )
    return page("Faults", [body], occasion=occasion, data=lists.data(faults=shown))

"""The lists of games and faults. A page holds the rows as data; its script shows some of them at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from referee.narration.log import shown_text
from referee.text import visible
from referee.tournament.store.games import StoredGame
from referee.tournament.store.store import StoredFault
from referee.web.site.html import Child, Html, SiteHead, page, section, tag
from referee.web.site.paths import DATA, Links, bot_page
from referee.web.site.snapshot import Snapshot

MOST_FAULTS: Final = 5000  # they contain what the bots wrote, so they are long; faults.csv has all
LONGEST_OUTPUT: Final = 2000

Row = list[Any]


class Lists:
    """Makes rows for the script; a bot or a table is an index there."""

    def __init__(self, snapshot: Snapshot, order: Sequence[str], links: Links) -> None:
        self._links = links
        self._order = list(order)
        self._bots = {bot: number for number, bot in enumerate(order)}
        self._tables = snapshot.tables
        self._labels = snapshot.table_labels  # in the same order
        self._table_of = {(game.block, game.number): game.table for game in snapshot.games}

    def data(
        self, games: Iterable[StoredGame] = (), faults: Iterable[StoredFault] = ()
    ) -> dict[str, Any]:
        """The data for the script of a page, newest rows first."""
        return {
            "bots": [visible(bot) for bot in self._order],
            "pages": [self._links.root + bot_page(bot) for bot in self._order],
            "tables": [visible(label) for label in self._labels.values()],
            "games": [self._game(game) for game in games][::-1],
            "faults": [self._fault(fault) for fault in faults][::-1],
        }

    def _game(self, game: StoredGame) -> Row:
        seats = [
            [self._bot(seat.bot), seat.rank, seat.total, seat.faults, int(seat.out is not None)]
            for seat in game.seats
        ]
        return [
            visible(f"{game.block}-{game.number}"),
            self._links.game(game.key),
            self._table(game.table),
            game.finished,
            seats,
            game.turns,
            game.decisions,
            game.reason,
            round(game.seconds, 1),
            game.faults,
            None if game.void is None else shown_text(game.void),
            self._links.record(game.key),
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
    """The end of what a bot wrote: line ends are kept, other control characters are made visible."""
    text = data[-LONGEST_OUTPUT:].decode("utf-8", "replace")
    return "\n".join(visible(line.replace("\t", "    ")) for line in text.split("\n"))


def list_of(what: str) -> Html:
    """The element that the script fills with a list; `what` is "games" or "faults"."""
    text = f"This list needs JavaScript; data/{what}.csv has all of it."
    return tag("div", tag("p", text, class_="soft"), data_list=what)


def games_page(snapshot: Snapshot, lists: Lists, made: str, head: SiteHead) -> str:
    """The page with the list of all games; `made` says how many can be replayed."""
    body = section("games", "Games", tag("p", made, class_="soft"), list_of("games"))
    return page(head, "Games", [body], data=lists.data(games=snapshot.games))


def faults_page(snapshot: Snapshot, lists: Lists, head: SiteHead) -> str:
    """The page with the list of the newest faults, each with a link to its game."""
    shown = snapshot.faults[-MOST_FAULTS:]
    text = "Follow the link of a game to see the decision." if shown else "No bot was at fault."
    if len(shown) < len(snapshot.faults):
        text += f" The list has the newest {len(shown)} of {len(snapshot.faults)} faults."
    about: list[Child] = [text]
    if not snapshot.is_public:
        download = tag("a", "faults.csv", href=f"{DATA}/faults.csv", download="faults.csv")
        about += [" All data: ", download]
    body = section("faults", "Faults", tag("p", *about, class_="soft"), list_of("faults"))
    return page(head, "Faults", [body], data=lists.data(faults=shown))

"""The screen of a person who plays: menus, questions, board, desks and log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from protocol.words import State
from referee.engine import view
from referee.engine.state import GameState
from referee.match.menu import Item
from referee.narration.events import PlaceNames, marker_name
from referee.terminal.board.picture import show_position
from referee.terminal.game.log import LiveGameLog
from referee.terminal.game.score_tables import desks_legend, desks_table, mission_text
from referee.terminal.seats import seat_text

_LONG_MENU: Final = 16  # lines; a longer menu is printed in columns


class TerminalScreen:
    """Prints what a person needs to decide, and reads what the person types."""

    def __init__(self, names: Sequence[str], log: LiveGameLog, console: Console) -> None:
        self._names = names
        self._log = log
        self._console = console

    def menu(self, state: GameState, seat: int, title: str, items: Sequence[Item]) -> None:
        """Print the title with the seat's supply, prestige and actions, then the numbered items."""
        self._console.print()
        self._console.print(self._heading(state, seat, title))
        width = len(str(len(items)))
        lines = [_line(number, item, width) for number, item in enumerate(items, 1)]
        if len(lines) > _LONG_MENU:
            self._console.print(Columns(lines, padding=(0, 3), column_first=True))
        else:
            self._console.print(Text("\n").join(lines))

    def _heading(self, state: GameState, seat: int, title: str) -> Text:
        traders, merchants = state.tradesmen(state.supply, seat)
        facts = [f"supply {traders} + {merchants}", f"prestige {state.prestige[seat]}"]
        if seat == state.active:
            facts.insert(0, f"actions left {state.actions_left}")
        heading = seat_text(seat, self._names)
        return heading.append(f"  {title}  ", "bold").append(" · ".join(facts), "dim")

    def ask(self, question: str) -> str:
        """Return the line that the person types; EOFError at the end of the input."""
        self._console.print(Text(f"{question} > ", style="dim"), end="")
        try:
            return input()
        except UnicodeDecodeError:
            return "?"
        except EOFError:
            self._console.print()
            raise

    def message(self, text: str) -> None:
        self._console.print(Text(text))

    def board(self, state: GameState, seat: int) -> None:
        """Print the board as this seat sees it."""
        show_position(state.board.words, self._view(state, seat), self._names, self._console)

    def desks(self, state: GameState, seat: int) -> None:
        """Print the desks of all seats, this seat's mission, and the favours on display."""
        position = self._view(state, seat)
        self._console.print(desks_table(position, state.rules, self._names))
        self._console.print(desks_legend(position))
        mission = mission_text(position, PlaceNames(state.board.words))
        if mission is not None:
            self._console.print(mission)
        if position["favours"]:
            on_display = ", ".join(map(marker_name, position["favours"]))
            self._console.print(Text(f"Favours on display: {on_display}"))

    def log(self) -> None:
        self._log.print_again()

    def _view(self, state: GameState, seat: int) -> State:
        return cast("State", view.see(state, seat))


def _line(number: int, item: Item, width: int) -> Text:
    count = f"  ({item.count})" if item.items else ""
    return Text.assemble((f"{number:>{width}}  ", "bold"), item.label, (count, "dim"))

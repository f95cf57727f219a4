"""The screen of a person who plays: menus, questions, board, desks and log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from protocol.words import State
from referee.adjudication.faults import Strikes
from referee.adjudication.standings import Outcome
from referee.engine import view
from referee.engine.serialize import event_words
from referee.engine.state import GameState
from referee.match.menu import Item
from referee.narration.events import PlaceNames, marker_name, number_in
from referee.narration.result import GameSummary, PlayerSummary
from referee.replay.position import Viewpoint
from referee.terminal.board.animated import shape_for
from referee.terminal.board.picture import show_position
from referee.terminal.game.log import LiveGameLog
from referee.terminal.game.score_tables import (
    desks_legend,
    desks_table,
    mission_text,
    scores_so_far,
)
from referee.terminal.seats import seat_text

_LONG_MENU: Final = 16  # lines; a longer menu without notes is printed in columns
_AROUND_MENU: Final = 4  # rows: a blank one, the heading, the question, and one to spare
_FEWEST_LINES: Final = 5  # of a menu
_BELOW_BOARD: Final = 8  # rows: two of legend, and a menu of three lines


class TerminalScreen:
    """Prints what a person needs to decide, and reads what the person types."""

    def __init__(self, names: Sequence[str], log: LiveGameLog, console: Console) -> None:
        self._names = names
        self._log = log
        self._console = console

    def menu(
        self, state: GameState, seat: int, title: str, items: Sequence[Item], first: int
    ) -> int:
        """Print the title with the seat's supply, prestige and actions, then the items that fit."""
        self._console.print()
        self._console.print(self._heading(state, seat, title))
        width, notes_at = len(str(len(items))), max(_label_width(item) for item in items)
        lines = [_line(number, item, width, notes_at) for number, item in enumerate(items, 1)]
        if len(lines) > _LONG_MENU and not any(item.note for item in items):
            self._console.print(Columns(lines, padding=(0, 3), column_first=True))
            return len(items)
        rest = min(first + max(self._console.height - _AROUND_MENU, _FEWEST_LINES), len(items))
        for line in lines[first:rest]:
            self._console.print(line, no_wrap=True, overflow="ellipsis")
        return rest

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
        """Print the board as this seat sees it, so low that a short menu fits below it."""
        words, console = state.board.words, self._console
        rows = console.height - _BELOW_BOARD
        shape = shape_for(words["aspect"], console.width, rows)
        show_position(words, self._view(state, seat), self._names, console, shape.size)

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

    def scores(self, state: GameState, seat: int) -> None:
        """Print the score pad as this seat knows it, as if the game ended now."""
        viewpoint = Viewpoint(seat)
        standings = viewpoint.standings(state, self._strikes(state), self._names)
        players = [PlayerSummary(at, name, None, "", None) for at, name in enumerate(self._names)]
        summary = GameSummary(Outcome("", 0, state, standings, []), players, [])
        self._console.print(scores_so_far(summary, viewpoint))

    def _strikes(self, state: GameState) -> Strikes:
        """The seats that are disqualified; the strikes of the others do not count for the scores."""
        strikes = Strikes(state.rules.players)
        for event in state.events or []:
            words = event_words(state, event)
            if words["event"] == "disqualified":
                strikes.out[number_in(words, "seat")] = (
                    str(words["fault"]),
                    number_in(words, "id"),
                )
        return strikes

    def log(self) -> None:
        self._log.print_again()

    def _view(self, state: GameState, seat: int) -> State:
        return cast("State", view.see(state, seat))


def _label_width(item: Item) -> int:
    return cell_len(item.label) + len(_count(item))


def _count(item: Item) -> str:
    return f"  ({item.count})" if item.items else ""


def _line(number: int, item: Item, width: int, notes_at: int) -> Text:
    """A line of a menu; all notes begin in the same column."""
    text = Text.assemble((f"{number:>{width}}  ", "bold"), item.label, (_count(item), "dim"))
    if item.note:
        text.append(" " * (notes_at - _label_width(item) + 2)).append(item.note, "dim")
    return text

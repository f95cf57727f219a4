"""A person at the terminal, who chooses from menus and has no clock."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence
from typing import Final, Protocol

from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.encoder import MessageFormat, SeatEncoder
from referee.engine import view
from referee.engine.choice import Choice
from referee.engine.serialize import choice_words
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS
from referee.match.menu import Item, MenuMaker, question
from referee.match.players import Answer
from referee.records.header import HUMAN

HELP: Final = """\
number   choose that line; some lines open another menu
word     search the choices: "hamb" shows all that mention Hamburg
Enter    go back to the first menu
b d l    show the board, the desks (with your mission), the last turns
?        this page
q        leave: the referee ends your turns, the others play on
Ctrl-C   stop the game for everybody"""


class HumanTerminal(Protocol):
    """What a person sees and types; the terminal package implements it."""

    def menu(self, state: GameState, seat: int, title: str, items: Sequence[Item]) -> None:
        """Show the choices of a menu."""

    def ask(self, question: str) -> str:
        """Ask for a line of input; EOFError at the end of the input."""

    def message(self, text: str) -> None:
        """Show a message to the person."""

    def board(self, state: GameState, seat: int) -> None:
        """Show the board as this seat sees it."""

    def desks(self, state: GameState, seat: int) -> None:
        """Show the desks, and what only this seat may see."""

    def log(self) -> None:
        """Show the last lines of the log."""


class HumanPlayer:
    """A seat that a person plays."""

    def __init__(self, name: str, terminal: HumanTerminal) -> None:
        self.name = name
        self.version: str | None = None
        self.content = HUMAN
        self.message_format = MessageFormat()
        self._terminal = terminal
        self._seat = 0

    def sit(self, state: GameState, seat: int) -> None:
        """Take this seat in the next game, whose position is `state`."""
        self._state = state
        self._seat = seat

    def open(self, clock: ClockRules) -> Fault | None:
        """Do nothing: a person needs no process."""
        return None

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Begin a game: make the menus of its board."""
        self._menus = MenuMaker(self._state.board.words, names)
        return None

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Show menus until a choice is made; leaving the game is the fault `crash`."""
        asked_ns = time.monotonic_ns()
        whole = self._menu(options)
        try:
            index = self._choose(whole)
        except EOFError:
            return Fault("crash", "left the game")
        read_ns = time.monotonic_ns()
        return Answer(index, (read_ns - asked_ns) / 1e6, asked_ns, read_ns)

    def _menu(self, options: list[Choice]) -> Item:
        choices = [choice_words(self._state.board, choice) for choice in options]
        routes = view.see(self._state, self._seat)["routes"]
        assert isinstance(routes, dict)
        return self._menus.menu(choices, routes)

    def _choose(self, whole: Item) -> int:
        menu = whole
        shown = False
        while True:
            if not shown:
                self._terminal.menu(self._state, self._seat, self._title(menu), menu.items)
            typed = self._terminal.ask(f"1-{len(menu.items)}, b d l ? q").strip()
            shown = self._command(typed.casefold())
            if shown:
                continue
            picked = whole if not typed else _pick(menu, whole, typed)
            if picked is None:
                self._terminal.message(f"{typed!r} is not one of these; ? shows help")
                shown = True
            elif picked.items:
                menu = picked
            else:
                return picked.index

    def _title(self, menu: Item) -> str:
        if menu.label:
            return menu.label
        decision = self._state.agenda[-1]
        return question(DECISIONS[decision.kind], view.about(self._state, decision))

    def _command(self, typed: str) -> bool:
        """Carry out a command; returns False if the input is not one."""
        if typed == "b":
            self._terminal.board(self._state, self._seat)
        elif typed == "d":
            self._terminal.desks(self._state, self._seat)
        elif typed == "l":
            self._terminal.log()
        elif typed in ("?", "h", "help"):
            self._terminal.message(HELP)
        elif typed in ("q", "quit"):
            self._leave()
        else:
            return False
        return True

    def _leave(self) -> None:
        """Ask for confirmation; EOFError if the person leaves."""
        sure = self._terminal.ask("Leave the game? The others play on without you. y/N")
        if sure.strip().casefold() in ("y", "yes"):
            raise EOFError

    def refuse(self, fault: FaultRecord) -> None:
        """Do nothing: menus offer legal choices only."""

    def dismiss(self) -> None:
        """Do nothing: there is no process to end."""

    def end(self, standings: list[SeatResult]) -> None:
        """Do nothing: the final table is shown to everybody."""

    def stderr_excerpt(self) -> bytes:
        """Always empty: a person has no stderr."""
        return b""


def _pick(menu: Item, whole: Item, typed: str) -> Item | None:
    """The line with this number, or a menu of all choices that contain the text."""
    if typed.isascii() and typed.isdigit():
        number = int(typed[:9])
        return menu.items[number - 1] if 1 <= number <= len(menu.items) else None
    wanted = _bare(typed)
    found = [leaf for leaf in whole.leaves() if len(wanted) > 1 and wanted in _bare(leaf.label)]
    return Item(f'Choices with "{typed}"', items=tuple(found)) if found else None


def _bare(text: str) -> str:
    """The text in lower case without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))

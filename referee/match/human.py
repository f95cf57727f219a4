"""A person at the terminal, who chooses from menus and has no clock."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, Protocol

from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import Fault
from referee.encoder import SeatEncoder
from referee.engine import view
from referee.engine.choice import Choice
from referee.engine.serialize import choice_words
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS
from referee.match.hints import Hints
from referee.match.menu import Item, MenuMaker, question
from referee.match.players import Answer
from referee.match.without_process import WithoutProcess
from referee.records.header import HUMAN
from referee.text import has_words

HELP: Final = """\
number   choose that line; some lines open another menu
words    search the choices: "place hamb" shows all that place a tradesman at Hamburg
Enter    go back to the first menu
m        show more lines of a long menu
b d      show the board, the desks (with your mission)
s        show the scores, as if the game ended now
l        show the last turns
?        show this help
q        leave (also Ctrl-D): the referee ends your turns, the others play on
Ctrl-C   stop the game for everybody

Where you place a tradesman, a line ends with what the route and its two cities offer:
    Göttingen – Quedlinburg  1/3 taken · actions, white | orange merchant +1 · “move 3”
One of three points is taken. Göttingen develops actions, and its next post needs a trader and the
privilege white. The next post in Quedlinburg needs a merchant and the privilege orange, and brings
one point of prestige. The bonus marker “move 3” lies on the route."""


HINT_HELP: Final = "h        show a hint; the record says that you asked for it"

MORE: Final = Item("more lines of the same menu")


class HumanTerminal(Protocol):
    """What a person sees and types; the terminal package implements it."""

    def menu(
        self, state: GameState, seat: int, title: str, items: Sequence[Item], first: int
    ) -> int:
        """Show the lines of a menu from `first` on that fit; return the first that does not."""

    def ask(self, question: str) -> str:
        """Ask for a line of input; EOFError at the end of the input."""

    def message(self, text: str) -> None:
        """Show a message to the person."""

    def board(self, state: GameState, seat: int) -> None:
        """Show the board as this seat sees it."""

    def desks(self, state: GameState, seat: int) -> None:
        """Show the desks, and what only this seat may see."""

    def scores(self, state: GameState, seat: int) -> None:
        """Show the scores as this seat knows them, as if the game ended now."""

    def log(self) -> None:
        """Show the last lines of the log."""


class HumanPlayer(WithoutProcess):
    """A seat that a person plays."""

    def __init__(self, name: str, terminal: HumanTerminal) -> None:
        super().__init__(name, HUMAN)
        self._terminal = terminal
        self._seat = 0
        self._hints: Hints | None = None

    def sit(self, state: GameState, seat: int, hints: Hints | None = None) -> None:
        """Take this seat in the next game, whose position is `state`; `hints` if it may ask for them."""
        self._state = state
        self._seat = seat
        self._hints = hints
        self._hint = (0, "")  # the last one, and its decision

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        """Begin a game: make the menus of its board."""
        self._names = names
        self._menus = MenuMaker(self._state.board.words, names)
        self._has_seen_board = False
        return None

    def decide(self, decision_id: int, options: list[Choice]) -> Answer | Fault:
        """Show menus until a choice is made, before the first one the board; leaving is the fault `crash`."""
        asked_ns = time.monotonic_ns()
        whole = self._menu(options)
        if not self._has_seen_board:
            self._has_seen_board = True
            self._terminal.board(self._state, self._seat)
        try:
            index = self._choose(whole)
        except EOFError:
            return Fault("crash", "left the game")
        read_ns = time.monotonic_ns()
        return Answer(index, (read_ns - asked_ns) / 1e6, asked_ns, read_ns)

    def _menu(self, options: list[Choice]) -> Item:
        choices = [choice_words(self._state.board, choice) for choice in options]
        return self._menus.menu(choices, view.see(self._state, self._seat))

    def _choose(self, whole: Item) -> int:
        menu, first = whole, 0
        while True:
            items = menu.items
            rest = self._terminal.menu(self._state, self._seat, self._title(menu), items, first)
            picked = self._ask(menu, whole, has_more=rest - first < len(items))
            if picked is MORE:
                first = rest if rest < len(items) else 0
            elif picked.items:
                menu, first = picked, 0
            else:
                return picked.index

    def _ask(self, menu: Item, whole: Item, *, has_more: bool) -> Item:
        """Return what the person picks: a choice, or the menu to show next, or MORE."""
        keys = f"{'m ' * has_more}b d s l {'h ' * (self._hints is not None)}? q"
        while True:
            typed = self._typed(f"1-{len(menu.items)}, {keys}")
            if self._command(typed.casefold()):
                return menu
            if has_more and typed.casefold() == "m":
                return MORE
            picked = whole if not typed else _pick(menu, whole, typed)
            if picked is not None:
                return picked
            self._terminal.message(f"{typed!r} is not one of these; ? shows help")

    def _typed(self, question: str) -> str:
        """Return a line of input; Ctrl-D leaves the game after a confirmation, as q does."""
        try:
            return self._terminal.ask(question).strip()
        except EOFError:
            return "q"

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
        elif typed == "s":
            self._terminal.scores(self._state, self._seat)
        elif typed == "l":
            self._terminal.log()
        elif typed in ("h", "hint") and self._hints is not None:
            self._show_hint(self._hints)
        elif typed in ("?", "h", "help"):
            self._terminal.message(HELP if self._hints is None else f"{HELP}\n\n{HINT_HELP}")
        elif typed in ("q", "quit"):
            self._leave()
        else:
            return False
        return True

    def _show_hint(self, hints: Hints) -> None:
        """Show a hint for this decision; the same one if the person asks again."""
        decision_id = self._state.decision_id
        if self._hint[0] != decision_id:
            self._terminal.message("Looking for a hint …")
            task = hints.begin(self._state, self._names)
            try:
                self._hint = (decision_id, hints.take(self._state, task))
            finally:
                task.stop()
        self._terminal.message(self._hint[1])

    def _leave(self) -> None:
        """Ask for confirmation; EOFError if the person leaves."""
        sure = self._terminal.ask("Leave the game? The others play on without you. y/N")
        if sure.strip().casefold() in ("y", "yes"):
            raise EOFError


def _pick(menu: Item, whole: Item, typed: str) -> Item | None:
    """The line with this number, or a menu of all choices that contain the text."""
    if typed.isascii() and typed.isdigit():
        number = int(typed[:9])
        return menu.items[number - 1] if 1 <= number <= len(menu.items) else None
    found = [leaf for leaf in whole.leaves() if len(typed) > 1 and has_words(leaf.text, typed)]
    return Item(f'Choices with "{typed}"', items=tuple(found)) if found else None

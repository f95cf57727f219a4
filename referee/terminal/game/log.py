"""The log of a game while it is played: who does what, in the colours of the seats."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, cast

from rich.console import Console
from rich.text import Text

from protocol.words import State
from referee.adjudication.faults import FaultRecord
from referee.engine import view
from referee.engine.board import Board
from referee.engine.serialize import event_words
from referee.engine.state import GameState
from referee.narration.events import EventNarrator, SeatName, Statement, Words, number_in
from referee.terminal.board.picture import show_position
from referee.terminal.seats import seat_style, seat_text
from referee.text import visible, visible_lines

TONES: Final = {
    "action": "",
    "create": "bold",
    "prestige": "yellow",
    "marker": "cyan",
    "city": "bold",
    "quiet": "dim",
    "fault": "bold red",
}
_LONGEST_NAME: Final = 16
_KEPT: Final = 60  # lines that `print_again` prints


class LiveGameLog:
    """Prints the events of a game as they happen."""

    def __init__(
        self,
        board: Board,
        names: Sequence[str],
        console: Console,
        *,
        boards: bool = False,
    ) -> None:
        self._board = board
        self._names = names
        self._console = console
        self._boards = boards
        self._narrator = EventNarrator(board.words)
        self._event_count = 0
        self._turn: tuple[int, int] | None = None  # turn and seat that are not yet in the margin
        self._active: int | None = None
        self._prestige: dict[int | str, int] = {}
        # On a narrow terminal the sentences need the space more than the names.
        self._width = min(max(map(len, names)), _LONGEST_NAME, max(console.width // 5, 4))
        self._kept: deque[Text] = deque(maxlen=_KEPT)

    def skip(self, state: GameState) -> None:
        """Skip the events so far: they are never printed."""
        for event in self._new_events(state):
            self._follow(event)
            self._narrator.narrate(event)
        self._turn = None if self._active is None else (state.turn, self._active)

    def applied(self, state: GameState) -> None:
        """Print the events since the last call."""
        for event in self._new_events(state):
            self._follow(event)
            if event["event"] == "turn":
                self._begin_turn(state, event)
            statement = self._narrator.narrate(event)
            # A disqualification is printed with its fault.
            if statement is not None and event["event"] != "disqualified":
                self._print(self._sentence(statement, event))

    def _new_events(self, state: GameState) -> list[Words]:
        events = state.events or []
        new_events: list[Words] = [
            event_words(state, event) for event in events[self._event_count :]
        ]
        self._event_count = len(events)
        return new_events

    def _follow(self, event: Words) -> None:
        """Remember whose turn it is, and add up the prestige."""
        if event["event"] == "turn":
            self._active = number_in(event, "seat")
        elif event["event"] == "prestige":
            seat = cast("int | str", event["seat"])
            self._prestige[seat] = self._prestige.get(seat, 0) + number_in(event, "points")

    def _begin_turn(self, state: GameState, event: Words) -> None:
        if self._turn is not None:
            self._print(Text("passes", style="dim"))
        number, seat = number_in(event, "turn"), number_in(event, "seat")
        if self._boards and number > 1:
            self._show_board(state)
        self._turn = (number, seat)

    def _show_board(self, state: GameState) -> None:
        # Every seat sees the same board; hidden things are not on it.
        position = cast("State", view.see(state, 0))
        self._console.print()
        show_position(self._board.words, position, self._names, self._console)
        self._console.print()

    def _sentence(self, statement: Statement, event: Words) -> Text:
        text = Text()
        if statement.seat is not None and statement.seat != self._active:
            text.append_text(seat_text(statement.seat, self._names, style="")).append(" ")
        style = TONES[statement.tone]
        for part in statement.phrase:
            if isinstance(part, SeatName):
                text.append_text(self._who(part, style))
            else:
                text.append(part, style)
        if event["event"] == "prestige":
            text.append(f", now {self._prestige[cast('int | str', event['seat'])]}", "dim")
        return text

    def _who(self, who: SeatName, style: str) -> Text:
        text = seat_text(who.seat, self._names, style=style)
        return text.append("'s" if who.possessive else "", style)

    def remarked(self, state: GameState, remark: str) -> None:
        """Print a remark of the bot that is being asked."""
        seat = state.agenda[-1].seat
        text = seat_text(seat, self._names, style="") if seat != self._active else Text()
        self._print(text.append(f'{" " if text else ""}says "{visible(remark)}"', "italic dim"))

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """Print that an answer waited for a core: the machine was slow, not the bot."""
        text = seat_text(seat, self._names, style="yellow")
        waited = f" waited {waited_ms:.0f} of {ms:.0f} ms for a core: the machine is busy"
        self._print(text.append(waited, "yellow"))

    def faulted(self, fault: FaultRecord) -> None:
        """Print a fault, the stderr of a bot that is disqualified, and the file with all of it."""
        text = Text()
        if fault.seat != self._active:
            text = seat_text(fault.seat, self._names, style="red").append(" ")
        self._print(text.append(f"✗ {visible(fault.describe())}", "bold red"))
        lines = visible_lines(fault.stderr) if fault.disqualified else []
        if lines or fault.stderr_file:
            self._print(Text(f"its stderr: {fault.stderr_file}".rstrip(), style="red"), fold=False)
        for line in lines:
            self._print(Text(f"  {line.expandtabs()}"), fold=False)

    def print_again(self) -> None:
        """Print the last lines once more."""
        for line in self._kept:
            self._console.print(line, soft_wrap=True)

    def _print(self, text: Text, *, fold: bool = True) -> None:
        """Print a line beside the margin, which names the turn and its seat once."""
        margin = self._margin()
        width = max(self._console.width - margin.cell_len, 20)
        lines = text.wrap(self._console, width) if fold else [text]
        for line in lines:
            line.rstrip()
            whole = margin.append_text(line)
            self._kept.append(whole)
            self._console.print(whole, soft_wrap=True)
            margin = self._margin()

    def _margin(self) -> Text:
        width = self._width
        if self._turn is None:
            return Text(" " * (width + 8))
        (number, seat), self._turn = self._turn, None
        name = seat_text(seat, self._names, most=width)
        name.pad_right(width + 2 - name.cell_len)
        return Text.assemble((f"{number:>4} ", "dim"), name, (" ", seat_style(seat)))

"""What `referee play` shows: the log with board and tables, one event a line, or the result alone."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final, ParamSpec, Protocol, cast

from rich.console import Console
from rich.text import Text

from protocol.words import State
from referee.atlas.shape import visible
from referee.console import Output, complain, say
from referee.console_board import show_position
from referee.console_human import TerminalScreen
from referee.console_log import GameLog
from referee.console_table import desks_legend, desks_table, final_table, mission_lines
from referee.engine import view
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.engine.state import GameState
from referee.engine.words import event_words
from referee.errors import OutputRefused
from referee.report import FaultWords, Result, ending, fault_sentence, occasion, one_line
from referee.telling import PlaceNames

P = ParamSpec("P")

PIPE_CLOSED: Final = 141  # as the shell says of a program that a closed pipe ended
PONDERING_MS: Final = 50.0  # from here on it is worth a word


class Show(Protocol):
    """One way to show a game."""

    def opened(self, state: GameState, seed: int, origin: str | None) -> None:
        """A game begins, or goes on from somewhere."""

    def applied(self, state: GameState) -> None:
        """Something happened."""

    def said(self, state: GameState, remark: str) -> None:
        """A bot made a remark with its answer."""

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """A bot waited for a core."""

    def faulted(self, fault: FaultWords) -> None:
        """A bot was at fault."""

    def finished(self, state: GameState, result: Result) -> None:
        """The game is over."""


def guarded(do: Callable[P, None]) -> Callable[P, None]:
    """The same, but an output that takes no more is told as what it is, and no fault of a game."""

    def guard(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            do(*args, **kwargs)
        except BrokenPipeError:
            close_output()
            raise SystemExit(PIPE_CLOSED) from None
        except OSError as error:
            close_output()
            raise OutputRefused(f"cannot write to standard output: {error.strerror}") from error

    return guard


def close_output() -> None:
    """Whatever is still in a buffer goes nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        pass


class LogShow:
    """The log as it goes; at the end the board, the desks and the score pad."""

    def __init__(
        self, board: Board, names: Sequence[str], *, boards: bool = False, sandbox: str = ""
    ) -> None:
        self._console = Output(highlight=False)
        self._sandbox = sandbox
        self._names = names
        self.log = GameLog(board, names, self._console, boards=boards)
        self._waited: list[float] = []

    def screen(self) -> TerminalScreen:
        """For people at the table."""
        return TerminalScreen(self._names, self.log, self._console)

    def opened(self, state: GameState, seed: int, origin: str | None) -> None:
        """What is played, and by whom."""
        _heading(self._console, state.board, state.rules)
        self._console.print(Text(f"seed {seed}", style="dim"))
        if self._sandbox:
            self._console.print(Text(visible(self._sandbox), style="dim"))
        if origin is not None:
            self._console.print(Text(f"Goes on from {origin}."))
            self.log.skip(state)
        self._console.print()

    def applied(self, state: GameState) -> None:
        """New lines of the log."""
        self.log.applied(state)

    def said(self, state: GameState, remark: str) -> None:
        """A remark among them."""
        self.log.said(state, remark)

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """The first time it is told at once, the rest in sum."""
        if not self._waited:
            self.log.slow(seat, ms, waited_ms)
        self._waited.append(waited_ms)

    def faulted(self, fault: FaultWords) -> None:
        """In red."""
        self.log.faulted(fault)

    def finished(self, state: GameState, result: Result) -> None:
        """Board, desks, score pad, and how it ended."""
        out, position = self._console, cast("State", view.see(state, 0))
        out.print()
        show_position(state.board.words, position, self._names, out)
        out.print("", desks_table(position, state.rules, self._names), sep="\n")
        out.print(desks_legend(position), "", sep="\n")
        out.print(final_table(result), "", sep="\n")
        for line in mission_lines(result, PlaceNames(state.board.words)):
            out.print(line)
        out.print(Text(ending(result)))
        for sentence in remarks(result, self._waited):
            out.print(Text(sentence, style="yellow"))
        out.print(Text(f"The same game again: --seed {result['seed']}", style="dim"), "", sep="\n")


def _heading(out: Console, board: Board, rules: Ruleset) -> None:
    out.print()
    out.print(Text(visible(occasion(board, rules)), style="bold"))


def remarks(result: Result, waited_ms: Sequence[float]) -> list[str]:
    """What one should know about the machine and about bots that did not rest."""
    said = [
        f"{player['name']} used {player['pondered_ms']:.0f} ms of CPU while others were asked."
        for player in result["players"]
        if player["pondered_ms"] is not None and player["pondered_ms"] > PONDERING_MS
    ]
    if waited_ms:
        count = "1 answer" if len(waited_ms) == 1 else f"{len(waited_ms)} answers"
        total = f"{sum(waited_ms):.0f} ms"
        said.append(f"The machine was slow, not the bots: {count} waited {total} for a core.")
    return said


class JsonShow:
    """One object a line: the game, its events as in the protocol, faults, and the result."""

    def __init__(self, sandbox: str = "") -> None:
        self._sandbox = sandbox
        self._told = 0
        # In ASCII: nothing in it can be taken for a command to a terminal.
        self._encode = json.JSONEncoder(separators=(",", ":")).encode

    def opened(self, state: GameState, seed: int, origin: str | None) -> None:
        """The first line."""
        words = {"rules": state.rules.words(), "seed": seed, "from": origin}
        self._print([{"event": "game", **words, "sandbox": self._sandbox}])
        if origin is not None:
            self._told = len(state.events or ())

    def applied(self, state: GameState) -> None:
        """A line for each event."""
        events = state.events or []
        if len(events) > self._told:
            self._print([event_words(state, event) for event in events[self._told :]])
            self._told = len(events)

    def said(self, state: GameState, remark: str) -> None:
        """A remark is a line as well."""
        self._print([{"event": "said", "seat": state.agenda[-1].seat, "say": remark}])

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """So is a wait for a core."""
        self._print([{"event": "slow", "seat": seat, "ms": ms, "waited_ms": waited_ms}])

    def faulted(self, fault: FaultWords) -> None:
        """And a fault."""
        self._print([{"event": "fault", **fault}])

    def finished(self, state: GameState, result: Result) -> None:
        """The last line."""
        self._print([{"event": "result", **result}])

    def _print(self, lines: Sequence[object]) -> None:
        text = "".join([self._encode(line) + "\n" for line in lines])
        sys.stdout.write(text)
        sys.stdout.flush()


class QuietShow:
    """The result in one line; faults and what is wrong with the machine on stderr."""

    def __init__(self) -> None:
        self._waited: list[float] = []

    def opened(self, state: GameState, seed: int, origin: str | None) -> None:
        """Nothing."""

    def applied(self, state: GameState) -> None:
        """Nothing."""

    def said(self, state: GameState, remark: str) -> None:
        """Nothing."""

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """Told at the end."""
        self._waited.append(waited_ms)

    def faulted(self, fault: FaultWords) -> None:
        """One sentence."""
        where = f"; its stderr: {fault['stderr']}" if fault["stderr"] else ""
        complain(visible(f"{fault['name']} {fault_sentence(fault)}{where}"))

    def finished(self, state: GameState, result: Result) -> None:
        """One line."""
        for sentence in remarks(result, self._waited):
            complain(sentence)
        say(one_line(result))
        sys.stdout.flush()

"""The output of `referee play`: the log with board and tables, JSON lines, or only the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Final, ParamSpec, Protocol, cast

from rich.console import Console
from rich.text import Text

from protocol.words import State
from referee.adjudication.faults import FaultRecord
from referee.engine import view
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.engine.serialize import event_words
from referee.engine.state import GameState
from referee.narration.events import PlaceNames
from referee.narration.result import GameSummary, describe_ending, describe_outcome, game_title
from referee.terminal import Output, complain, say
from referee.terminal.board.picture import show_position
from referee.terminal.game.human import TerminalScreen
from referee.terminal.game.log import LiveGameLog
from referee.terminal.game.score_tables import desks_legend, desks_table, final_table, mission_lines
from referee.text import indented, visible

P = ParamSpec("P")

PONDERING_MS: Final = 50.0  # less than this is not reported


class GameDisplay(Protocol):
    """One way to show a game in the terminal."""

    def opened(self, state: GameState, seed: int, origin: str | None) -> None:
        """A game begins, or continues from `origin`."""

    def applied(self, state: GameState) -> None:
        """A choice was applied, or the game begins."""

    def remarked(self, state: GameState, remark: str) -> None:
        """A bot made a remark with its answer."""

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """A bot's answer waited for a core."""

    def faulted(self, fault: FaultRecord) -> None:
        """A bot or a person committed a fault."""

    def finished(self, state: GameState, result: GameSummary) -> None:
        """The game is over or was stopped."""


class LogGameDisplay:
    """The log while the game is played; at the end the board, the desks and the score pad."""

    def __init__(
        self, board: Board, names: Sequence[str], *, boards: bool = False, sandbox: str = ""
    ) -> None:
        self._console = Output(highlight=False)
        self._sandbox = sandbox
        self._names = names
        self.log = LiveGameLog(board, names, self._console, boards=boards)
        self._waited: list[float] = []

    def screen(self) -> TerminalScreen:
        """The screen for a person who plays."""
        return TerminalScreen(self._names, self.log, self._console)

    def opened(self, state: GameState, seed: int, origin: str | None) -> None:
        """Print what is played, the seed and the sandbox."""
        _heading(self._console, state.board, state.rules)
        self._console.print(Text(f"seed {seed}", style="dim"))
        if self._sandbox:
            self._console.print(Text(visible(self._sandbox), style="dim"))
        if origin is not None:
            self._console.print(Text(f"Continues from {origin}."))
            self.log.skip(state)
        self._console.print()

    def applied(self, state: GameState) -> None:
        """Print the new lines of the log."""
        self.log.applied(state)

    def remarked(self, state: GameState, remark: str) -> None:
        """Print a remark in the log."""
        self.log.remarked(state, remark)

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """Report the first one at once, and the rest as a sum at the end."""
        if not self._waited:
            self.log.slow(seat, ms, waited_ms)
        self._waited.append(waited_ms)

    def faulted(self, fault: FaultRecord) -> None:
        """Print the fault in red."""
        self.log.faulted(fault)

    def finished(self, state: GameState, result: GameSummary) -> None:
        """Print board, desks, score pad, and how the game ended."""
        out, position = self._console, cast("State", view.see(state, 0))
        out.print()
        show_position(state.board.words, position, self._names, out)
        out.print("", desks_table(position, state.rules, self._names), sep="\n")
        out.print(desks_legend(position), "", sep="\n")
        out.print(final_table(result), "", sep="\n")
        for line in mission_lines(result, PlaceNames(state.board.words)):
            out.print(line)
        out.print(Text(describe_ending(state)))
        for sentence in remarks(result, self._waited):
            out.print(Text(sentence, style="yellow"))
        out.print(
            Text(f"To play the same game again: --seed {result.outcome.seed}", style="dim"),
            "",
            sep="\n",
        )


def _heading(out: Console, board: Board, rules: Ruleset) -> None:
    out.print()
    out.print(Text(visible(game_title(board, rules)), style="bold"))


def remarks(result: GameSummary, waited_ms: Sequence[float]) -> list[str]:
    """Sentences about bots that pondered and about a busy machine."""
    sentences = [
        f"{player.name} used {player.pondered_ms:.0f} ms of CPU time while others were asked."
        for player in result.players
        if player.pondered_ms is not None and player.pondered_ms > PONDERING_MS
    ]
    if waited_ms:
        count = "1 answer" if len(waited_ms) == 1 else f"{len(waited_ms)} answers"
        total = f"{sum(waited_ms):.0f} ms"
        sentences.append(f"The machine was slow, not the bots: {count} waited {total} for a core.")
    return sentences


class JsonGameDisplay:
    """JSON lines: the game, its events as in the protocol, faults, and the result."""

    def __init__(self, sandbox: str = "") -> None:
        self._sandbox = sandbox
        self._event_count = 0
        # ASCII only, so that nothing in it can control a terminal.
        self._encode = json.JSONEncoder(separators=(",", ":")).encode

    def opened(self, state: GameState, seed: int, origin: str | None) -> None:
        """Print the first line: the game."""
        words = {"rules": state.rules.to_dict(), "seed": seed, "from": origin}
        self._print([{"event": "game", **words, "sandbox": self._sandbox}])
        if origin is not None:
            self._event_count = len(state.events or ())

    def applied(self, state: GameState) -> None:
        """Print a line for each new event."""
        events = state.events or []
        if len(events) > self._event_count:
            self._print([event_words(state, event) for event in events[self._event_count :]])
            self._event_count = len(events)

    def remarked(self, state: GameState, remark: str) -> None:
        """Print a remark as a line."""
        self._print([{"event": "said", "seat": state.agenda[-1].seat, "say": remark}])

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """Print a wait for a core as a line."""
        self._print([{"event": "slow", "seat": seat, "ms": ms, "waited_ms": waited_ms}])

    def faulted(self, fault: FaultRecord) -> None:
        """Print a fault as a line."""
        self._print([{"event": "fault", **fault.to_dict()}])

    def finished(self, state: GameState, result: GameSummary) -> None:
        """Print the last line: the result."""
        self._print([{"event": "result", **result.to_dict()}])

    def _print(self, lines: Sequence[object]) -> None:
        text = "".join([self._encode(line) + "\n" for line in lines])
        sys.stdout.write(text)
        sys.stdout.flush()


class QuietGameDisplay:
    """The result in one line; faults and a busy machine are reported on stderr."""

    def __init__(self) -> None:
        self._waited: list[float] = []

    def opened(self, state: GameState, seed: int, origin: str | None) -> None:
        """Print nothing at the beginning."""

    def applied(self, state: GameState) -> None:
        """Print nothing about events."""

    def remarked(self, state: GameState, remark: str) -> None:
        """Print nothing about remarks."""

    def slow(self, seat: int, ms: float, waited_ms: float) -> None:
        """Add the wait to the sum that is printed at the end."""
        self._waited.append(waited_ms)

    def faulted(self, fault: FaultRecord) -> None:
        """Print the fault on stderr, with what a bot that is disqualified wrote to its own."""
        written = indented(fault.stderr) if fault.disqualified else ""
        sentence = f"{fault.name} {fault.describe()}"
        if written or fault.stderr_file:
            sentence += f"; its stderr: {fault.stderr_file}".rstrip()
        complain(visible(sentence) + written)

    def finished(self, state: GameState, result: GameSummary) -> None:
        """Print the ranking in one line."""
        for sentence in remarks(result, self._waited):
            complain(sentence)
        say(describe_outcome(result.outcome))
        sys.stdout.flush()

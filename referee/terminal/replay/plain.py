"""`referee replay` without a screen of its own: the log and a position in print, or objects for programs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from referee.narration.result import occasion
from referee.replay.json_lines import end_words, game_words, position_words, step_words
from referee.replay.position import position_at
from referee.replay.timeline import Timeline
from referee.terminal import Output, show_json
from referee.terminal.board.picture import show_position
from referee.terminal.replay.log import LogPage
from referee.terminal.replay.panes import desks_pane, scores_pane
from referee.text import visible

LOOK_AGAIN_S: Final = 0.1


def can_be_watched() -> bool:
    """Whether there is a terminal that keys come from and that a screen can be drawn on."""
    console = Console()
    return sys.stdin.isatty() and console.is_terminal and not console.is_dumb_terminal


class PlainShow:
    """Prints steps as they are asked for."""

    def __init__(self, timeline: Timeline, eyes: int | None) -> None:
        self._timeline = timeline
        self._eyes = eyes
        self._names = [visible(name) for name in timeline.names]
        self._console = Output(highlight=False)
        self._log = LogPage(timeline, self._console, self._console.width)
        self._begun = False  # a line was printed: margins say what is new

    def opened(self) -> None:
        """What is played."""
        timeline = self._timeline
        self._console.print(Text(visible(occasion(timeline.board, timeline.rules)), style="bold"))
        if self._eyes is None:
            self._console.print(Text(f"seed {timeline.header.seed}", style="dim"))
        else:
            seen = f"as seen by {self._names[self._eyes]}, seat {self._eyes}"
            self._console.print(Text(seen, style="dim"))
        self._console.print()

    def steps(self, steps: Iterable[int]) -> None:
        """The log of these steps."""
        for step in steps:
            named = not self._begun or self._log.begins_turn(step)
            for _, text, heads in self._log.lines(step, self._eyes):
                margin = Text() if heads else self._log.margin(step, named=named)
                self._console.print(margin.append_text(text), soft_wrap=True)
                self._begun, named = True, named and heads

    def position(self, step: int) -> None:
        """Board, desks and score; and why the record ends there, if the game does not."""
        out, timeline = self._console, self._timeline
        position = position_at(timeline, step, self._eyes)
        out.print()
        show_position(timeline.board.words, position.seen, self._names, out)
        out.print("", desks_pane(position, self._names, self._eyes), "", sep="\n")
        out.print(scores_pane(position, self._eyes))
        if step == timeline.last and not timeline.is_complete:
            for sentence in timeline.coda(self._eyes):
                out.print(self._log.sentence(sentence, -1))


class JsonShow:
    """One object a line, in ASCII."""

    def __init__(self, timeline: Timeline, eyes: int | None) -> None:
        self._timeline = timeline
        self._eyes = eyes

    def opened(self) -> None:
        """The game."""
        show_json(game_words(self._timeline, self._eyes))

    def steps(self, steps: Iterable[int]) -> None:
        """A decision a line; a fault is one as well."""
        for step in steps:
            for words in step_words(self._timeline, step, self._eyes):
                show_json(words)
        sys.stdout.flush()

    def position(self, step: int) -> None:
        """The position, and how the record ends if it is its last one."""
        show_json(position_words(self._timeline, step, self._eyes))
        if step == self._timeline.last:
            show_json(end_words(self._timeline, self._eyes))
        sys.stdout.flush()


def show_steps(show: PlainShow | JsonShow, first: int, last: int) -> None:
    """The log of some steps and the position after them."""
    show.opened()
    show.steps(range(first, last + 1))
    show.position(last)


def follow(timeline: Timeline, show: PlainShow | JsonShow) -> None:
    """The steps as they are written, until the game is over; then the position."""
    show.opened()
    shown = 0
    while True:
        show.steps(range(shown, timeline.last + 1))
        shown = timeline.last + 1
        if timeline.is_finished:
            break
        if not timeline.grow():
            time.sleep(LOOK_AGAIN_S)
    show.position(timeline.last)


def wait_for_the_first_line(path: Path) -> Timeline:
    """A record that is about to be written has no lines yet."""
    timeline = Timeline(path)
    while not timeline.steps:
        if not timeline.grow():
            time.sleep(LOOK_AGAIN_S)
    return timeline
